# SPDX-License-Identifier: MIT
"""What is shown of a failed build, and when a build folder must be configured afresh."""

import io
import os
import platform
import shutil
import subprocess
import unittest
from pathlib import Path
from unittest import mock

import support
from workbook_lib.base.progress import Progress
from workbook_lib.build.build import Build, BuildFailure, build_programs, failure_messages, stage_warnings
from workbook_lib.machine.requirements import Machine, Tool
from workbook_lib.machine.toolkit import Nvcc

ERROR = '/repo/stages/stage01/todo.cu(12): error: identifier "x" is undefined\n    x = 1;\n    ^\n'

NINJA = f"""[1/3] Building CXX object a.o
/repo/common/a.cpp:1: warning: of another file
[2/3] Building CUDA object todo.o
FAILED: stages/todo.o
/usr/local/cuda/bin/nvcc -x cu -c /repo/stages/stage01/todo.cu -o todo.o
{ERROR}
1 error detected in the compilation of "/repo/stages/stage01/todo.cu".
[3/3] Building CXX object b.o
/repo/common/b.cpp:1: warning: of another file
ninja: build stopped: subcommand failed.
"""
MAKE = f"""[ 50%] Building CUDA object todo.o
{ERROR}
1 error detected in the compilation of "/repo/stages/stage01/todo.cu".
gmake[3]: *** [stages/CMakeFiles/todo.dir/build.make:79: todo.o] Error 2
make: *** [Makefile:101: all] Error 2
"""


class CompilerMessages(unittest.TestCase):
    def test_only_the_failed_file_with_short_paths(self):
        for log in (NINJA, MAKE):
            message = failure_messages(log.splitlines(), Path("/repo"))
            self.assertTrue(message.startswith("stages/stage01/todo.cu:12:1: error"), message)
            self.assertIn("    ^\n    -> is it declared", message)
            self.assertNotIn("another file", message)


WARNINGS = """[1/9] Building CUDA object stages/CMakeFiles/todo_stage02_kernel.dir/stage02/todo.cu.o
/repo/stages/stage02/todo.cu(24): warning #177-D: variable "t" was declared but never referenced
    int t = 3;
        ^

Remark: The warnings can be suppressed with "-diag-suppress <warning-number>"

/repo/common/workbook/stage.h(5): warning #68-D: of another file
/repo/stages/stage02/todo.cu(24): warning #177-D: variable "t" was declared but never referenced
    int t = 3;
        ^

/repo/stages/stage02/todo.cu: In function 'int other()':
/repo/stages/stage02/todo.cu:50:33: warning: 'x' is used uninitialized [-Wuninitialized]
   50 | int other() { return x; }
/repo/stages/stage02/todo.cu:49:46: note: 'x' was declared here
   49 | int x;
[2/9] Building CXX object common/a.o
/repo/common/a.cpp:1:2: warning: of another file
   with a second line
"""


class StageWarnings(unittest.TestCase):
    def test_only_the_files_in_stages_each_warning_once(self):
        self.check(WARNINGS)

    def test_of_a_cache_that_makes_paths_relative(self):
        self.check(WARNINGS.replace("/repo/", "../../"))

    def check(self, warnings):
        found = stage_warnings(warnings.splitlines(), Path("/repo"))
        starts = ("stages/stage02/todo.cu:24:1: warning #177-D", "stages/stage02/todo.cu:50:33: warning: 'x'")
        self.assertEqual(len(found), 2, found)
        for warning, start, end in zip(found, starts, ("^", "49 | int x;")):
            self.assertTrue(warning.startswith(start) and warning.endswith(end), warning)


class OfFilesNotSolved(support.ScratchCase):
    def test_that_a_name_is_not_used_yet_is_no_news(self):
        host = "/repo/stages/stage02/todo.cu:38:33: warning: unused parameter 'data' [-Wunused-parameter]"
        warnings = (WARNINGS + host).replace("/repo/", f"{self.folder}/").splitlines()
        self.assertEqual(len(stage_warnings(warnings, self.folder)), 3)
        self.write("stages/stage02/todo.cu", 'int f() {\n  WORKBOOK_TODO("write f, then delete this line");\n}\n')
        (left,) = stage_warnings(warnings, self.folder)
        self.assertIn("'x' is used uninitialized", left)


