"""A seat's knowledge as numbers for a network: observation, legal mask, actions by meaning."""
