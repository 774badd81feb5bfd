# SPDX-License-Identifier: MIT
"""The figures in the sentences of lessons come from formulas, and a sentence that says what does not hold is refused."""

import tempfile
import unittest
from pathlib import Path

import support
from workbook_lib.base.errors import WorkbookError
from workbook_lib.measure import lesson_blocks, sentences
from workbook_lib.measure.sentences import Sentence

FIGURES = lesson_blocks.Figures(support.ROOT / "scripts" / "measured")
NAMES = sentences.Formulas(FIGURES).names()


class Figures(unittest.TestCase):
    def filled(self, text, sentence, *conditions):
        return sentences.with_figures(text, Sentence(sentence, list(conditions)), NAMES)

    def test_a_figure_is_replaced_and_nothing_else(self):
        text = "With 2^24 keys\n  it takes 9.99 times as long as 9.99."
        self.assertEqual(self.filled(text, "it takes {1 / 8:.2f} times"), text.replace("takes 9.99", "takes 0.12"))

    def test_large_figures_have_commas(self):
        self.assertEqual(self.filled("| loads | 1 | 4 |", "| loads | {2**20:,.0f} |"), "| loads | 1,048,576 | 4 |")

    def test_a_sentence_that_is_not_there_or_twice_is_refused(self):
        for text in ("nothing", "it takes 1, it takes 2"):
            with self.assertRaisesRegex(WorkbookError, "is there [02] times"):
                self.filled(text, "it takes {3}")

    def test_words_that_do_not_hold_are_refused(self):
        with self.assertRaisesRegex(WorkbookError, "does not hold any more"):
            self.filled("twice as fast", "twice as fast", "us(6, '2^28') > 2 * us(7, '2^28')")

    def test_a_formula_of_what_was_not_measured_is_refused(self):
        for formula in ("us(7, '3')", "us(99, '2^10')", "no_such(1)", "1 / 0"):
            with self.assertRaises(WorkbookError, msg=formula):
                self.filled("it takes 1", f"it takes {{{formula}}}")

    def test_formulas_give_the_figures_of_the_tables(self):
        self.assertEqual(f"{NAMES['us'](33, '2^14', 'distribution uniform'):.1f}", "18.1")
        self.assertEqual(NAMES["counted"](14, "shared_load_bank_conflicts"), 16252928)


class Files(unittest.TestCase):
    def test_a_file_that_is_not_there_is_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            texts = {}
            sentences.fill(Path(folder), FIGURES, texts)
            self.assertEqual(texts, {})

    def test_the_lessons_have_the_figures(self):
        texts = {}
        sentences.fill(support.ROOT, FIGURES, texts)
        self.assertGreater(len(texts), 25)
        for path, text in texts.items():
            self.assertEqual(text, path.read_text(encoding="utf-8"), path)


if __name__ == "__main__":
    unittest.main()
