"""Information-set search, guided by the network; all of it in compiled code."""
