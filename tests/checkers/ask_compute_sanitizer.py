#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Asks NVIDIA's compute-sanitizer about the planted bugs and their repaired twins, on a machine with a GPU.

    tests/checkers/ask_compute_sanitizer.py --bin build/default/bin --out tests/checkers/compute_sanitizer_h200.json

Runs each program under memcheck (with leaks), racecheck, synccheck and initcheck, several at a time, and writes what
each said: how many errors and warnings, and its first headline. The bugs come first; what does not fit into --seconds is
marked as not asked. A program whose bug would hang a GPU ends at once there (status 77), and is marked as not started.
tables.py makes a table of the file.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Dict, List, Sequence

import planted

TOOLS = ("memcheck", "racecheck", "synccheck", "initcheck")
PREFIX = "========= "
NO_HEADLINES = ("COMPUTE-SANITIZER", "ERROR SUMMARY", "RACECHECK SUMMARY", "LEAK SUMMARY", "Target application", "This", "No ")
RACES = re.compile(r"RACECHECK SUMMARY: \d+ hazards? displayed \((\d+) errors?, (\d+) warnings?\)")
ERRORS = re.compile(r"ERROR SUMMARY: (\d+) errors?")


def output_of(command: Sequence[str]) -> str:
    """Nothing where there is no such program."""
    if shutil.which(command[0]) is None:
        return ""
    ended = subprocess.run(command, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return ended.stdout


def command_of(sanitizer: str, tool: str, every_space: bool) -> List[str]:
    command = [sanitizer, "--tool", tool, "--print-limit", "20"]
    if tool == "memcheck":
        command += ["--leak-check", "full"]
    if tool == "initcheck" and every_space:
        command += ["--initcheck-address-space", "all"]
    return command


def headline(text: str) -> str:
    """The first thing that the tool says, without addresses and folders, which change from run to run."""
    for line in text.splitlines():
        said = line[len(PREFIX):] if line.startswith(PREFIX) else ""
        if said and not said.startswith((" ", *NO_HEADLINES)):
            said = re.sub(r"(?:/[^/\s]+)+/([^/\s]+\.cu)", r"\1", said)
            return re.sub(r"0x[0-9a-f]+", "0x...", said)[:200]
    return ""


def ask(command: Sequence[str], limit_seconds: float) -> Dict[str, object]:
    process = subprocess.Popen(
        command, text=True, errors="replace", start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        text, _ = process.communicate(timeout=limit_seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # the tool and the program that it started
        process.communicate()
        return {"state": "did not end"}
    if "not started: a GPU would not end" in text:
        return {"state": "not started"}
    races, errors = RACES.search(text), ERRORS.search(text)
    if races:
        return {"errors": int(races[1]), "warnings": int(races[2]), "headline": headline(text)}
    if errors:
        return {"errors": int(errors[1]), "warnings": 0, "headline": headline(text)}
    return {"state": "no summary", "headline": " / ".join(text.splitlines()[-3:])[:300]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True, help="where the programs were built")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--sanitizer", default="compute-sanitizer")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--each", type=float, default=15, help="seconds for one run (default 15)")
    parser.add_argument("--seconds", type=float, default=230, help="for everything (default 230)")
    arguments = parser.parse_args()

    begun = time.monotonic()
    version = re.search(r"Version (\S+)", output_of([arguments.sanitizer, "--version"]))
    if version is None:
        print(f"{arguments.sanitizer} does not run here; --sanitizer names it", file=sys.stderr)
        return 2
    every_space = "--initcheck-address-space" in output_of([arguments.sanitizer, "--help"])
    programs = planted.read_all(Path(__file__).resolve().parent)
    asked = [(claim, twin, tool) for twin in ("bug", "repaired") for claim in programs for tool in TOOLS]

    def run(claim: planted.Planted, twin: str, tool: str) -> Dict[str, object]:
        left = arguments.seconds - (time.monotonic() - begun)
        if left <= 0:
            return {"state": "not asked"}
        program = (arguments.bin / claim.program).resolve()
        if not program.exists():
            return {"state": "not built"}
        command = [*command_of(arguments.sanitizer, tool, every_space), str(program), claim.path.stem, twin]
        return ask(command, min(arguments.each, left + 5))

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        answers = list(pool.map(lambda one: run(*one), asked))

    said: Dict[str, Dict[str, Dict[str, object]]] = {}
    for (claim, twin, tool), answer in zip(asked, answers):
        said.setdefault(claim.name, {}).setdefault(twin, {})[tool] = answer
    gpu = output_of(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]).splitlines()
    data = {
        "device": gpu[0] if gpu else "",
        "compute_sanitizer": version[1],
        "commands": {tool: " ".join(["compute-sanitizer", *command_of("", tool, every_space)[1:]]) for tool in TOOLS},
        "programs": said,
    }
    arguments.out.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    states = [str(answer["state"]) for answer in answers if "state" in answer]
    counts = ", ".join(f"{states.count(state)} {state}" for state in sorted(set(states)))
    print(f"{len(answers)} runs in {time.monotonic() - begun:.0f} s" + (f" ({counts})" if counts else ""))
    return 1 if set(states) & {"not asked", "not built", "no summary"} else 0


if __name__ == "__main__":
    sys.exit(main())
