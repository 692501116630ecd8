"""Tables over HTTP and WebSocket, stored in one SQLite file: never lose a move."""
