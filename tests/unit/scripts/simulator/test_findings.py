# SPDX-License-Identifier: MIT
"""Which findings are one mistake, and how they are counted."""

import unittest

import support  # noqa: F401 - the import path
from workbook_lib.simulator import findings


def finding(kind, line, other=None, **more):
    place = {"kind": kind, "file": "/src/k.cu", "line": line, "ptx_line": 10 * line, **more}
    return {**place, "other": {"file": "/src/k.cu", "line": other}} if other else place


class Findings(unittest.TestCase):
    def test_a_race_is_one_whichever_line_came_first(self):
        both = [finding("race", 7, 10, hazard="read-after-write"), finding("race", 10, 7, hazard="write-after-read")]
        self.assertEqual(findings.distinct(both), both[:1])

    def test_of_one_mistake_the_error_is_told_and_looked_at_first(self):
        warning, error = (finding("barrier-divergence", 7, severity=severity) for severity in ("warning", "error"))
        race = finding("race", 9, severity="error")
        self.assertEqual(findings.distinct([warning, race, error]), [error, race])
        self.assertEqual(findings.leading([race, warning, error]), error)

    def test_a_consequence_is_looked_at_after_its_cause(self):
        cause, error = finding("uninitialised", 7, severity="defect"), finding("out-of-bounds", 9, severity="error")
        self.assertEqual(findings.leading([cause, error]), error)
        self.assertEqual(findings.leading([cause, {**error, "follows": {"kind": "uninitialised"}}]), cause)

    def test_other_lines_kinds_allocations_and_ptx_lines_are_others(self):
        several = [
            finding("race", 7, 10),
            finding("race", 7, 11),
            finding("out-of-bounds", 7),
            finding("misaligned", 7),
            finding("leak", 0, allocation="allocation 1"),
            finding("leak", 0, allocation="allocation 2"),
            finding("refused-launch", 0, message="no size may be 0"),
            finding("refused-launch", 0, message="2048 threads"),
            {**finding("trap", 0), "ptx_line": 1},
            {**finding("trap", 0), "ptx_line": 2},
        ]
        self.assertEqual(findings.distinct(several), several)
        text = "2 races, 1 out-of-bounds, 1 misaligned, 2 leaks, 2 refused-launches, 2 traps"
        self.assertEqual(findings.count_text([*several, several[0]]), text)

    def test_what_the_workbook_has_allocated_is_named_by_what_it_is_for(self):
        folder = "  allocated common/workbook/problem/sums/statistics/statistics_problem.cpp:"
        for line, words in (
            ('101: float* const numbers = steps.input("the input", values(), line(n, ...', "the input"),
            ('104: const Workspace workspace{steps.scratch<float>("the partial sums", blocks),', "the partial sums"),
            ("103: const Ticket ticket(steps.stream());", "the ticket"),
        ):
            told = f"  allocated by the workbook for your function: {words}"
            self.assertEqual(findings.for_students(folder + line), told)
        refused = 'for. Allocated: /a/common/workbook/matrix_problem.cpp:42: auto* const o = steps.output<T>("the output", to);'
        self.assertEqual(
            findings.for_students(refused), "for. Allocated: by the workbook for your function: the output"
        )
        for own in (
            'allocated stages/stage01/todo.cu:7: allocate("the input");',
            "  line      stages/stage01/todo.cu:7",
            folder + "101",
        ):
            self.assertEqual(findings.for_students(own), own)

    def test_an_access_is_the_same_in_every_launch_and_allocation(self):
        both = [finding("out-of-bounds", 7, allocation=f"allocation {i}") for i in range(2)]
        self.assertEqual(findings.count_text(both), "1 out-of-bounds")


RACE = """\
cudasim: error: a race in shared memory: two threads of one warp, and no barrier between [race]
  kernel    reduce_segments(float const*, unsigned long, float*)
  line      stages/stage03/todo.cu:2: a read
  advice    put __syncthreads() between them"""
LEAK = """\
cudasim: warning: 4 bytes were not freed [leak]
  memory    4 bytes of cudaMalloc
  seen      3 times in this launch
  line      is no place any more: 3: it is too far down"""


