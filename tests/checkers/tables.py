#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the table of tests/checkers/README.md and the line `// compute-sanitizer: ...` of each planted bug.

What the simulator finds comes from the first line of each .cu file (which run_check.py proves), what compute-sanitizer
says from compute_sanitizer_h200.json (which ask_compute_sanitizer.py measures): nobody types a verdict.
  tests/checkers/tables.py           rewrites both
  tests/checkers/tables.py --check   fails, with a diff, when a file is not what the data say
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import sys
from pathlib import Path
from typing import Any, Dict, List

import planted

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))
from workbook_lib.simulator import vocabulary  # noqa: E402

FOLDER = Path(__file__).resolve().parent
MEASURED = FOLDER / "compute_sanitizer_h200.json"
MARKS = re.compile(r"(<!-- table -->\n).*(<!-- end of table -->\n)", re.DOTALL)
TITLES = {
    "race_shared": "Races in shared memory",
    "race_global": "Races in global memory",
    "async_copy": "Asynchronous copies",
    "memory": "Memory",
    "init": "Memory that nothing wrote",
    "sync": "Synchronisation",
    "leak": "Memory that is never freed",
    "tensor": "Tensor cores",
}
MEANINGS = {check.word: check.meaning[0].upper() + check.meaning[1:] for check in vocabulary.CHECKS}  # of folders without a title
Answers = Dict[str, Dict[str, Any]]


def counted(number: int, word: str) -> str:
    return f"{number} {word}" + ("" if number == 1 else "s")


def said_by(answers: Answers, with_headline: bool) -> List[str]:
    """What each tool that said anything said of one program."""
    said = []
    for tool, answer in answers.items():
        if "state" in answer:
            if answer["state"] == "did not end":
                said.append(f"{tool}: did not end")
            continue
        counts = [counted(answer[f"{word}s"], word) for word in ("error", "warning") if answer[f"{word}s"]]
        if counts:
            headline = f" ({answer['headline']})" if with_headline and answer["headline"] else ""
            said.append(f"{tool}: {' and '.join(counts)}{headline}")
    return said


def verdict(claim: planted.Planted, data: Dict[str, Any], with_headline: bool) -> str:
    programs = data.get("programs", {}).get(claim.name)
    if programs is None:
        return "not asked yet"
    states = {answer.get("state") for answer in programs["bug"].values()}
    if states == {"not started"}:
        return "not asked, as a GPU would not end"
    if states & {"not asked", "not built", "no summary"}:
        return "not asked yet"
    said = "; ".join(said_by(programs["bug"], with_headline)) or "nothing"
    repaired = [text.split(":")[0] for text in said_by(programs["repaired"], False)]
    return said + (f"; of the repaired program too: {', '.join(repaired)}" if repaired else "")


def found(claim: planted.Planted) -> str:
    fields = [claim.fields[name] for name in ("scope", "hazard", "use") if name in claim.fields]
    return f"`{claim.kind}`" + (f" ({', '.join(fields)})" if fields else "")


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")


def table(claims: List[planted.Planted], data: Dict[str, Any]) -> str:
    lines = []
    if data:
        lines += [f"compute-sanitizer {data['compute_sanitizer']} on: {data['device']}.", ""]
        lines += [f"- `{command}`" for command in data["commands"].values()] + [""]
    others = {claim.path.parent.name for claim in claims} - set(TITLES)
    for area, title in {**TITLES, **{other: MEANINGS[other] for other in sorted(others)}}.items():
        lines += [f"### {title}", "", "| program | what is wrong | the simulator finds | compute-sanitizer says |", "|---|---|---|---|"]
        for claim in claims:
            if claim.path.parent.name == area:
                lines.append(f"| [{claim.path.stem}]({claim.name}.cu) | {cell(claim.sentence)} | {found(claim)} | {cell(verdict(claim, data, True))} |")
        lines.append("")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing")
    arguments = parser.parse_args()
    data = json.loads(MEASURED.read_text(encoding="utf-8")) if MEASURED.exists() else {}
    claims = planted.read_all(FOLDER)
    unknown = {claim.path.parent.name for claim in claims} - {*TITLES, *MEANINGS}
    if unknown or not claims:
        print(f"no title for {', '.join(sorted(unknown))}" if unknown else "no planted bug was found")
        return 1
    wanted: Dict[Path, str] = {}
    for claim in claims:
        lines = claim.path.read_text(encoding="utf-8").split("\n")
        lines[2] = planted.VERDICT + verdict(claim, data, False)
        wanted[claim.path] = "\n".join(lines)
    readme = FOLDER / "README.md"
    text = table(claims, data)
    wanted[readme] = MARKS.sub(lambda marks: marks[1] + "\n" + text + marks[2], readme.read_text(encoding="utf-8"))

    different = 0
    for path, new in wanted.items():
        old = path.read_text(encoding="utf-8")
        if old == new:
            continue
        different += 1
        if arguments.check:
            sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), str(path), "from the data"))
        else:
            path.write_text(new, encoding="utf-8")
    if arguments.check and different:
        print("run tests/checkers/tables.py")
    return 1 if arguments.check and different else 0


if __name__ == "__main__":
    sys.exit(main())
