"""The lab: many games of a bot against itself, and what cards, colours and openings are worth."""
