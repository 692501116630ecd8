"""The game in the terminal as an application: a table with mouse and keys, made with Textual."""
