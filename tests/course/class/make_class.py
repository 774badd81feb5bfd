#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A class of made submissions: answers, wrong kernels, cheats, files that nobody has touched, and rubbish, as folders, zips and
tar files. Beside it stands what the grader must say of each, which --check compares with its grades.

    make_class.py FOLDER [--students 200] [--stages 1-7] [--seed 1] [--alike]
    scripts/workbook grade FOLDER/class --roster FOLDER/roster.csv --stages 1-7 --out FOLDER/grades
    make_class.py FOLDER --check FOLDER/grades/grade.json

Equal files are graded once, so each file has a line with its student's name. --alike leaves it out."""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import re
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Dict, Iterator, List, Sequence, Tuple

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
from workbook_lib.course import stages  # noqa: E402  (its folder has just been put on the path)
from workbook_lib.course.stages import Stage  # noqa: E402
from workbook_lib.grade import grading  # noqa: E402

EXPECTED = "expected.json"
REFUSED = re.compile(r"^// refused: ([\w-]+)")
CHEAT = re.compile(r"// cheat: .+\n// stage: (\d+)\n// says: (.+)\n")
SLOW = ("sleeps", "never_ends")
# What a student is, and how many of a hundred are that.
KINDS = {"answer": 45, "wrong": 25, "cheat": 10, "untouched": 8, "rubbish": 8, "missing": 4}
NO_POINTS = [each for each in grading.STATUSES if each not in (grading.SOLVED, grading.NOT_THE_STEP, grading.GRADER_ERROR)]

File = Tuple[bytes, List[str]]  # its content, and the statuses that are right for it


def answer(stage: Stage) -> bytes:
    return (ROOT / stage.source("answer")).read_bytes()


def wrong_kernels(stage: Stage) -> List[File]:
    """Each wrong kernel as a student would hand it in: in one file with the rest of the answer. Those that are only wrong
    for inputs that take minutes, or in a place that no case has, are found by no grader."""
    found = []
    for file in sorted((ROOT / "answers" / stage.name / "wrong").glob("*.cu")):
        text = file.read_text(encoding="utf-8")
        reason = REFUSED.match(text)
        is_found = "// slow: " not in text and "// hint: only-large" not in text
        if reason and is_found and '#include "../solution.cu"' in text:
            whole = text.replace('#include "../solution.cu"', answer(stage).decode())
            right = [grading.NOT_THE_STEP] if reason[1] == "not-the-step" else NO_POINTS
            found.append((whole.encode(), right))
    return found


def cheats(stage: Stage) -> List[File]:
    found = []
    for file in sorted((ROOT / "tests" / "cheats").glob("*.cu")):
        text = file.read_text(encoding="utf-8")
        number, status = CHEAT.match(text).groups()
        if int(number) == stage.number and file.stem not in SLOW:
            found.append((text.encode(), [status]))
    return found


def rubbish(draw: random.Random) -> File:
    return draw.choice(
        [
            (b"", [grading.NOT_COMPILED]),
            (draw.randbytes(5000), [grading.NOT_COMPILED]),
            (b"\xff\xfe// in another encoding\n", [grading.NOT_COMPILED]),
            (b"int main() { return 0; }\n", [grading.NOT_COMPILED]),
            (b'#error "</failure>]]> | 100 |\x1b[2J"\n', [grading.NOT_COMPILED]),
        ]
    )


def file_of(kind: str, stage: Stage, draw: random.Random) -> File:
    """A file of this kind, or an answer where the stage has none of it."""
    if kind == "wrong" and wrong_kernels(stage):
        return draw.choice(wrong_kernels(stage))
    if kind == "cheat" and cheats(stage):
        return draw.choice(cheats(stage))
    if kind == "untouched":
        return (ROOT / stage.source("todo")).read_bytes(), [grading.NOT_SOLVED]
    if kind == "rubbish":
        return rubbish(draw)
    return answer(stage), [grading.SOLVED]


def hand_in(folder: Path, name: str, files: Dict[str, bytes], form: str) -> None:
    if form == "zip":
        with zipfile.ZipFile(folder / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for path, content in files.items():
                archive.writestr(path, content)
            archive.writestr("../../outside", b"leads out of the archive")
    elif form == "tar":
        with tarfile.open(folder / f"{name}.tar.gz", "w:gz") as archive:
            for path, content in files.items():
                info = tarfile.TarInfo(path)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
    else:
        for path, content in files.items():
            file = folder / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        (folder / name / "link").symlink_to("/etc/passwd")


def make(folder: Path, students: int, chosen: Sequence[Stage], seed: int, is_alike: bool) -> None:
    draw = random.Random(seed)
    place = folder / "class"
    place.mkdir(parents=True)
    expected: Dict[str, Dict[str, List[str]]] = {}
    for number in range(1, students + 1):
        name = f"student{number:03}"
        kind = draw.choices(list(KINDS), list(KINDS.values()))[0] if number > len(KINDS) else list(KINDS)[number - 1]
        rows = expected[name] = {}
        files = {}
        for stage in chosen:
            if kind == "missing":
                rows[stage.name] = [grading.MISSING]
                continue
            content, rows[stage.name] = file_of(kind, stage, draw)
            files[f"work/stages/{stage.name}/todo.cu"] = content + (b"" if is_alike else f"\n// {name}\n".encode())
        if files:
            hand_in(place, name, files, draw.choice(["folder", "zip", "tar"]))
    (folder / "roster.csv").write_text("username\n" + "".join(f"{name}\n" for name in expected), encoding="utf-8")
    (folder / EXPECTED).write_text(json.dumps(expected, indent=1), encoding="utf-8")


def problems(folder: Path, grades: Path) -> Iterator[str]:
    expected = json.loads((folder / EXPECTED).read_text(encoding="utf-8"))
    found = json.loads(grades.read_text(encoding="utf-8"))
    rows = {each["name"]: {row["stage"]: row for row in each["stages"]} for each in found["students"]}
    if rows.keys() != expected.keys():
        yield f"the grades have {len(rows)} students, and the class has {len(expected)}"
    for name, stages_of in expected.items():
        for stage, right in stages_of.items():
            row = rows.get(name, {}).get(stage)
            if row is None or row["status"] not in right:
                yield f"{name} {stage}: {row['status'] if row else 'nothing'}, which should be {' or '.join(right)}: {row and row['reason']}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--stages", nargs="+", default=["1-7"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--alike", action="store_true")
    parser.add_argument("--check", type=Path, metavar="GRADES")
    given = parser.parse_args()
    if given.check:
        found = list(problems(given.folder, given.check))
        print("\n".join(found) if found else "each grade is as it must be")
        return 1 if found else 0
    make(given.folder, given.students, stages.select(stages.read_stages(ROOT), given.stages), given.seed, given.alike)
    print(f"{given.students} students are in {os.path.join(given.folder, 'class')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
