#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Data of the course keep to their JSON Schemas. Editors read the schemas too: .vscode/settings.json says which files have
which. The schemas have the names that the scripts read. Without the package jsonschema, only the scripts read the files.

Usage: schemas.py"""

from __future__ import annotations

import dataclasses
import json
import sys
from pathlib import Path
from typing import Dict, Iterator, List

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
from workbook_lib.course import stages  # noqa: E402  (its folder has just been put on the path)
from workbook_lib.judge import expected_counters, hints, symptom  # noqa: E402  (its folder has just been put on the path)
from workbook_lib.base.errors import WorkbookError  # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None


def load(file: Path):
    return json.loads(file.read_text(encoding="utf-8"))


def differ(schema: str, names: Dict[str, object], wanted: List[str]) -> Iterator[str]:
    if set(names) != set(wanted):
        yield f".vscode/schema/{schema}.json: {sorted(set(names) ^ set(wanted))} is not in both the schema and the scripts"


def of_schemas() -> Iterator[str]:
    shared, lines, rules = (load(ROOT / f".vscode/schema/{name}.json") for name in ("hints", "hint_lines", "technique"))
    entry = shared["additionalProperties"]["properties"]
    yield from differ("hints", entry, list(hints.IN["stages"]))
    yield from differ("hints", entry["when"]["properties"], list(symptom.FACTS))
    yield from differ("hint_lines", lines["additionalProperties"]["properties"], list(hints.IN["answers"]))
    yield from differ("technique", rules["items"]["properties"], [field.name for field in dataclasses.fields(expected_counters.Rule)])


def of_files() -> Iterator[str]:
    for row in load(ROOT / ".vscode/settings.json")["json.schemas"]:
        validator = jsonschema.Draft7Validator(load(ROOT / row["url"]))
        files = [file for pattern in row["fileMatch"] for file in sorted(ROOT.glob(pattern.lstrip("/")))]
        if not files and (ROOT / "answers").is_dir():
            yield f".vscode/settings.json: there is no file for {row['url']}"
        for file in files:
            for error in validator.iter_errors(load(file)):
                yield f"{file.relative_to(ROOT)}: {'.'.join(map(str, error.absolute_path))}: {error.message}"


def problems() -> Iterator[str]:
    yield from of_schemas()
    try:
        for stage in stages.read_stages(ROOT):
            hints.read(ROOT, stage.name)
            expected_counters.read_rules(ROOT, stage.name)
    except WorkbookError as error:
        yield str(error)
    if jsonschema is not None:
        yield from of_files()


def main() -> int:
    found = list(problems())
    print("\n".join(found) if found else f"in order, {'by their schemas' if jsonschema else 'as the scripts read them'}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