class FirstWhole(unittest.TestCase):
    def told(self, *found, rest=""):
        text = [f"cudasim: error: {each['message']} [{each['kind']}]\n  line      /src/k.cu:{each['line']}" for each in found]
        return findings.first_whole("\n".join([*text, rest]), list(found))

    def test_the_leading_finding_is_whole_and_the_others_are_named(self):
        races = [finding("race", line, message=f"a race at {line}", severity="defect") for line in range(1, 8)]
        shown = self.told(*races, finding("misaligned", 9, message="a read", severity="error"), rest="error: it is wrong")
        self.assertEqual(shown[:2], ["cudasim: error: a read [misaligned]", "  line      /src/k.cu:9"])
        self.assertEqual(shown[2:], ["Besides 7 races: k.cu:1, k.cu:2, k.cu:3, k.cu:4 and 3 more", "error: it is wrong"])

    def test_what_is_about_no_line_is_named_by_its_words(self):
        race = finding("race", 1, message="a race", severity="error")
        copied = {**finding("uninitialised", 0, message="132 of the 260 bytes were never written"), "severity": "defect"}
        shown = self.told(race, copied)
        self.assertEqual(shown[-1], "Besides 1 uninitialised: 132 of the 260 bytes were never written")
        of_ptx = {**finding("trap", 0, message="a trap", severity="defect"), "ptx_line": 12}
        self.assertEqual(self.told(race, of_ptx)[-1], "Besides 1 trap: PTX line 12")

    def test_of_inlined_functions_the_lines_that_they_went_into_are_kept(self):
        only = finding("misaligned", 9, message="a read", severity="error")
        frames = "  inlined   f<3>() (k.cu:9) into k.cu:20\n            g() (k.cu:20) into todo.cu:4\n  where     block 0"
        text = f"cudasim: error: a read [misaligned]\n  line      k.cu:9\n{frames}"
        self.assertEqual(findings.first_whole(text, [only])[2:], ["  inlined   into k.cu:20, then todo.cu:4", "  where     block 0"])
        again = "            f<2>() (a/k.h:9) into a/k.h:9\n"
        frames = f"  inlined   f<3>() (a/k.h:5) into a/k.h:9\n{again}{again}            g() (a/k.h:9) into b/todo.cu:4\n  where     block 0"
        text = f"cudasim: error: a read [misaligned]\n  line      a/k.h:5\n{frames}"
        self.assertIn("  inlined   into a/k.h:9, then b/todo.cu:4", findings.first_whole(text, [only]))
        of_the_toolkit = "  inlined   __ldg(void*) into k.cu:9\n"
        for frames in (of_the_toolkit, of_the_toolkit + "            g() (k.cu:9) into todo.cu:4\n"):
            text = f"cudasim: error: a read [misaligned]\n  line      k.cu:9: a read\n{frames}  where     block 0"
            expected = ["  inlined   into todo.cu:4", "  where     block 0"][-frames.count("\n") :]
            self.assertEqual(findings.first_whole(text, [only])[2:], expected)

    def test_what_only_passes_a_finding_on_is_left_out(self):
        rest = "error: the copy failed. A finding of the simulator says where. The last call: k.cu:3\nIn: k.cu, with --size 3"
        only = finding("misaligned", 9, message="a read", severity="error")
        self.assertEqual(len(self.told(only, rest=rest)), 2)
        of_the_student = "error: stages/stage01/todo.cu:9: cudaMemcpy(...) failed: an error; a kernel before it failed, and the"
        rest = of_the_student + " call only passes that on: a finding of the simulator says where"
        self.assertEqual(len(self.told(only, rest=rest)), 2)

    def test_messages_without_a_finding_stay_as_they_are(self):
        self.assertEqual(findings.first_whole("error: one\nIn: k.cu", []), ["error: one", "In: k.cu"])


