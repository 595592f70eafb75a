"""``python -m benchmarks.promises {leak,order,bounds,costs} --json``: a promise of the joined application at full size.

``leak`` counts words of one chat in anything of another, ``order`` messages that overtook each other; ``bounds`` lets a
backlog grow while the memory server is down; ``costs`` compares a month of use with the books of the model server.
Exit code 1 when the promise was broken.  The test suite runs each small.
"""

from harness import month
from harness.chaos import bounds, leak, order
from harness.options import Work, run

TRIALS: dict[str, Work] = {
    "leak": leak.leaks,
    "order": order.inversions,
    "bounds": bounds.growth,
    "costs": month.simulate,
}

if __name__ == "__main__":
    run(TRIALS, __doc__, broken=lambda figures: figures.broken)
