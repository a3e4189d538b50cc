"""`python3 -m ossicle`."""
import sys

try:
    from .cli import main
except KeyboardInterrupt:  # already while the packages load
    sys.exit("ossicle: interrupted; no file is half-written")

sys.exit(main())
