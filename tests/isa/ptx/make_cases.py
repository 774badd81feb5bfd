#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the mechanical PTX cases: one file a row pattern of the simulator's table, every form on 32 operand tuples. Only
the opening comment of each is kept here, as NAME.case: what goes in, and what a GPU computed of it.

    make_cases.py --rows build/default/bin/list_rows           write these; recorded results that still apply are kept
    make_cases.py --rows build/default/bin/list_rows --check   nothing is written: every row has a case, no case names a row
                                                       that is gone, every .case file is what would be written
    make_cases.py --rows build/default/bin/list_rows --cases FOLDER    writes the whole cases, as PTX, to FOLDER
    make_cases.py --rows build/default/bin/list_rows --keep FOLDER     keeps what `ptx_case --record` has written into those
    make_cases.py --rows build/default/bin/list_rows --aliased FOLDER   writes to FOLDER, from the recorded bits, every form with no
                                                       destination that is a source, and with each pair that fits in
                                                       one register: the results are the same
    make_cases.py --ptxas /usr/local/cuda/bin/ptxas [FILE...]   cases assemble (for sm_90); prints what is refused
New values are recorded by `ptx_case --record FOLDER`, on a GPU.
"""
import argparse
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
from case_maker import files, patterns  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
MOST_PAIRS = 8  # of a destination and a source that may be one register: two destinations, four sources
GENERATED = "// Written by make_cases.py"


def case_paths():
    return sorted(p for p in [*HERE.glob("*/*.ptx"), *HERE.glob("*/*.case")] if p.parent.name != "refused")


def kept(name):
    """Where the opening comment of a generated case is."""
    return (HERE / name).with_suffix(".case")


def head(text):
    """The opening comment of a case."""
    return text[: text.index("\n.version") + 1]


def generate(rows, folder=None):
    """Name to text, for every case that the table asks for, with what was recorded: here, or in the cases of a folder."""
    result = {}
    for name, members in files.file_names([row for row in rows if row.is_pure]).items():
        case = files.CaseText(name, members)
        path = folder / name if folder else kept(name)
        recorded = files.recorded_values(path.read_text(), case.text({})) if path.exists() else {}
        result[name] = case.text(recorded)
    return result


def write(folder, texts):
    """Only what has changed, so that a build folder stays as it is."""
    changed = [folder / name for name, text in texts.items() if not holds(folder / name, text)]
    for path in changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts[str(path.relative_to(folder))])
    others = len(texts) - len(changed)
    print(f"{len(changed)} files written, {others} are as they were" if others else f"{len(changed)} files written")


def holds(path, text):
    return path.exists() and path.read_text() == text


def aliased(rows):
    """Name to text, for every form with shared registers."""
    result = {}
    for name, members in files.file_names([row for row in rows if row.is_pure]).items():
        usual = files.CaseText(name, members)
        recorded = files.recorded_values(kept(name).read_text(), usual.text({}))
        for alias in range(MOST_PAIRS + 1):
            case = files.CaseText(name, members, alias)
            if case.forms:
                result[f"{name[:-4]}.{alias}.ptx"] = case.text(recorded)
    return result


def rows_of_case(path):
    """The rows that a case says it covers: 'pattern' or 'pattern : operands'."""
    names, inside = [], False
    for line in path.read_text().splitlines():
        if not line.startswith("//"):
            break
        if line.startswith("// rows:"):
            inside = True
            names += [line[8:].strip()] if line[8:].strip() else []
        elif inside and line.startswith("//   "):
            names.append(line[5:].strip())
        else:
            inside = False
    return names


def check(rows, wanted):
    problems = []
    known = {row.name for row in rows} | {row.pattern for row in rows}
    covered = set()
    for path in case_paths():
        for name in rows_of_case(path):
            covered.add(name)
            if name not in known:
                problems.append(f"{path.relative_to(HERE)}: the table has no row '{name}' (any more)")
    for row in rows:
        if row.name not in covered and row.pattern not in covered:
            problems.append(f"no case covers the row '{row.name}' of the family {row.family}")
    expected = {kept(name): head(text) for name, text in wanted.items()}
    for path, text in expected.items():
        if not path.exists():
            problems.append(f"{path.relative_to(HERE)} is missing: run make_cases.py, then ptx_case --record on a GPU")
        elif path.read_text() != text:
            problems.append(f"{path.relative_to(HERE)} is not what make_cases.py writes: run it again")
    for path in case_paths():
        if path not in expected and GENERATED in path.read_text():
            problems.append(f"{path.relative_to(HERE)} was generated from a row that is gone: delete it")
    return problems


def assemble(ptxas, paths):
    problems = []
    for path in paths:
        done = subprocess.run([ptxas, "-arch=sm_90", "-o", "/dev/null", str(path)], text=True, capture_output=True)
        if done.returncode != 0:
            lines = path.read_text().splitlines()
            for message in done.stderr.splitlines():
                number = message.split("line ")[1].split(";")[0] if "line " in message else ""
                source = lines[int(number) - 1].strip() if number.isdigit() else ""
                problems.append(f"{path}: {message.split(';')[-1].strip()}: {source}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", help="the program list_rows, or a file with what it prints")
    parser.add_argument("--check", action="store_true", help="compare only; exit status 1 where something is missing")
    parser.add_argument("--aliased", metavar="FOLDER", type=pathlib.Path, help="write the cases with shared registers")
    parser.add_argument("--cases", metavar="FOLDER", type=pathlib.Path, help="write the whole cases")
    parser.add_argument("--keep", metavar="FOLDER", type=pathlib.Path, help="keep what was recorded in the cases of a folder")
    parser.add_argument("--ptxas", help="assemble cases with this ptxas")
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="for --ptxas: the cases; by default those written by hand")
    arguments = parser.parse_args()
    problems = []
    if arguments.rows:
        source = pathlib.Path(arguments.rows)
        is_text = source.suffix == ".tsv"
        text = source.read_text() if is_text else subprocess.run([source], check=True, text=True,
                                                                 stdout=subprocess.PIPE).stdout
        rows = patterns.read_rows(text)
        if arguments.aliased:
            write(arguments.aliased, aliased(rows))
            return 0
        wanted = generate(rows, arguments.keep)
        if arguments.check:
            problems += check(rows, wanted)
        elif arguments.cases:
            write(arguments.cases, wanted)
        else:
            write(HERE, {str(kept(name).relative_to(HERE)): head(text) for name, text in wanted.items()})
    if arguments.ptxas:
        problems += assemble(arguments.ptxas, [p.resolve() for p in arguments.files] or sorted(HERE.glob("*/*.ptx")))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
