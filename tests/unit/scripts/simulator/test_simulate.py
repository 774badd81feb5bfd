# SPDX-License-Identifier: MIT
"""scripts/simulate over real programs: findings, exit statuses, schedules, the JSON report and the profile."""

import io
import json
import os
import re
import signal
import unittest
from pathlib import Path
from unittest import mock

import support
from workbook_lib.base.progress import Progress
from workbook_lib.commands import simulate
from workbook_lib.machine import requirements
from workbook_lib.simulator import run_report, simulator

# What each program does is chosen by its argument.
SOURCE = r"""
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
__global__ void fill(int* cells, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) cells[i] = i;
}
__global__ void last_wins(int* cell) {
  *cell = blockIdx.x;  // line 11: the blocks race
}
__global__ void hello() { printf("block %u\n", blockIdx.x); }
__global__ void wait_for_ever(volatile int* cell) {
  for (int i = 1; cell[0] != -7; ++i) cell[1] = i;
}
#include <dlfcn.h>
#include "libraries/library_call.h"
void call_library(void* memory, std::size_t bytes) {
  cudasim::LibraryCall call{"cublasSgemm"};
  call.waits = true;
  call.operands = {{"A", memory, bytes}};
  call.compute = [](void* const*) { sleep(100); };
  reinterpret_cast<cudaError_t (*)(const cudasim::LibraryCall&)>(dlsym(RTLD_DEFAULT, "cudasim_call_library"))(call);
}
int main(int count, char** words) {
  const char* what = count > 1 ? words[1] : "fine";
  auto is = [what](const char* word) { return std::strcmp(what, word) == 0; };
  int* cells = nullptr;
  int first = -1;
  cudaMalloc(&cells, 1000 * sizeof(int));
  if (is("hello")) {
    hello<<<40, 1>>>();
    return cudaFree(cells);
  }
  if (is("library")) {
    cudaMalloc(&cells, 1 << 20);
    call_library(cells, 1 << 20);
  }
  if (is("endless")) wait_for_ever<<<1, 32>>>(cells);
  if (is("race") || is("print") || is("twice")) {
    last_wins<<<8, 1>>>(cells);
    if (is("twice")) last_wins<<<8, 1>>>(cells);
  } else {
    fill<<<8, 128>>>(cells, is("outside") || is("abort") ? 1024 : 1000);
  }
  if (is("time")) std::printf("%d\n", static_cast<int>(getpid()));
  if (is("abort") && cudaDeviceSynchronize() != cudaSuccess) std::abort();
  cudaMemcpy(&first, cells, sizeof first, cudaMemcpyDeviceToHost);
  if (is("print")) std::printf("cell %d\n", first);
  if (is("read")) std::printf("%d from standard input\n", std::scanf("%d", &first));
  if (!is("leak")) cudaFree(cells);
  return is("seven") ? 7 : 0;
}
"""

OPTIONS = ["-arch=compute_75", "-cudart", "shared", f"-I{support.ROOT}/common/simulator", "-ldl"]


