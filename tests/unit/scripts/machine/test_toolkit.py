# SPDX-License-Identifier: MIT
"""How nvcc is found, and that an installation into .toolkit is whole or not there at all."""

import os
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support
from workbook_lib.base.errors import WorkbookError
from workbook_lib.machine import toolkit


def quiet(text):
    pass


class FindNvcc(support.ScratchCase):
    def setUp(self):
        super().setUp()
        # Whatever this machine has installed in the usual folders must not decide these tests.
        real = toolkit.candidates

        def without_usual_folders(root, environment):
            return [place for place in real(root, environment) if not place[1].startswith("/")]

        patch = mock.patch.object(toolkit, "candidates", without_usual_folders)
        patch.start()
        self.addCleanup(patch.stop)

    def find(self, **environment):
        found = toolkit.find_nvcc(self.folder, {"PATH": str(self.folder / "bin"), **environment})
        return found and (found.version, found.origin)

    def test_none(self):
        self.assertIsNone(self.find())

    def test_on_path_before_cuda_path_before_the_installed_one(self):
        self.nvcc(".toolkit/cuda/bin", "13.0.88")
        self.assertEqual(self.find(), ("13.0.88", "installed by scripts/workbook"))
        self.nvcc("other/bin", "12.4.99")
        self.assertEqual(self.find(CUDA_PATH=str(self.folder / "other")), ("12.4.99", "CUDA_PATH"))
        self.nvcc("bin", "12.9.1")
        self.assertEqual(self.find(CUDA_PATH=str(self.folder / "other")), ("12.9.1", "PATH"))

    def test_an_unsupported_version_is_passed_over(self):
        self.nvcc("bin", "11.8.89")
        self.assertIsNone(self.find())
        self.nvcc(".toolkit/cuda/bin")
        self.assertEqual(self.find(), ("13.0.88", "installed by scripts/workbook"))

    def test_a_broken_nvcc_is_passed_over(self):
        self.script("bin/nvcc", "exit 1")
        self.assertIsNone(self.find())

    def test_cudacxx_is_an_order(self):
        self.nvcc("bin")
        ordered = self.nvcc("mine", "12.6.20")
        self.assertEqual(self.find(CUDACXX=str(ordered)), ("12.6.20", "CUDACXX"))
        with self.assertRaisesRegex(WorkbookError, "no nvcc that runs"):
            self.find(CUDACXX=str(self.folder / "nowhere"))
        with self.assertRaisesRegex(WorkbookError, "CUDA 11.8.89"):
            self.find(CUDACXX=str(self.nvcc("old", "11.8.89")))


