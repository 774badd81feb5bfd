# SPDX-License-Identifier: MIT
"""The file with a student's records. It lies in a hidden folder of the checkout, which git ignores and which no build
removes. What is not as scripts/workbook writes it does not count, and a sentence says so. It is kept beside the new file.

One process changes the records at a time (flock), so that none of two changes is lost."""

from __future__ import annotations

import contextlib
import fcntl
import json
import math
import os
from pathlib import Path
from typing import Callable, Dict, Iterator, NamedTuple, Optional

from ..base import files
from ..build import build_lock, inputs
from ..course.stages import Stage
from .counts import Counts

FOLDER = ".workbook"
FILE = f"{FOLDER}/records.json"
ODD = f"{FOLDER}/records.json.kept"  # what was no record
OLD_FOLDER = "build/default"
OLD_FILE = f"{OLD_FOLDER}/workbook-results.json"  # the place of older versions
MOST_BYTES = 16 << 20
MOST_DIGITS = 25  # of a whole number; counters have 64 bits

Records = Dict[str, Dict[str, object]]
Say = Callable[[str], None]

# The shape of a value is a type, several shapes, a list of one, or a mapping with known or with any names. None is
# allowed everywhere.
MISTAKE = {"kind": str, "place": str, "text": str}
FIGURES = {
    **{"problem": str, "device": str, "simulated": bool, "size": (int, str), "seed": int, "block_size": (int, str)},
    **{"work": {str: (float, str)}, "relative_error": float, "time_ms": float, "time_kind": str},
    "counts": dict.fromkeys(Counts.__dataclass_fields__, float),
}
SHAPES = {  # by the first word of a record's name
    "device": {"reason": str},
    "hints": {"total": int, "mistake": MISTAKE, "taken": {str: int}},
    "todo": {
        **{"outcome": str, "solved": bool, "tried": str, "made_of": str, "course": str, "files": [str]},
        **{"figures": FIGURES, "symptom": {str: str}, "mistake": MISTAKE},
        "met": {str: {"times": int, "place": str, "words": str}},
    },
}


class Unfit(Exception):
    """A value that is not of its shape."""


def fitted(value: object, shape: object) -> object:
    """The value, without unknown names, and without characters that a terminal obeys. Raises Unfit."""
    if value is None:
        return None
    if isinstance(shape, tuple):
        shape = next((each for each in shape if is_of(value, each)), shape[0])
    if isinstance(shape, list) and type(value) is list:
        return [fitted(each, shape[0]) for each in value]
    if isinstance(shape, dict) and type(value) is dict:
        return {plain(name): fitted(each, shape.get(name, shape.get(str))) for name, each in value.items()
                if name in shape or str in shape}  # fmt: skip
    if not is_of(value, shape):
        raise Unfit
    return plain(value) if isinstance(value, str) else value


def is_of(value: object, shape: object) -> bool:
    if shape is float:
        return type(value) in (int, float) and math.isfinite(value)
    return type(value) is shape


def plain(text: str) -> str:
    return "".join(each if each in "\n\t" or each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)


class Loaded(NamedTuple):
    records: Records
    fault: str  # what does not count, and why


def load(root: Path) -> Loaded:
    file = root / FILE
    try:
        data = files.read_regular(file, MOST_BYTES, follows_links=False)
    except FileNotFoundError:
        return taken_over(root)
    except OSError as error:
        return Loaded({}, f"{FILE} {error.strerror}")
    return of_text(data, FILE)


def of_text(data: bytes, name: str) -> Loaded:
    try:
        found = json.loads(data.decode("utf-8"), parse_int=whole, parse_constant=refuse)
    except (ValueError, RecursionError):
        return Loaded({}, f"{name} holds no records (it is cut off, or something else has written it)")
    if not isinstance(found, dict):
        return Loaded({}, f"{name} holds no records")
    records, unfit = {}, []
    for entry, value in found.items():
        try:
            fits = fitted(value, SHAPES[entry.partition(" ")[0]])
            records[plain(entry)] = fits if isinstance(fits, dict) else refuse(entry)
        except (KeyError, Unfit, ValueError):
            unfit.append(plain(entry)[:40])
    more = f" and {len(unfit) - 1} more" if len(unfit) > 1 else ""
    return Loaded(records, f"'{unfit[0]}'{more} in {name} is no record" if unfit else "")


def whole(digits: str) -> int:
    return int(digits) if len(digits) <= MOST_DIGITS else refuse(digits)


def refuse(text: str) -> None:
    raise ValueError(text)


def taken_over(root: Path) -> Loaded:
    """The records of an older version, which lay in the build folder."""
    try:
        data = files.read_regular(root / OLD_FILE, MOST_BYTES, follows_links=False)
        found = json.loads(data.decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return Loaded({}, "")
    entries = found.items() if isinstance(found, dict) else ()
    changed = {}
    for name, value in entries:
        kind, _, stage = name.partition(" ")
        value = dict(value) if isinstance(value, dict) else {}
        if kind == "hints":  # how many of each hint
            value = {"total": sum(each for each in value.values() if type(each) is int)}
        built = inputs.read(root / OLD_FOLDER, Stage(stage, 0, "")) if kind == "todo" else None
        if built is not None:
            value["files"] = built.files
        changed[name] = value
    return Loaded(of_text(json.dumps(changed).encode(), OLD_FILE).records, "")


def read(root: Path, say: Say = lambda text: None) -> Records:
    found = load(root)
    if found.fault:
        say(f"warning: {found.fault}: it does not count, and the next run begins anew")
    return found.records


@contextlib.contextmanager
def change(root: Path, say: Say) -> Iterator[Records]:
    """The records, which are written at the end of the block. Other processes wait that long. Where nothing can be
    written, a warning says so."""
    try:
        lock: Optional[int] = take_lock(root / FOLDER)
    except OSError as error:
        warn(say, error)
        yield load(root).records
        return
    try:
        found = load(root)
        yield found.records
        try:
            if found.fault:
                os.replace(root / FILE, root / ODD)
                say(f"warning: {found.fault}: it does not count, and is kept as {ODD}")
            files.write_own(root / FILE, json.dumps(found.records, sort_keys=True))
        except OSError as error:
            warn(say, error)
    finally:
        os.close(lock)


def warn(say: Say, error: OSError) -> None:
    say(f"warning: `scripts/workbook list` will not know of this run: {FILE}: {error.strerror}{files.advice(error)}")


def take_lock(folder: Path) -> int:
    folder.mkdir(exist_ok=True)
    file = os.open(folder / "records.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
    try:
        build_lock.lock(file, fcntl.LOCK_EX)
    except BaseException:
        os.close(file)
        raise
    return file
