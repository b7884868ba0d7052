"""`python -m tenken.cli`, as the bootstrap starts it."""

import sys

from tenken.cli.main import main
from tenken.cli.terminal import outlive_readers

outlive_readers()
sys.exit(main(sys.argv[1:]))
