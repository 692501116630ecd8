"""`python -m bench.attack`."""

from __future__ import annotations

import sys

from bench.attack.run import main

if __name__ == "__main__":
    main(sys.argv[1:])
