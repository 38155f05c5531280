"""Entry of the frozen build."""

import sys

from thinkpane.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
