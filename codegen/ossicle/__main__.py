"""`python3 -m ossicle`."""
import sys

from .cli import main

sys.exit(main())
