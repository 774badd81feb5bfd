# SPDX-License-Identifier: MIT
"""What is said of a program before it starts: each way to miss the simulator, on real programs."""

import os
import shutil
import unittest
from unittest import mock

import support
from workbook_lib.commands import simulate
from workbook_lib.simulator import elf, linked_runtime, program_check, simulator

SOURCE = """
__global__ void kernel(int* cell) { *cell = 1; }
int main() {
  int* cell = nullptr;
  cudaMalloc(&cell, sizeof(int));
  kernel<<<1, 1>>>(cell);
  cudaFree(cell);
}
"""
SHARED = ["-cudart", "shared"]
RPATH = ["-Xlinker", "-rpath,{folder}/libs", "-Xlinker"]


class Check(support.CudaCase):
    PROGRAMS = {
        "good": (SOURCE, ["-arch=compute_75", *SHARED, *RPATH, "--enable-new-dtags"]),
        "rpath": (SOURCE, ["-arch=compute_75", *SHARED, *RPATH, "--disable-new-dtags"]),
        "linked": (SOURCE, ["-arch=compute_75"]),
        "stripped": (SOURCE, ["-arch=compute_75", "-Xlinker", "-s"]),
        "linked_machine_code": (SOURCE, ["-gencode", "arch=compute_80,code=sm_80"]),
        "machine_code": (SOURCE, ["-gencode", "arch=compute_80,code=sm_80", *SHARED]),
    }

    def check(self, word, gpu=""):
        environment = {**simulator.environment(self.cudart.parent, ""), "CUDASIM_GPU": gpu}
        return program_check.check(str(word), self.cudart, environment)

    def refused(self, word, what, fix, gpu=""):
        problem = self.check(word, gpu)
        self.assertIsNotNone(problem, word)
        self.assertIn(what, problem.what)
        self.assertIn(fix, problem.fix)
        self.assertNotIn("\n", problem.what + problem.fix)

    def changed(self, name, *changes, of="good"):
        """A copy of a program with other bytes of the same length in it."""
        data = (self.programs / of).read_bytes()
        for old, new in changes:
            self.assertEqual(len(old), len(new))
            self.assertIn(old, data)
            data = data.replace(old, new)
        file = self.folder / name
        file.write_bytes(data)
        file.chmod(0o755)
        return file

    def test_a_good_program(self):
        self.assertIsNone(self.check(self.programs / "good"))

    def test_a_linked_runtime(self):
        self.assertIsNone(self.check(self.programs / "linked"))
        self.refused(self.programs / "stripped", "linked into it", "do not strip it")
        no_device_code = self.changed("host", (b"\x50\xed\x55\xba", b"gone"), of="stripped")
        self.refused(no_device_code, "linked into it", "-cudart shared")
        self.refused(self.programs / "linked_machine_code", "no PTX", "arch=compute_75,code=compute_75", gpu="t4")

    def test_a_linked_runtime_of_another_cuda_version(self):
        own = int(self.cudart.name.rpartition(".")[2])
        program = self.programs / "linked"
        self.assertEqual(linked_runtime.major_version(program, elf.read(program)), own)
        for names, version in (
            ("__cudaRegisterFatBinary cudaThreadExit", 11),
            ("__cudaRegisterFatBinary cudaThreadExit cudaGetDeviceProperties_v2", 12),
            ("__cudaRegisterFatBinary cudaFree", 13),
            ("cudaThreadExit", None),
        ):
            with mock.patch.object(elf, "section", lambda *_: b"\0".join([*names.encode().split(), b""])):
                self.assertEqual(linked_runtime.major_version(program, elf.Elf()), version)
        with mock.patch.object(linked_runtime, "major_version", lambda *_: own - 1):
            self.refused(program, f"built with CUDA {own - 1} (its linked runtime", "CUDACXX=")

    def test_a_simulator_that_cannot_take_a_linked_runtimes_place(self):
        with mock.patch.object(linked_runtime, "PRELOADED", "not_there.so"):
            self.refused(self.programs / "linked", "linked into it", "--target cudasim_linked_runtime")
            self.assertEqual(linked_runtime.environment("sh", self.cudart.parent, {}), {})

    def test_a_program_with_the_shared_runtime_needs_nothing_preloaded(self):
        self.assertEqual(linked_runtime.environment(str(self.programs / "good"), self.cudart.parent, {}), {})
        for word in (str(self.programs / "linked"), "sh", "./not_there"):
            found = linked_runtime.environment(word, self.cudart.parent, {"LD_PRELOAD": "other.so"})
            self.assertEqual(found, {"LD_PRELOAD": f"{linked_runtime.PRELOADED}:other.so"})

    def test_what_is_preloaded_is_built_where_a_program_needs_it(self):
        library = self.folder / "build/default/simulator" / self.cudart.name
        library.parent.mkdir(parents=True)
        library.touch()
        for word, targets in ((self.programs / "good", []), ("sh", ["cudasim_linked_runtime"])):
            with mock.patch.object(simulate, "Build") as build, mock.patch.object(simulate.requirements, "set_up"):
                build.return_value.targets.return_value = {"cudasim_linked_runtime"}
                build.return_value.try_targets.return_value = {}
                simulate.provide_stand_ins(self.folder, library, str(word), mock.Mock())
            built = [target for call in build.return_value.try_targets.call_args_list for target in call.args[0]]
            self.assertEqual(built, targets)

    def test_address_sanitizer_comes_first(self):
        file = self.changed("sanitized", (b"libgcc_s.so.1\0", b"libasan.so.12\0"), of="linked")
        found = linked_runtime.environment(str(file), self.cudart.parent, {})
        self.assertEqual(found, {"LD_PRELOAD": f"libasan.so.12:{linked_runtime.PRELOADED}"})

    def test_machine_code_only(self):
        self.refused(self.programs / "machine_code", "no PTX", "arch=compute_75,code=compute_75", gpu="t4")
        self.assertIsNone(self.check(self.programs / "machine_code"))  # it may hold PTX, in compressed form

    def test_ptx_for_a_newer_gpu(self):
        data = (self.programs / "good").read_bytes()
        entry = data.rindex(b"\x50\xed\x55\xba") + 16
        file = self.changed("newer", (data[entry : entry + 32], data[entry : entry + 28] + bytes([120, 0, 0, 0])))
        self.refused(file, "compute_120", "compute_75")

    def test_another_cuda_version(self):
        name = self.cudart.name.encode()
        other = name[:-2] + b"11"
        self.refused(self.changed("other", (name, other)), "built with CUDA 11", "CUDACXX=")

    def test_an_rpath_goes_before_the_simulator(self):
        (self.programs / "libs").mkdir()
        shutil.copy(self.cudart, self.programs / "libs")  # stands in for the toolkit's own
        self.refused(self.programs / "rpath", "its RPATH goes before", "--enable-new-dtags")
        self.assertIsNone(self.check(self.programs / "good"))  # whose RUNPATH names the same folder

    def test_setuid(self):
        file = self.changed("setuid")
        file.chmod(0o4755)
        self.assertIsNone(self.check(file))  # one's own: nothing changes
        with mock.patch.object(os, "getuid", lambda: file.stat().st_uid + 1):
            self.refused(file, "setuid", "copy")

    def test_another_processor_and_another_size(self):
        data = (self.programs / "good").read_bytes()
        for offset, byte, words in ((18, 8, "another processor"), (4, 1, "32-bit"), (5, 2, "big-endian")):
            changed = bytearray(data[:64])
            changed[offset] = byte
            self.refused(self.changed(f"byte{offset}", (data[:64], bytes(changed))), words, "on this machine")

    def test_a_missing_library(self):
        file = self.changed("missing", (b"libgcc_s.so.1\0", b"libgone.so.12\0"))
        self.refused(file, "libgone.so.12", "LD_LIBRARY_PATH")

    def test_the_drivers_library_is_the_simulators(self):
        file = self.changed("driver", (b"libgcc_s.so.1\0", b"libcuda.so.1\0\0"))
        self.assertIsNone(self.check(file))
        (self.programs / "libs").mkdir(exist_ok=True)
        other = self.programs / "libs" / program_check.DRIVER  # stands in for a real one
        shutil.copy(self.cudart.with_name(program_check.DRIVER), other)
        self.addCleanup(other.unlink)
        file = self.changed("elsewhere", (b"libgcc_s.so.1\0", b"libcuda.so.1\0\0"), of="rpath")
        self.refused(file, "its RPATH goes before", "--enable-new-dtags")

    def test_a_library_of_machine_code(self):
        linked = (b"libgcc_s.so.1\0", b"libcufft.so.1\0")
        called = (b"\0cudaMalloc\0", b"\0cufftPlan1\0")
        self.refused(self.changed("calls", linked, called), "calls cuFFT (libcufft.so.1)", "CUB or Thrust")
        with mock.patch.object(program_check, "ask_loader", lambda *_: {self.cudart.name: str(self.cudart)}):
            self.refused(self.changed("finds", linked, called), "calls cuFFT (libcufft.so.1)", "CUB or Thrust")
            self.assertIsNone(self.check(self.changed("never_calls", linked)))

    def test_what_cannot_be_started(self):
        self.refused(self.folder, "folder", "name")
        self.refused("./not_there", "no program", "build")
        self.refused("good", "on PATH", "./good")
        plain = self.folder / "plain"
        plain.write_text("no program\n", encoding="utf-8")
        self.refused(plain, "not executable", "chmod")
        plain.chmod(0o755)
        self.refused(plain, "neither", "nvcc")
        plain.write_bytes(b"")
        self.refused(plain, "neither", "nvcc")

    def test_a_source_file_is_no_program(self):
        source = self.folder / "sum.cu"
        source.write_text("int main() {}\n", encoding="utf-8")
        self.refused(source, "is source text", "nvcc -arch=compute_75 -lineinfo")
        source.chmod(0o755)
        self.refused(source, "is source text", "./sum")

    def test_damaged_programs_do_not_end_in_a_traceback(self):
        data = (self.programs / "good").read_bytes()
        file = self.folder / "damaged"
        for size in (4, 20, 63, 64, 200, 1000, len(data) // 2):
            file.write_bytes(data[:size])
            file.chmod(0o755)
            problem = self.check(file)
            if problem is not None:
                self.assertNotIn("\n", problem.what)
        for offset in range(16, 64):
            file.write_bytes(data[:offset] + b"\xff" + data[offset + 1 :])
            self.check(file)

    def test_scripts_are_let_through(self):
        self.assertIsNone(self.check(self.script("script", "exit 0")))

    def test_the_simulated_architecture_is_that_of_the_gpu(self):
        capabilities = [program_check.capability(each) for each in ({}, {"CUDASIM_GPU": "t4"}, {"CUDASIM_GPU": "t5"})]
        self.assertEqual(capabilities, [90, 75, 90])

    def test_the_command_refuses(self):
        answer = self.simulate("--", "./stripped")
        self.assertEqual((answer.returncode, answer.stdout), (2, ""))
        self.assertEqual([line.split(":")[0].strip() for line in answer.stderr.splitlines()], ["simulate", "fix"])


if __name__ == "__main__":
    unittest.main()
