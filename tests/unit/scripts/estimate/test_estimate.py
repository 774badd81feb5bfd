# SPDX-License-Identifier: MIT
"""The estimate of a time: each limit by a report that only it can limit, refusals, ranges and words."""

import json
import unittest
from dataclasses import replace

import support
from estimate import counted
from workbook_lib.base.errors import WorkbookError
from workbook_lib.estimate import by_line, estimate, model, parameters
from workbook_lib.estimate.estimate import Refusal

H200 = parameters.read("h200")
GIGABYTE = 10**9


def whole(*launches, gpu=H200):
    return estimate.of_report(counted.report(*launches), gpu)


class Limits(unittest.TestCase):
    def time(self, limit, **counts):
        found = model.of_launch(counted.launch(**counts), H200)
        self.assertEqual(found.limit, limit, found.limits_us)
        return found.limits_us[limit]

    def test_bytes_from_dram(self):
        self.assertAlmostEqual(self.time("dram", bytes_read=GIGABYTE), 1e6 / H200["dram_read_gb_s"])

    def test_waves_of_blocks_that_wait(self):
        cycles = 2 * (40_000 + H200["block_cycles"])  # the second wave has one block alone
        self.assertAlmostEqual(self.time("latency", blocks=132 * 8 + 1, alone=40_000.0), cycles / H200["clock_mhz"])

    def test_issued_instructions(self):
        count, processors = 10**9, H200["multiprocessors"]
        time = self.time("issue", classes={"fp32_fma": count})
        self.assertAlmostEqual(time, count * H200["issue_slots"] / 4 / processors / H200["clock_mhz"], delta=time / 50)
        divisions = self.time("issue", classes={"division": count // 24})
        self.assertAlmostEqual(divisions, time, delta=time / 50)

    def test_atomics_of_one_address(self):
        queue = {"longest_queue": 10**6, "width": 8, "is_reduction": True, "is_shared": False, "floating": True}
        self.assertAlmostEqual(self.time("atomics", atomics=queue), 1e3 * H200["atomic_double_ns"])

    def test_units(self):
        self.time("fp64", classes={"fp64": 10**9})
        self.time("special", classes={"special": 10**9})
        self.time("shared", shared_load_wavefronts=10**9)
        self.assertAlmostEqual(self.time("l1", load_passes=132 * 10**6), 1e6 / H200["shared_wavefronts"] / H200["clock_mhz"], delta=1)
        self.time("tensor", tensor_shapes={"m16n8k8.tf32": 10**8}, classes={"tensor": 10**8})
        self.time("chain", waiting={"blocks": 10**4, "longest_chain": 10**4})

    def test_sectors_that_are_stored_in_part_take_longer(self):
        times = []
        for partial in (0, 10**7):
            launch = counted.launch()
            launch["timing"]["sample"]["estimated"].update(l2_write_sectors=10**7, l2_partial_sectors=partial)
            times.append(model.l2_us(launch, H200))
        self.assertAlmostEqual(times[1] / times[0], H200["l2_write_sectors"] / H200["l2_partial_sectors"])

    def test_more_of_anything_takes_no_less(self):
        few = model.of_launch(counted.launch(bytes_read=GIGABYTE), H200).time_us
        for more in ({"alone": 10**5}, {"classes": {"integer": 10**9}}, {"shared_load_wavefronts": 10**9}):
            self.assertGreater(model.of_launch(counted.launch(bytes_read=GIGABYTE, **more), H200).time_us, few)


class Refusals(unittest.TestCase):
    def refused(self, words, *launches, **changes):
        found = estimate.of_report(counted.report(*launches, **changes), H200)
        self.assertIsInstance(found, Refusal)
        self.assertIn(words, found.reason)

    def test_what_the_model_does_not_know(self):
        usual = counted.launch(bytes_read=GIGABYTE)
        self.assertNotIsInstance(estimate.of_report(counted.report(usual), H200), Refusal)
        self.refused("findings", usual, findings=[{"kind": "race"}])
        self.refused("no kernel")
        self.refused("cut short", {**usual, "error": 719})
        self.refused("more launches", usual, launches_left_out=3)
        self.refused("cublasSgemm", usual, library_calls=[{"name": "cublasSgemm_v2", "calls": 1}])
        self.refused("has not counted", {**usual, "timing": None})
        for words, changes in (
            ("2 streams", {"streams": 2}),
            ("a graph", {"in_graph": True}),
            ("how many in a row", {"waiting": {"blocks": 9, "longest_chain": 0, "unknown": True}}),
            ("vote.ballot", {"instructions_without_rate": ["vote.ballot"]}),
            ("m8n8k4.f64", {"tensor_shapes": {"m8n8k4.f64": 9}}),
            ("spills 80 bytes", {"spilled_bytes": 80}),
            ("at random", {"random_loads": GIGABYTE // 128, "footprint_bytes": {"load": 10 * GIGABYTE, "store": 0}}),
            ("local memory", {"local_load_requests": 9}),
            ("too many registers", {"sample": None, "no_sample_because": "too many registers"}),
        ):
            self.refused(words, counted.launch(bytes_read=GIGABYTE, **changes))


class Words(unittest.TestCase):
    def gpu(self, low, high):
        return replace(H200, errors=dict.fromkeys(model.LIMITS, parameters.Error(low, high, 9)))

    def test_a_range_its_limit_and_that_it_is_not_measured(self):
        gpu = self.gpu(0.8, 1.25)
        words = estimate.words(whole(counted.launch(bytes_read=GIGABYTE), gpu=gpu), gpu)
        self.assertRegex(words, r"^estimate for an NVIDIA H200: \d+ to \d+ µs, not measured; limited by bytes from DRAM; eight of ten ")

    def test_a_short_one_is_about_a_launch(self):
        self.assertIn("about a launch's time", estimate.words(whole(counted.launch(blocks=1, alone=100.0)), H200))

    def test_a_gpu_that_nobody_has_measured_has_no_microseconds(self):
        for name in ("t4", "a100", "rtx3060"):
            gpu = parameters.read(name)
            words = estimate.words(whole(counted.launch(bytes_read=GIGABYTE), gpu=gpu), gpu)
            self.assertIn("limited by bytes from DRAM", words)
            self.assertIn("a Tesla T4" if name == "t4" else "an NVIDIA", words)
            self.assertNotIn("µs", words)

    def test_a_limit_that_few_kernels_had_shows_no_time(self):
        gpu = replace(H200, errors=dict.fromkeys(model.LIMITS, parameters.Error(0.8, 1.25, estimate.FEWEST - 1)))
        words = estimate.words(whole(counted.launch(bytes_read=GIGABYTE), gpu=gpu), gpu)
        self.assertIn("limited by bytes from DRAM; no time, as too few kernels", words)

    def test_two_programs(self):
        small, large = (whole(counted.launch(bytes_read=count * GIGABYTE), gpu=self.gpu(0.8, 1.25)) for count in (1, 4))
        self.assertRegex(estimate.ratio(large, small), r"^about (3|4)(\.\d)? times as fast \(.* to .*\)$")
        self.assertIn("as slow", estimate.ratio(small, large))
        close = whole(counted.launch(bytes_read=GIGABYTE * 11 // 10), gpu=self.gpu(0.8, 1.25))
        self.assertEqual(estimate.ratio(close, small), "no difference that this estimate can tell")
        self.assertIsNone(estimate.ratio(Refusal("why"), small))

    def test_two_digits(self):
        self.assertEqual([estimate.digits(number) for number in (8.04, 85.3, 1234, 129.9)], ["8.0", "85", "1,200", "130"])

    def test_many_short_launches_take_the_hosts_time(self):
        found = whole(*[counted.launch(blocks=1, alone=100.0)] * 100)
        self.assertEqual(found.limit, "launch")
        self.assertAlmostEqual(found.time_us, 100 * H200["launch_host_us"])


    def test_the_set_up_before_the_first_launch_takes_no_time(self):
        calls = {"launch": 0, "memset": 1000, "copy": 0, "attribute": 0, "other": 0, "sync": 0}
        host = [
            whole(counted.launch(host_calls_before={**calls, "since_event": is_timed})).host_us for is_timed in (False, True)
        ]
        self.assertAlmostEqual(host[1] - host[0], 1000 * H200["memset_us"])


class Lines(unittest.TestCase):
    def test_the_lines_of_a_kernel_share_its_time(self):
        launch = counted.launch(bytes_read=GIGABYTE)
        entries = [
            {"kernel": "sum(float*)", "file": "a.cu", "line": line, "executions": 1, "counters": {**launch["counters"], "global_load_sectors": sectors}}
            for line, sectors in ((1, 300), (2, 100))
        ]
        report = counted.report(launch, lines=entries)
        shares = [each["counters"]["estimate"] for each in by_line.with_shares(report, whole(launch))["lines"]]
        self.assertEqual(shares, [0.75, 0.25])


class Parameters(support.ScratchCase):
    def test_what_a_file_lacks_is_the_h200s(self):
        found = parameters.read("t4")
        self.assertEqual(found["atomic_ns"], H200["atomic_ns"])
        self.assertAlmostEqual(found["l2_write_sectors"], H200["l2_write_sectors"] * 40 / 132)
        self.assertEqual(found.environment()["CUDASIM_GPU"], "t4")

    def test_mistakes_are_named(self):
        own = json.loads((parameters.FOLDER / "t4.json").read_text(encoding="utf-8"))
        own["parameters"]["clock_mhx"] = {"value": 1, "source": "me"}
        with self.assertRaisesRegex(WorkbookError, "'clock_mhx' is no parameter; did you mean clock_mhz"):
            parameters.read(str(self.write("own.json", json.dumps(own))))
        with self.assertRaisesRegex(WorkbookError, "cannot be read as JSON"):
            parameters.read(str(self.write("own.json", "{")))
        with self.assertRaisesRegex(WorkbookError, "calibrate writes one"):
            parameters.read(str(self.write("own.json", "[]")))

    def test_every_number_has_a_source(self):
        for name in parameters.known():
            for each in parameters.load(parameters.FOLDER / f"{name}.json")["parameters"].values():
                self.assertTrue(each["source"], name)


if __name__ == "__main__":
    unittest.main()
