#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What every lesson keeps to. It asks a question that has an answer, and says how to see the answer. A question that needs a
GPU comes second, says so, and has an answer of its own. No lesson leads to the source of the answer. In all texts, links
lead somewhere.

Usage: lessons.py [ROOT]"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Iterator, Set

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
from workbook_lib import question_command, stages  # noqa: E402  (its folder has just been put on the path)
from workbook_lib.errors import WorkbookError  # noqa: E402

ON_GPU = "**With a GPU.**"
NEEDS_GPU = re.compile(r"on a GPU|nvidia-smi|workbook bench|multiProcessorCount|[Mm]easure")
SHOWS_ANSWER = re.compile(r"--profile.*\banswer-stage|In the answer|answers/stage\d\d/solution\.cu")
LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)")


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


def anchors(text: str) -> Set[str]:
    """The anchors of the headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_links(root: Path) -> Iterator[str]:
    for page in [*root.glob("*.md"), *(path for folder in ("common", "stages", "tests") for path in (root / folder).rglob("*.md"))]:
        for target, anchor in LINK.findall(page.read_text(encoding="utf-8")):
            file = page.parent / target if target else page
            if "://" in target:
                continue
            if not file.exists():
                yield f"{page.relative_to(root)}: there is no {target}"
            elif anchor and anchor not in anchors(file.read_text(encoding="utf-8")):
                yield f"{page.relative_to(root)}: {target} has no heading #{anchor}"


def problems(root: Path) -> Iterator[str]:
    for stage in stages.read_stages(root):
        yield from question_problems(root, stage)
        yield from spoilers(root, stage)
    yield from dead_links(root)


def main() -> int:
    found = list(problems(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT))
    print("\n".join(found) if found else "the lessons are in order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
