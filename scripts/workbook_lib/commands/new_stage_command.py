# SPDX-License-Identifier: MIT
"""The command scripts/workbook new-stage: the skeleton of the next stage, which builds and reports "not solved yet".
The functions of a stage come from its problem's entry, common/workbook/problem/*/*/entry/PROBLEM.cpp, and from its
student header."""

from __future__ import annotations

import argparse
import json
import re
import textwrap
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Dict, List

from ..base import files
from ..base.errors import WorkbookError
from ..base.options import add_command
from ..base.progress import Progress
from ..course import stages, todo_file

PROBLEMS = Path("common") / "workbook" / "problem"

SOLUTION = """\
// SPDX-License-Identifier: MIT
// Stage {number:02}: {title}.
// TO WRITE: the idea in two or three sentences, and what stays as it was.
#include <cstddef>

#include "workbook/{header}"

// TO WRITE: the kernel, with a region of its own for the student. Before it: what it computes, its launch, and what a
// thread owns.

{definition}
  // BEGIN SOLUTION: TO WRITE: what to write here, and what not to use.
  // UNTIL SOLVED: {unused}  // delete this line
  // UNTIL SOLVED: WORKBOOK_TODO("TO WRITE: what is missing, then delete this line");
  {unused}
  WORKBOOK_TODO("the answer is not written yet");
  // END SOLUTION
}}
{instantiations}"""

WRONG = """\
// refused: wrong-result: nothing is launched, so that the result is what was in memory before
// SPDX-License-Identifier: MIT
// hint: TO-WRITE
// Here as a first one: TO WRITE: the mistakes that this stage invites, one a file.
#include <cstddef>

#include "workbook/{header}"

{definition}
  {unused}
{returned}}}
{instantiations}"""

# The part that the shared hints of common symptoms do not have: nearly the line.
HINTS = ("not-solved", "race-in-block", "outside-global", "output-not-written", "wrong-number")

LESSON = """\
# Stage {number:02}: {title}

**You learn** TO WRITE: one sentence.

## What is slow about stage {before:02}

TO WRITE: with figures of the table.

## The idea

TO WRITE: with a drawing.

## Your task

TO WRITE: what the student writes in `todo.cu`, and about how many lines; what is given.

## What to observe

    scripts/workbook run {before}-{number}
    scripts/workbook run {number} --todo

TO WRITE: which columns change, and why.

## One question

TO WRITE: one that counters or thought can answer?

`scripts/workbook question {number} --answer` shows our answer.

## The traps

The wrong kernels are in `answers/stage{number:02}/wrong/`.

- **Nothing is launched** (`nothing_launched.cu`). TO WRITE: the others.

## What the step bought on a GPU

<!-- measured:begin step -->
TO MEASURE: scripts/tables writes here.
<!-- measured:end -->
"""

ORDER = 150
EXAMPLES = """  scripts/workbook new-stage "shared memory, interleaved" --problem reduction"""
LEFT = """\
Stage {number:02} builds, and says "not solved yet". What is left, in this order (search for TO WRITE):
  1. answers/{name}/solution.cu: the answer. scripts/workbook run {number} runs it.
  2. scripts/make_todo {number}, and read stages/{name}/todo.cu as a student would.
  3. stages/CMakeLists.txt: BLOCK and BLOCKS, where the stage has its own.
  4. answers/{name}/wrong/: a file for each mistake that the stage invites. Its first line says why it is refused.
  5. answers/{name}/hints.json: nearly the line, for at least five symptoms. stages/hints.json has a question and the idea for
     those that stages share; stages/{name}/hints.json has those of this stage alone (scripts/workbook_lib/judge/hints.py). A hint is true
     for all that its conditions let through: where there are several causes, the question separates them. Each wrong kernel
     names the hint that it draws, `// hint: NAME`: scripts/workbook test -C all -R {name}.wrong-hints.
  6. stages/{name}/technique.json: what the counters of this answer must show, as in the stages before; while it is missing,
     scripts/workbook test -R must-hold names the figures.
  7. stages/{name}/README.md: the lesson; answers/{name}/question.md: the answer to its question; and the stage's row in stages/README.md.
     Words that no lesson before has: a section of stages/words.md, which the lesson links.
  8. scripts/workbook test -C all -R {name}, and then scripts/workbook test.
  9. On a GPU: scripts/compare_gpu and scripts/workbook bench, as scripts/tables says; then scripts/tables."""


