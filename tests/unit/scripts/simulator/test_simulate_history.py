# SPDX-License-Identifier: MIT
"""The history of a place (CUDASIM_HISTORY) of small CUDA programs: who wrote it, in order, and what was read for it; and
the words in which scripts/workbook run --why tells it."""

import json
import os
import subprocess
import unittest

import support
from workbook_lib.judge import history

SOURCE = """
#include <cstdio>
#include <cstring>
__global__ void twice(const float* in, float* out) {
  __shared__ float values[64];
  values[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = 2 * values[63 - threadIdx.x];
  if (threadIdx.x == 1) atomicAdd(out, 0.5f);
}
__global__ void together(float* out) { atomicAdd(out, 1.0f); }
__global__ void many(const float* in, float* out) {
  float sum = 0;
  for (int i = 0; i < 20; ++i) sum += in[i];
  *out = sum;
}
__global__ void outside(float* out) { reinterpret_cast<double*>(out)[7] = 1; }
__constant__ float fixed[16];
int main(int count, char** words) {
  float host[64], *in, *out;
  for (int i = 0; i < 64; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, 15 * sizeof(float) + (strcmp(words[1], "outside") ? sizeof host : 0));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  if (!strcmp(words[1], "copies")) {
    twice<<<1, 64>>>(in, out);
    cudaMemcpyToSymbol(fixed, out + 16, 64, 0, cudaMemcpyDeviceToDevice);
    cudaMemset(out, 0, 128);
    cudaMemcpy(in, out, 64, cudaMemcpyDeviceToDevice);
    cudaMemcpy(in + 48, out + 32, 64, cudaMemcpyDeviceToDevice);
    cudaMemcpy(host, out + 48, 64, cudaMemcpyDeviceToHost);
  }
  if (!strcmp(words[1], "twice")) cudaMemset(out, 0, sizeof host), twice<<<1, 64>>>(in, out);
  if (!strcmp(words[1], "many")) many<<<1, 1>>>(in, out);
  if (!strcmp(words[1], "together")) cudaMemset(out, 0, 4), together<<<2, 64>>>(out);
  if (!strcmp(words[1], "outside")) outside<<<1, 1>>>(out);
  cudaMemcpy(host, out, 4, cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);
}
"""


class OfAPlace(support.CudaCase):
    """Also the check `coverage`, which counts the places that are loaded and stored."""

    PROGRAMS = {"program": (SOURCE, ["-g", "-lineinfo", "-cudart=shared", "-arch=compute_80", "-code=compute_80"])}

    def report(self, word, **settings):
        file = self.folder / "report.json"
        environment = {**os.environ, "LD_LIBRARY_PATH": str(self.cudart.parent), "CUDASIM_REPORT": str(file), **settings}
        subprocess.run([str(self.programs / "program"), word], env=environment, check=False, timeout=60, capture_output=True)
        return json.loads(file.read_text(encoding="utf-8"))

    def test_coverage(self):
        def covered(word):
            rows = self.report(word, CUDASIM_CHECK="coverage")["coverage"]
            return [(each["loaded"], each["stored"]) for each in rows if each["bytes"] >= 256]

        self.assertEqual(covered("twice"), [(256, 0), (4, 256)])
        self.assertEqual(covered("many"), [(80, 0), (0, 4)])
        # A copy on the device reads its source, and hands on which bytes a kernel has written. A fill is the host's.
        self.assertEqual(covered("copies"), [(256, 64), (4 + 60 + 64 + 64, 128)])
        self.assertNotIn("coverage", self.report("twice"))

    def history_of(self, word, offset=0, size=4, **settings):
        copy = self.report("twice")["copies_to_host"][0]
        self.assertEqual((copy["width"], copy["height"]), (4, 1))
        return self.report(word, CUDASIM_HISTORY=f"{copy['address'] + offset:#x}+{size}", **settings)["history"]

    def test_who_wrote_it_in_order_with_what_was_read_and_who_had_left_that(self):
        found = self.history_of("twice")
        self.assertEqual([write["kind"] for write in found["writes"]], ["call", "store", "atomic"])
        self.assertEqual(found["writes"][0]["call"], "cudaMemset")
        store, atomic = found["writes"][1:]
        self.assertEqual((store["line"], store["thread"], store["values"]), (8, [0, 0, 0], {"before": "0", "after": "126"}))
        own, others = store["reads"]
        self.assertEqual((own["line"], own["value"], own["author"]), (6, "0", {"call": "cudaMemcpy"}))
        self.assertEqual((others["line"], others["value"], others["author"]["thread"]), (8, "63", [63, 0, 0]))
        self.assertEqual((atomic["line"], atomic["thread"], atomic["values"]["after"]), (9, [1, 0, 0], "126.5"))

    def test_it_is_the_same_each_time_and_in_every_order(self):
        for settings in ({}, {"CUDASIM_SCHEDULE": "adversarial"}, {"CUDASIM_SEED": "3"}):
            self.assertEqual(self.history_of("twice", **settings), self.history_of("twice", **settings))

    def test_another_place_and_one_that_nobody_wrote(self):
        self.assertEqual([write["thread"] for write in self.history_of("twice", 20)["writes"][1:]], [[5, 0, 0]])
        self.assertEqual(self.history_of("many", 4)["writes"], [])

    def test_of_many_reads_the_first_and_the_last_are_kept(self):
        (store,) = self.history_of("many")["writes"]
        self.assertEqual([read["value"] for read in store["reads"]], ["0", "1", "2", "3", "16", "17", "18", "19"])
        self.assertEqual(store["reads_left_out"], 12)

    def test_lanes_that_write_one_place_by_one_instruction(self):
        writes = self.history_of("together")["writes"][1:]
        self.assertEqual([write["threads"] for write in writes], [32] * 4)
        self.assertEqual([write["values"] for write in writes][-1], {"before": "96", "after": "128"})

    def test_how_much_of_the_place_a_call_wrote(self):
        for offset, size, written in ((0, 4, 4), (0, 8, 4), (2, 8, 2)):
            found = self.history_of("together", offset, size)
            self.assertEqual((found["bytes"], found["writes"][0]["bytes"]), (size, written))

    def test_a_write_that_was_refused(self):
        found = self.history_of("outside", 56)
        self.assertEqual([(write["kind"], write["line"]) for write in found["writes"]], [("refused", 17)])

    def test_without_being_asked_for_there_is_none(self):
        self.assertNotIn("history", self.report("twice"))


