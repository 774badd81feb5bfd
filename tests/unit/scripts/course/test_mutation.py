# SPDX-License-Identifier: MIT
"""The mutation operators of tests/course/mutation: what each makes of a small text, what they leave alone, and how mutants are
named and chosen."""

import json
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support

sys.path.insert(0, str(support.ROOT / "tests/course/mutation"))

import code_text  # noqa: E402
import compile_mutant  # noqa: E402
import explanations  # noqa: E402
import mutants  # noqa: E402
import mutate  # noqa: E402
import mutation_operators  # noqa: E402
import outcomes  # noqa: E402

# Operator, a text, and all that it makes of it.
CHANGES = [
    ("barrier-removed", "f(); __syncthreads();  // b", ["f(); ;  // b"]),
    ("barrier-removed", "__syncwarp();", [";"]),
    ("barrier-into-block", "if (a) { f(); } __syncthreads();", ["if (a) { f(); __syncthreads(); }"]),
    ("barrier-into-block", "f(); __syncthreads();", []),
    ("barrier-of-warp", "__syncthreads();", ["__syncwarp();"]),
    ("fence-removed", "p = 1; __threadfence(); f();", ["p = 1; ; f();"]),
    ("fence-of-block", "__threadfence();", ["__threadfence_block();"]),
    (
        "order-weakened",
        "t.fetch_add(1, cuda::memory_order_acq_rel);",
        [f"t.fetch_add(1, cuda::memory_order_{order});" for order in ("relaxed", "release", "acquire")],
    ),
    ("order-weakened", "t.store(0, memory_order_release);", ["t.store(0, memory_order_relaxed);"]),
    ("scope-narrowed", "ref<cuda::thread_scope_device> r;", ["ref<cuda::thread_scope_block> r;"]),
    ("atomic-dropped", "{ atomicAdd(&sum, v); }", ["{ *(&sum) = *(&sum) + (v); }"]),
    (
        "atomic-dropped",
        "{ old = atomicInc(p, 7); }",
        ["{ old = [&] { const auto before = *(p); *(p) = *(p) >= (7) ? 0 : *(p) + 1; return before; }(); }"],
    ),
    (
        "atomic-dropped",
        "{ k = t.fetch_add(1, o); }",
        [
            "{ k = [&] { const auto before = t.load(cuda::memory_order_acquire); "
            "t.store(before + 1, cuda::memory_order_release); return before; }(); }",
            "{ k = [&] { const auto before = t.load(cuda::memory_order_acquire); "
            "t.fetch_add(1, o); return before; }(); }",
        ],
    ),
    ("comparison-off-by-one", "if (i < n && f<T>() > b)", ["if (i <= n && f<T>() > b)", "if (i < n && f<T>() >= b)"]),
    ("equality-inverted", "a == b || c != d", ["a != b || c != d", "a == b || c == d"]),
    ("guard-dropped", "if (i < f(n)) { g(); }", ["if (true) { g(); }"]),
    ("half-of-condition-dropped", "if (a < b && c) {}", ["if (a < b) {}", "if (c) {}"]),
    ("half-of-condition-dropped", "const bool x = a || f(b, c);", ["const bool x = a;", "const bool x = f(b, c);"]),
    ("and-or-swapped", "a && b", ["a || b"]),
    ("choice-always-first", "v[t] = i < n ? in[i] : 0.0f;", ["v[t] = in[i];"]),
    ("choice-always-second", "s += f(i < n ? in[i] : 0.0f, 1);", ["s += f(0.0f, 1);"]),
    ("loop-step-changed", "for (i = 1; i < n; i *= 2) {}", ["for (i = 1; i < n; i *= 2 * 2) {}"]),
    ("loop-step-changed", "for (i = 0; i < n; ++i) {}", ["for (i = 0; i < n; i += 2) {}"]),
    ("loop-step-changed", "for (i = n; i > 0; i >>= 1) {}", ["for (i = n; i > 0; i >>= 2 + 1) {}"]),
    ("assignment-for-addition", "for (i = 0; i < n; i += 2) { s += i; }", ["for (i = 0; i < n; i += 2) { s = i; }"]),
    ("initial-value-dropped", "{ float s = 0.0f; const int k = 1; t = 2; }", ["{ float s ; const int k = 1; t = 2; }"]),
    ("real-changed", "f(0.0f, 2.5)", ["f(1.0f, 2.5)", "f(0.0f, 0.0)"]),
    ("mask-changed", "g(0xffffffffu, 0xff)", ["g(0x0000ffffu, 0xff)", "g(0x7fffffffu, 0xff)"]),
    ("shuffle-changed", "__shfl_down_sync(m, v, 1)", ["__shfl_up_sync(m, v, 1)", "__shfl_xor_sync(m, v, 1)"]),
    ("grid-not-rounded-up", "k = (n + b - 1) / b;", ["k = n / b;"]),
    ("grid-not-rounded-up", "k = (n - 1) / b + (a + 1) / c;", []),
    ("grid-one-larger", "k = (n + b - 1) / b;", ["k = ((n + b - 1) / b + 1);"]),
    ("block-size-constant", "i < blockDim.x + blockDim.y", ["i < 256u + blockDim.y"]),
    ("dimension-swapped", "i = threadIdx.x; j = p.x;", ["i = threadIdx.y; j = p.x;"]),
    ("index-of-other", "i = blockIdx.x;", ["i = threadIdx.x;"]),
    ("index-in-32-bits", "std::size_t i = 0;", ["std::uint32_t i = 0;"]),
    ("index-transposed", "{ tile[y][x] = a[i]; }", ["{ tile[x][y] = a[i]; }"]),
    ("index-transposed", "__shared__ float tile[32][33];", []),
    ("rows-columns-swapped", "f(first_row, kRows, column)", []),
    ("rows-columns-swapped", "f(row, column)", ["f(column, column)", "f(row, row)"]),
    ("operands-swapped", "x = a[i] - b.c;", ["x = b.c - a[i];"]),
    ("operands-swapped", "x = f(a, b) / static_cast<double>(n);", ["x = static_cast<double>(n) / f(a, b);"]),
    ("operands-swapped", "x = -a;", []),
    ("sign-changed", "x = a + -b;", ["x = a - -b;"]),
    ("factor-dropped", "i = std::size_t{b} * blockDim.x + t;", ["i = std::size_t{b} + t;", "i = blockDim.x + t;"]),
    ("factor-dropped", "k = t / 32;", ["k = t;"]),
    ("factor-dropped", "const float* p = *q;", []),
    ("summand-dropped", "i = b + t * 2 + 1;", ["i = b  + 1;", "i = b + t * 2 ;"]),
    ("double-in-float", "double x;", ["float x;"]),
    ("minimum-maximum-swapped", "min(a, b)", ["max(a, b)"]),
    ("copy-dropped", "{ CUDA_CHECK(cudaMemcpy(a, b, n, k)); f(); }", ["{ ; f(); }"]),
    ("copy-turned-round", "cudaMemcpyHostToDevice", ["cudaMemcpyDeviceToHost"]),
    ("free-dropped", "{ CUDA_CHECK(cudaFree(a)); }", ["{ ; }"]),
    ("memset-dropped", "{ cudaMemsetAsync(a, 0, n, s); }", ["{ ; }"]),
    ("launch-argument-dropped", "k<<<f(a), t, n, s>>>(x);", ["k<<<f(a), t, 0, s>>>(x);", "k<<<f(a), t, n, 0>>>(x);"]),
    ("stream-dropped", "cudaMemsetAsync(a, 0, n, s);", ["cudaMemsetAsync(a, 0, n, nullptr);"]),
    ("stream-dropped", "launch.stream = w.stream;", ["launch.stream = nullptr;"]),
    ("early-return-dropped", "if (done) { return; } return x;", ["if (done) { ; } return x;"]),
    ("statement-deleted", "{ const int i = 0; f(i); return i; }", ["{ const int i = 0; ; return i; }"]),
    ("statement-deleted", "{ if (a) b = 1; float4 v[2]; T* p = q; }", ["{ if (a) ; float4 v[2]; T* p = q; }"]),
    ("statement-deleted", "do { i += std::size_t{2} * k; } while (i < n);", ["do { ; } while (i < n);"]),
    ("statement-deleted", "{ *p = 1; a<unsigned> b(c); }", ["{ ; a<unsigned> b(c); }"]),
    ("statement-deleted", "switch (k) { case 32: return f<32>(n); }", ["switch (k) { ; }"]),
    ("statement-deleted", "struct S { int i; }; T f() { return {i, i}; }", []),
    (
        "left-as-handed-out",
        "  // BEGIN SOLUTION: write a\n  // UNTIL SOLVED: WORKBOOK_TODO(\"a\");\n  // UNTIL SOLVED: a = 0;\n  a = 1;\n  // END SOLUTION",
        ["a = 0;"],
    ),
    ("integer-changed", "f(2u, 0);", ["f(3u, 0);", "f(1u, 0);", "f(2u, 1);"]),
]


