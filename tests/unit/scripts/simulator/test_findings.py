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
        of_c = folder.replace("sums", "products") + '95: return steps.output<float>("C, which must not be read, as beta is 0", c);'
        advice = "  advice    memory from cudaMalloc holds anything: write it first, with cudaMemset, cudaMemcpy or a kernel"
        told = findings.lines_for_students(f"{of_c}\n{advice}")[1]
        self.assertEqual(told, "  advice    it must not be read, as beta is 0: leave the read out there")
        self.assertEqual(findings.lines_for_students(advice), [advice])
        for own in (
            'allocated stages/stage01/todo.cu:7: allocate("the input");',
            "  line      stages/stage01/todo.cu:7",
            folder + "101",
        ):
            self.assertEqual(findings.for_students(own), own)

    def test_an_access_is_the_same_in_every_launch_and_allocation(self):
        both = [finding("out-of-bounds", 7, allocation=f"allocation {i}") for i in range(2)]
        self.assertEqual(findings.count_text(both), "1 out-of-bounds")


if __name__ == "__main__":
    unittest.main()