class Located(support.ScratchCase):
    def located(self, *texts, given=()):
        said = []
        say = findings.Locator(said.append, self.folder, lambda file: given)
        for line in "\n".join(texts).splitlines():
            say(line)
        say.flush()
        return said

    def test_the_line_of_a_finding_is_where_editors_look(self):
        self.write("stages/stage03/todo.cu", "\n\t  values[tid] = 0;\n")
        words = "a race in shared memory: two threads of one warp, and no barrier between [race]"
        found = self.located("before", RACE, "cudasim: 1 finding", RACE)
        self.assertEqual(found[1], f"stages/stage03/todo.cu:2:4: error: {words}")
        self.assertEqual(found[2:5], RACE.splitlines()[1:])
        self.assertEqual((found[0], found[5], found[6], len(found)), ("before", "cudasim: 1 finding", found[1], 10))

    def test_a_line_may_end_behind_its_number(self):
        said = self.located("cudasim: error: a read [misaligned]", "  kernel    k()", "  line      k.cu:3")
        self.assertEqual(said[0], "k.cu:3:1: error: a read [misaligned]")

    def test_a_line_of_the_library_is_told_at_the_students_that_it_was_inlined_into(self):
        self.write("stages/stage33/todo.cu", "  store(keys);\n    load(keys);\n")
        text = ["cudasim: error: a read [misaligned]", "  kernel    k()", "  line      common/workbook/student/sort.h:7: a read"]
        into = "  inlined   into common/workbook/student/sort.h:9, then sort.h:11, then stages/stage33/todo.cu:2"
        said = self.located(*text, into, "  where     block 0", "after")
        self.assertEqual(said, ["stages/stage33/todo.cu:2:5: error: a read [misaligned]", *text[1:], into, "  where     block 0", "after"])
        self.assertEqual(self.located(*text, "  where     block 0")[0], "common/workbook/student/sort.h:7:1: error: a read [misaligned]")
        frames = ["  inlined   f() (common/workbook/student/sort.h:7) into a.h:9", "            g<2>() (a.h:9) into stages/stage33/todo.cu:2"]
        self.assertEqual(self.located(*text, *frames)[0], "stages/stage33/todo.cu:2:5: error: a read [misaligned]")

    def test_a_line_that_was_handed_out_is_told_at_the_students_line_that_calls_it(self):
        self.write("stages/stage16/todo.cu", "  to[0] = value.x;\n  store(x);\n")
        text = ["cudasim: error: a race [race]", "  kernel    k()", "  line      stages/stage16/todo.cu:1: a write"]
        text += ["  inlined   store(int) (stages/stage16/todo.cu:1) into stages/stage16/todo.cu:2", "  where     block 0"]
        self.assertEqual(self.located(*text, given={"to[0] = value.x;"})[0], "stages/stage16/todo.cu:2:3: error: a race [race]")
        self.assertEqual(self.located(*text)[0], "stages/stage16/todo.cu:1:3: error: a race [race]")
        self.assertEqual(self.located(*text[:3], text[4], given={"to[0] = value.x;"})[0], "stages/stage16/todo.cu:1:3: error: a race [race]")

    def test_memory_that_was_never_freed_is_told_at_the_line_that_allocated_it(self):
        self.write("stages/stage01/todo.cu", "\n  cudaMalloc(&data, 8);\n")
        text = ["cudasim: error: 8 bytes were never freed [leak]", "  memory    allocation 2 (cudaMalloc)"]
        said = self.located(*text, "  allocated stages/stage01/todo.cu:2: cudaMalloc(&data, 8);", "  advice    free it")
        self.assertEqual(said[0], "stages/stage01/todo.cu:2:3: error: 8 bytes were never freed [leak]")
        told = [*text, "  allocated by the workbook for your function: the output", "  advice    free it", "after"]
        self.assertEqual(self.located(*told), told)

    def test_of_a_kernel_that_cannot_be_loaded_the_line_in_it(self):
        self.write("stages/stage03/todo.cu", "  cudaMalloc(&own, 4);\n\n  k<<<1, 32>>>();\n")
        text = "cudasim: error: the launch is refused: the kernel cannot be loaded: {}a kernel calls cudaMalloc [refused-launch]"
        launch = "  line      stages/stage03/todo.cu:3: k<<<1, 32>>>();"
        said = self.located(text.format("PTX line 57 (/the course/stages/stage03/todo.cu:1): "), "  kernel    k()", launch)
        self.assertEqual(said[0], text.format("").replace("cudasim:", "stages/stage03/todo.cu:1:3:"))
        self.assertEqual(said[1:], ["  kernel    k()", launch])

    def test_a_file_that_is_not_there_and_a_finding_without_a_line(self):
        self.assertIn(":2:1: error: ", self.located(RACE)[0])
        self.assertEqual(self.located(LEAK, RACE)[:4], LEAK.splitlines())
        self.assertEqual(self.located(RACE.splitlines()[0]), RACE.splitlines()[:1])

    def test_a_failed_call_is_where_editors_look_unless_it_passes_a_finding_on(self):
        self.write("stages/stage03/todo.cu", "\n  CUDA_CHECK(cudaFree(p));\n")
        failed = "error: stages/stage03/todo.cu:2: cudaFree(p) failed: cudaErrorInvalidValue"
        self.assertEqual(self.located(failed), ["stages/stage03/todo.cu:2:3: error: cudaFree(p) failed: cudaErrorInvalidValue"])
        self.assertEqual(self.located(RACE, failed)[-1], failed)
        self.assertEqual(self.located("error: the device has no memory left"), ["error: the device has no memory left"])

    def test_what_is_not_solved_yet_is_a_warning(self):
        self.write("stages/stage03/todo.cu", "  WORKBOOK_TODO();\n")
        said = self.located("Stage 3 is not solved yet: stages/stage03/todo.cu:1: write the kernel")
        self.assertEqual(said, ["stages/stage03/todo.cu:1:3: warning: not solved yet: write the kernel"])


if __name__ == "__main__":
    unittest.main()
