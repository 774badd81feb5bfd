# SPDX-License-Identifier: MIT
"""The steps of a block, from a recorded run: which thread reads and writes what between barriers; and their text."""

import json
import subprocess
import unittest
from pathlib import Path

import support
from support import traced, traced_event
from workbook_lib.access import access_steps, access_trace, steps_text
from workbook_lib.simulator import simulator

# The pairs of a bitonic network, in blocks of 32 threads; and a sum whose threads read before a barrier and write behind it.
PROGRAM = """
__global__ void sort(int* data) {
  __shared__ int keys[64];
  const unsigned tid = threadIdx.x;
  keys[tid] = data[tid];
  keys[tid + 32] = data[tid + 32];
  __syncthreads();
  for (unsigned size = 2; size <= 64; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      const unsigned i = 2 * tid - (tid & (stride - 1)), j = i + stride;
      const int a = keys[i], b = keys[j];
      if ((a > b) == ((i & size) == 0)) { keys[i] = b; keys[j] = a; }
      __syncthreads();
    }
  }
  data[tid] = keys[tid];
}
__device__ void add(int& sum, int other) { sum += other; }
__global__ void sum(int* data) {
  for (unsigned stride = 1; stride < 64; stride *= 2) {
    const int other = threadIdx.x + stride < 64 ? data[threadIdx.x + stride] : 0;
    __syncthreads();
    if (threadIdx.x + stride < 64) add(data[threadIdx.x], other);
    __syncthreads();
  }
}
int main(int count, char**) {
  int host[64], *data;
  for (int i = 0; i < 64; ++i) host[i] = i * 37 % 64;
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  if (count > 1) sum<<<1, 64>>>(data); else sort<<<1, 32>>>(data);
  return cudaDeviceSynchronize();
}
"""


class Recorded(support.CudaCase):
    PROGRAMS = {"steps": (PROGRAM, ["-arch=compute_75", "-lineinfo", "-cudart", "shared"])}

    def steps(self, *words):
        file = self.folder / "trace.json"
        environment = {**simulator.environment(self.cudart.parent, ""), "CUDASIM_TRACE": str(file)}
        subprocess.run([str(self.programs / "steps"), *words], env=environment, check=True, timeout=60)
        return access_steps.of_launches(access_trace.read(json.loads(file.read_text(encoding="utf-8"))))

    def test_a_bitonic_network(self):
        found = self.steps()
        self.assertEqual((found.array, found.elements), ("the shared array 'keys'", 64))
        strides = [1 << k for size in range(1, 7) for k in reversed(range(size))]
        self.assertEqual(len(found.steps), len(strides))
        exchanged = 0
        for step, stride in zip(found.steps, strides):
            self.assertEqual(len(step.updates), 32)
            self.assertEqual({b - a for a, b in (update.touched for update in step.updates)}, {stride})
            self.assertEqual(sorted(word for update in step.updates for word in update.touched), list(range(64)))
            self.assertRegex(step.words, rf"^i, i \+ {stride}; i = ")
            exchanged += sum(len(update.writes) == 2 for update in step.updates)
        # As many as a sort of these numbers takes, which Python repeats.
        keys, swaps = [i * 37 % 64 for i in range(64)], 0
        for size in (2, 4, 8, 16, 32, 64):
            stride = size // 2
            while stride:
                for i in (i for i in range(64) if not i & stride):
                    if (keys[i] > keys[i + stride]) == (i & size == 0):
                        keys[i], keys[i + stride] = keys[i + stride], keys[i]
                        swaps += 1
                stride //= 2
        self.assertEqual(keys, sorted(keys))
        self.assertEqual(exchanged, swaps)

    def test_reads_before_a_barrier_belong_to_the_write_behind_it(self):
        found = self.steps("sum")
        self.assertEqual([len(step.updates) for step in found.steps], [64 - (1 << k) for k in range(6)])
        for step, stride in zip(found.steps, (1, 2, 4, 8, 16, 32)):
            self.assertEqual(step.words, f"i from i, i + {stride}; i = 0 to {63 - stride}")
            self.assertEqual(len(step.chain), 2)  # the line of add(), and that of the kernel which calls it


