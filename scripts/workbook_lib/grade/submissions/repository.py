# SPDX-License-Identifier: MIT
"""The files of a git repository's present commit. Git reads a student's objects with a configuration of ours: his own could
start programs, or fetch what is missing."""

from __future__ import annotations

import re
import resource
import stat
import subprocess
from pathlib import Path
from typing import Iterator, Optional

from ...base import scratch
from ...course.todo_file import MOST_BYTES
from .entries import FILE, LINK, OTHER, TOO_LARGE, Entry, Refused, of_disk

TIME_S, MEMORY_BYTES = 60, 2 << 30
HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
REFERENCE = re.compile(r"ref: (refs/[\w./+@-]+)")
KINDS = {"100644": FILE, "100755": FILE, "120000": LINK}


def git_folder(place: Path) -> Optional[Path]:
    """The folder of the repository: the place itself if it is bare, or .git in it. None where there is none."""
    for folder in (place / ".git", place):
        if all((folder / name).exists() for name in ("HEAD", "objects", "refs")):
            return folder
    return None


def commit_of(folder: Path) -> str:
    """The commit of HEAD, which is a branch or the commit itself."""
    head = text(folder / "HEAD")
    if HASH.fullmatch(head):
        return head
    found = REFERENCE.fullmatch(head)
    if not found or ".." in found[1]:
        raise Refused("its HEAD names no branch")
    if (folder / found[1]).exists():
        commit = text(folder / found[1])
    else:
        packed = text(folder / "packed-refs") if (folder / "packed-refs").exists() else ""
        commit = next((line[0] for line in map(str.split, packed.splitlines()) if line[1:] == [found[1]]), "")
    if not HASH.fullmatch(commit):
        raise Refused(f"its branch {found[1].rpartition('/')[2]} has no commit")
    return commit


def text(file: Path) -> str:
    return of_disk(file).decode("ascii", errors="replace").strip()


def check(folder: Path) -> None:
    """Raises for what would lead git out of this repository."""
    for path in (folder, folder / "objects", folder / "refs"):
        if not stat.S_ISDIR(path.lstat().st_mode):
            raise Refused(f"its {path.name} is no folder")
    if (folder / "objects" / "info" / "alternates").exists():
        raise Refused("it takes objects of another repository (objects/info/alternates)")


def limit() -> None:
    for kind, most in ((resource.RLIMIT_AS, MEMORY_BYTES), (resource.RLIMIT_CPU, TIME_S)):
        resource.setrlimit(kind, (most, most))


class Reader:
    """Git over the objects of a repository, in an empty repository of ours."""

    def __init__(self, folder: Path, ours: Path):
        self.environment = {
            **{"PATH": "/usr/bin:/bin", "HOME": str(ours), "GIT_DIR": str(ours), "GIT_OBJECT_DIRECTORY": str(folder / "objects")},
            **{"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_ALLOW_PROTOCOL": "", "GIT_TERMINAL_PROMPT": "0"},
        }

    def ask(self, *words: str) -> bytes:
        try:
            done = subprocess.run(
                ["git", *words], env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIME_S, preexec_fn=limit
            )
        except subprocess.TimeoutExpired as error:
            raise Refused(f"git needs more than {TIME_S} s to read it") from error
        except OSError as error:
            raise Refused(f"git can't be started: {error.strerror}") from error
        if done.returncode != 0:
            raise Refused(f"git can't read it: {done.stderr.decode(errors='replace').strip()[:200]}")
        return done.stdout

    def content(self, name: str) -> bytes:
        if int(self.ask("cat-file", "-s", name)) > MOST_BYTES:
            raise Refused(TOO_LARGE)
        return self.ask("cat-file", "blob", name)


def of_repository(folder: Path) -> Iterator[Entry]:
    check(folder)
    commit = commit_of(folder)
    with scratch.folder() as ours:
        for name in ("objects", "refs"):
            (ours / name).mkdir()
        (ours / "HEAD").write_text("ref: refs/heads/main\n", encoding="ascii")
        # A new format, as hashes of 64 letters need it.
        settings = "[core]\nrepositoryformatversion = 1\nbare = true\n"
        settings += "[extensions]\nobjectFormat = sha256\n" if len(commit) > 40 else ""
        (ours / "config").write_text(settings, encoding="ascii")
        reader = Reader(folder, ours)
        for line in filter(None, reader.ask("ls-tree", "-r", "-z", commit).split(b"\0")):
            facts, _, path = line.decode("utf-8", errors="backslashreplace").partition("\t")
            mode, _, name = facts.split()
            yield Entry(path, KINDS.get(mode, OTHER), lambda name=name: reader.content(name))
