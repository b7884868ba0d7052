"""`python -m tenken.cli`, as the bootstrap starts it."""

import sys

from tenken.cli.main import main

sys.exit(main(sys.argv[1:]))
