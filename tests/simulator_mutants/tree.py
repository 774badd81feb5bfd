# SPDX-License-Identifier: MIT
"""A copy of the repository outside git, with all drawn mutants in it, and its build. SIMULATOR_MUTANT chooses one at run time."""

from __future__ import annotations

import fnmatch
import functools
import itertools
import random
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Dict, List, Optional, Sequence, Set, Tuple

from places import Mutant, mutants_of

ROOT = Path(__file__).resolve().parents[2]
COPY = ROOT / "build/simulator_mutants/tree"
BUILD = COPY / "build/default"
SWITCH_HEADER = """#pragma once
#include <cstdlib>
namespace simulator_mutant {
enum class Number : int {};  // a type of its own: no store to other types can change it
inline Number chosen{};
__attribute__((constructor(101))) static void choose() {
  if (const char* text = std::getenv("SIMULATOR_MUTANT")) chosen = Number{std::atoi(text)};
}
inline bool is(int number) { return chosen == Number{number}; }
}
"""
# Where a mutant is drawn: what git lists, and how many of 20.
SOURCES = {
    "simulator": ["common/simulator/*.cpp", "common/simulator/*.h"],
    "problems": ["common/workbook/problem/*.cpp"],
}
OF_TWENTY = {"simulator": 19, "problems": 1}
NOT_DRAWN = ("/bench/", "/example/")
MOST_OF_A_FILE = 3
MOST_DRAWN = 4000
TURNS = ("comparison", "operator", "statement-removed", "comparison", "constant", "operator", "condition-negated", "minimum")
# Always among them: mutants of which an earlier search said that few tests or none see them.
ALWAYS: Tuple[Tuple[str, str, str, int], ...] = (  # file, operator, a part of the changed unit, which of these
    ("checkers/race/shadow/happens_before.cpp", "comparison", "fenced_in_grid == gathered.fenced_in_grid", 0),
    ("machine/units/warp_unit.cpp", "statement-removed", "continue;", 3),
    ("machine/control/loop_detector.cpp", "operator", "!convergence_barrier.in_use &&", 0),
    ("checkers/race/shadow/coalesced.cpp", "comparison", "_shift_ == 2", 0),
    ("runtime/base/fat_binary.cpp", "comparison", "too_new == 0", 0),
    ("workbook/problem/sorts/sort/sort_cases.cpp", "comparison", "n >= largest_", 0),
    ("checkers/race/shadow/shared_epoch.cpp", "comparison", "line.clock < now.lanes", 0),
)


@functools.lru_cache(maxsize=None)
def all_files() -> Tuple[str, ...]:
    """What git lists; where there is no git, all but what .gitignore names at the root."""
    answer = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if answer.returncode == 0:
        names = answer.stdout.decode().split("\0")
    else:
        found = (path for path in ROOT.rglob("*") if "__pycache__" not in path.parts)
        names = sorted(str(path.relative_to(ROOT)) for path in found)
        names = [name for name in names if not re.match(r"build|\.git$|\.(git|toolkit|workbook|venv)/", name)]
    return tuple(name for name in names if name and (ROOT / name).is_file())


def files(*patterns: str) -> List[str]:
    """Those that one of the patterns matches; `*` also matches a slash."""
    return [name for name in all_files() if any(fnmatch.fnmatch(name, pattern) for pattern in patterns)]


def all_mutants() -> Dict[str, List[Mutant]]:
    """Of each part of SOURCES."""
    found = {}
    for part, patterns in SOURCES.items():
        paths = [path for path in files(*patterns) if not any(word in path for word in NOT_DRAWN)]
        found[part] = [m for path in paths for m in mutants_of(path, (ROOT / path).read_text(encoding="utf-8"))]
    return found


