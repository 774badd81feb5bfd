# SPDX-License-Identifier: MIT
"""The example in scripts/README.md: its kernel has the race that the page shows, in the page's words."""

import json
import re
import unittest

import support

PAGE = (support.ROOT / "scripts" / "README.md").read_text(encoding="utf-8")
KERNEL = re.search(r"```cpp\n(.*?)```", PAGE, re.DOTALL)[1]
OPTIONS, SHOWN = re.search(r"`nvcc (.*?) sum\.cu -o sum`.*?\$ scripts/simulate --check race -- \./sum\n(.*?)```", PAGE, re.DOTALL).groups()
MAIN = """int main() {  // as the page says: four blocks of 256; of zeros
  int *in, *out, first;
  cudaMalloc(&in, 4 * 256 * sizeof(int));
  cudaMalloc(&out, 4 * sizeof(int));
  cudaMemset(in, 0, 4 * 256 * sizeof(int));
  sum<<<4, 256>>>(in, out);
  cudaMemcpy(&first, out, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("sum of block 0: %d\\n", first);
  cudaFree(in);
  cudaFree(out);
}
"""


class Example(support.CudaCase):
    # Line 3 is the first of the kernel.
    PROGRAMS = {"sum": ("#include <cstdio>\n\n" + KERNEL + MAIN, OPTIONS.split())}

    def test_it_prints_what_the_page_shows(self):
        answer = self.simulate("--check", "race", "--", "./sum")
        self.assertEqual(sorted((answer.stdout + answer.stderr).splitlines()), sorted(SHOWN.splitlines()))

    def test_the_report_has_the_printed_text_and_alone_where_asked(self):
        file = self.folder / "report.json"
        for way, is_printed in (("print", True), ("report", False)):
            answer = self.simulate("--check", "race", "--json", file, "--", "./sum", env={"CUDASIM_FINDINGS": way})
            (finding,) = json.loads(file.read_text(encoding="utf-8"))["findings"]
            self.assertTrue(finding["text"].startswith("cudasim: error: a race in shared memory"))
            self.assertEqual(finding["text"] in answer.stderr, is_printed)
            self.assertEqual("cudasim" in answer.stderr, is_printed)


if __name__ == "__main__":
    unittest.main()