class Steps(support.ScratchCase):
    def setUp(self):
        super().setUp()
        self.file = self.write("todo.cu", "line\n" * 40)

    def steps(self, *events):
        return access_steps.of_launches(access_trace.read(traced(list(events))))

    def event(self, action, offsets, **more):
        return traced_event(self.file, 7, action, "shared", offsets, **more)

    def tree(self, *strides):
        """values[2 * s * t] += values[2 * s * t + s], over 16 words."""
        for step, stride in enumerate(strides):
            own = [8 * stride * thread for thread in range(8 // stride)]
            yield self.event("load", [place + 4 * stride for place in own], step=step)
            yield self.event("load", own, step=step)
            yield self.event("store", own, step=step)

    def test_a_tree(self):
        found = self.steps(self.event("store", range(0, 64, 4)), *self.tree(1, 2, 4, 8))
        self.assertEqual(
            [step.words for step in found.steps],
            [
                "i from i, i + 1; i = 0, 2, ..., 14",
                "i from i, i + 2; i = 0, 4, ..., 12",
                "i from i, i + 4; i = 0, 8",
                "i from i, i + 8; i = 0",
            ],
        )
        self.assertEqual(
            [steps_text.strip(step)[:16] for step in found.steps],
            ["AaBbCcDdEeFfGgHh", "A·a·B·b·C·c·D·d·", "A···a···B···b···", "A·······a·······"],
        )

    def test_elements_that_several_threads_touch_have_no_letters(self):
        found = self.steps(self.event("load", [4, 8]), self.event("load", [0, 4]), self.event("store", [0, 4]))
        self.assertEqual(steps_text.strip(found.steps[0])[:4], "●●○·")

    def test_two_updates_between_barriers_are_two_steps(self):
        first, second = list(self.tree(1)), list(self.tree(2))
        for _, _, event in second:
            event["step"] = 0  # __syncwarp() alone
        self.assertEqual([len(step.updates) for step in self.steps(*first, *second).steps], [8, 4])

    def test_a_tile_that_is_read_again_and_again_has_no_steps(self):
        reads = [self.event("load", [4 * word], lanes=[0]) for word in range(8)]
        self.assertIsNone(self.steps(*reads, self.event("store", [0], lanes=[0], step=1)))
        self.assertIsNone(self.steps(self.event("store", [0, 4]), self.event("load", [4, 0], step=1)))

    def test_shuffles_of_all_warps_are_one_step_and_halves_of_8_bytes_too(self):
        down = [lane + 16 if lane < 16 else lane for lane in range(32)]
        first = [lane + 8 if lane < 24 else lane for lane in range(32)]
        events = [self.event("shuffle", lanes, warp=warp) for warp in (0, 1) for lanes in (down, down, first)]
        found = self.steps(*events)
        self.assertEqual([(len(step.updates), step.warps) for step in found.steps], [(32, 2), (48, 2)])
        self.assertEqual(found.steps[0].words, "i from i + 16; lane i = 0 to 15")
        butterfly = self.steps(self.event("shuffle", [lane ^ 2 for lane in range(32)])).steps[0]
        self.assertEqual(butterfly.words, "i from i ^ 2")
        self.assertEqual(steps_text.strip(butterfly)[:8], "ABABCDCD")
        broadcast = self.steps(self.event("shuffle", [0] * 32)).steps[0]
        self.assertEqual(broadcast.words, "all from lane 0")

    def test_a_step_in_a_header_has_the_students_line_that_calls_it(self):
        events = list(self.tree(1))
        self.assertIn(" todo.cu:7 ", steps_text.text(self.steps(*events), 0, self.folder / "other.cu"))
        for instruction, _, _ in events:
            instruction["inlined"] = [{"file": str(self.file), "line": 7}, {"file": "other.cu", "line": 31}, {"file": "other.cu", "line": 90}]
        self.assertRegex(steps_text.text(self.steps(*events), 0, Path("other.cu")), r"(?m)^ +1 +31  ")

    def test_the_text_fits_into_80_columns(self):
        down = [lane + 16 if lane < 16 else lane for lane in range(32)]
        text = steps_text.text(self.steps(*self.tree(1, 2, 4), self.event("shuffle", down, step=3)), 0, self.file)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        self.assertRegex(
            text, r" 1     7        8      1  AaBbCcDdEeFfGgHh·{16}\n +i from i, i \+ 1; i = 0, 2, \.\.\., 14\n"
        )
        self.assertIn("shuffle: i from i + 16", text)
        self.assertIn("no thread combines", steps_text.text(None, 3, self.file))


if __name__ == "__main__":
    unittest.main()