def made(name, text):
    operator = next(operator for operator in mutation_operators.OPERATORS if operator.name == name)
    return [edit.apply(text) for edit in operator.find(code_text.Code(text))]


class Operators(unittest.TestCase):
    def test_each_makes_this_of_a_small_text(self):
        for name, before, after in CHANGES:
            with self.subTest(operator=name, text=before):
                self.assertEqual(made(name, before), after)

    def test_each_has_a_name_of_its_own_and_a_change_here(self):
        names = [operator.name for operator in mutation_operators.OPERATORS]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(set(names), {name for name, _, after in CHANGES if after})

    def test_comments_texts_and_preprocessor_lines_are_left_alone(self):
        for name, before, after in CHANGES:
            if after and name != "left-as-handed-out":  # its marks are comments
                hiding = "// {0}", "/* {0} */", 'f("{0}")', "#define X {0}", "  # if {0} \\\n {0}"
                for hidden in (form.format(before) for form in hiding):
                    with self.subTest(operator=name, text=hidden):
                        self.assertEqual(made(name, hidden), [])


class Mutants(unittest.TestCase):
    SOURCE = "int f(int n) {\n  // BEGIN SOLUTION: it\n  g(n + 1);\n  // END SOLUTION\n  g(n + 2);\n  return n;\n}\n"

    def test_are_different_from_the_answer_and_from_each_other(self):
        texts = [mutant.source for mutant in mutants.mutants_of("stage01", self.SOURCE)]
        self.assertEqual(len(texts), len({*texts, self.SOURCE}) - 1)

    def test_keep_their_names_when_other_lines_and_comments_change(self):
        before = mutants.mutants_of("stage01", self.SOURCE)
        edited = "// new\n" + self.SOURCE.replace("g(n + 1);", "g(n + 1);  // why")
        after = mutants.mutants_of("stage01", edited)
        self.assertEqual([mutant.name for mutant in before], [mutant.name for mutant in after])
        self.assertEqual([mutant.line + 1 for mutant in before], [mutant.line for mutant in after])

    def test_of_equal_lines_have_different_names(self):
        names = [mutant.name for mutant in mutants.mutants_of("stage01", "{\n  f(1);\n  f(1);\n}\n")]
        self.assertEqual(len(names), len(set(names)))

    def test_keep_the_number_of_lines(self):
        source = "{\n  f(a,\n    b);\n  g();\n}\n"
        for mutant in mutants.mutants_of("stage01", source):
            self.assertEqual(mutant.source.count("\n"), source.count("\n"), mutant.diff)

    def test_are_chosen_by_turns_and_in_the_students_lines_first(self):
        everything = mutants.mutants_of("stage01", self.SOURCE)
        operators = {mutant.operator for mutant in everything}
        chosen = mutants.choose(everything, len(operators), seed=1)
        self.assertEqual({mutant.operator for mutant in chosen}, operators)
        self.assertTrue(all(mutant.is_of_solution for mutant in chosen))
        self.assertEqual(chosen, mutants.choose(everything, len(operators), seed=1))
        self.assertEqual(mutants.choose(everything, 0, seed=1), everything)