class BuildFolder(support.ScratchCase):
    def build(self, nvcc=None):
        tools = {"CMake": Tool("CMake", shutil.which("cmake"))}
        found = Build(Machine(self.folder, tools, nvcc), "default", Progress(io.StringIO()))
        found.folder.mkdir(parents=True, exist_ok=True)
        return found

    def cache(self, build, **changes):
        values = {
            "CMAKE_CUDA_COMPILER:FILEPATH": "/bin/sh",
            "CMAKE_CXX_COMPILER:FILEPATH": "/bin/sh",
            "CMAKE_MAKE_PROGRAM:FILEPATH": "/bin/sh",
            "CMAKE_HOME_DIRECTORY:INTERNAL": str(self.folder),
        }
        values.update({next(key for key in values if key.startswith(name)): value for name, value in changes.items()})
        text = "".join(f"{key}={value}\n" for key, value in values.items())
        (build.folder / "CMakeCache.txt").write_text(text, encoding="utf-8")
        (build.folder / "build.ninja").write_text("", encoding="utf-8")

    def test_a_configured_folder_is_used_as_it_is(self):
        build = self.build()
        self.assertFalse(build.is_configured())
        self.cache(build)
        self.assertTrue(build.is_configured())

    def test_a_folder_that_cmake_alone_has_configured_is_used_as_it_is(self):
        build = self.build()
        self.cache(build)
        file = build.folder / "CMakeCache.txt"
        text = file.read_text(encoding="utf-8").replace("CMAKE_CUDA_COMPILER:", "WORKBOOK_NVCC:")
        file.write_text(text, encoding="utf-8")
        self.assertTrue(build.is_configured())
        file.write_text(text.replace("NVCC:FILEPATH=/bin/sh", "NVCC:FILEPATH=/gone"), encoding="utf-8")
        self.assertFalse(build.is_configured())

    def test_a_folder_whose_tools_or_sources_moved_is_stale(self):
        build = self.build()
        for name in ("CMAKE_CUDA_COMPILER", "CMAKE_CXX_COMPILER", "CMAKE_MAKE_PROGRAM", "CMAKE_HOME_DIRECTORY"):
            with self.subTest(name):
                self.cache(build, **{name: "/removed"})
                self.assertFalse(build.is_configured())

    def test_another_nvcc_makes_it_stale_whatever_names_it(self):
        build = self.build(Nvcc(self.nvcc("mine"), "13.0.88", "PATH"))
        self.cache(build)
        self.assertFalse(build.is_configured())
        self.cache(build, CMAKE_CUDA_COMPILER=str(self.folder / "mine/nvcc"))
        self.assertTrue(build.is_configured())

    def test_compilers_that_were_replaced_where_they_are_make_it_stale(self):
        path = self.nvcc("mine")
        build = self.build(Nvcc(path, "13.0.88", "PATH"))
        build.machine.tools["C++ compiler"] = Tool("C++ compiler", "/usr/bin/c++", "12.2.0")
        self.cache(build, CMAKE_CUDA_COMPILER=str(path))
        self.assertTrue(build.is_configured(), "CMake alone has configured it")
        (build.folder / "workbook-compilers.txt").write_text(build.compilers(), encoding="utf-8")
        self.assertTrue(build.is_configured())
        build.machine.tools["C++ compiler"].version = "13.1.0"
        self.assertFalse(build.is_configured())
        build.machine.tools["C++ compiler"].version = "12.2.0"
        build.machine.nvcc = Nvcc(path, "13.1.80", "PATH")
        self.assertFalse(build.is_configured())


