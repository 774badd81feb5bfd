# SPDX-License-Identifier: MIT
"""What a machine lacks, and the packages that are installed or named for it."""

import io
import os
import unittest
from pathlib import Path
from unittest import mock

import support
from workbook_lib.base.errors import WorkbookError
from workbook_lib.base.progress import Progress
from workbook_lib.machine import requirements
from workbook_lib.machine.requirements import Machine, Tool
from workbook_lib.machine.toolkit import Nvcc

NVCC = Nvcc(Path("nvcc"), "13.2.51", "PATH")


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
        path = mock.patch.dict(os.environ, PATH=f"{self.folder}/bin")
        with path, mock.patch.object(os, "geteuid", return_value=1000):
            with mock.patch("sys.stdin.isatty", return_value=False, create=True):
                self.assertEqual(requirements.apt_prefix(), ["sudo", "-n"])
            with mock.patch("sys.stdin.isatty", return_value=True, create=True):
                self.assertEqual(requirements.apt_prefix(), ["sudo"])
            (self.folder / "bin" / "sudo").unlink()
            self.assertIsNone(requirements.apt_prefix())

    def test_nothing_is_installed_where_nothing_is_missing(self):
        whole = Machine(self.folder, {"CMake": Tool("CMake", "/bin/cmake", "3.25.1")}, NVCC)
        inspect = mock.patch.object(requirements, "inspect", return_value=whole)
        with inspect, mock.patch.object(requirements.subprocess, "run", self.fail):
            self.assertIs(requirements.set_up(self.folder, self.fail), whole)

    def test_a_first_run_says_its_parts_and_what_is_being_done(self):
        cmake = Tool("CMake", "/bin/cmake", "3.25.1")
        bare = Machine(self.folder, {"CMake": cmake, "zstd": Tool("zstd", problem="not installed")}, None)
        whole = Machine(self.folder, {"CMake": Tool("CMake", "/bin/cmake", "3.25.1")}, NVCC)
        said = []
        inspect = mock.patch.object(requirements, "inspect", side_effect=[bare, bare, whole])
        packages, wheels = (mock.patch.object(requirements, name) for name in ("install_packages", "install_wheels"))
        with inspect, packages, wheels:
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

    def test_elsewhere_they_are_named_as_this_system_names_them(self):
        for manager, command in (
            ("dnf", "dnf install gcc-c++ libzstd-devel"),
            ("pacman", "pacman -S gcc zstd"),
            ("zypper", "zypper install gcc-c++ libzstd-devel"),
            ("apt-get", "apt-get install g++ libzstd-dev"),
        ):
            self.script(f"{manager}-only/{manager}", "")
            with mock.patch.dict(os.environ, PATH=str(self.folder / f"{manager}-only")):
                self.assertEqual(requirements.command_for(["C++ compiler", "zstd"]), command)

    def test_without_root_what_needs_none_does_not_stop_a_set_up(self):
        """CLI11 comes by CMake, CMake and Ninja as wheels; zstd does not."""
        self.script("bin/apt-get", "exit 1")
        self.script("bin/apt-cache", "echo Package: $2")
        self.script("bin/sudo", "exit 1")
        path = mock.patch.dict(os.environ, PATH=f"{self.folder}/bin:{os.environ['PATH']}")
        for prefix in (None, [str(self.folder / "bin/sudo")]):
            with path, mock.patch.object(requirements, "apt_prefix", return_value=prefix):
                requirements.install_packages(["CLI11", "CMake", "Ninja or make"], lambda text: None)
                with self.assertRaisesRegex(WorkbookError, "install libzstd-dev"):
                    requirements.install_packages(["zstd"], lambda text: None)

    def test_cmake_and_ninja_come_as_wheels_where_there_are_none(self):
        tools = {name: Tool(name, problem="not installed") for name in ("CMake", "Ninja or make")}
        bare, whole = Machine(self.folder, tools, NVCC), Machine(self.folder, {}, NVCC)
        inspect = mock.patch.object(requirements, "inspect", side_effect=[bare, bare, whole])
        cmake, ninja = (mock.patch.object(requirements.toolkit, f"install_{name}") for name in ("cmake", "ninja"))
        with inspect, cmake as installed, ninja as made, mock.patch.object(requirements, "apt_prefix", return_value=None):
            self.assertIs(requirements.set_up(self.folder, lambda text: None), whole)
        self.assertEqual((installed.call_count, made.call_count), (1, 1))
        ninja = self.script(".toolkit/ninja/bin/ninja", "echo 1.11.1")
        with mock.patch.dict(os.environ, PATH=str(self.folder)):
            self.assertEqual(requirements.find_generator(self.folder).path, str(ninja))

    def test_clang_alone_is_not_enough(self):
        self.script("bin/clang++", "echo clang version 14.0.6")
        with mock.patch.dict(os.environ, PATH=str(self.folder / "bin")):
            for name in ("CXX", "CUDAHOSTCXX", "NVCC_CCBIN"):
                os.environ.pop(name, None)
            self.assertIn("g++", requirements.find_compiler().problem)
            self.script("bin/gcc", "echo 12.2.0")
            self.assertEqual(requirements.find_compiler().problem, "")

    def test_a_path_that_compilers_cannot_read_is_refused_in_a_sentence(self):
        for name in ("o'brien", 'a "b"', "a&b", "a$b", "a;b", "a\nb"):
            with self.assertRaisesRegex(WorkbookError, "^The path of this folder has [^\n]*$") as caught:
                requirements.set_up(self.folder / name, self.fail)
            self.assertEqual(caught.exception.status, 2)
        self.assertEqual(requirements.path_problem(Path("/home/é b#(1)")), "")


class Environment(support.ScratchCase):
    def test_cmake_hears_the_real_name_of_the_root_and_compilers_speak_english(self):
        link = self.folder / "link"
        link.symlink_to(self.folder, target_is_directory=True)
        machine = Machine(self.folder.resolve(), {}, None)
        with mock.patch.dict(os.environ, PWD=str(link), LC_ALL="de_DE.UTF-8", LC_MESSAGES="de_DE.UTF-8"):
            found = machine.environment()
        self.assertEqual(found["PWD"], str(self.folder.resolve()))
        self.assertEqual((found.get("LC_ALL"), found["LC_MESSAGES"], found["LANG"]), (None, "C", "de_DE.UTF-8"))


if __name__ == "__main__":
    unittest.main()