class SameCode(unittest.TestCase):
    def test_two_folders_give_one_object(self):
        command = ["/usr/bin/ccache", "nvcc", "-O1", "-lineinfo", "-Xcompiler=-g1", "-MD", "-MT", "a", "-MF", "b", "-x", "cu", "-c", "c", "-o", "d"]
        self.assertEqual(compile_mutant.without_outputs(command), ["nvcc", "-O1"])


class Explanations(unittest.TestCase):
    def setUp(self):
        source = "{\n  f(1);\n}\n"
        self.mutant, self.other = mutants.mutants_of("stage01", source)[:2]
        self.reasons = {self.mutant.name: explanations.Explanation(outcomes.EQUIVALENT, "why")}

    def test_turn_a_survivor_into_an_equivalent_and_leave_others(self):
        found = [outcomes.Outcome(mutant, outcomes.SURVIVED) for mutant in (self.mutant, self.other)]
        applied = explanations.apply(self.reasons, found)
        self.assertEqual([(o.kind, o.detail) for o in applied], [("equivalent", "why"), ("survived", "")])
        (same,) = explanations.apply(self.reasons, [outcomes.Outcome(self.mutant, outcomes.SAME_CODE)])
        self.assertEqual((same.kind, same.detail), ("equivalent", "why"))
        self.assertEqual(explanations.refuted(self.reasons, found), [])

    def test_are_refuted_by_a_kill(self):
        killed = outcomes.Outcome(self.mutant, outcomes.KILLED, "check: race", "--size 33")
        self.assertEqual(explanations.apply(self.reasons, [killed]), [killed])
        self.assertIn("check: race, --size 33", explanations.refuted(self.reasons, [killed])[0])

    def test_are_stale_without_their_mutant_where_its_stage_was_asked_for(self):
        self.assertEqual(explanations.stale(self.reasons, [self.mutant], ["stage01"]), [])
        self.assertIn(self.mutant.name, explanations.stale(self.reasons, [self.other], ["stage01"])[0])
        self.assertEqual(explanations.stale(self.reasons, [self.other], ["stage02"]), [])

    @unittest.skipUnless((support.ROOT / "answers").is_dir(), "there are no answers here")
    def test_of_the_answers_as_they_are_now(self):
        names = [stage.name for stage in support.stages.read_stages(support.ROOT)]
        texts = {name: support.ROOT / "answers" / name / "solution.cu" for name in names}
        everything = [m for name, file in texts.items() for m in mutants.mutants_of(name, file.read_text("utf-8"))]
        self.assertEqual(explanations.stale(explanations.read(), everything, names), [])


