# SPDX-License-Identifier: MIT
"""The choice of a device, and the question to the CUDA driver, asked of a driver that these tests compile."""

import os
import shutil
import subprocess
import sys
import unittest

import support
from workbook_lib.machine.device import SIMULATED_DEVICE, Gpu, choose, obstacle, parse_version, probe

H200 = Gpu("NVIDIA H200", (9, 0), (13, 0))

DRIVER = r"""
#include <cstdlib>
#include <cstring>
static int setting(const char* name, int fallback) {
  const char* text = std::getenv(name);
  return text ? std::atoi(text) : fallback;
}
extern "C" {
int cuInit(unsigned) { return setting("FAKE_INIT", 0); }
int cuDeviceGetCount(int* count) { *count = setting("FAKE_COUNT", 1); return 0; }
int cuDriverGetVersion(int* version) { *version = setting("FAKE_VERSION", 12040); return 0; }
int cuDeviceGet(int* device, int) { *device = 7; return 0; }
int cuDeviceGetName(char* name, int, int device) {
  const char* given = std::getenv("FAKE_NAME");
  std::strcpy(name, device != 7 ? "?" : given ? given : "Fake");
  return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  *value = attribute == 75 ? 8 : attribute == 76 ? 6 : -1;
  return setting("FAKE_ATTRIBUTE_ERROR", 0);
}
}
"""


class Choose(unittest.TestCase):
    def test_auto_takes_a_usable_gpu(self):
        choice = choose("auto", (13, 0), (H200, ""))
        self.assertEqual(choice.device, "gpu")
        self.assertIn("NVIDIA H200", choice.reason)

    def test_auto_without_a_gpu_says_why(self):
        choice = choose("auto", (13, 0), (None, "no driver"))
        self.assertEqual((choice.device, choice.reason), ("simulator", "no driver"))

    def test_simulator_is_taken_beside_a_gpu(self):
        self.assertEqual(choose("simulator", (13, 0), (H200, "")).device, "simulator")

    def test_an_unusable_gpu_is_not_taken_silently(self):
        with self.assertRaisesRegex(ValueError, "no usable GPU: no driver"):
            choose("gpu", (13, 0), (None, "no driver"))
        with self.assertRaisesRegex(ValueError, "compute capability 6.1"):
            choose("gpu", (13, 0), (Gpu("GTX 1080", (6, 1), (13, 0)), ""))

    def test_a_driver_older_than_the_toolkit_is_an_obstacle(self):
        old = Gpu("T4", (7, 5), (12, 4))
        self.assertIn("update the driver", obstacle(old, (13, 0)))
        self.assertEqual(choose("auto", (13, 0), (old, "")).device, "simulator")
        self.assertEqual(obstacle(old, (12, 4)), "")
        self.assertEqual(obstacle(old, None), "")

    def test_versions(self):
        self.assertEqual(parse_version("13.0.88"), (13, 0))


class Probe(support.ScratchCase):
    def test_no_driver(self):
        gpu, reason = probe("libworkbook-no-such-driver.so.1")
        self.assertIsNone(gpu)
        self.assertIn("no NVIDIA driver", reason)

    def ask(self, **settings):
        """Asks a compiled stand-in for the driver, in a process of its own."""
        compiler = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
        library = self.folder / "libcuda.so.1"
        if not library.exists():
            source = self.folder / "driver.cpp"
            source.write_text(DRIVER, encoding="utf-8")
            subprocess.run([compiler, "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
        answer = subprocess.run(
            [sys.executable, "-B", str(support.ROOT / "scripts/workbook_lib/machine/device.py"), "--toolkit", "12.4"],
            env={**os.environ, "LD_LIBRARY_PATH": str(self.folder), **settings},
            capture_output=True,
            text=True,
            check=True,
        )
        return answer.stdout.strip(), answer.stderr.strip()

    def test_the_driver_is_asked(self):
        self.assertEqual(self.ask(), ("gpu", "Fake, compute capability 8.6"))
        self.assertEqual(self.ask(FAKE_INIT="100")[0], "simulator")
        self.assertIn("error 100", self.ask(FAKE_INIT="100")[1])
        self.assertIn("lists no GPU", self.ask(FAKE_COUNT="0")[1])
        self.assertIn("up to 12.3", self.ask(FAKE_VERSION="12030")[1])
        self.assertIn("error 1", self.ask(FAKE_ATTRIBUTE_ERROR="1")[1])

    def test_the_simulators_driver_is_no_gpu(self):
        device, reason = self.ask(FAKE_NAME="Simulated Tesla T4 " + SIMULATED_DEVICE)
        self.assertEqual(device, "simulator")
        self.assertIn("LD_LIBRARY_PATH", reason)
        text = (support.ROOT / "common/simulator/runtime/runtime.cpp").read_text(encoding="utf-8")
        self.assertEqual(text.count(f'{SIMULATED_DEVICE}"'), 2)


if __name__ == "__main__":
    unittest.main()