def candidates(everything: Dict[str, List[Mutant]], seed: int) -> List[Mutant]:
    """In the order in which they are drawn: the parts and the operators take turns."""
    chance = random.Random(seed)
    queues: Dict[Tuple[str, str], List[Mutant]] = {}
    for part, mutants in everything.items():
        for mutant in mutants:
            queues.setdefault((part, mutant.operator), []).append(mutant)
    for queue in queues.values():
        chance.shuffle(queue)
    parts = [part for part, count in OF_TWENTY.items() for _ in range(count)]
    found = [one for row in ALWAYS for one in named(everything, *row)]
    turns = {part: itertools.cycle(TURNS) for part in everything}
    for _ in range(MOST_DRAWN // len(parts)):
        for part in parts:
            queue = queues.get((part, next(turns[part])))
            if queue:
                found.append(queue.pop())
    return found


def named(everything: Dict[str, List[Mutant]], path: str, operator: str, text: str, turn: int) -> List[Mutant]:
    found = [
        m
        for mutants in everything.values()
        for m in mutants
        if m.path.endswith(path) and m.operator == operator and text in (m.after if operator != "statement-removed" else m.before)
    ]
    if len(found) <= turn:
        raise SystemExit(f"no mutant {operator} of {path} with {text}: tree.ALWAYS is of an older source")
    return [found[turn]]


class Choice:
    """The mutants of one build, by their numbers, which begin at 1: those in `known`, then others of `order`."""

    def __init__(self, by_name: Dict[str, Mutant], order: Sequence[Mutant], count: int, known: Sequence[str]):
        self.count = count
        self.chosen: List[Mutant] = []
        self.of_file: Counter = Counter()
        missing = [name for name in known if name not in by_name]
        for name in missing:
            print(f"{name} is no mutant any more: another one is drawn")
        self.order = iter([*(by_name[name] for name in known if name in by_name), *order])
        self.refused: Set[str] = set()
        self.fill()

    def fill(self) -> None:
        while len(self.chosen) < self.count:
            mutant = next(self.order)
            overlaps = any(
                one.path == mutant.path and one.begin < mutant.end and mutant.begin < one.end for one in self.chosen
            )
            if not overlaps and mutant.name not in self.refused and self.of_file[mutant.path] < MOST_OF_A_FILE:
                self.chosen.append(mutant)
                self.of_file[mutant.path] += 1

    def refuse(self, mutant: Mutant) -> None:
        self.refused.add(mutant.name)
        self.chosen.remove(mutant)
        self.of_file[mutant.path] -= 1

    def text(self, path: str) -> str:
        """The source with its switches."""
        source = (ROOT / path).read_text(encoding="utf-8")
        of_path = [(m, number) for number, m in enumerate(self.chosen, start=1) if m.path == path]
        for mutant, number in sorted(of_path, key=lambda pair: -pair[0].begin):
            source = source[: mutant.begin] + mutant.replacement.format(number=number) + source[mutant.end :]
        return source

    def write(self, written: Set[str]) -> Set[str]:
        """Writes what differs; `written` are the files that had switches before."""
        now = {mutant.path for mutant in self.chosen}
        for path in now | written:
            text = self.text(path)
            if (COPY / path).read_text(encoding="utf-8") != text:
                (COPY / path).write_text(text, encoding="utf-8")
        return now


def copy_tree(keep: Set[str]) -> None:
    """What git lists, as it is in the folder; a file that is the same keeps its time. The files in `keep` are written later."""
    for path in all_files():
        to = COPY / path
        source = ROOT / path
        if path in keep and to.exists() or to.exists() and to.read_bytes() == source.read_bytes():
            continue
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, to, follow_symlinks=False)
    header = COPY / "build/simulator_mutant.h"
    header.parent.mkdir(parents=True, exist_ok=True)
    if not header.exists() or header.read_text(encoding="utf-8") != SWITCH_HEADER:
        header.write_text(SWITCH_HEADER, encoding="utf-8")


def configure(levels: str) -> None:
    flags = f"-DCMAKE_CXX_FLAGS=-w -include {COPY}/build/simulator_mutant.h"
    command = ["cmake", "--preset", "default", "-G", "Ninja", "-DWORKBOOK_DEVICE=simulator", "-DWORKBOOK_WERROR=OFF"]
    subprocess.run([*command, "-DWORKBOOK_MAINTAINER_TESTS=ON", f"-DCUDASIM_LEVELS={levels}", flags], cwd=COPY, check=True, stdout=subprocess.DEVNULL)


def ninja(targets: Sequence[str], jobs: int) -> Optional[str]:
    """None: all is built. Otherwise what the compilers say."""
    command = ["nice", "ninja", "-k0", f"-j{jobs}", "-C", str(BUILD), *targets]
    answer = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return None if answer.returncode == 0 else answer.stdout.decode(errors="replace")


def not_compiled(choice: Choice, errors: str) -> List[Mutant]:
    """The mutants at the lines that an error names; where none is at one, those at the lines that a note names."""
    for pattern in (r"([\w/.-]+):(\d+):\d+: (?:fatal )?error", r"([\w/.-]+):(\d+):\d+: "):
        places = {(path, int(line)) for path, line in re.findall(pattern, errors)}
        found = []
        for mutant in choice.chosen:
            source = (ROOT / mutant.path).read_text(encoding="utf-8")
            first = source.count("\n", 0, mutant.begin) + 1
            lines = range(first, first + source.count("\n", mutant.begin, mutant.end) + 1)
            if any(path.endswith(mutant.path) and line in lines for path, line in places):
                found.append(mutant)
        if found:
            return found
    return []


def make(count: int, seed: int, known: Sequence[str], targets: Sequence[str], levels: str, jobs: int) -> List[Mutant]:
    """Copies, draws, compiles the libraries, and draws again what cannot be a switch; then builds the tests."""
    everything = all_mutants()
    by_name = {mutant.name: mutant for mutants in everything.values() for mutant in mutants}
    choice = Choice(by_name, candidates(everything, seed), count, known)
    written = {mutant.path for mutant in choice.chosen}
    copy_tree(written)
    written = choice.write(written)
    configure(levels)
    for libraries in (["cudasim", "cudasim_core", "workbook"], list(targets)):
        while True:
            errors = ninja(libraries, jobs)
            if errors is None:
                break
            refused = not_compiled(choice, errors)
            if not refused:
                raise SystemExit(f"{errors[-6000:]}\nno mutant is at the line of an error")
            for mutant in refused:
                print(f"no switch: {mutant.name}, line {mutant.line}: {mutant.before} -> {mutant.after}", flush=True)
                choice.refuse(mutant)
            choice.fill()
            written = choice.write(written)
    return choice.chosen
