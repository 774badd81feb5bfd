#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each lesson asks a question that has an answer, and says how to see it. One that needs a GPU comes second and says so, and
has an answer of its own. Usage: questions.py [ROOT]"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Iterator

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from workbook_lib import question_command, stages  # noqa: E402  (its folder has just been put on the path)
from workbook_lib.errors import WorkbookError  # noqa: E402

ON_GPU = "**With a GPU.**"
NEEDS_GPU = re.compile(r"on a GPU|nvidia-smi|workbook bench|multiProcessorCount|[Mm]easure")


def problems(root: Path) -> Iterator[str]:
    for stage in stages.read_stages(root):
        lesson = f"stages/{stage.name}/README.md"
        try:
            question, answer = question_command.question_of(root, stage.name), question_command.answer_of(root, stage.name)
        except (OSError, WorkbookError) as error:
            yield str(error)
            continue
        plain, _, on_gpu = question.partition(ON_GPU)
        if "?" not in plain:
            yield f"{lesson}: no question that needs no GPU"
        if NEEDS_GPU.search(plain):
            yield f"{lesson}: a question that needs a GPU stands behind {ON_GPU}"
        if f"`scripts/workbook question {stage.number} --answer`" not in question:
            yield f"{lesson}: does not say how to see the answer"
        answered, _, answered_on_gpu = answer.partition(ON_GPU)
        if not answered.strip() or bool(answered_on_gpu) != bool(on_gpu):
            yield f"stages/{stage.name}/question_answer.md does not answer what {lesson} asks"


def main() -> int:
    found = list(problems(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT))
    print("\n".join(found) if found else "each lesson's question has its answer")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
