# SPDX-License-Identifier: MIT
"""The BLAS for programs that call cuBLAS: found on the system, installed once, or missing in words."""

import unittest
from unittest import mock

import support
from workbook_lib.base.errors import WorkbookError
from workbook_lib.machine import openblas, toolkit


class OpenBlas(support.ScratchCase):
    def setUp(self):
        super().setUp()
        self.simulator = self.folder / "simulator"
        self.simulator.mkdir()
        self.link = self.simulator / openblas.WHEELS_FILE
        self.installed, self.said = [], []

    def provide(self, system=(), install=None, symbol="no_such_symbol"):
        with mock.patch.object(openblas, "OF_THE_SYSTEM", system), mock.patch.object(
            toolkit, "pip_install", install or self.install
        ), mock.patch.object(openblas, "OPENBLAS_HAS", symbol):
            openblas.provide(self.folder, self.simulator, self.said.append)

    def install(self, requirements, folder, say):
        self.installed.append(requirements.name)
        library = folder / "scipy_openblas32" / "lib" / openblas.WHEELS_FILE
        library.parent.mkdir(parents=True)
        library.write_text("library")

    def test_the_systems_own_is_enough(self):
        self.provide(system=("libgone.so.0", "libc.so.6"), symbol="printf")
        self.assertFalse(self.link.is_symlink())
        self.assertEqual(self.installed, [])

    def test_a_slow_one_is_used_only_without_a_network(self):
        tried = []

        def fail(*_):
            tried.append(1)
            raise WorkbookError("no network")

        for _ in range(2):
            self.provide(system=("libc.so.6",), install=fail)
        self.assertEqual((len(tried), self.said[-1]), (1, openblas.SLOW))
        (self.folder / ".toolkit" / "openblas-failed").unlink()
        self.provide(system=("libc.so.6",))
        self.assertEqual(self.link.read_text(), "library")

    def test_it_is_installed_once(self):
        self.provide()
        self.assertEqual(self.link.read_text(), "library")
        self.provide()
        self.link.unlink()
        self.link.symlink_to("gone")
        self.provide()
        self.assertEqual(self.link.read_text(), "library")
        self.assertEqual(self.installed, ["openblas_requirements.txt"])

    def test_without_a_network_it_is_said_what_to_install(self):
        def fail(*_):
            raise WorkbookError("no network")

        with self.assertRaisesRegex(WorkbookError, "apt-get install libopenblas0"):
            self.provide(install=fail)
        self.assertEqual(list((self.folder / ".toolkit").iterdir()), [])


if __name__ == "__main__":
    unittest.main()
