import sys

from xacc.cli import main

sys.exit(main())
