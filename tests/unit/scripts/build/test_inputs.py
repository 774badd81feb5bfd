# SPDX-License-Identifier: MIT
"""Whatever somebody does to his files, the program that is built is the one that a compiler makes of them as they are now."""

import io
import os
import random
import subprocess
import sys
import time
import unittest

import support
from workbook_lib.base import errors
from workbook_lib.base.progress import Progress
from workbook_lib.build import inputs
from workbook_lib.build.build import Build
from workbook_lib.course.stages import Stage
from workbook_lib.judge import progress_file
from workbook_lib.judge.verdict import Verdict
from workbook_lib.machine import toolkit
from workbook_lib.machine.requirements import Machine, Tool

STAGE = Stage("stage01", 1, "")
NINJA = """\
rule compile
  command = {compile} -MD -MF $out.d -MT $out -c $in -o $out
  depfile = $out.d
  deps = gcc
rule link
  command = {slow}g++ $in -o $out
build {object}: compile {source}
build todo_stage01: link {object}
"""
TODO = """\
{head}#include <cstdio>
#include "own.h"
#include "shared.h"
int main() {{ std::printf("%d %d %d", OWN, SHARED, BODY); }}
"""


class InputsCase(support.ScratchCase):
    def setUp(self):
        super().setUp()
        self.todo = self.write("stages/stage01/todo.cu", "")
        self.build = Build(Machine(self.folder, {"CMake": Tool("CMake", "cmake")}, None), "default", Progress(io.StringIO()))
        self.rules("g++ -x c++ -Icommon -Istages")

    def rules(self, compile, slow=""):
        words = {"compile": compile.replace("-I", f"-I{self.folder}/"), "object": inputs.object_of(STAGE)}
        self.write("build/default/build.ninja", NINJA.format(**words, source=self.todo, slow=slow))

    def built(self):
        """What the program prints that the build makes."""
        self.build.build(["todo_stage01"])
        return subprocess.run([self.build.folder / "todo_stage01"], capture_output=True, text=True, check=True).stdout

    def fresh(self):
        """What a program prints that is compiled with nothing kept."""
        words = ["g++", "-x", "c++", f"-I{self.folder}/common", f"-I{self.folder}/stages", str(self.todo), "-o", "fresh"]
        subprocess.run(words, cwd=self.folder, check=True)
        return subprocess.run([self.folder / "fresh"], capture_output=True, text=True, check=True).stdout


class AnyEdit(InputsCase):
    HEADERS = ("stages/stage01/own.h", "stages/stage01/shared.h", "stages/shared.h", "common/shared.h")

    def edit(self, chance):
        """One of the things that people do."""
        name = chance.choice(self.HEADERS)
        if chance.random() < 0.3:
            head = "".join(chance.sample(["#define BODY 1\n", "#define SWITCH\n", "#define SHARED 7\n"], chance.randrange(4)))
            head += "#ifdef SWITCH\n#define OTHER 5\n#else\n#define OTHER 6\n#endif\n"
            head += "#ifndef BODY\n#define BODY (10 + OTHER)\n#endif\n"
            self.save(self.todo, TODO.format(head=head), chance)
        elif chance.random() < 0.25 and name not in self.HEADERS[::3]:
            (self.folder / name).unlink(missing_ok=True)
        else:
            macro = "OWN" if name.endswith("own.h") else "SHARED"
            self.save(self.folder / name, f"#ifndef {macro}\n#define {macro} {chance.randrange(3)}\n#endif\n", chance)

    def save(self, file, text, chance):
        """In place, or as another file that takes its place; with the time of now, of an hour ago, or of the file before."""
        old = file.stat().st_mtime if file.exists() else time.time()
        file.parent.mkdir(parents=True, exist_ok=True)
        way = chance.randrange(3)
        if way == 0:
            file.write_text(text, encoding="utf-8")
            return
        other = file.with_name("4913")
        other.write_text(text, encoding="utf-8")
        os.utime(other, (old, old) if way == 1 else (time.time() - 3600,) * 2)
        other.replace(file)

    def test_the_program_is_that_of_the_files_as_they_are(self):
        chance, seen = random.Random(12345), set()
        self.write(self.HEADERS[0], "#define OWN 0\n")
        self.write(self.HEADERS[3], "#define SHARED 0\n")
        self.write("stages/stage01/todo.cu", TODO.format(head="#define BODY 1\n"))
        for number in range(40):
            self.edit(chance)
            said = self.built()
            self.assertEqual(said, self.fresh(), number)
            seen.add(said)
        self.assertGreater(len(seen), 5)

    def test_a_record_holds_for_all_that_was_compiled(self):
        self.write("stages/stage01/own.h", "#define OWN 1\n#define SHARED 1\n#define BODY 1\n")
        self.write("common/shared.h", "")
        self.write("stages/stage01/todo.cu", TODO.format(head=""))
        self.built()
        records, course = {}, inputs.of_course(self.folder)
        row = Verdict("stage01", "", errors.MATCHES, "yes", tried="90 cases")
        progress_file.add(records, self.folder, [row], {"stage01": inputs.last_built(self.folder, self.build.folder, STAGE)}, course, True)
        self.assertTrue(progress_file.is_solved(records, self.folder, STAGE))
        header = self.folder / "stages/stage01/own.h"
        before = header.read_text(encoding="utf-8")
        self.save(header, before.replace("OWN 1", "OWN 2"), random.Random(2))
        self.assertRegex(progress_file.of_todo(records, self.folder, STAGE), "edited since")
        self.save(header, before, random.Random(2))
        self.assertTrue(progress_file.is_solved(records, self.folder, STAGE))
        self.write("stages/stage01/shared.h", "#define OTHER\n")  # in front of that of common/
        self.assertRegex(progress_file.of_todo(records, self.folder, STAGE), "edited since")
        (self.folder / "stages/stage01/shared.h").unlink()
        self.write("stages/stage01/.todo.cu.swp", "of an editor")
        self.assertTrue(progress_file.is_solved(records, self.folder, STAGE))
        self.write("common/simulator/race.cpp", "// looks closer")
        self.assertRegex(progress_file.of_todo(records, self.folder, STAGE), "before the course changed")

    def test_a_file_that_is_saved_while_it_is_compiled_is_compiled_again(self):
        self.write("stages/stage01/own.h", "#define OWN 1\n#define SHARED 1\n")
        self.write("common/shared.h", "")
        self.write("stages/stage01/todo.cu", TODO.format(head="#define BODY 1\n"))
        late = self.write("late", "#define OWN 2\n#define SHARED 1\n")
        os.utime(late, (1e9, 1e9))
        self.rules("g++ -x c++ -Icommon -Istages", slow=f"test ! -e {late} || mv {late} {self.folder}/stages/stage01/own.h; ")
        self.assertEqual(self.built(), "2 1 1")
        self.rules("g++ -x c++ -Icommon -Istages", slow=f"touch {self.todo}; ")
        with self.assertRaisesRegex(errors.WorkbookError, "while it is compiled"):
            self.built()

    def test_headers_are_named_by_a_rule_for_make_too(self):
        rule = self.write("build/default/a.d", "a.o: \\\n /x/a\\ b.cu ../c.h \\\n d.h\n")
        listed = inputs.in_make_rule(self.build.folder, rule)
        self.assertEqual(listed, sorted(["/x/a b.cu", str(self.folder / "build/c.h"), str(self.build.folder / "d.h")]))
        self.assertEqual(inputs.in_make_rule(self.build.folder, self.folder / "none"), [])


