# SPDX-License-Identifier: MIT
"""What is shown of findings and of a program's own lines, and where."""

import unittest

import support
from simulator.test_findings import finding
from workbook_lib.simulator import locator

HERE = "stages/stage03/todo.cu"


def told(kind, line, words, *rows, severity="error", **more):
    """A finding with its text, as the simulator reports it."""
    text = "\n".join([f"cudasim: {severity}: {words} [{kind}]", *rows, ""])
    return {**finding(kind, line, message=words, severity=severity, text=text), **more}


class LocatorCase(support.ScratchCase):
    def shown(self, *found, messages="", given=(), show=locator.Locator.tell_leading):
        said = []
        show(locator.Locator(said.append, self.folder, lambda file: given), list(found), messages)
        return said


class Leading(LocatorCase):
    def test_the_leading_finding_is_whole_and_the_others_are_named(self):
        races = [told("race", line, f"a race at {line}", severity="defect") for line in range(1, 8)]
        shown = self.shown(*races, told("misaligned", 9, "a read", "  line      /src/k.cu:9"), messages="error: it is wrong")
        self.assertEqual(shown[0], "/src/k.cu:9:1: error: a read [misaligned]")
        self.assertEqual(shown[1:], ["  line      /src/k.cu:9", "Besides 7 races: k.cu:1, k.cu:2, k.cu:3, k.cu:4 and 3 more", "error: it is wrong"])

    def test_all_of_a_single_run_are_whole(self):
        shown = self.shown(told("race", 0, "a race"), told("trap", 0, "a trap"), show=locator.Locator.tell)
        self.assertEqual(shown, ["cudasim: error: a race [race]", "cudasim: error: a trap [trap]"])

    def test_what_is_about_no_line_is_named_by_its_words(self):
        copied = told("uninitialised", 0, "132 of the 260 bytes were never written", severity="defect")
        self.assertEqual(self.shown(told("race", 1, "a race"), copied)[-1], "Besides 1 uninitialised: 132 of the 260 bytes were never written")
        of_ptx = told("trap", 0, "a trap", severity="defect", ptx_line=12)
        self.assertEqual(self.shown(told("race", 1, "a race"), of_ptx)[-1], "Besides 1 trap: PTX line 12")

    def test_of_inlined_functions_the_lines_that_they_went_into_are_kept(self):
        def rows(at, *frames):
            return self.shown(told("misaligned", 0, "a read", f"  line      {at}", *frames, "  where     block 0"))[2:]

        frames = ["  inlined   f<3>() (k.cu:9) into k.cu:20", "            g() (k.cu:20) into todo.cu:4"]
        self.assertEqual(rows("k.cu:9", *frames), ["  inlined   into k.cu:20, then todo.cu:4", "  where     block 0"])
        again = "            f<2>() (a/k.h:9) into a/k.h:9"
        frames = ["  inlined   f<3>() (a/k.h:5) into a/k.h:9", again, again, "            g() (a/k.h:9) into b/todo.cu:4"]
        self.assertIn("  inlined   into a/k.h:9, then b/todo.cu:4", rows("a/k.h:5", *frames))
        frames = ["  inlined   __ldg(void*) into k.cu:9", "            g() (k.cu:9) into todo.cu:4"]
        for count in (1, 2):
            expected = ["  inlined   into todo.cu:4", "  where     block 0"][-count:]
            self.assertEqual(rows("k.cu:9: a read", *frames[:count]), expected)

    def test_what_only_passes_a_finding_on_is_left_out(self):
        messages = "error: the copy failed. A finding of the simulator says where. The last call: k.cu:3\nIn: k.cu, with --size 3"
        self.assertEqual(len(self.shown(told("trap", 0, "a trap"), messages=messages)), 1)
        messages = "error: stages/stage01/todo.cu:9: cudaMemcpy(...) failed: an error; a kernel before it failed, and the"
        messages += " call only passes that on: a finding of the simulator says where"
        self.assertEqual(len(self.shown(told("trap", 0, "a trap"), messages=messages)), 1)

    def test_messages_without_a_finding_stay_as_they_are(self):
        self.assertEqual(self.shown(messages="error: one\nIn: k.cu"), ["error: one", "In: k.cu"])