class Install(support.ScratchCase):
    def pip(self, version="13.0.88", without=()):
        """Stands in for pip: lays out the folder as NVIDIA's wheels do."""

        def install(wheels, folder, say):
            cuda = folder.relative_to(self.folder) / "nvidia" / "cu13"
            self.nvcc(cuda / "bin", version)
            for name in (
                "bin/ptxas",
                "nvvm/bin/cicc",
                "include/cuda_runtime.h",
                "lib/libcudart.so.13",
                "include/cccl/x",
            ):
                if name not in without:
                    self.script(cuda / name, "")

        return mock.patch.object(toolkit, "pip_install", install)

    def left_over(self):
        return sorted(path.name for path in (self.folder / ".toolkit").iterdir())

    def test_the_toolkit_is_completed_and_put_in_place(self):
        with self.pip():
            found = toolkit.install_toolkit(self.folder, quiet)
        cuda = self.folder / ".toolkit" / "cuda"
        self.assertEqual(found.path, cuda / "bin" / "nvcc")
        self.assertEqual(os.readlink(cuda / "lib64"), "lib")
        self.assertEqual(os.readlink(cuda / "lib" / "libcudart.so"), "libcudart.so.13")
        self.assertEqual(self.left_over(), ["cuda"])

    def test_a_damaged_installation_is_replaced(self):
        self.script(".toolkit/cuda/bin/other", "")
        with self.pip():
            toolkit.install_toolkit(self.folder, quiet)
        self.assertFalse((self.folder / ".toolkit/cuda/bin/other").exists())
        self.assertEqual(self.left_over(), ["cuda"])

    def test_an_incomplete_toolkit_is_refused(self):
        with self.pip(without=("nvvm/bin/cicc",)), self.assertRaisesRegex(WorkbookError, "nvvm/bin/cicc"):
            toolkit.install_toolkit(self.folder, quiet)
        self.assertEqual(self.left_over(), [])

    def test_an_interruption_leaves_nothing(self):
        def interrupted(wheels, folder, say):
            (folder / "half").write_text("half", encoding="utf-8")
            raise KeyboardInterrupt

        with mock.patch.object(toolkit, "pip_install", interrupted), self.assertRaises(KeyboardInterrupt):
            toolkit.install_toolkit(self.folder, quiet)
        self.assertEqual(self.left_over(), [])

    def test_what_a_killed_run_left_is_swept_up_but_not_what_a_living_one_fills(self):
        killed, living = (
            f"partial-{process}-x" for process in (2**22 + 1, os.getppid())
        )  # above Linux's largest process id
        for name in (killed, living):
            (self.folder / ".toolkit" / name).mkdir(parents=True)
        with self.pip():
            toolkit.install_toolkit(self.folder, quiet)
        self.assertEqual(self.left_over(), ["cuda", living])

    def test_the_wheels_are_pinned_with_digests(self):
        for file in (toolkit.TOOLKIT_WHEELS, toolkit.NEWER_TOOLKIT_WHEELS, toolkit.CMAKE_WHEELS, toolkit.NINJA_WHEELS):
            text = "".join(line for line in file.read_text(encoding="utf-8").splitlines(True) if line[0] != "#")
            for package in text.replace("\\\n", "").splitlines():
                self.assertRegex(package, r"^[a-z-]+==[\d.]+( +--hash=sha256:[0-9a-f]{64}){2}$")

    def test_pip_takes_only_what_has_these_digests_and_needs_no_environment_of_its_own(self):
        pip = self.script("pip", f'echo "$PIP_REQUIRE_VIRTUALENV $*" > {self.folder}/log')
        with mock.patch.object(toolkit, "pip_command", lambda folder: [str(pip)]):
            with mock.patch.dict(os.environ, PIP_REQUIRE_VIRTUALENV="1"), mock.patch("sys.stderr.fileno", lambda: 2, create=True):
                toolkit.pip_install(toolkit.CMAKE_WHEELS, self.folder, quiet)
        said = (self.folder / "log").read_text(encoding="utf-8")
        self.assertTrue(said.startswith("0 install "), said)
        self.assertIn("--require-hashes", said)
        self.assertTrue(said.endswith(f"-r {toolkit.CMAKE_WHEELS}\n"), said)


class Glibc(unittest.TestCase):
    def test_a_newer_one_needs_a_newer_toolkit(self):
        for glibc, cuda, is_told in (
            ("glibc 2.36", "13.0.88", False),
            ("glibc 2.42", "13.0.88", True),
            ("glibc 2.43", "12.8.1", True),
            ("glibc 2.42", "13.2.51", False),
            (None, "13.0.88", False),
        ):
            with mock.patch.object(os, "confstr", lambda name, answer=glibc: answer):
                problem = toolkit.glibc_problem(toolkit.Nvcc(toolkit.Path("nvcc"), cuda, "PATH"))
            self.assertEqual("CUDA 13.2" in problem, is_told, (glibc, cuda))

    def test_its_toolkit_is_found_or_installed(self):
        root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, root)
        newer = toolkit.Nvcc(toolkit.toolkit_folder(root) / "bin/nvcc", "13.2.86", "installed by scripts/workbook")
        older = toolkit.Nvcc(Path("/usr/local/cuda/bin/nvcc"), "13.0.88", "/usr/local/cuda")
        for glibc, wheels, found in (
            ("glibc 2.41", toolkit.TOOLKIT_WHEELS, older),
            ("glibc 2.42", toolkit.NEWER_TOOLKIT_WHEELS, newer),
        ):
            ask = lambda path, origin: {newer.path: newer, older.path: older}.get(path)  # noqa: E731
            with mock.patch.object(os, "confstr", lambda name, answer=glibc: answer), mock.patch.object(toolkit, "ask_nvcc", ask):
                self.assertEqual((toolkit.toolkit_wheels(), toolkit.find_nvcc(root, {"PATH": ""})), (wheels, found))


if __name__ == "__main__":
    unittest.main()
