# SPDX-License-Identifier: MIT
"""nvcc's steps in another order: the compiler that has read the headers, and both halves at once."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
import unittest
import unittest.mock
from pathlib import Path

import support
from workbook_lib import compile_ahead, compiled_headers, known_headers, made_object, nvcc_steps, toolkit
from workbook_lib.build import compiler_messages
from workbook_lib.ready_compiler import Headers, ReadyCompiler

ERRORS = Path(__file__).parent / "compiler_errors"
LAUNCHER = [sys.executable, "-I", "-S", "-B", str(support.ROOT / "scripts/workbook_lib/compile_launcher.py")]
RIGHT = """#include "workbook/student/reduction.h"
namespace { __device__ int hidden; }
__global__ void k(int* out) { *out = hidden; }
void launch(int* out) { k<<<1, 32>>>(out); }
"""
DRY_RUN = """_SPACE_=
CICC_PATH=/cuda/nvvm/bin
gcc -E -x c++ "todo.cu" -o "{folder}/a.cpp4.ii"
cudafe++ --gen_module_id_file --module_id_file_name "{folder}/a.module_id" "{folder}/a.cpp4.ii"
gcc -D__CUDA_ARCH__=750 -E "todo.cu" -o "{folder}/a.cpp1.ii"
"$CICC_PATH/cicc" --module_id_file_name "{folder}/a.module_id" "{folder}/a.cpp1.ii" -o "{folder}/a.ptx"
rm {folder}/a.fatbin
gcc -c "{folder}/a.cudafe1.cpp" -o "todo.o"
"""


class Steps(support.ScratchCase):
    def read(self, *replaced):
        text = DRY_RUN.format(folder=self.folder)
        for old, new in replaced:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return nvcc_steps.known_steps(text.splitlines(), ["nvcc", "-MD", "-MF", "todo.d", "-c", "todo.cu", "-o", "todo.o"])

    def test_the_halves_are_told_apart(self):
        steps = self.read()
        self.assertEqual(steps.preprocess[-3:], ["-MD", "-MF", "todo.d"])
        self.assertNotIn("--gen_module_id_file", steps.front)
        self.assertEqual([Path(words[0]).name for words in steps.device], ["gcc", "cicc"])
        self.assertEqual(steps.device[1][0], "/cuda/nvvm/bin/cicc")
        self.assertEqual(steps.last[-1], "todo.o")
        self.assertRegex((self.folder / "a.module_id").read_text(), r"^_[0-9a-f]{8}_7_todo_cu$")

    def test_what_is_unknown_is_left_to_nvcc(self):
        self.assertIsNone(self.read(("--gen_module_id_file ", "")))
        self.assertIsNone(self.read(("cudafe++", "cudafe--")))
        self.assertIsNone(self.read(('-o "todo.o"', '-o "other.o"')))
        self.assertIsNone(self.read(("gcc -E", "gcc -M")))


class Launcher(support.ScratchCase):
    def test_what_a_signal_has_ended_is_left_to_nvcc_without_threads_in_it(self):
        for name, words in (("gcc", "exit 0"), ("cudafe++", "exit 0"), ("cicc", "kill -SEGV $$")):
            self.script(name, words)
        dry_run = DRY_RUN.format(folder=self.folder).replace("CICC_PATH=/cuda/nvvm/bin", f"CICC_PATH={self.folder}")
        lines = "\n".join(f"#$ {line}" for line in dry_run.splitlines())
        (self.folder / "dry-run").write_text(f"{lines}\n", encoding="utf-8")
        nvcc = self.script("nvcc", 'case "$*" in *--dryrun) cat dry-run ;; *) echo "$*" > called ;; esac')
        words = [str(nvcc), "-split-compile=2", "-c", "todo.cu", "-o", "todo.o"]
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}
        subprocess.run([*LAUNCHER, *words], cwd=self.folder, env=environment, check=True, timeout=60)
        self.assertEqual((self.folder / "called").read_text(encoding="utf-8"), "-c todo.cu -o todo.o\n")


class Warnings(unittest.TestCase):
    def test_which_are_told_behind_a_text(self):
        text = b"#pragma GCC diagnostic ignored \"-Wa\"\n#pragma GCC diagnostic push\nint x;\n#pragma GCC diagnostic ignored \"-Wb\"\n"
        self.assertEqual(len(compiled_headers.in_force(text)), 3)
        self.assertEqual(compiled_headers.in_force(text + b"#pragma GCC diagnostic pop\n"), [b'#pragma GCC diagnostic ignored "-Wa"'])


class WithCompiler(support.ScratchCase):
    def setUp(self):
        super().setUp()
        nvcc = toolkit.find_nvcc(support.ROOT)
        if nvcc is None:
            self.skipTest("no nvcc")
        self.is_known = nvcc.release == (13, 0)  # of others it may be that nothing is told, and nvcc is asked
        self.source = self.folder / "stages/stage01/todo.cu"
        self.source.parent.mkdir(parents=True)
        self.command = [str(nvcc.path), "-std=c++17", "-arch=compute_75", f"-I{support.ROOT}/common", "--diag-error=940"]
        self.command += ["-MD", "-MF", "todo.d", "-x", "cu", "-c", str(self.source), "-o", "todo.o"]

    def ready(self, before, headers=None):
        """The compiler, where the file is `before`."""
        self.source.write_text(before, encoding="utf-8")
        command = shlex.join(word for word in self.command if word not in ("-MD", "-MF", "todo.d"))  # as CMake writes it
        listed = [{"file": str(self.source), "command": command}]
        (self.folder / "compile_commands.json").write_text(json.dumps(listed), encoding="utf-8")
        if headers is None:
            headers = Headers(self.folder)
            self.addCleanup(headers.scratch.cleanup)
        made = ReadyCompiler(self.folder, self.source, headers, os.environ)
        self.addCleanup(made.close)
        made.thread.join()
        if headers.thread.ident is not None:
            headers.thread.join()
        return made

    def compiled(self, before, text):
        """What it says of `text`, for which a launcher may find an object then."""
        made = self.ready(before)
        self.source.write_text(text, encoding="utf-8")
        self.addCleanup(os.environ.pop, made_object.VARIABLE, None)
        return made.compile()

    def test_its_words_are_nvcc_s(self):
        include = '#include "workbook/student/reduction.h"\n'
        for name in ("const_write", "missing_brace", "missing_semicolon", "result_of_kernel", "template"):
            text = include + (ERRORS / f"{name}.cu").read_text(encoding="utf-8")
            self.source.write_text(text, encoding="utf-8")
            asked = subprocess.run(self.command, cwd=self.folder, capture_output=True, text=True, timeout=60)
            self.assertNotEqual(asked.returncode, 0)
            said = self.compiled(include, text)
            if said or self.is_known:
                shown, known = (compiler_messages(text.splitlines(), self.folder) for text in (said, asked.stderr))
                # Of a template's note the line is shown as it is written, and not as the preprocessor leaves it.
                known = re.sub(r"__attribute__\(\(global\)\) (.*)\n *\^\n", r"__global__ \1\n", known)
                self.assertEqual(shown, known, name)

    def test_nothing_is_told_of_a_right_file_and_of_other_headers(self):
        self.assertEqual(self.compiled(RIGHT, RIGHT + "// another word\n"), "")
        self.assertEqual(self.compiled(RIGHT, "#include <array>\n" + RIGHT + "int broken = ;\n"), "")
        self.assertEqual(self.compiled("int no_header;\n", "int broken = ;\n"), "")

    def test_it_ends_when_nobody_asks(self):
        made = self.ready(RIGHT)
        made.hand_over()
        self.assertFalse(made.is_ready)
        for half in made.halves:
            half.shell.wait(timeout=20)

    def test_what_it_is_about_to_make_ends_with_it(self):
        made = self.ready(RIGHT)
        if not (made.is_ready or self.is_known):
            return
        front, device = made.halves
        os.kill(-device.shell.pid, signal.SIGSTOP)  # it would end too soon
        self.addCleanup(os.environ.pop, made_object.VARIABLE, None)
        self.assertEqual(made.compile(), "")
        self.assertTrue(made.finishing.is_alive())
        closing = threading.Thread(target=made.close, daemon=True)
        closing.start()
        closing.join(20)
        self.assertFalse(closing.is_alive() or made.finishing.is_alive() or Path(made.folder.name).exists())
        self.assertEqual(device.shell.returncode, -signal.SIGKILL)

    def symbols(self):
        """Of the object, but for names that are the file's own."""
        said = subprocess.run(["nm", "-C", "todo.o"], cwd=self.folder, capture_output=True, text=True, check=True).stdout
        return sorted(line.split(maxsplit=1)[1] for line in said.splitlines() if "_GLOBAL_" not in line)

    def build(self, *launcher):
        (self.folder / "todo.o").unlink(missing_ok=True)
        subprocess.run([*launcher, *self.command], cwd=self.folder, check=True, timeout=60, stderr=subprocess.DEVNULL)
        return self.symbols()

    def test_both_halves_make_the_object_that_nvcc_makes(self):
        self.source.write_text(RIGHT, encoding="utf-8")
        by_nvcc = self.build()
        for _ in range(2):  # the second one has the stubs of the first
            self.assertEqual(self.build(*LAUNCHER), by_nvcc)
            self.assertEqual((self.folder / "todo.o.stubs").exists(), self.is_known)
            listed = (self.folder / "todo.d").read_text(encoding="utf-8")
            self.assertIn("workbook/student/reduction.h", listed)
            self.assertTrue(listed.startswith("todo.o:"))

    def test_the_launcher_does_not_wait_for_cicc_where_stubs_are_kept(self):
        self.source.write_text(RIGHT, encoding="utf-8")
        self.script("nice", f'echo "$*" >> {self.folder}/beside; shift 2; exec "$@"')
        with unittest.mock.patch.dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}"):
            self.build(*LAUNCHER)
            self.assertFalse((self.folder / "beside").exists())
            self.build(*LAUNCHER)
        self.assertEqual((self.folder / "beside").exists(), self.is_known)

    def sections(self, file):
        names = (".text", ".rodata", ".nv_fatbin", ".nvFatBinSegment")
        dumping = ["objdump", "-sr", *(word for name in names for word in ("-j", name)), file.name]
        return subprocess.run(dumping, cwd=file.parent, capture_output=True, check=True).stdout

    def test_the_host_s_compiler_is_asked_only_where_its_code_has_changed(self):
        self.script("nice", f'echo "$*" >> {self.folder}/asked; shift 2; exec "$@"')
        asked = self.write("asked", "")
        in_kernel, in_host = RIGHT.replace("= hidden;", "= hidden + 1;"), RIGHT.replace("<<<1, 32>>>", "<<<1, 64>>>")
        warned = RIGHT + "int far() { return 1 << 40; }\n"  # what is said has to be said each time
        with unittest.mock.patch.dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}"):
            for text, times in ((RIGHT, 0), (RIGHT, 1), (RIGHT, 0), (in_kernel, 0), (in_host, 1), (warned, 1), (warned, 1)):
                self.source.write_text(text, encoding="utf-8")
                asked.write_text("", encoding="utf-8")
                self.build(*LAUNCHER)
                self.assertEqual(len(asked.read_text(encoding="utf-8").splitlines()), times * self.is_known, text)
                if text is in_kernel and self.is_known:
                    made = self.sections(self.folder / "todo.o")
                    (self.folder / "todo.o.host-assembly").unlink()
                    self.build(*LAUNCHER)
                    self.assertEqual(self.sections(self.folder / "todo.o"), made)

    def test_stubs_of_other_kernels_do_no_harm(self):
        self.source.write_text(RIGHT.replace("int", "long"), encoding="utf-8")
        self.build(*LAUNCHER)
        self.source.write_text(RIGHT, encoding="utf-8")
        self.assertEqual(self.build(*LAUNCHER), self.build())
        for stubs in self.folder.glob("todo.o.stubs"):
            stubs.write_text("torn off", encoding="utf-8")
        self.assertEqual(self.build(*LAUNCHER), self.build())

    def test_so_does_a_compiler_that_was_ready(self):
        text = RIGHT + "// another word\n"
        self.assertEqual(self.compiled(RIGHT, text), "")
        is_there = made_object.VARIABLE in os.environ
        if is_there or self.is_known:
            os.chdir(self.folder)
            self.addCleanup(os.chdir, support.ROOT)
            self.assertIsNone(made_object.take([*self.command[:-1], "other.o"]))  # another command's
            self.assertEqual(made_object.take(self.command), 0)
            listed = (self.folder / "todo.d").read_text(encoding="utf-8")
            self.assertTrue(listed.startswith("todo.o:") and "workbook/student/reduction.h" in listed)
            by_ready = self.symbols()
            self.assertEqual(self.build(), by_ready)
            self.source.write_text(RIGHT, encoding="utf-8")
            self.assertIsNone(made_object.take(self.command))  # of an older file

    def made(self, text, headers=None):
        """The compiler that has made an object of `text`, whether the host's half did not wait for the device's, and what the
        object holds."""
        made = self.ready(RIGHT, headers)
        if not made.is_ready:
            return made, False, b""
        self.source.write_text(text, encoding="utf-8")
        self.addCleanup(os.environ.pop, made_object.VARIABLE, None)
        self.assertEqual(made.compile(), "")
        made.finishing.join()
        folder = Path(made.folder.name)
        return made, (folder / "ahead/kernels.s").exists(), self.sections(folder / made_object.OBJECT)

    def test_the_host_s_half_does_not_wait_for_the_device_s(self):
        right, other = (f"{RIGHT}__global__ void more({type}* out) {{ *out = 2; }}\n" for type in ("int", "long"))
        first, was_ahead, by_first = self.made(right)
        self.assertFalse(was_ahead)  # there are no stubs of an earlier compilation
        _, was_ahead, by_second = self.made(right, first.headers)
        self.assertEqual(was_ahead, self.is_known)
        self.assertEqual(by_second, by_first)
        _, was_ahead, by_other = self.made(other, first.headers)
        self.assertFalse(was_ahead)  # a kernel has other parameters
        _, was_ahead, by_first_again = self.made(right, first.headers)
        self.assertFalse(was_ahead)
        self.assertEqual(by_first_again, by_first)
        self.assertTrue(by_other != by_first or not self.is_known)

    def test_a_warning_is_told_once_and_by_the_launcher(self):
        unused = "__global__ void w(int* out) { int unused; *out = 1; }\n"
        self.assertEqual(self.compiled(RIGHT, RIGHT + unused), "")
        said = subprocess.run([*LAUNCHER, *self.command], cwd=self.folder, capture_output=True, text=True, check=True).stderr
        self.assertEqual(said.count('"unused"'), 1, said)

    def test_the_headers_of_the_host_are_compiled_once_for_all_who_compile_it(self):
        made = self.ready(RIGHT)
        kept = list(self.folder.glob("headers/*.gch"))
        self.assertEqual(len(kept), self.is_known)
        if not self.is_known:
            return
        compiled, begun = made.headers.compiled, kept[0].stat().st_mtime_ns
        begin = kept[0].with_suffix("").read_bytes()
        short = compiled.with_rest(made.steps, begin + b"int own;\n")
        self.assertTrue(short.endswith(b"\nint own;\n") and len(short) < 1_000)
        self.assertIsNone(compiled.with_rest(made.steps, b"other headers\nint own;\n"))
        self.ready(RIGHT).known.keep()
        self.build(*LAUNCHER)
        self.assertFalse(list(self.folder.glob("todo.o.without-headers")))
        self.assertEqual([kept[0].stat().st_mtime_ns, len(list(self.folder.glob("headers/*")))], [begun, 2])

    def test_compiled_headers_come_for_the_next_time_and_old_ones_go(self):
        self.source.write_text(RIGHT, encoding="utf-8")
        by_nvcc = self.build()
        self.build(*LAUNCHER)
        missing = self.folder / "todo.o.without-headers"
        self.assertEqual(missing.exists(), self.is_known)
        self.assertEqual(self.ready(RIGHT).command[0], self.command[0])  # compile_commands.json is there
        for old in range(compiled_headers.MOST_KEPT + 2):
            self.write(f"headers/{old}.h", "")
            os.utime(self.folder / f"headers/{old}.h", (old, old))
            self.write(f"headers/{old}.h.gch", "")
        for compiled in self.folder.glob("headers/*-*.gch"):
            compiled.unlink()
        compiled_headers.compile_later(self.folder, self.source)
        end = time.monotonic() + 60
        kept = 2 * compiled_headers.MOST_KEPT if self.is_known else len(list(self.folder.glob("headers/*")))
        while len(list(self.folder.glob("headers/*"))) != kept and time.monotonic() < end:
            time.sleep(0.05)
        if self.is_known:
            self.assertEqual(len(list(self.folder.glob("headers/*"))), 2 * compiled_headers.MOST_KEPT)
            self.assertFalse((self.folder / "headers/0.h").exists())
        self.assertEqual(self.build(*LAUNCHER), by_nvcc)
        self.assertFalse(missing.exists() and self.is_known)

    def test_the_launcher_preprocesses_the_rest_where_the_headers_are_known(self):
        header = self.write("stages/stage01/own.h", "#define FROM_OWN 2\n")
        self.write("stages/stage01/other.h", "")
        own = '#include "own.h"\n' + RIGHT + "#if FROM_OWN == 2\nvoid two() {}\n#else\nvoid other() {}\n#endif\n"
        made = self.ready(own)
        if not self.is_known:
            return
        made.known.keep()
        missing = self.folder / "todo.o.without-headers"
        for change, is_missing in ((own + "// more\n", False), ('#include "other.h"\n' + own, True), (own, False)):
            self.source.write_text(change, encoding="utf-8")
            self.assertEqual(self.build(), self.build(*LAUNCHER))
            self.assertEqual(missing.exists(), is_missing)
        listed = (self.folder / "todo.d").read_text(encoding="utf-8")
        self.assertTrue(listed.startswith("todo.o:") and "own.h" in listed)
        header.write_text("#define FROM_OWN 3\n", encoding="utf-8")
        self.assertIn("T other()", self.build(*LAUNCHER))
        self.assertTrue(missing.exists())
        for torn in (self.folder / "known-headers").glob("*/notes.json"):
            torn.write_text("{", encoding="utf-8")
        self.assertIn("T other()", self.build(*LAUNCHER))

    def test_known_headers_are_kept_of_a_few_files(self):
        made = self.ready(RIGHT)
        if not self.is_known:
            return
        for old in range(known_headers.MOST_KEPT + 2):
            self.write(f"known-headers/{old}/notes.json", "")
            os.utime(self.folder / f"known-headers/{old}", (old, old))
        made.known.keep()
        made.known.keep()
        kept = sorted(each.name for each in (self.folder / "known-headers").iterdir())
        self.assertEqual(len(kept), known_headers.MOST_KEPT)
        self.assertNotIn("0", kept)

    def test_a_file_is_compiled_before_the_build_asks_for_it(self):
        self.ready(RIGHT)  # compile_commands.json is there
        by_nvcc = self.build()
        (self.folder / "todo.o").unlink()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, support.ROOT)
        built_from = self.write("stages/todo_stage01.built-from", "another")
        self.write("CMakeCache.txt", "CMAKE_CUDA_COMPILER_LAUNCHER:STRING=ccache\n")
        with compile_ahead.begun(self.folder, self.source, "todo_stage01"):
            self.assertNotIn(made_object.VARIABLE, os.environ)
        self.write("CMakeCache.txt", "CMAKE_CUDA_COMPILER_LAUNCHER:STRING=\n")
        with compile_ahead.begun(self.folder, self.source, "todo_stage01"):
            self.assertEqual(made_object.take(self.command), 0 if self.is_known else None)
        self.assertNotIn(made_object.VARIABLE, os.environ)
        if self.is_known:
            self.assertEqual(self.symbols(), by_nvcc)
            self.assertTrue((self.folder / "todo.d").read_text(encoding="utf-8").startswith("todo.o:"))
        self.source.write_text(RIGHT + "int broken = ;\n", encoding="utf-8")
        with compile_ahead.begun(self.folder, self.source, "todo_stage01"):
            ended = subprocess.run([*LAUNCHER, *self.command], capture_output=True, text=True, check=False)
        self.assertEqual((ended.returncode != 0, ended.stderr.count("expected an expression")), (True, 1))
        begun = time.monotonic()
        with compile_ahead.begun(self.folder, self.source, "todo_stage01"):
            made = Path(os.environ[made_object.VARIABLE])  # and the command ends before it is asked
        self.assertFalse(made.exists() or time.monotonic() - begun > 20)
        built_from.write_bytes(self.source.read_bytes())
        with compile_ahead.begun(self.folder, self.source, "todo_stage01"):
            self.assertNotIn(made_object.VARIABLE, os.environ)  # it is built

    def test_the_rest_of_a_file_is_preprocessed_as_in_the_whole(self):
        own = RIGHT.replace("#include", '#include "own.h"\n#define OWN 1 + FROM_OWN\n#include <atomic>\n#include', 1)
        header = self.write("stages/stage01/own.h", "#define FROM_OWN 2\n#undef OWN\n")
        made = self.ready(own)
        if not (made.known or self.is_known):
            return
        rest = "// another\n__device__ int it = OWN + __LINE__ + RAND_MAX;\nconst char* file = __FILE__;\n#ifdef OWN\nint x;\n#endif\n"
        self.source.write_text(own + rest, encoding="utf-8")
        texts = [text[len(begin) :] for text, begin in zip(made.preprocessed(), made.known.begins)]
        self.assertEqual(made.known.rests(), texts)
        self.assertIn(b"1 + 2 + 9", texts[0])
        self.assertIn(b'todo.cu" 3 4\n', texts[0])  # the marker of RAND_MAX
        again = ReadyCompiler(self.folder, self.source, made.headers, os.environ)
        self.addCleanup(again.close)
        again.thread.join()
        self.assertIs(again.known, made.known)  # the headers were not preprocessed once more
        self.assertTrue(again.is_ready and (Path(again.folder.name) / made_object.DEPENDENCIES).exists())
        for other in ("#include <array>\n", "int n = __COUNTER__;\n", "#if 1\n"):
            self.source.write_text(own + other, encoding="utf-8")
            self.assertIsNone(made.known.rests(), other)
        self.source.write_text(own.replace("OWN 1", "OWN 4"), encoding="utf-8")
        self.assertIsNone(made.known.rests())
        self.source.write_text(own, encoding="utf-8")
        self.assertIsNotNone(made.known.rests())
        header.write_text("#define FROM_OWN 3\n", encoding="utf-8")
        self.assertIsNone(made.known.rests())

    def test_what_the_device_refuses_is_told(self):
        text = RIGHT + "int host() { return 1; }\n__global__ void d(int* out) { *out = host(); }\n"
        self.assertEqual(self.compiled(RIGHT, text), "")
        self.assertEqual(made_object.VARIABLE in os.environ, self.is_known)
        ended = subprocess.run([*LAUNCHER, *self.command], cwd=self.folder, capture_output=True, text=True, timeout=60)
        self.assertNotEqual(ended.returncode, 0)
        self.assertEqual(ended.stderr.count("calling a __host__ function"), 1, ended.stderr)

    def test_who_waits_for_an_object_that_is_not_made_asks_nvcc(self):
        self.addCleanup(os.environ.pop, made_object.VARIABLE, None)
        self.source.write_text(RIGHT, encoding="utf-8")
        for is_told in (True, False):
            folder = self.folder / f"told-{is_told}"
            folder.mkdir()
            made_object.begin(folder, self.command, self.source, made_object.fingerprint(self.source))
            launcher = subprocess.Popen([*LAUNCHER, *self.command], cwd=self.folder)
            self.addCleanup(launcher.kill)
            with self.assertRaises(subprocess.TimeoutExpired):
                launcher.wait(0.5)
            if is_told:
                made_object.end(folder, None, "")
            else:
                (folder / made_object.BEGUN).unlink()  # who makes it has ended
            self.assertEqual(launcher.wait(60), 0)
            (self.folder / "todo.o").unlink()

    def test_what_makes_no_object_is_left_to_nvcc(self):
        self.source.write_text(RIGHT, encoding="utf-8")
        words = [self.command[0], "-ptx", "-arch=compute_75", f"-I{support.ROOT}/common", str(self.source), "-o", "todo.ptx"]
        subprocess.run([*LAUNCHER, *words], cwd=self.folder, check=True, timeout=60)
        self.assertIn(".visible .entry", (self.folder / "todo.ptx").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