class RealBuild(support.ScratchCase):
    """Builds C++ targets with CMake."""

    def configured(self, **sources):
        """A build folder of one target for each source, and what the user is told."""
        lines = ["cmake_minimum_required(VERSION 3.25)", "project(t LANGUAGES CXX)", "add_compile_options(-Wall)"]
        lines.append("file(GLOB others CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/stages/*.other)")
        (self.folder / "stages").mkdir()
        for name, source in sources.items():
            lines.append(f"add_executable({name} stages/{name}.cpp)")
            (self.folder / "stages" / f"{name}.cpp").write_text(source, encoding="utf-8")
        (self.folder / "CMakeLists.txt").write_text("\n".join(lines), encoding="utf-8")
        tools = {"CMake": Tool("CMake", shutil.which("cmake"))}
        messages = io.StringIO()
        build = Build(Machine(self.folder, tools, None), "default", Progress(messages))
        command = ["cmake", "-G", "Ninja", "-S", self.folder, "-B", build.folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return build, messages

    def test_a_broken_target_does_not_stop_the_other(self):
        build, _ = self.configured(good="int main() {}\n", bad="int main() { return missing; }\n")
        with self.assertRaises(BuildFailure) as caught:
            build.build(["bad", "good"])
        self.assertEqual(list(caught.exception.messages), ["bad"])
        self.assertIn("bad.cpp:1", caught.exception.messages["bad"])
        self.assertIn("missing", caught.exception.messages["bad"])
        self.assertTrue((build.folder / "good").exists())
        build.build(["good"])

    def test_what_is_built_is_not_looked_at_once_more(self):
        build, _ = self.configured(good="int main() {}\n", bad="int main() { return missing; }\n")
        build.build(["good"])
        run_build, asked = build.run_build, []
        with mock.patch.object(build, "run_build", lambda *words: asked.append(words) or run_build(*words)):
            with self.assertRaises(BuildFailure) as caught:
                build.build(["good", "bad"])
        self.assertEqual((len(asked), list(caught.exception.messages)), (1, ["bad"]))

    def test_only_what_is_really_built_is_said(self):
        build, messages = self.configured(cudasim="int main() {}\n", first="int main() {}\n", second="int main() {}\n")
        for touched, said in (
            ("", "Building 2 programs and the simulator in build/default\n"),
            ("", ""),
            ("first", "Building 2 programs in build/default\n"),
            ("cudasim", "Building 2 programs and the simulator in build/default\n"),
        ):
            if touched:
                (self.folder / "stages" / f"{touched}.cpp").write_text("int main() { return 1; }\n", encoding="utf-8")
            messages.truncate(messages.seek(0))
            build.progress.last = -10  # or it would wait before the next line
            build.build(["cudasim", "first", "second"])
            self.assertEqual(messages.getvalue(), said, touched)

    def test_warnings_are_said_when_the_build_succeeds_and_beside_a_failure(self):
        unused = "int main() {{ int {}; }}\n"
        sources = {"first": unused.format("one"), "bad": "int main() { int two; return missing; }\n"}
        build, messages = self.configured(**sources, second=unused.format("three"))
        build.build(["first"])
        self.assertRegex(messages.getvalue(), r"(?m)^stages/first.cpp:1:.* warning: .*one")
        with self.assertRaises(BuildFailure) as caught:
            build.build(["bad", "second"])
        said = messages.getvalue()
        self.assertEqual((said.count("warning: "), said.count("three")), (2, 2), said)  # a message and its line
        self.assertNotIn("[-Wunused-variable]", caught.exception.messages["bad"])
        self.assertNotIn("‘two’", said + caught.exception.messages["bad"])  # said again when the error is gone


# The kinds of one stage, whose programs are made by nothing but a name.
KINDS = f"""\
cmake_minimum_required(VERSION 3.25)
project(t LANGUAGES NONE)
list(APPEND CMAKE_MODULE_PATH "{support.ROOT}/scripts/cmake")
include(WorkbookStage)
function(workbook_program kind name stage source)
  add_custom_target(${{kind}}_${{name}} COMMAND "${{CMAKE_COMMAND}}" -E cat "${{source}}")
endfunction()
add_custom_target(workbook_problem_sum)
add_custom_target(cudasim)
workbook_stage(stage01 PROBLEM sum TITLE "one")
"""


# Programs of one file each, which is C++ here.
PROGRAMS = f"""\
cmake_minimum_required(VERSION 3.25)
project(t LANGUAGES CXX)
list(APPEND CMAKE_MODULE_PATH "{support.ROOT}/scripts/cmake")
include(WorkbookStage)
foreach(library workbook workbook_main workbook_warnings)
  add_library(${{library}} INTERFACE)
endforeach()
add_library(workbook_problem_sum OBJECT other.cpp)
set_target_properties(workbook_problem_sum PROPERTIES WORKBOOK_FAMILIES workbook)
set_property(GLOBAL PROPERTY WORKBOOK_PROBLEM_stage01 sum)
function(workbook_kernel_library target source)
  add_library(${{target}} OBJECT other.cpp)
endfunction()
foreach(kind answer todo)
  workbook_program(${{kind}} stage01 stage01 "${{CMAKE_CURRENT_SOURCE_DIR}}/other.cpp")
endforeach()
"""


@unittest.skipUnless(platform.machine() == "x86_64" and shutil.which("g++"), "of x86-64 alone")
class Linkers(support.ScratchCase):
    def linked(self, name, words=""):
        """For a student's program and for ours, whether gold has linked it: it leaves a note. By g++, before which these words of a
        shell come, and without nvcc's own options."""
        own = 'for word; do shift; case $word in --diag-*) ;; *) set -- "$@" "$word" ;; esac; done'
        compiler, build = self.script(name, f'{own}\n{words}\nexec g++ "$@"'), self.folder / "build" / name
        command = ["cmake", "-S", self.folder, "-B", build, "-G", support.GENERATOR, f"-DCMAKE_CXX_COMPILER={compiler}"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", build], check=True, stdout=subprocess.DEVNULL)
        programs = [build / f"{kind}-stage01" for kind in ("todo", "answer")]
        for program in programs:
            subprocess.run([program], check=True)
        return [b".note.gnu.gold-version" in program.read_bytes() for program in programs]

    def test_gold_links_what_one_waits_for_and_another_where_it_is_missing(self):
        self.write("CMakeLists.txt", PROGRAMS)
        self.write("other.cpp", "")
        self.write("common/workbook/case/stage_row.cpp", "int main() {}\n")
        without = 'case " $* " in *" -fuse-ld=gold "*) echo "cannot find ld" >&2; exit 1 ;; esac'
        self.assertEqual(self.linked("without", without), [False, False])
        if shutil.which("ld.gold"):
            self.assertEqual(self.linked("with"), [True, False])


class Kinds(support.ScratchCase):
    def test_files_that_come_and_go_are_noticed_without_a_word_to_cmake(self):
        self.write("CMakeLists.txt", KINDS)
        machine = Machine(self.folder, {"CMake": Tool("CMake", shutil.which("cmake"))}, None)
        build = Build(machine, "default", Progress(io.StringIO()))
        command = ["cmake", "-S", self.folder, "-B", build.folder]
        for generator in (name for name, tool in (("Ninja", "ninja"), ("Unix Makefiles", "make")) if shutil.which(tool)):
            shutil.rmtree(build.folder, ignore_errors=True)
            shutil.rmtree(self.folder / "answers", ignore_errors=True)
            todo = self.write("stages/stage01/todo.cu", "")
            subprocess.run([*command, "-G", generator], check=True, stdout=subprocess.DEVNULL)
            configure = mock.patch.object(Build, "configure", lambda build: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))
            with configure, mock.patch.object(Build, "is_configured", lambda build: True):
                self.assertEqual(build_programs(build, ["todo_stage01"]), {})
                self.write("answers/stage01/solution.cu", "")
                self.assertEqual(build_programs(build, ["answer_stage01", "todo_stage01"]), {})
                todo.unlink()
                self.assertEqual(build_programs(build, ["answer_stage01"]), {})
            self.assertNotIn("todo_stage01", build.targets())


if __name__ == "__main__":
    unittest.main()
