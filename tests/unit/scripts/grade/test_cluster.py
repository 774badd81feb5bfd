# SPDX-License-Identifier: MIT
"""A job array of Slurm: its script, run by a stand-in for sbatch that starts all tasks at once and one of them twice."""

import os
import subprocess
import unittest
from unittest import mock

import support
from workbook_lib.base.errors import WorkbookError
from workbook_lib.grade import cluster, tasks
from workbook_lib.grade.cluster import Job

# Reads the lines #SBATCH as Slurm does, up to the first command.
SBATCH = r"""
[ "$1" = --parsable ] || exit 9
file=$2
last=$(sed -n '/^[^#]/q; s/^#SBATCH --array=1-\([0-9]*\)$/\1/p' "$file")
log=$(sed -n 's/^#SBATCH --output=//p' "$file")
for task in $(seq "$last") 2; do
  SLURM_ARRAY_TASK_ID=$task bash "$file" >> "$(echo "$log" | sed "s/%a/$task/")" 2>&1 &
done
wait
echo '17;cluster'
"""


class Cluster(support.ScratchCase):
    def setUp(self):
        super().setUp()
        self.script("tools/sbatch", SBATCH)
        self.script("scripts/workbook", 'printf "%s\\n" "$*"')
        path = mock.patch.dict(os.environ, {"PATH": f"{self.folder}/tools:{os.environ['PATH']}"})
        path.start()
        self.addCleanup(path.stop)
        self.job = Job(self.folder, self.folder / "out", 25, 4)

    def test_each_task_runs_once_and_a_second_time_does_no_harm(self):
        said = cluster.submit(self.job, ["a class", "--out", "out"])
        self.assertIn("Job 17: 3 tasks", said)
        self.assertIn("scripts/workbook grade 'a class' --out out --collect", said)
        logs = {file.name: file.read_text(encoding="utf-8").splitlines() for file in self.job.folder.glob("*.txt")}
        self.assertEqual({name: len(lines) for name, lines in logs.items()}, {"1.txt": 1, "2.txt": 2, "3.txt": 1})
        for number in (1, 2, 3):
            self.assertEqual(logs[f"{number}.txt"][0], f"grade a class --out out --built --jobs 1 --task {number}/3")

    def test_a_shell_reads_the_script(self):
        text = cluster.script(self.job, ["$(touch x)", "--out", "out"])
        self.write("job", text)
        subprocess.run(["bash", "-n", str(self.folder / "job")], check=True)
        self.assertIn("'$(touch x)'", text)
        self.assertNotRegex(text, "seed")
        self.assertEqual(text.index("exec"), max(text.index(line) for line in text.splitlines() if not line.startswith("#")))

    def test_about_ten_submissions_a_task_and_no_more_than_slurm_takes(self):
        sizes = {students: Job(self.folder, self.folder, students, 10).tasks for students in (1, 10, 11, 200, 10**6)}
        self.assertEqual(sizes, {1: 1, 10: 1, 11: 2, 200: 20, 10**6: 1000})
        self.assertGreaterEqual(Job(self.folder, self.folder, 200, 10).minutes, 50)

    def test_what_goes_wrong(self):
        self.script("tools/sbatch", "echo 'invalid partition' >&2; exit 1")
        with self.assertRaisesRegex(WorkbookError, "sbatch refuses .*grade.sbatch: invalid partition"):
            cluster.submit(self.job, [])
        with mock.patch.dict(os.environ, {"PATH": str(self.folder)}), self.assertRaisesRegex(WorkbookError, "sbatch is not installed here. Submit .*grade.sbatch where it is"):
            cluster.submit(self.job, [])
        with self.assertRaisesRegex(WorkbookError, "without blanks"):
            cluster.script(Job(self.folder, self.folder / "a b", 1, 1), [])

    def test_the_first_of_two_runs_of_one_part_counts(self):
        file = self.folder / "results" / "stage03-x.json"
        tasks.keep(file, "one")
        tasks.keep(file, "two")
        self.assertEqual(file.read_text(), "one")


if __name__ == "__main__":
    unittest.main()
