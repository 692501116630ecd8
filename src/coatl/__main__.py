"""`python -m coatl`: the same as the command `coatl`."""

from coatl.cli.main import main

if __name__ == "__main__":
    main()
