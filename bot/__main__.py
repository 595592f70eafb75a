"""``python -m bot`` is ``mneme``."""

from bot.cli import main

if __name__ == "__main__":
    main()