class Located(LocatorCase):
    def place(self, *found, **more):
        return self.shown(*found, **more)[0].split(": ")[0]

    def test_the_line_of_a_finding_is_where_editors_look(self):
        self.write(HERE, "\n  float x = to[i];\n")
        for file in (HERE, str(self.folder / HERE)):
            race = told("race", 2, "a race", "  kernel    k()", file=file)
            self.assertEqual(self.shown(race), [f"{HERE}:2:3: error: a race [race]", "  kernel    k()"])
        self.assertEqual(self.place(told("race", 5, "a race", file=HERE)), f"{HERE}:5:1")

    def test_a_line_of_another_file_is_told_at_the_students_line_that_it_went_into(self):
        self.write(HERE, "\n    read(x);\n")
        frames = [{"file": "common/a.h", "line": 7}, {"file": "common/b.h", "line": 8}, {"file": HERE, "line": 2}]
        self.assertEqual(self.place(told("misaligned", 7, "a read", file="common/a.h", inlined=frames)), f"{HERE}:2:5")
        self.assertEqual(self.place(told("misaligned", 7, "a read", file="common/a.h", inlined=frames[:2])), "common/a.h:7:1")

    def test_a_line_that_was_handed_out_is_told_at_the_students_line_that_calls_it(self):
        self.write(HERE, "  to[0] = value.x;\n  store(x);\n")
        race = told("race", 1, "a race", file=HERE, inlined=[{"file": HERE, "line": 1}, {"file": HERE, "line": 2}])
        self.assertEqual(self.place(race, given={"to[0] = value.x;"}), f"{HERE}:2:3")
        self.assertEqual(self.place(race), f"{HERE}:1:3")
        self.assertEqual(self.place({**race, "inlined": []}, given={"to[0] = value.x;"}), f"{HERE}:1:3")

    def test_memory_that_was_never_freed_is_told_at_the_line_that_allocated_it(self):
        self.write(HERE, "\n  cudaMalloc(&data, 8);\n")
        leak = told("leak", 0, "8 bytes were never freed", allocated={"file": HERE, "line": 2})
        self.assertEqual(self.shown(leak), [f"{HERE}:2:3: error: 8 bytes were never freed [leak]"])
        row = '  allocated common/workbook/a.cpp:104: const Ticket ticket(steps.stream());'
        of_the_workbook = told("leak", 0, "8 bytes", row, allocated={"file": "common/workbook/a.cpp", "line": 104})
        words = "  allocated by the workbook for your function: the ticket"
        self.assertEqual(self.shown(of_the_workbook), ["cudasim: error: 8 bytes [leak]", words])

    def test_of_a_kernel_that_cannot_be_loaded_the_line_in_it(self):
        self.write(HERE, "  cudaMalloc(&own, 4);\n\n  k<<<1, 32>>>();\n")
        words = "the launch is refused: the kernel cannot be loaded: {}a kernel calls cudaMalloc"
        refused = told("refused-launch", 3, words.format(f"PTX line 57 (/the course/{HERE}:1): "), file=HERE)
        self.assertEqual(self.shown(refused), [f"{HERE}:1:3: error: {words.format('')} [refused-launch]"])

    def test_a_finding_without_a_text_says_nothing(self):
        self.assertEqual(self.shown(finding("race", 3)), [])

    def test_a_failed_call_is_where_editors_look_unless_it_passes_a_finding_on(self):
        self.write(HERE, "\n  CUDA_CHECK(cudaFree(p));\n")
        failed = f"error: {HERE}:2: cudaFree(p) failed: cudaErrorInvalidValue"
        self.assertEqual(self.shown(messages=failed), [f"{HERE}:2:3: error: cudaFree(p) failed: cudaErrorInvalidValue"])
        self.assertEqual(self.shown(told("race", 0, "a race"), messages=failed)[-1], failed)
        self.assertEqual(self.shown(messages="error: the device has no memory left"), ["error: the device has no memory left"])

    def test_what_is_not_solved_yet_is_a_warning(self):
        self.write(HERE, "  WORKBOOK_TODO();\n")
        said = self.shown(messages=f"Stage 3 is not solved yet: {HERE}:1: write the kernel")
        self.assertEqual(said, [f"{HERE}:1:3: warning: not solved yet: write the kernel"])


if __name__ == "__main__":
    unittest.main()
