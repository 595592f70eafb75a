"""``python -m benchmarks.growth``: attack everything with everything; the test suite takes a sample of it."""

from __future__ import annotations

import argparse
import json
import sys
import time

from harness.growth.attacks import attacks_on, outgrown, rows
from harness.growth.recording import record_patterns


def main() -> int:
    """Print what grows faster than its text; 1 if anything does."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    record_patterns()
    from harness.growth.inventory import (  # noqa: PLC0415 - they import the product: after the hook
        asked,
        patterns,
        works,
    )

    began = time.process_time()
    functions = works()
    found = {name: outgrown(work, rows()) for name, work in functions.items()}
    attacked = patterns()
    found |= {f"{one.where}: {one.pattern.pattern}": outgrown(asked(one), attacks_on(one.pattern)) for one in attacked}
    report = {
        "patterns": len(attacked),
        "functions": len(functions),
        "outgrown": {name: said for name, said in found.items() if said},
        "cpu_s": round(time.process_time() - began, 1),
    }
    if options.json:
        print(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        print(f"{report['patterns']} patterns, {report['functions']} functions, {report['cpu_s']} s")
        print("\n".join(f"{name}: {said}" for name, said in found.items() if said) or "all grow with their text")
    return 1 if report["outgrown"] else 0


if __name__ == "__main__":
    sys.exit(main())
