# SPDX-License-Identifier: MIT
"""The search for a smaller case that shows the same finding, over a program that finds something by its size."""

import json
import unittest
from dataclasses import replace

import support
from workbook_lib.base import errors
from workbook_lib.judge import shrink
from workbook_lib.judge.verdict import Replay, Verdict
from workbook_lib.simulator.programs import Ending

RACE = {"kind": "race", "file": "todo.cu", "line": 7, "scope": "block"}
DESCRIBED = {"sizes": [{}], "block_sizes": {"standard": "256", "accepted": ["128", "32", "256"]}, "options": []}
PROGRAM = """
size=0; block=0; poison=none
while [ $# -gt 0 ]; do case $1 in
  --describe) cat > "$3" <<'D'
{described}
D
  exit 0 ;;
  --size) size=$2 ;; --block-size) block=$2 ;; --poison) poison=$2 ;; --json) file=$2 ;;
esac; shift; done
echo "$size $block $poison $CUDASIM_CHECK $CUDASIM_SEED" >> "$0.log"
echo '{{"matches": true}}' > "$file"
found=
[ $size -ge {least} ] && [ $block -ge {block} ] && found='{finding}'
echo '{{"findings": ['"$found"'], "kernels": [{{}}]}}' > "$CUDASIM_REPORT"
"""


class Smaller(support.ScratchCase):
    def search(self, *options, least=5, block=1, finding=RACE, wanted=RACE, **settings):
        text = PROGRAM.format(described=json.dumps(DESCRIBED), least=least, block=block, finding=json.dumps(finding))
        self.program = self.script("bin/todo", text)
        ending = Ending(0, {"matches": True}, {"findings": [wanted]})
        replay = Replay(settings, options or ("--cases", "quick,hostile"), settings.pop("on_gpu", False))
        judged = Verdict(
            **{"status": errors.DOES_NOT_MATCH, "outcome": "NO", "where": "in plain order, with x"},
            **{"findings": ending.findings, "ending": ending, "replay": replay},
        )
        return judged, shrink.case_with(judged, self.program, self.folder)

    def log(self):
        return (self.folder / "bin/todo.log").read_text(encoding="utf-8").splitlines()

    def test_sizes_go_first_and_the_smallest_block_before_the_usual_one(self):
        _, found = self.search()
        self.assertEqual(found.replay.options, ["--size", "5", "--block-size", "32"])
        self.assertEqual(found.where, "in plain order, with --size 5 --block-size 32")
        self.assertTrue(found.is_checked)
        self.assertIn("1 32 none all,host ", self.log())
        _, found = self.search(block=100)
        self.assertEqual(found.replay.options, ["--size", "5", "--block-size", "256"])

    def test_what_else_belongs_to_the_case_stays(self):
        options = ("--size", "100", "--block-size", "128", "--poison", "0xA5")
        _, found = self.search(*options, least=9, block=33, CUDASIM_SEED="1")
        self.assertEqual(found.replay.options, ["--size", "17", "--block-size", "128", "--poison", "0xA5"])
        self.assertIn("1 32 0xA5 all,host 1", self.log())

    def test_nothing_smaller_and_another_finding_leave_the_verdict_as_it_is(self):
        for more in ({"least": 100}, {"finding": {**RACE, "line": 8}}, {"finding": {**RACE, "scope": "warp"}}):
            judged, found = self.search("--size", "100", **more)
            self.assertIs(found, judged)

    def test_what_one_case_alone_cannot_show_is_not_looked_for(self):
        for wanted in ({"kind": "leak"}, {"kind": "refused-launch"}, {"kind": "stream-order", "file": "todo.cu", "line": 3}):
            judged, found = self.search(wanted=wanted)
            self.assertIs(found, judged)
        judged, found = self.search(on_gpu=True)
        self.assertIs(found, judged)
        self.assertFalse((self.folder / "bin/todo.log").exists())

    def test_a_run_that_was_stopped_early_has_the_first_finding_of_a_small_case(self):
        judged, _ = self.search()
        for error, is_searched in (("stopped after 60 seconds (--time-limit)", True), ("an error of a call", False)):
            stopped = replace(judged, status=errors.CUDA_ERROR, error=error, findings=[])
            found = shrink.of_failure(stopped, self.program, self.folder)
            self.assertEqual(found.findings, [RACE] if is_searched else [])
            self.assertEqual("All cases together were stopped after 60 seconds" in found.error, is_searched)


if __name__ == "__main__":
    unittest.main()
