# SPDX-License-Identifier: MIT
"""What the headers of a file define, so that the rest of the file can be preprocessed alone: that takes 0.015 s, and all of it
0.1 s, or 0.25 with <cuda/atomic>. The preprocessor marks what a macro of a system's header has made, so the macros are given to
it as of headers of their own kind, and the text is the same to the byte. Where it may be another, nothing is made, and the whole
file is preprocessed.

Who watches a file keeps them in memory; for `run` the newest few lie in the build folder."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import subprocess
import tempfile
import zlib
from pathlib import Path
from typing import Dict, List, Mapping, Optional, Sequence, Tuple

from . import saves

MOST_KEPT = 4  # 2 to 6 MB each
NOTES = "notes.json"
MARKER = re.compile(rb'# (\d+) "(.*)"((?: [1-4])*)\n?')
DEFINITION = re.compile(rb"#(?:define|undef) (\w+)")
BUILT_IN = b"<"  # begins the place of what the preprocessor defines by itself, or by its options
IN_SYSTEM = (b"", b" 3", b" 3 4")  # flags of a header: the user's, the system's, the system's in C
# What has another meaning without the headers before it.
UNKNOWN = re.compile(
    rb"(?:#|%:|\?\?=).*(?:include|import)|__has_include|__(?:COUNTER|INCLUDE_LEVEL|BASE_FILE|TIMESTAMP)__|p(?:ush|op)_macro"
)


def definitions(dumped: bytes) -> bytes:
    """The macros that are defined behind all headers, each in a place like its own, of what the preprocessor dumps (-dD)."""
    found: Dict[bytes, Tuple[bytes, bytes]] = {}
    flags = place = b""
    for line in dumped.split(b"\n"):
        marker = MARKER.fullmatch(line)
        if marker:
            place, flags = marker[2], b"".join(flag for flag in (b" 3", b" 4") if flag in marker[3])
            continue
        definition = DEFINITION.match(line)
        if definition and not place.startswith(BUILT_IN):
            found[definition[1]] = flags, line
    lines = [[b'# 1 "macros"' + flags, *(line for its, line in found.values() if its == flags)] for flags in IN_SYSTEM]
    return b"\n".join(line for part in lines for line in part) + b"\n"


def files_of(listed: str) -> List[str]:
    """The names in a list of headers, as a compiler writes it for make."""
    words = re.split(r"(?<!\\)\s+", listed.replace("\\\n", " ").partition(": ")[2])
    return [word.replace("\\ ", " ") for word in words if word]


class KnownHeaders:
    """Of one file, for as long as they are as they were."""

    def __init__(
        self,
        source: Path,
        begins: Sequence[bytes],
        commands: Sequence[Sequence[str]],
        environment: Mapping[str, str],
        where: Path,
        scratch: Path,
        kept: Path,
    ):
        """`begins`: the preprocessed headers, for the host and for the device. `commands`: those that preprocess the file, in `where`.
        `scratch`: for what is made of the rest. `kept`: where lies what is known. Raises OSError where the headers have no end."""
        self.source, self.begins, self.commands = source, list(begins), [list(words) for words in commands]
        self.environment, self.where, self.scratch, self.kept = environment, where, scratch, kept
        self.listed = kept / "headers-0.d"  # the host's, in a compiler's list
        begin = begins[0]
        marker = MARKER.fullmatch(begin[begin.rstrip(b"\n").rfind(b"\n") + 1 :])
        if marker is None:
            raise OSError("the headers have no end")
        self.lines = int(marker[1]) - 1  # so many are those of the headers
        self.head = b""
        self.looks: Dict[Path, saves.Look] = {}

    @classmethod
    def read(
        cls,
        source: Path,
        begins: Sequence[bytes],
        commands: Sequence[Sequence[str]],
        target: str,
        environment: Mapping[str, str],
        where: Path,
        folder: str,
        latest_ns: int,
    ) -> "KnownHeaders":
        """`target`: what is made of the file, in the list of headers. `folder`: for what is kept. `latest_ns`: nothing of it has been
        saved since. Raises OSError where something has."""
        scratch = Path(tempfile.mkdtemp(dir=folder))
        made = cls(source, begins, commands, environment, where, scratch, scratch)
        made.head, _ = made.parts()
        for number, words in enumerate(commands):
            listed = scratch / f"headers-{number}.d"
            dumping = [*words, "-dD", "-MD", "-MF", str(listed), "-MT", target]
            done = subprocess.run(dumping, env=environment, cwd=where, stdin=subprocess.DEVNULL, capture_output=True, check=False)
            if done.returncode != 0:
                raise OSError("there are no headers")
            made.macros(number).write_bytes(definitions(done.stdout))
            files = [where / name for name in files_of(listed.read_text(encoding="utf-8"))]
            made.looks.update((file, saves.look(file)) for file in files if file != source)
        if any(look[0] >= latest_ns for look in (*made.looks.values(), saves.look(source))):
            raise OSError("a header has just been saved")
        return made

    @classmethod
    def find(
        cls, source: Path, commands: Sequence[Sequence[str]], environment: Mapping[str, str], where: Path, scratch: Path
    ) -> "Optional[KnownHeaders]":
        """What another process has kept there, where it still holds."""
        kept = folder_of(where, commands)
        try:
            notes = json.loads((kept / NOTES).read_text(encoding="utf-8"))
            begins = [(kept / f"begin-{number}").read_bytes() for number in range(len(commands))]
            made = cls(source, begins, commands, environment, where, scratch, kept)
            made.head = notes["head"].encode("latin-1")
            made.looks = {Path(file): tuple(look) for file, look in notes["looks"].items()}
            return made if notes["commands"] == made.commands and made.are_still() else None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def keep(self) -> None:
        """For others; the oldest go."""
        kept = folder_of(self.where, self.commands)
        with contextlib.suppress(OSError):  # it is no more than quicker
            kept.parent.mkdir(exist_ok=True)
            new = Path(tempfile.mkdtemp(dir=kept.parent, prefix="new-"))
            looks = {str(file): look for file, look in self.looks.items()}
            notes = {"commands": self.commands, "head": self.head.decode("latin-1"), "looks": looks}
            (new / NOTES).write_text(json.dumps(notes), encoding="utf-8")
            for number, begin in enumerate(self.begins):
                (new / f"begin-{number}").write_bytes(begin)
                shutil.copyfile(self.macros(number), new / f"macros-{number}")
            shutil.copyfile(self.listed, new / self.listed.name)
            shutil.rmtree(kept, ignore_errors=True)
            new.rename(kept)
            others = sorted(kept.parent.iterdir(), key=lambda each: each.stat().st_mtime_ns)
            for old in others[:-MOST_KEPT]:
                shutil.rmtree(old, ignore_errors=True)

    def macros(self, number: int) -> Path:
        return self.kept / f"macros-{number}"

    def parts(self) -> Tuple[bytes, bytes]:
        """The file as it is now: its lines up to the last header, and the rest."""
        lines = self.source.read_bytes().split(b"\n")
        return b"\n".join(lines[: self.lines]), b"\n".join(lines[self.lines :])

    def are_still(self) -> bool:
        """Whether the headers are those of the file as it is now."""
        return self.parts()[0] == self.head and all(saves.look(file) == look for file, look in self.looks.items())

    def rests(self) -> Optional[List[bytes]]:
        """What the preprocessor makes of the rest, for the host and for the device. None: ask it for the whole file."""
        head, rest = self.parts()
        is_whole = head.count(b"/*") == head.count(b"*/") and not UNKNOWN.search(rest)
        if not is_whole or not self.are_still():
            return None
        marker = f'# {self.lines + 1} "{self.source}"\n'.encode()
        text = self.scratch / "rest"
        text.write_bytes(marker + rest)
        made = []
        for number, words in enumerate(self.commands):
            words = [*of_input(words, self.source), "-imacros", str(self.macros(number)), "-"]
            with text.open("rb") as file:
                pipe = subprocess.PIPE
                made.append(subprocess.Popen(words, env=self.environment, cwd=self.where, stdin=file, stdout=pipe, stderr=pipe))
        answers = [process.communicate() for process in made]
        if any(process.returncode != 0 for process in made) or any(said or marker not in text for text, said in answers):
            return None
        return [text.rpartition(marker)[2] for text, _ in answers]


def folder_of(build_folder: Path, commands: Sequence[Sequence[str]]) -> Path:
    return build_folder / "known-headers" / f"{zlib.crc32(repr([list(words) for words in commands]).encode()):08x}"


def of_input(words: Sequence[str], source: Path) -> List[str]:
    """The same command without its file and what is included before it."""
    kept = [word for word in words if word != str(source)]
    while "-include" in kept:
        del kept[kept.index("-include") : kept.index("-include") + 2]
    return kept