class InWords(unittest.TestCase):
    THREAD = {"file": "/s/todo.cu", "line": 7, "block": [1, 0, 0], "thread": [3, 2, 0], "kernel": "k()"}

    def told(self, *writes, shows_values=True):
        found = {"bytes": 8, "writes": list(writes), "writes_left_out": 0, "is_complete": True, "shows_values": shows_values}
        return history.lines(found, "element 3")

    def store(self, **changes):
        values = {"before": "-nan", "after": "5"}
        return {**self.THREAD, "kind": "store", "values": values, "reads": [], "reads_left_out": 0, "threads": 1, "has_shuffles": False, **changes}

    def read(self, place, author=None, **more):
        return {"file": "/s/todo.cu", "line": 5, "place": place, "value": "-nan", "author": author, **more}

    def test_nobody_and_no_thread(self):
        self.assertIn("Nobody wrote it", self.told()[1])
        call = {"kind": "call", "call": "cudaMemsetAsync", "bytes": 8}
        self.assertEqual(self.told(call)[1:], ["  cudaMemsetAsync, called on the host, wrote it", "  No thread of a kernel wrote it."])
        self.assertEqual(self.told({**call, "bytes": 4})[1], "  cudaMemsetAsync, called on the host, wrote 4 of its 8 bytes")

    def test_a_store_with_its_reads(self):
        shared = self.read("element 9 of the 16 floats (64 bytes) of the shared array 'tile'", self.THREAD)
        line = {"file": "common/workbook/x.cpp", "line": 3, "text": 'steps.input("A", a_, layout);'}
        ours = self.read("element 2 of the 8 floats (32 bytes) of allocation 1 (cudaMalloc)", {"call": "cudaMemcpy"}, allocated=line)
        mine = self.read("element 2 of the 8 bytes of allocation 4 (cudaMalloc)", allocated={"file": "a.cu", "text": "cudaMalloc(&data, n)"})
        found = self.told(self.store(reads=[shared, ours, mine], has_shuffles=True))
        self.assertEqual(found[1], "  thread (3, 2) of block 1 at todo.cu:7 stored 5")
        self.assertEqual(found[3], "      element 9 of tile = nan at todo.cu:5, from thread (3, 2) of block 1 at todo.cu:7")
        self.assertEqual(found[4], "      element 2 of A = nan at todo.cu:5, from cudaMemcpy")
        self.assertEqual(found[5], "      element 2 of data = nan at todo.cu:5, which nobody had written")
        self.assertIn("by shuffles is not among these", found[6])

    def test_equal_reads_are_told_once_on_each_side_of_what_is_left_out(self):
        one, other = (self.read(f"element {number} of the 2 floats (8 bytes) of the shared array 't'") for number in (0, 1))
        reads = self.told(self.store(reads=[one, one, other, other, other, other], reads_left_out=9))[3:]
        said = [f"      element {number} of t = nan at todo.cu:5, which nobody had written" for number in (0, 1)]
        self.assertEqual(reads, [f"{said[0]}, 2 times", said[1], "      ... 9 more ...", f"{said[1]}, 3 times"])
        self.assertEqual(self.told(self.store(reads=[one, one]))[3:], [f"{said[0]}, 2 times"])

    def test_several_threads_of_a_warp_at_once(self):
        found = self.told(self.store(kind="atomic", threads=4, values={"before": "1", "after": "5"}))
        self.assertEqual(found[1], "  thread (3, 2) of block 1 at todo.cu:7, and 3 more of its warp, made 5 of 1, by atomics")

    def test_of_what_is_only_moved_no_values_are_shown(self):
        found = self.told(self.store(reads=[self.read("element 1 of the 2 floats (8 bytes) of the shared array 't'")]), shows_values=False)
        self.assertEqual(found[1], "  thread (3, 2) of block 1 at todo.cu:7 stored to it")
        self.assertIn("element 1 of t at todo.cu:5", found[3])

    def test_what_was_refused_and_what_is_left_out(self):
        found = self.told(*[self.store(kind="refused") for _ in range(9)])
        self.assertEqual(found[1], "  ... 3 writes before these")
        self.assertIn("was refused", found[2])

    def test_where_the_wrong_element_lies(self):
        copy = {"address": 1000, "width": 40, "height": 3, "row_stride": 48}
        place = lambda index: history.place_of({"first": {"index": index}}, {"copies_to_host": [copy]})  # noqa: E731
        self.assertEqual(place("row 2, column 5"), (1000 + 2 * 48 + 5 * 4, 4, "row 2, column 5"))
        self.assertEqual(place("element 3"), (1012, 4, "element 3"))
        self.assertEqual(history.place_of({}, {"copies_to_host": [{**copy, "width": 8}]}), (1000, 8, "the result"))
        self.assertEqual(history.place_of({}, {"copies_to_host": [copy]})[1:], (8, "the first value that was copied back"))
        self.assertEqual(history.place_of({}, {})[1], 0)


if __name__ == "__main__":
    unittest.main()