@dataclass(frozen=True)
class Problem:
    """The functions that a stage of a problem must define."""

    header: str  # in common/workbook
    declaration: str  # for the function, without the semicolon; includes a template's first line
    instances: List[str]  # for a template: the types

    @property
    def parameters(self) -> List[str]:
        """The parameters with their types."""
        inside = self.declaration[self.declaration.index("(") + 1 : self.declaration.rindex(")")]
        return [" ".join(parameter.split()) for parameter in inside.split(",")]

    @property
    def names(self) -> List[str]:
        return [parameter.split()[-1].lstrip("*&") for parameter in self.parameters]

    def laid_out(self, end: str) -> str:
        """The declaration, followed by `end`. Where one line is too short, the parameters stand below each other."""
        head = self.declaration[: self.declaration.index("(") + 1]
        indent = " " * len(head.splitlines()[-1])
        # A line may end only between parameters.
        whole = ", ".join(parameter.replace(" ", "\0") for parameter in self.parameters)
        text = textwrap.fill(
            f"{indent}{whole}){end}".replace(" {", "\0{"),
            todo_file.WIDTH,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        return head + text[len(indent) :].replace("\0", " ")

    @property
    def unused(self) -> str:
        return ", ".join(f"(void){name}" for name in self.names) + ";"

    @property
    def returned(self) -> str:
        """A line that returns a wrong value of the right type. Empty where the function returns nothing."""
        kind = self.declaration.partition("(")[0]
        if re.search(r"\bvoid\s+\w+$", kind):
            return ""
        return f"  return {self.names[0]};\n" if "*" in kind else "  return {};\n"

    @property
    def instantiations(self) -> str:
        """The instantiations after the definition of a template."""
        typename = re.match(r"template <typename (\w+)>\n", self.declaration)
        if typename is None:
            return ""
        plain = replace(self, declaration=f"template {self.declaration[typename.end() :]}")
        lines = [re.sub(rf"\b{typename[1]}\b", name, plain.declaration) for name in self.instances]
        return "\n" + "\n".join(replace(plain, declaration=line).laid_out(";") for line in lines) + "\n"


def read_problem(root: Path, name: str) -> Problem:
    entries = {path.stem: path for path in (root / PROBLEMS).glob("*/*/entry/*.cpp")}
    if name not in entries:
        raise WorkbookError(f"there is no problem '{name}': there are {', '.join(sorted(entries))} ({PROBLEMS})")
    text = entries[name].read_text(encoding="utf-8")
    function = re.search(r"stages that define (\w+)\(\)", text)
    if not function:
        raise WorkbookError(f"{entries[name]} does not say what a stage defines")
    for header in re.findall(r'^#include "workbook/([\w/]+\.h)"', text, re.MULTILINE):
        shown = (root / "common" / "workbook" / header).read_text(encoding="utf-8")
        found = re.search(rf"^(?:template[^\n]*\n)?[^\n/]*\b{function[1]}\([^;]*\);", shown, re.MULTILINE)
        if found:
            return Problem(header, found[0].rstrip(";"), re.findall(rf"{function[1]}<(\w+)>", text))
    raise WorkbookError(f"no header that {entries[name]} includes declares {function[1]}()")


def texts(root: Path, title: str, problem_name: str) -> Dict[Path, str]:
    """All files of the stage, and the list of stages."""
    problem = read_problem(root, problem_name)
    number = stages.read_stages(root)[-1].number + 1
    name = f"stage{number:02}"
    words = {"number": number, "before": number - 1, "title": title, "header": problem.header}
    words.update(definition=problem.laid_out(" {"), unused=problem.unused, returned=problem.returned)
    words["instantiations"] = problem.instantiations
    solution = SOLUTION.format(**words)
    listing = root / "stages" / "CMakeLists.txt"
    line = f'workbook_stage({name} PROBLEM {problem_name} TITLE "{title}")\n'
    try:
        todo = todo_file.make_todo(solution, f"answers/{name}/solution.cu", number)
    except todo_file.MarkError as error:  # a title that is too long
        raise WorkbookError(str(error)) from error
    return {
        root / "answers" / name / "solution.cu": solution,
        root / "stages" / name / "todo.cu": todo,
        root / "stages" / name / "README.md": LESSON.format(**words),
        root / "answers" / name / "hints.json": json.dumps({hint: {"line": "TO WRITE"} for hint in HINTS}, indent=2) + "\n",
        root / "answers" / name / "question.md": "TO WRITE: the answer to the lesson's question.\n",
        root / "answers" / name / "wrong" / "nothing_launched.cu": WRONG.format(**words),
        listing: listing.read_text(encoding="utf-8").rstrip("\n") + f"\n{line}",
    }


def add_to(commands: "argparse._SubParsersAction") -> None:
    words = "for instructors: make the skeleton of the next stage"
    new = add_command(commands, "new-stage", EXAMPLES, new_stage_command, help=words)
    new.description = "Makes the files of the next stage, which build, and says what is left to do."
    new.add_argument("title", help='the idea in a few words, as in "shared memory, interleaved"')
    new.add_argument("--problem", required=True, metavar="NAME", help=f"what is computed: an entry of a folder in {PROBLEMS}")


def new_stage_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    if not re.fullmatch(r'[^"\\\n$]+', arguments.title):
        raise WorkbookError("a title is one line without quotes, backslashes and dollars")
    made = texts(root, arguments.title, arguments.problem)
    for file in made:
        if file.exists() and file.name != "CMakeLists.txt":
            raise WorkbookError(f"{file.relative_to(root)} is there already, and stages/CMakeLists.txt does not list it")
    for file, text in made.items():  # the list of stages comes last
        file.parent.mkdir(parents=True, exist_ok=True)
        files.write_atomically(file, text)
        progress.say(f"wrote {file.relative_to(root)}")
    number = stages.read_stages(root)[-1].number
    print(LEFT.format(number=number, name=f"stage{number:02}"))
    return 0
