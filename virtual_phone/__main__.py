"""``python -m virtual_phone``."""

import sys

from virtual_phone.command import main

if __name__ == "__main__":
    sys.exit(main())