class Tables(unittest.TestCase):
    def test_count_each_mutant_once(self):
        mutant = mutants.mutants_of("stage01", "{\n  f(1);\n}\n")[0]
        found = [
            outcomes.Outcome(mutant, outcomes.KILLED, "wrong result"),
            outcomes.Outcome(mutant, outcomes.KILLED, "check: race"),
            outcomes.Outcome(mutant, outcomes.KILLED, "order: adversarial"),
            outcomes.Outcome(mutant, outcomes.KILLED, "error: does not end"),
            *(
                outcomes.Outcome(mutant, kind)
                for kind in (outcomes.SLOWER, outcomes.EQUIVALENT, outcomes.OUT_OF_REACH, outcomes.SURVIVED)
            ),
            outcomes.Outcome(mutant, outcomes.SAME_CODE),
            outcomes.Outcome(mutant, outcomes.NO_PROGRAM),
        ]
        head, row, total = outcomes.table(found)
        self.assertEqual(row, ["stage01", "8", *["1"] * 10])
        self.assertEqual(total, ["all", *row[1:]])
        self.assertEqual(len(head), len(row))

    @unittest.skipUnless((support.ROOT / "answers").is_dir(), "there are no answers here")
    def test_keep_the_rows_of_stages_that_were_not_judged(self):
        mutant = mutants.mutants_of("stage01", mutate.answer_text("stage01"))[0]
        row = {"line": 1, "outcome": outcomes.KILLED, "detail": "check: race"}
        with tempfile.TemporaryDirectory() as folder:
            table = Path(folder) / "table.json"
            table.write_text(json.dumps({mutant.name: row, "stage01:of:before": row}), encoding="utf-8")
            with mock.patch.object(mutate, "TABLE", table):
                kept = [outcomes.Outcome(mutant, outcomes.KILLED, "check: race")]
                self.assertEqual(mutate.rows_of_others(["stage02"]), kept)
                self.assertEqual(mutate.rows_of_others(["stage01"]), [])


class Cost(unittest.TestCase):
    def test_is_the_first_counter_that_has_grown(self):
        answer = {"blocks": 8, "global_load_sectors": 4, "warp_instructions": 100}
        self.assertEqual(
            outcomes.cost(answer, {**answer, "global_load_sectors": 32, "warp_instructions": 900}),
            "global_load_sectors 4 -> 32",
        )
        self.assertIsNone(outcomes.cost(answer, {**answer, "warp_instructions": 104}))
        self.assertIsNone(outcomes.cost(answer, {**answer, "blocks": 4}))


if __name__ == "__main__":
    unittest.main()
