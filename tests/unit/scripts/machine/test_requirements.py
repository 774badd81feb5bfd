# SPDX-License-Identifier: MIT
"""What a machine lacks, and the packages that are installed or named for it."""

import io
import os
import unittest
from unittest import mock

import support
from workbook_lib.base.errors import WorkbookError
from workbook_lib.base.progress import Progress
from workbook_lib.machine import requirements
from workbook_lib.machine.requirements import Machine, Tool


class Missing(support.ScratchCase):
    def test_elsewhere_the_packages_are_named(self):
        with mock.patch.object(requirements, "apt_prefix", return_value=None), self.assertRaises(WorkbookError) as caught:
            requirements.install_packages(["zstd", "C++ compiler"], self.fail)
        self.assertEqual(caught.exception.status, 2)
        self.assertIn("libzstd-dev g++", str(caught.exception))

    def run_apt(self, install_status):
        """install_packages with an apt-get that only writes down how it was called."""
        self.script(
            "bin/apt-get", f'echo "$@" >> {self.folder}/log; case "$*" in *install*) exit {install_status} ;; esac'
        )
        self.script("bin/apt-cache", 'case "$2" in libcli11-dev) exit 100 ;; esac; echo Package: $2')
        path = f"{self.folder}/bin:{os.environ['PATH']}"
        with mock.patch.dict(os.environ, PATH=path), mock.patch.object(os, "geteuid", return_value=0):
            requirements.install_packages(["zstd", "CLI11"], lambda text: None)
        return (self.folder / "log").read_text(encoding="utf-8").splitlines()

    def test_apt_installs_what_the_distribution_has(self):
        update, install = self.run_apt(0)
        self.assertEqual(update, "-q update")
        self.assertEqual(install, "-q install --yes --no-install-recommends libzstd-dev")

    def test_a_failed_installation_names_the_packages(self):
        with self.assertRaisesRegex(WorkbookError, "apt-get install libzstd-dev"):
            self.run_apt(1)

    def test_sudo_never_waits_where_nobody_can_answer(self):
        self.script("bin/apt-get", "")
        self.script("bin/sudo", "")
        with (
            mock.patch.dict(os.environ, PATH=f"{self.folder}/bin"),
            mock.patch.object(os, "geteuid", return_value=1000),
        ):
            with mock.patch("sys.stdin.isatty", return_value=False, create=True):
                self.assertEqual(requirements.apt_prefix(), ["sudo", "-n"])
            with mock.patch("sys.stdin.isatty", return_value=True, create=True):
                self.assertEqual(requirements.apt_prefix(), ["sudo"])
            (self.folder / "bin" / "sudo").unlink()
            self.assertIsNone(requirements.apt_prefix())

    def test_nothing_is_installed_where_nothing_is_missing(self):
        whole = Machine(self.folder, {"CMake": Tool("CMake", "/bin/cmake", "3.25.1")}, mock.sentinel.nvcc)
        with (
            mock.patch.object(requirements, "inspect", return_value=whole),
            mock.patch.object(requirements.subprocess, "run", self.fail),
        ):
            self.assertIs(requirements.set_up(self.folder, self.fail), whole)

    def test_a_first_run_says_its_parts_and_what_is_being_done(self):
        cmake = Tool("CMake", "/bin/cmake", "3.25.1")
        bare = Machine(self.folder, {"CMake": cmake, "zstd": Tool("zstd", problem="not installed")}, None)
        whole = Machine(self.folder, {"CMake": Tool("CMake", "/bin/cmake", "3.25.1")}, mock.sentinel.nvcc)
        said = []
        with (
            mock.patch.object(requirements, "inspect", side_effect=[bare, bare, whole]),
            mock.patch.object(requirements, "install_packages"),
            mock.patch.object(requirements, "install_wheels"),
        ):
            requirements.set_up(self.folder, said.append)
        self.assertIn("1. packages of the distribution, 2. NVIDIA's compiler (100 MB), 3. the build", said[0])
        shown, said = io.StringIO(), []
        script = self.script("apt-get", "echo Unpacking zstd; exit $1")
        with mock.patch.object(requirements, "Progress", lambda: Progress(shown)):
            self.assertTrue(requirements.run_quietly([str(script), "0"], said.append))
            self.assertEqual((shown.getvalue(), said), ("  Unpacking zstd\n", [f"  {script} 0"]))
            self.assertFalse(requirements.run_quietly([str(script), "1"], said.append))
            self.assertEqual(said[-1], "Unpacking zstd")
            self.assertFalse(requirements.run_quietly([str(self.folder / "none")], said.append))

    def test_headers_are_seen_by_the_compiler(self):
        compiler = requirements.find_compiler()
        with mock.patch.dict(requirements.HEADERS, {"zstd": "workbook-no-such-header.h"}):
            problems = {tool.name: tool.problem for tool in requirements.find_libraries(self.folder, compiler)}
        self.assertEqual(problems["zstd"], "not installed")
        (self.folder / "build/default/_deps/cli11-src").mkdir(parents=True)
        with mock.patch.dict(requirements.HEADERS, {"CLI11": "workbook-no-such-header.h"}):
            problems = {tool.name: tool.problem for tool in requirements.find_libraries(self.folder, compiler)}
        self.assertEqual(problems["CLI11"], "")

    def test_an_old_cmake_gives_way_to_the_one_in_toolkit(self):
        self.script("bin/cmake", "echo cmake version 3.22.1")
        with mock.patch.dict(os.environ, PATH=f"{self.folder}/bin"):
            self.assertEqual(requirements.find_cmake(self.folder).problem, "older than 3.25")
            newer = self.script(".toolkit/cmake/bin/cmake", "echo cmake version 3.31.6")
            self.assertEqual(requirements.find_cmake(self.folder).path, str(newer))


if __name__ == "__main__":
    unittest.main()
