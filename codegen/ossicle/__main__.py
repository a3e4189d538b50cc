"""`python3 -m ossicle`."""
import sys

try:
    from .cli import main
except KeyboardInterrupt:  # already while the packages load
    sys.exit("ossicle: interrupted; nothing was written")

sys.exit(main())
