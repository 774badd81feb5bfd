# SPDX-License-Identifier: MIT
"""The command scripts/workbook bench: its options, and the order of its steps. On a GPU the benchmark programs run. On
the simulator the answers' programs run for their counters, because a simulated time is no benchmark."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Iterable, List

from ..base import errors, sizes
from ..base.errors import WorkbookError
from ..base.options import BEHIND_DASHES, add_command, add_device, block_size, bounded, size
from ..base.progress import Progress
from ..base.sizes import Size
from ..build.build import Build
from ..course import stages
from ..machine import plotting, requirements
from ..measure import bench_data, bench_run, bench_table, counter_ladder, picture
from ..measure.bench_data import Bench

PICTURES = (".svg", ".png")
ORDER = 110
EXAMPLES = """\
Takes a GPU. Without one it prints the counters of the simulator instead of times.

  scripts/workbook bench                              all answers, at the sizes of their problems
  scripts/workbook bench 3-4 --sizes 2^20,2^24        two stages at two sizes
  scripts/workbook bench 7 --variants                 a stage and its variants
  scripts/workbook bench 7 --todo                     your file
  scripts/workbook bench 10 --block-sizes 2,4,8,16,32,64,128,256,512,1024
  scripts/workbook bench 23 -- --beta 1               options of the stage's own program
  scripts/workbook bench --from FILE --picture bench.svg   no run: the figures that --json has saved"""


class Sizes(List[Size]):
    """A list of sizes that keeps its typed form, because 2^10-2^30 is easier to read than its sizes."""

    def __init__(self, values: Iterable[Size], typed: str):
        super().__init__(sizes.distinct(values))
        self.typed = typed

    def __str__(self) -> str:
        return self.typed


def one_size(text: str) -> Size:
    value = size(text)
    if not 1 <= sizes.elements(value) <= 2**48:
        raise argparse.ArgumentTypeError(f"'{text}': a size to measure is 1 to 2^48, its numbers multiplied")
    return value


def size_list(text: str) -> Sizes:
    """Parses "1024,64x48", or "2^10-2^30": every second power of two from the first, and the last."""
    found: List[Size] = []
    for word in text.split(","):
        first, dash, last = word.partition("-")
        value = one_size(first)
        if not dash:
            found.append(value)
            continue
        end = one_size(last)
        if not isinstance(value, int) or not isinstance(end, int) or value > end:
            raise argparse.ArgumentTypeError(f"the range '{word}' is not from a number to a larger one")
        while value < end:
            found.append(value)
            value *= 4
        found.append(end)
    return Sizes(found, text)


def block_sizes(text: str) -> Sizes:
    return Sizes(map(block_size, text.split(",")), text)


def samples(text: str) -> int:
    return bounded(text, 1, 100_000, "samples are a whole number from 1 to 100000")


def rounds(text: str) -> int:
    return bounded(text, 1, 1000, "rounds are a whole number from 1 to 1000")


def picture_file(text: str) -> Path:
    if Path(text).suffix not in PICTURES:
        raise argparse.ArgumentTypeError(f"'{text}': a picture's name ends in {' or '.join(PICTURES)}")
    return writable_file(text)


def writable_file(text: str) -> Path:
    """A file that can be written. This is checked before the measurement, which takes minutes."""
    path = Path(text)
    if path.is_dir() or not path.resolve().parent.is_dir():
        raise argparse.ArgumentTypeError(f"cannot write '{text}'")
    return path


def add_to(commands: "argparse._SubParsersAction") -> None:
    bench = add_command(commands, "bench", EXAMPLES, bench_command, help="measure the stages side by side")
    bench.set_defaults(passes_on=BEHIND_DASHES)
    bench.description = (
        "Measures stages that compute the same side by side, beside the library's function for it and a copy in the\n"
        "device's memory, and prints a table. Exit status 0: all results match."
    )
    bench.add_argument("stages", nargs="*", metavar="N|N-M", help="stages to measure (default: all)")
    bench.add_argument("--todo", action="store_true", help="measure stages/stageNN/todo.cu instead of the answers")
    bench.add_argument("--variants", action="store_true", help="the variants of these stages as well")
    bench.add_argument(
        "--sizes",
        type=size_list,
        metavar="LIST",
        help="for example 1024,2^20 or 64x48; 2^10-2^30 takes every second power (default: each problem's own)",
    )
    bench.add_argument("--samples", type=samples, metavar="K", help="samples of each time (default: the programs' own)")
    bench.add_argument(
        "--rounds", type=rounds, default=1, metavar="R", help="turns that the programs take (default: 1)"
    )
    blocks = bench.add_mutually_exclusive_group()
    blocks.add_argument(
        "--block-size", type=block_size, metavar="B", help="threads a block (default: each stage's own)"
    )
    blocks.add_argument("--block-sizes", type=block_sizes, metavar="LIST", help="measure with each of these")
    add_device(bench)
    bench.add_argument("--json", type=writable_file, metavar="FILE", help="save the figures")
    bench.add_argument("--picture", type=picture_file, metavar="FILE", help="draw them, as .svg or .png")
    bench.add_argument("--from", type=Path, dest="saved", metavar="FILE", help="take figures that --json has saved")


def bench_command(root: Path, arguments: argparse.Namespace, progress: Progress) -> int:
    if arguments.saved is not None:
        if command_line(arguments) != "scripts/workbook bench":
            raise WorkbookError("--from shows figures that are measured: beside it stand --json and --picture only")
        return show(root, bench_data.read(arguments.saved), arguments, progress)
    kind = "todo" if arguments.todo else "answer"
    chosen = stages.select(stages.read_stages(root), arguments.stages)
    absent = stages.absent(root, chosen, kind)
    for sentence in absent.values():
        progress.say(sentence)
    found = requirements.set_up(root, progress.say)
    choice = requirements.choose_device(arguments.device, found.nvcc)
    timed = [f"--{name}" for name in ("json", "picture", "samples") if getattr(arguments, name)]
    timed += ["--rounds"] if arguments.rounds > 1 else []
    if choice.device == "simulator" and timed:
        raise WorkbookError(f"for {', '.join(timed)} times are needed, and so a GPU: {choice.reason}")
    build = Build(found, "default", progress)
    if not build.is_configured():
        build.configure()
    chosen = [stage for stage in chosen if stage not in absent]
    wanted = bench_run.choose(build, chosen, kind, arguments.variants)
    blocks = arguments.block_sizes or [arguments.block_size]
    if choice.device == "simulator":
        status = counter_ladder.run(build, wanted, arguments.sizes, blocks, arguments.passed_on, choice, progress)
        return status or (errors.DOES_NOT_MATCH if absent else errors.MATCHES)
    asked = bench_run.Asked(arguments.sizes, arguments.samples, arguments.rounds, blocks, arguments.passed_on)
    outcome = bench_run.measure(build, wanted, asked, progress)
    status = show(root, Bench(outcome.device, command_line(arguments), outcome.programs), arguments, progress)
    return outcome.status or status or (errors.DOES_NOT_MATCH if absent else errors.MATCHES)


def command_line(arguments: argparse.Namespace) -> str:
    """The typed command, without the output files."""
    words = ["scripts/workbook", "bench", *arguments.stages]
    words += [f"--{name}" for name in ("todo", "variants") if getattr(arguments, name)]
    for name in ("sizes", "samples", "rounds", "block_size", "block_sizes"):
        value = getattr(arguments, name)
        if value is None or (name == "rounds" and value == 1):
            continue
        words += [f"--{name.replace('_', '-')}", str(value)]
    words += ["--", *arguments.passed_on] if arguments.passed_on else []
    return " ".join(words)


def show(root: Path, bench: Bench, arguments: argparse.Namespace, progress: Progress) -> int:
    """Shows the figures. Saves them first, because a picture may fail without a library."""
    if not bench.programs:
        return errors.DOES_NOT_MATCH
    if arguments.json is not None:
        bench_data.write(arguments.json, bench)
    print(bench_table.text(bench))
    if arguments.picture is not None:
        plotting.make_importable(root, progress.say)
        for file in picture.draw(bench, arguments.picture):
            progress.say(f"wrote {file}")
    return errors.MATCHES if all(program.matches for program in bench.programs) else errors.DOES_NOT_MATCH
