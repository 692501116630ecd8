"""Work on several cores or machines: processes, Ctrl-C while they run, and Ray clusters."""
