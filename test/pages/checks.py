"""What was checked: a line for each, and the status that a test ends with."""
import sys

failed = 0


def check(what, good, found=""):
    global failed
    print(("ok    " if good else "FAILED ") + what + ("" if good else f": {found}"))
    failed += not good


def finish():
    sys.exit(1 if failed else 0)
