"""``python -m coatl.learn.searched``: play solo games with a search, and learn from them."""

from coatl.learn.searched.command import main

if __name__ == "__main__":
    main()