class Simulate(support.CudaCase):
    PROGRAMS = {
        "program": (SOURCE, [*OPTIONS, "-lineinfo"]),
        "nolines": (SOURCE, OPTIONS),
    }

    def report_of(self, *words):
        file = self.folder / "report.json"
        answer = self.simulate("--json", file, *words)
        return answer, json.loads(file.read_text(encoding="utf-8"))

    def test_a_correct_program_keeps_its_output_and_status(self):
        answer = self.simulate("--error-exitcode", "9", "--", "./program")
        self.assertEqual((answer.returncode, answer.stdout), (0, ""))
        self.assertEqual(answer.stderr, "== no findings (checks: all)\n")
        self.assertEqual(self.simulate("--", "./program", "seven").returncode, 7)
        self.assertIn("1 from", self.simulate("--", "./program", "read", stdin=None, input="12\n").stdout)

    def test_findings_decide_the_status_only_where_asked(self):
        for what, kind in (("outside", "out-of-bounds"), ("leak", "leak"), ("race", "race")):
            answer = self.simulate("--", "./program", what)
            self.assertEqual(answer.returncode, 0, what)
            self.assertTrue(answer.stderr.endswith(f"== 1 finding: 1 {kind}\n"), answer.stderr)
            self.assertEqual(self.simulate("--error-exitcode", "9", "--", "./program", what).returncode, 9)

    def test_check_chooses(self):
        for checks, found in (("none", False), ("leak", False), ("memory,sync,race", True), ("all", True)):
            answer, report = self.report_of("--check", checks, "--", "./program", "race")
            self.assertEqual([finding["kind"] for finding in report["findings"]], ["race"] if found else [], checks)
            self.assertEqual(report["checks"][:2], ["memory", "sync"])

    def test_the_report_names_the_lines(self):
        _, report = self.report_of("--", "./program", "race")
        self.assertEqual((report["format"], report["command"]), (run_report.FORMAT, ["./program", "race"]))
        finding = report["findings"][0]
        self.assertEqual((finding["line"], finding["scope"], finding["hazard"]), (11, "grid", "write-after-write"))
        self.assertTrue(finding["file"].endswith("program.cu"))
        line = next(line for line in report["lines"] if line["line"] == 11)
        self.assertEqual(line["executions"], 8)
        self.assertEqual(line["counters"]["global_store_requests"], 8)

    def test_lines_are_summed_over_launches(self):
        _, report = self.report_of("--", "./program", "twice")
        (line,) = [line for line in report["lines"] if line["line"] == 11]
        self.assertEqual(line["executions"], 16)
        self.assertEqual(line["counters"]["global_store_requests"], 16)

    def test_an_abort_over_a_finding_leaves_its_report(self):
        answer, report = self.report_of("--error-exitcode", "9", "--", "./program", "abort")
        self.assertEqual((answer.returncode, report["exit_status"]), (9, 128 + signal.SIGABRT))
        self.assertEqual([finding["kind"] for finding in report["findings"]], ["out-of-bounds"])

    def test_a_program_that_never_met_the_simulator(self):
        answer, report = self.report_of("--", "sh", "-c", "kill -SEGV $$")
        self.assertEqual((answer.returncode, report["findings"]), (128 + signal.SIGSEGV, []))
        self.assertIn("ended by signal 11", answer.stderr)
        answer = self.simulate("--error-exitcode", "9", "--", "true")
        self.assertEqual(answer.returncode, 9)  # asked to fail on findings: nothing was looked at
        self.assertIn("nothing was checked", answer.stderr)

    def test_a_script_that_runs_two_programs(self):
        answer, report = self.report_of("--", "sh", "-c", "./program race; ./program leak; exit 4")
        self.assertEqual((answer.returncode, report["processes"], len(report["launches"])), (4, 2, 2))
        self.assertIn("== 2 findings: 1 race, 1 leak", answer.stderr)

    def test_a_seed_replays(self):
        cells = {self.simulate("--seed", seed, "--", "./program", "print").stdout for seed in (0, 3, 3, 3)}
        self.assertLessEqual(len(cells), 2)
        _, report = self.report_of("--seed", "3", "--", "./program")
        self.assertEqual((report["schedule"]["order"], report["schedule"]["seed"]), ("random", 3))

    def test_seeds_show_a_race_and_how_to_see_it_again(self):
        answer, report = self.report_of("--seeds", "6", "--check", "none", "--", "./program", "print")
        self.assertTrue(report["results_differ"])
        self.assertEqual([run["order"] for run in report["runs"]], ["plain", "adversarial"] + 4 * ["random"])
        self.assertIn("results DIFFER", answer.stderr)
        self.assertEqual(answer.stdout.count("cell"), 1)  # only the first run's output is shown
        replay = re.search(r"see it: (.*)", answer.stderr)[1]
        expected = re.search(r"is '(cell \d)' instead of '(cell \d)'", answer.stderr)
        self.assertIn(expected[2], answer.stdout)
        settings = dict(word.split("=") for word in replay.split() if word.startswith("CUDASIM_"))
        words = replay[replay.index("scripts/simulate") :].split()[1:]
        self.assertIn(expected[1], self.simulate(*words, env=settings).stdout)

    def test_seeds_of_a_correct_program_agree(self):
        answer, report = self.report_of("--seeds", "4", "--", "./program")
        self.assertFalse(report["results_differ"])
        self.assertIn("one result: exit status, the bytes copied from the device and output", answer.stderr)

    def test_seeds_merge_findings(self):
        _, report = self.report_of("--seeds", "5", "--", "./program", "race")
        self.assertEqual([(finding["kind"], finding["runs"]) for finding in report["findings"]], [("race", 5)])
        self.assertEqual(report["findings"][0]["replay"], {"order": "plain", "seed": 0})

    def test_text_alone_may_differ(self):
        answer, report = self.report_of("--seeds", "2", "--", "./program", "time")
        self.assertFalse(report["results_differ"])
        self.assertIn("the printed text is not", answer.stderr)

    def test_the_order_of_printf_is_free(self):
        answer = self.simulate("--seeds", "3", "--error-exitcode", "9", "--check", "none", "--", "./program", "hello")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn("one result: exit status and output are the same, but for the order of the lines that kernels print", answer.stderr)

    def test_a_time_limit_names_the_kernel_and_its_line(self):
        answer = self.simulate("--time-limit", "2", "--check", "none", "--", "./program", "endless")
        self.assertEqual(answer.returncode, 124)
        self.assertRegex(answer.stderr, r"== stopped after 2 s \(--time-limit\): wait_for_ever\(int volatile\*\) was running, block \(0, 0, 0\) at \S*program\.cu:15: after 1 s and \d+ warp instructions, 0 of 1 block has ended\. Does a loop there never end\?")

    def test_a_long_call_of_a_library_is_named(self):
        answer = self.simulate("--time-limit", "2", "--", "./program", "library")
        self.assertEqual(answer.returncode, 124)
        self.assertIn("cudasim: cublasSgemm still runs after 1 s. The CPU computes it, and it will end;", answer.stderr)
        self.assertRegex(answer.stderr, r"== stopped after 2 s \(--time-limit\): cublasSgemm was running: the CPU computes it, and it would end")

    def test_seeds_give_a_file_to_each_run(self):
        file = self.folder / "input"
        file.write_text("5\n", encoding="utf-8")
        with file.open() as stream:
            answer = self.simulate("--seeds", "3", "--", "./program", "read", stdin=stream)
        self.assertEqual(answer.stdout, "1 from standard input\n")
        self.assertIn("one result", answer.stderr)

    def test_profile_shows_the_source(self):
        answer = self.simulate("--check", "none", "--profile", "--", "./program")
        row = next(line for line in answer.stdout.splitlines() if "cells[i] = i" in line)
        # Share, times run, active lanes, store sectors a request, split branches: 32 warps, one with 8 of its threads.
        self.assertRegex(row, r"^ *\d+% +32 +31\.\d +3\.9 +3%! +8   if \(i < count\)")
        self.assertNotIn("int main", answer.stdout)

    def test_without_source_lines_the_advice_names_those_of_the_ptx(self):
        answer = self.simulate("--check", "race", "--", "./nolines", "race")
        self.assertNotIn("line 0", answer.stderr)
        self.assertRegex(answer.stderr, r"line      PTX line \d+ ")

    def test_unknown_lines_are_explained(self):
        answer = self.simulate("--profile", "--", "./nolines")
        self.assertIn("the source lines of fill(int*, int) are not known: compile with nvcc -lineinfo", answer.stderr)


