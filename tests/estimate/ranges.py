#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the ranges of an estimate: by limit, what nine of ten kernels took over their estimates. Prints the object `errors` of
a parameter file. The kernels are the stages, and half of the ordinary kernels (figures.is_for_ranges).

Usage: ranges.py [GPU]"""

from __future__ import annotations

import json
import math
import sys
from typing import Dict, List

import figures
from workbook_lib.estimate import model, parameters

FEW = 12  # kernels; a limit with fewer takes the range of all kernels where that is wider
LOW, HIGH = 0.03, 0.97  # a little more than nine in ten, as these kernels have shown what the model lacked


def main() -> int:
    name = sys.argv[1] if len(sys.argv) > 1 else "h200"
    gpu = parameters.read(name)
    seen = [row for row in figures.of_kernels("ordinary", gpu, name) if figures.is_for_ranges(row)]
    rows = [*figures.of_stages(gpu), *figures.of_lessons(gpu), *seen]
    by_limit = figures.by_limit(rows)
    ratios: Dict[str, List[float]] = {limit: [row.ratio for row in found] for limit, found in by_limit.items()}
    every = [ratio for found in ratios.values() for ratio in found]
    whole = figures.quantile(every, LOW), figures.quantile(every, HIGH)
    errors = {}
    for limit in model.LIMITS:
        found = ratios.get(limit, [])
        low, high = (figures.quantile(found, LOW), figures.quantile(found, HIGH)) if found else whole
        if len(found) < FEW:
            low, high = min(low, whole[0]), max(high, whole[1])
        source = "kernels with this limit" if len(found) >= FEW else f"all {len(every)} kernels, as few have this limit"
        errors[limit] = {"low": round(low, 2), "high": round(high, 2), "kernels": len(found), "source": source}
        print(limit, len(found), f"{math.exp(sorted(abs(math.log(r)) for r in found)[len(found) // 2]) - 1:.0%}" if found else "", file=sys.stderr)
    print(",\n".join(f"    {json.dumps(limit)}: {json.dumps(row)}" for limit, row in errors.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