class DeviceOnly(InputsCase):
    def test_a_header_that_the_device_s_half_alone_includes_is_one_of_the_inputs(self):
        nvcc = toolkit.find_nvcc(support.ROOT)
        if nvcc is None:
            self.skipTest("no nvcc")
        self.rules(f"{nvcc.path} -x cu")
        self.write("stages/stage01/mine.cuh", "#define OWN 1\n")
        self.write("stages/stage01/todo.cu", '#ifdef __CUDA_ARCH__\n#include "mine.cuh"\n#endif\nint main() {}\n')
        self.build.failures(["todo_stage01"])  # without CUDA's library it is not linked
        listed = inputs.read(self.build.folder, STAGE).files
        self.assertIn(str(self.folder / "stages/stage01/mine.cuh"), listed)


HOLD = """\
import sys
from pathlib import Path
sys.path.insert(0, {scripts!r})
from workbook_lib.build.build_lock import lock_of
with lock_of(Path({folder!r})).for_build(lambda said: print(said, flush=True)):
    print("builds", flush=True)
    input()
print("runs", flush=True)
input()
"""


class Locks(support.ScratchCase):
    def begin(self):
        script = HOLD.format(scripts=str(support.ROOT / "scripts"), folder=str(self.folder))
        environment = {name: value for name, value in os.environ.items() if name != "WORKBOOK_BUILD_LOCK"}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        process = subprocess.Popen([sys.executable, "-B", "-c", script], env=environment, **pipes)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        for pipe in (process.stdin, process.stdout):
            self.addCleanup(pipe.close)
        return process

    def go_on(self, process):
        process.stdin.write("\n")
        process.stdin.flush()

    def test_a_build_waits_for_a_build_and_for_what_runs_then(self):
        first = self.begin()
        self.assertEqual(first.stdout.readline(), "builds\n")
        second = self.begin()
        self.assertRegex(second.stdout.readline(), "Another command uses .* waits")
        self.go_on(first)
        self.assertEqual(first.stdout.readline(), "runs\n")
        self.assertRegex(second.stdout.readline(), "waits")  # for the program of the first
        self.go_on(first)
        self.assertEqual(second.stdout.readline(), "builds\n")
        self.go_on(second)
        self.assertEqual(second.stdout.readline(), "runs\n")

    def test_who_is_killed_holds_nothing(self):
        first = self.begin()
        self.assertEqual(first.stdout.readline(), "builds\n")
        second = self.begin()
        self.assertRegex(second.stdout.readline(), "waits")
        first.kill()
        self.assertEqual(second.stdout.readline(), "builds\n")


if __name__ == "__main__":
    unittest.main()