class WhichSimulator(support.ScratchCase):
    def setUp(self):
        super().setUp()
        patch = mock.patch.dict(os.environ)
        patch.start()
        self.addCleanup(patch.stop)
        os.environ.pop("WORKBOOK_SIMULATOR", None)

    def built(self, *names):
        for name in names:
            file = self.folder / "build" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()

    def found(self):
        library = simulate.find_simulator(self.folder, "true", Progress(io.StringIO()))
        return str(library.relative_to(self.folder.resolve() / "build"))

    def test_the_usual_build_first_and_never_one_with_sanitizers(self):
        self.built("asan/simulator/libcudart.so.13", "another/simulator/libcudart.so.13")
        self.assertEqual(self.found(), "another/simulator/libcudart.so.13")
        self.built("default/simulator/libcudart.so", "default/simulator/libcudart.so.13")
        self.assertEqual(self.found(), "default/simulator/libcudart.so.13")

    def test_the_one_that_the_program_needs(self):
        libraries = [Path(f"build/{name}/simulator/libcudart.so.{i}") for name, i in (("default", 13), ("older", 12))]
        self.assertEqual(simulator.choose_library(libraries, ["libc.so.6", "libcudart.so.12"]), libraries[1])
        self.assertEqual(simulator.choose_library(libraries, ["libcudart.so.11.0"]), libraries[0])
        self.assertIsNone(simulator.choose_library([], []))

    def test_it_is_built_where_there_is_none(self):
        def build(of):
            self.built(f"{of.preset}/simulator/libcudart.so.13")

        here = requirements.Machine(self.folder, {}, None)
        with mock.patch.object(simulate.requirements, "set_up", lambda root, say: here):
            with mock.patch.object(simulate, "build_simulator", build):
                self.assertEqual(self.found(), "default/simulator/libcudart.so.13")


class Usage(support.CudaCase):
    def test_wrong_usage_is_one_line_and_status_2(self):
        for words in (
            [],
            ["--"],
            ["./program", "--", "true"],
            ["--seed", "1"],
            ["--check", "races", "--", "true"],
            ["--check", "all,race", "--", "true"],
            ["--seed", "-1", "--", "true"],
            ["--seed", "1", "--seeds", "2", "--", "true"],
            ["--seeds", "1", "--", "true"],
            ["--error-exitcode", "0", "--", "true"],
            ["--time-limit", "0", "--", "true"],
            ["--json", "/nowhere/report.json", "--", "true"],
            ["--frobnicate", "--", "true"],
        ):
            answer = self.simulate(*words)
            self.assertEqual((answer.returncode, answer.stdout), (2, ""), words)
            self.assertEqual(answer.stderr.count("\n"), 1, answer.stderr)
        self.assertIn("memory,sync,race,init,leak", self.simulate("--check", "races", "--", "true").stderr)

    def test_what_follows_the_program_is_its_own(self):
        for words in (["--"], []):
            answer = self.simulate("--check", "none", *words, "sh", "-c", "echo $0 $@", "--seed", "x")
            self.assertEqual((answer.returncode, answer.stdout), (0, "--seed x\n"))

    def test_help(self):
        answer = self.simulate("--help")
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
