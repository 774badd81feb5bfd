#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What every lesson keeps to. It asks a question that has an answer and says how to see it; one that needs a GPU comes second,
says so, and has an answer of its own. It does not lead to the source of the answer. It links the words that stages/words.md
explains for it, and uses each of them.

Usage: lessons.py [ROOT]"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
from workbook_lib.commands import question_command  # noqa: E402  (its folder has just been put on the path)
from workbook_lib.course import stages  # noqa: E402  (its folder has just been put on the path)
from workbook_lib.base.errors import WorkbookError  # noqa: E402

ON_GPU = "**With a GPU.**"
NEEDS_GPU = re.compile(r"on a GPU|nvidia-smi|workbook bench|multiProcessorCount|[Mm]easure")
SHOWS_ANSWER = re.compile(r"--profile.*\banswer-stage|In the answer|answers/stage\d\d/solution\.cu")

WORDS = re.compile(r"^## Stage (\d\d)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
WORD = re.compile(r"^\| (?!word \||-)(.*?) \| ", re.MULTILINE)
WORDS_LINK = "New words: [{words}](../words.md#stage-{number})."


def question_problems(root: Path, stage: stages.Stage) -> Iterator[str]:
    lesson = f"stages/{stage.name}/README.md"
    try:
        question, answer = question_command.question_of(root, stage.name), question_command.answer_of(root, stage.name)
    except (OSError, WorkbookError) as error:
        yield str(error)
        return
    plain, _, on_gpu = question.partition(ON_GPU)
    if "?" not in plain:
        yield f"{lesson}: no question that needs no GPU"
    if NEEDS_GPU.search(plain):
        yield f"{lesson}: a question that needs a GPU stands behind {ON_GPU}"
    if f"`scripts/workbook question {stage.number} --answer`" not in question:
        yield f"{lesson}: does not say how to see the answer"
    answered, _, answered_on_gpu = answer.partition(ON_GPU)
    if not answered.strip() or bool(answered_on_gpu) != bool(on_gpu):
        yield f"answers/{stage.name}/question.md does not answer what {lesson} asks"


def spoilers(root: Path, stage: stages.Stage) -> Iterator[str]:
    lesson = root / "stages" / stage.name / "README.md"
    for number, line in enumerate(lesson.read_text(encoding="utf-8").splitlines(), 1):
        if SHOWS_ANSWER.search(line):
            yield f"{lesson.relative_to(root)}:{number}: leads the reader into the answer: {line.strip()}"


def words_problems(root: Path) -> Iterator[str]:
    for number, rows in WORDS.findall((root / "stages" / "words.md").read_text(encoding="utf-8")):
        lesson = f"stages/stage{number}/README.md"
        text = " ".join((root / lesson).read_text(encoding="utf-8").replace("*", "").split())
        words = WORD.findall(rows)
        link = WORDS_LINK.format(words=", ".join(words), number=number)
        if link not in text:
            yield f"{lesson}: write behind what one learns: {link}"
        for word in words:
            if word.lower() not in text.replace(link, "").lower():
                yield f"{lesson}: does not use the word '{word}', which stages/words.md explains for it"


def problems(root: Path) -> Iterator[str]:
    yield from words_problems(root)
    for stage in stages.read_stages(root):
        yield from question_problems(root, stage)
        yield from spoilers(root, stage)
        yield from unwritten(root, stage)


def unwritten(root: Path, stage: stages.Stage) -> Iterator[str]:
    """What `new-stage` has left to be written."""
    for folder in ("stages", "answers"):
        for path in sorted((root / folder / stage.name).rglob("*")):
            if path.suffix in (".md", ".cu", ".cuh", ".json"):
                for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                    if "TO WRITE" in line or "TO MEASURE" in line:
                        yield f"{path.relative_to(root)}:{number}: is still to be written"


def main() -> int:
    found = list(problems(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT))
    print("\n".join(found) if found else "the lessons are in order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
