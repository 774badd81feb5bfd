# SPDX-License-Identifier: MIT
"""What is built for some of the tests, in a small project with programs that nobody has built yet."""

import io
import shutil
import subprocess
import unittest
from unittest import mock

import support
from workbook_lib.base.progress import Progress
from workbook_lib.build import ctest
from workbook_lib.build.build import Build
from workbook_lib.machine import requirements
from workbook_lib.machine.requirements import Machine, Tool

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(t LANGUAGES CXX)
enable_testing()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
add_library(cudasim empty.cpp)
foreach(program answer_stage01_test wrong_stage01_no_barrier setup)
  add_executable(${program} main.cpp)
endforeach()
set_target_properties(answer_stage01_test PROPERTIES OUTPUT_NAME answer-stage01-test)
set_target_properties(wrong_stage01_no_barrier PROPERTIES OUTPUT_NAME wrong-stage01-no_barrier)
add_test(NAME stage01.answer COMMAND answer_stage01_test "--filter=*")
add_test(NAME stage01.wrong COMMAND "${CMAKE_COMMAND}" -E echo of=$<TARGET_FILE:wrong_stage01_no_barrier>)
add_test(NAME setup COMMAND setup)
add_test(NAME uses COMMAND answer_stage01_test)
set_tests_properties(setup PROPERTIES FIXTURES_SETUP files)
set_tests_properties(uses PROPERTIES FIXTURES_REQUIRED files)
add_test(NAME stage01.full CONFIGURATIONS all COMMAND setup)
add_test(NAME script COMMAND "${CMAKE_COMMAND}" -E true)
add_test(NAME odd COMMAND "${CMAKE_COMMAND}" -E true "${CMAKE_BINARY_DIR}/bin/nobody-builds-it")
"""


class Targets(support.ScratchCase):
    def setUp(self):
        super().setUp()
        for name, text in (("CMakeLists.txt", PROJECT), ("main.cpp", "int main() {}\n"), ("empty.cpp", "int a;\n")):
            (self.folder / name).write_text(text, encoding="utf-8")
        tools = {"CMake": Tool("CMake", shutil.which("cmake"))}
        self.build = Build(Machine(self.folder, tools, None), "default", Progress(io.StringIO()))
        command = ["cmake", "-G", "Ninja" if shutil.which("ninja") else "Unix Makefiles", "-S", self.folder, "-B", self.build.folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def targets(self, *words):
        return ctest.targets(self.build, ["ctest", "--test-dir", str(self.build.folder), *words])

    def test_the_programs_that_the_commands_name_and_the_simulator(self):
        self.assertEqual(self.targets("-R", "answer"), ["answer_stage01_test", "cudasim"])
        both = ["answer_stage01_test", "cudasim", "wrong_stage01_no_barrier"]
        self.assertEqual(self.targets("-R", "stage01", "-V"), both)
        self.build.build(both)
        self.assertEqual(self.targets("-R", "stage01"), both)
        command = ["ctest", "--test-dir", str(self.build.folder), "-R", "stage01"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def test_of_tests_on_request(self):
        self.assertEqual(self.targets("-C", "all", "-R", "full"), ["cudasim", "setup"])
        self.assertEqual(self.targets("-R", "full"), [])

    def test_commands_as_either_cmake_writes_them(self):
        file = self.build.folder / "CTestTestfile.cmake"
        for name in ("[=[a.b]=]", '"a.b"'):
            file.write_text(f'add_test({name} "/x/bin/a_b" "--filter=*")\n', encoding="utf-8")
            self.assertEqual(ctest.read_commands(self.build), {"a.b": '"/x/bin/a_b" "--filter=*"'})

    def test_what_prepares_a_chosen_test_is_built_too(self):
        self.assertEqual(self.targets("-R", "uses"), ["answer_stage01_test", "cudasim", "setup"])

    def test_everything_where_a_command_names_no_program(self):
        for words in (["-R", "script"], ["-R", "odd"]):
            self.assertEqual(self.targets(*words), ["all", "cudasim"], words)
        # What is not built of itself still needs its name.
        self.assertEqual(self.targets("-R", "answer|script"), ["all", "answer_stage01_test", "cudasim"])

    def test_nothing_is_known_of_no_tests(self):
        self.assertEqual(self.targets("-R", "no such test"), [])


class Command(support.CommandCase):
    def test_it_builds_them_before_it_tests(self):
        visible = []
        for target, name, value in (
            (Build, "configure", lambda build: None),
            (requirements.Machine, "ctest", "ctest"),
            (requirements, "run_visibly", lambda command, folder: visible.append(command) or 0),
            (ctest, "targets", lambda build, command: ["cudasim", "x"] if "-R" in command else []),
        ):
            patch = mock.patch.object(target, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.assertIn("Building what these tests need: 2 targets\n", self.workbook("test", "-R", "x")[2])
        self.assertIn("Building everything first\n", self.workbook("test")[2])
        with mock.patch.object(ctest, "targets", lambda build, command: ["all", "x"]):
            self.assertIn("Building everything first\n", self.workbook("test", "-R", "x")[2])
        self.assertEqual(self.built, [["cudasim", "x"], [], ["all", "x"]])
        self.assertEqual(visible[0][-2:], ["-R", "x"])


if __name__ == "__main__":
    unittest.main()
