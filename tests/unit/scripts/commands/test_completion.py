# SPDX-License-Identifier: MIT
"""What the shells get to complete, tried in the shells that are here."""

import shutil
import subprocess
import unittest

import support

TRY = """
{text}
complete_it() {{
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
  _workbook
  echo "${{COMPREPLY[*]}}"
}}
complete_it scripts/workbook wa
complete_it scripts/workbook run --che
complete_it scripts/workbook run --device g
complete_it scripts/workbook run 3 --device ''
complete_it scripts/workbook completion f
complete_it scripts/workbook list --todo
"""
COMPLETED = ["watch", "--check", "gpu", "auto gpu simulator", "fish", ""]


class Completion(unittest.TestCase):
    def text(self, shell):
        return support.run_workbook(support.ROOT, "completion", shell)[1]

    def completed(self, shell, text):
        return subprocess.run([shell, "-c", text], capture_output=True, text=True, check=True).stdout.splitlines()

    def test_bash(self):
        self.assertEqual(self.completed("bash", TRY.format(text=self.text("bash"))), COMPLETED)

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh(self):
        text = self.text("zsh") + "whence -w _workbook; echo $_comps[scripts/workbook]"
        self.assertEqual(self.completed("zsh", text), ["_workbook: function", "_bash_complete -o default -F _workbook"])

    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_fish(self):
        text = self.text("fish")
        for typed, words in (("wa", "watch"), ("run --che", "--check"), ("run --device g", "gpu"), ("completion f", "fish")):
            found = self.completed("fish", f"{text}\ncomplete -C 'workbook {typed}'")
            self.assertEqual([line.split("\t")[0] for line in found], [words])

    def test_every_command_and_option_is_there(self):
        for shell in ("bash", "zsh", "fish"):
            text = self.text(shell)
            for word in ("watch", "compare", "reset", "block-size", "anyway", "simulator", "new-stage"):
                self.assertIn(word, text, shell)


if __name__ == "__main__":
    unittest.main()
