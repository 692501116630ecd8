"""`make attack`: each attack of one anonymous address beside a paced table, loopback only."""
