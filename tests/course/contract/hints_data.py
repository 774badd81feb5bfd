#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What must hold of all hints (hints.json in stages/, in answers/ and in their folders). Every stage has at least five
symptoms with words of its own. Each hint has two tiers or more, and no line of the answer's code stands before the last
one. Each condition can be read. A stage's own hint says what went wrong: it is tried before the shared ones, so a
condition on the case alone would hide the hint for a race.

Usage: hints_data.py, or hints_data.py --self-test."""

from __future__ import annotations

import functools
import re
import sys
import unittest
from pathlib import Path
from typing import Iterator, List, Mapping

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
from workbook_lib.base.errors import WorkbookError  # noqa: E402
from workbook_lib.course import stages, todo_file  # noqa: E402
from workbook_lib.judge import hints  # noqa: E402
from workbook_lib.judge.hints import Hint  # noqa: E402

FEWEST_SYMPTOMS, FEWEST_TIERS = 5, 2
LONGEST = 480  # characters of a tier: six lines
SHORTEST_CODE = 12  # what is shorter, as `i < n`, is no line of an answer
WHERE = {"ends", "case"}  # facts of a failure that do not say what went wrong, unless it ends without a result


@functools.lru_cache(maxsize=None)  # each tier of each hint asks for those of its stage
def solution_lines(answer: str) -> List[str]:
    """The code that a student is to write, without blanks and comments."""
    lines, inside = [], False
    for line in answer.splitlines():
        inside = (inside or bool(todo_file.BEGIN.match(line))) and not todo_file.END.match(line)
        code = re.sub(r"\s+", "", line.split("//")[0]).rstrip(";{")
        if inside and len(code) >= SHORTEST_CODE:
            lines.append(code)
    return lines


def check_hint(hint: Hint, answer: str) -> Iterator[str]:
    if len(hint.tiers) < FEWEST_TIERS:
        yield f"{hint.name}: {len(hint.tiers)} tiers, {FEWEST_TIERS} are wanted"
    for pattern in hint.when.values():
        try:
            re.compile(pattern)
        except re.error as error:
            yield f"{hint.name}: {pattern}: {error}"
    for tier, text in hint.tiers.items():
        if len(text) > LONGEST:
            yield f"{hint.name}: {tier} has {len(text)} characters, {LONGEST} are allowed"
        if "TO WRITE" in text:
            yield f"{hint.name}: {tier} is not written yet"
        squeezed = re.sub(r"\s+", "", text)
        given = [code for code in solution_lines(answer) if code in squeezed]
        if tier != "line" and given:
            yield f"{hint.name}: {tier} gives away `{given[0]}`"
    if "?" not in hint.tiers.get("question", "?"):
        yield f"{hint.name}: question asks nothing"


def check_own(name: str, when: Mapping[str, str]) -> Iterator[str]:
    if set(when) <= WHERE and re.search(when.get("ends", ""), "no-match"):
        yield f"{name}: is drawn for a race in this case, too: ask for `finding`, or for `result`, which is there without one"


def check_stage(root: Path, stage: str) -> Iterator[str]:
    own = hints.entries(root, stage)
    for name, entry in own.items():
        if "when" in entry:
            yield from check_own(name, entry["when"])
    if (root / "answers").is_dir() and len(own) < FEWEST_SYMPTOMS:
        yield f"{len(own)} symptoms, {FEWEST_SYMPTOMS} are wanted"
    answer = root / "answers" / stage / "solution.cu"
    text = todo_file.read(answer) if answer.is_file() else ""
    for hint in hints.read(root, stage):
        yield from check_hint(hint, text)


class SelfTest(unittest.TestCase):
    ANSWER = "// BEGIN SOLUTION: it\n  sum += input[first + i];  // add\n// END SOLUTION\n"

    def problems(self, when=None, **tiers):
        return list(check_hint(Hint("x", when or {}, tiers), self.ANSWER))

    def test_what_is_in_order(self):
        self.assertEqual(self.problems(question="Why?", idea="Add.", line="`sum += input[first + i];`"), [])

    def test_each_rule(self):
        self.assertIn("1 tiers", self.problems(question="Why?")[0])
        self.assertIn("gives away", self.problems(question="Why?", idea="Do sum += input[first + i]")[0])
        self.assertIn("asks nothing", self.problems(question="Think.", idea="Add.")[0])
        self.assertIn("characters", self.problems(question="Why?", idea="a" * 500)[0])
        self.assertIn("unterminated", self.problems({"result": "("}, question="Why?", idea="Add.")[0])
        self.assertIn("not written", self.problems(question="TO WRITE?", idea="Add.")[0])
        for when in ({"ends": "^no-match$", "case": "steep"}, {"case": "steep"}):
            self.assertIn("a race", list(check_own("x", when))[0])
        for when in ({"result": ".", "case": "steep"}, {"finding": "^race$"}, {"ends": "^not-solved$"}):
            self.assertEqual(list(check_own("x", when)), [])


def main() -> int:
    if "--self-test" in sys.argv:
        return 0 if unittest.main(argv=sys.argv[:1], exit=False).result.wasSuccessful() else 1
    try:
        problems = [f"{stage.name}: {each}" for stage in stages.read_stages(ROOT) for each in check_stage(ROOT, stage.name)]
    except WorkbookError as error:  # a file that cannot be read
        problems = [str(error)]
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
