# SPDX-License-Identifier: MIT
"""What the wall says and counts, without a wall."""

import os
import signal
import subprocess
import unittest
from pathlib import Path
from unittest import mock

import support
from workbook_lib.base.errors import WorkbookError
from workbook_lib.grade.wall import cgroup, identity, levels, usage
from workbook_lib.grade.wall.cgroup import Group
from workbook_lib.grade.wall.identity import own_uid
from workbook_lib.grade.wall.levels import Start
from workbook_lib.grade.wall.result import Ended, Status, WallRecord, result_of
from workbook_lib.grade.wall.task import MB, Limits, Task
from workbook_lib.base.harmless import harmless

HYBRID = """\
30 25 0:26 / /sys/fs/cgroup ro,nosuid shared:9 - tmpfs tmpfs ro,mode=755
31 30 0:27 / /sys/fs/cgroup/unified rw,nosuid shared:10 - cgroup2 cgroup2 rw
33 30 0:29 / /sys/fs/cgroup/memory rw shared:12 - cgroup cgroup rw,memory
34 30 0:30 / /sys/fs/cgroup/cpu rw shared:13 - cgroup cgroup rw,cpu,cpuacct
35 30 0:31 / /sys/fs/cgroup/pids rw shared:14 - cgroup cgroup rw,pids
"""


class Text(unittest.TestCase):
    def test_what_a_terminal_or_a_file_would_obey_is_an_escape(self):
        harmful = {
            b"\x1b[2J": "\\x1b[2J", b"a\rb": "a\\x0db", b"\x07": "\\x07", b"\x00": "\\x00", b"\xff\xfe": "\\xff\\xfe",
            "\u202egrade".encode(): "\\u202egrade", "\u2028".encode(): "\\u2028", b"\xc2\x9b1m": "\\x9b1m",
            b"\xed\xa0\x80": "\\xed\\xa0\\x80", "\U000e0041".encode(): "\\U000e0041",
        }
        for output, shown in harmful.items():
            self.assertEqual(harmless(output), shown)

    def test_ordinary_text_stays(self):
        text = "größer\tals 3 µs ✅\nline 2\n"
        self.assertEqual(harmless(text.encode()), text)
        self.assertEqual(harmless(b"one\r\ntwo"), "one\ntwo")

    def test_what_is_too_long_is_left_out(self):
        self.assertEqual(harmless(b"x" * 100, 10), "xxxxxxxxxx\n... (100 bytes in all)")
        self.assertEqual(harmless("é".encode() * 10, 10), "é" * 10)


class Words(unittest.TestCase):
    def status(self, stderr=b"", limits=Limits(), **facts):
        return result_of(Ended(**facts), limits, b"", stderr, WallRecord("A"))

    def test_the_facts_make_the_status(self):
        killed = 128 + signal.SIGKILL
        rows = (
            ({}, Status.OK), ({"code": 9}, Status.OK), ({"code": 128 + signal.SIGSEGV}, Status.CRASH), ({"code": killed}, Status.CRASH),
            ({"code": 128 + signal.SIGXCPU}, Status.CPU), ({"code": killed, "cpu_s": 10.1}, Status.CPU), ({"code": 128 + signal.SIGSYS}, Status.REFUSED),
            ({"code": 128 + signal.SIGXFSZ}, Status.OUTPUT), ({"code": killed, "is_out_of_memory": True}, Status.MEMORY),
            ({"stopped": Status.WALL, "code": killed}, Status.WALL), ({"stopped": Status.WALL, "error": "it did not end"}, Status.ERROR),
            ({"code": 134, "stderr": b"what():  std::bad_alloc"}, Status.MEMORY), ({"code": 255}, Status.OK),
            ({"stderr": b"std::bad_alloc"}, Status.OK),
        )
        for facts, status in rows:
            result = self.status(**facts)
            self.assertEqual(result.status, status, facts)
            self.assertTrue(result.words)

    def test_a_signal_is_named_and_is_no_exit_status(self):
        crashed = self.status(code=128 + signal.SIGFPE)
        self.assertEqual((crashed.words, crashed.exit_code, crashed.signal), ("crashed: it divided by zero (SIGFPE)", None, "SIGFPE"))
        self.assertEqual(self.status(code=7).exit_code, 7)
        self.assertEqual(self.status(code=137, stopped=Status.WALL).signal, "")

    def test_the_record_is_data(self):
        self.assertEqual(set(WallRecord("B").to_json()), {"level", "cgroup", "weaker", "held", "failed"})


class Groups(support.ScratchCase):
    def test_version_1_is_found_by_controller(self):
        own = "4:memory:/jobs/7\n3:cpu,cpuacct:/\n2:pids:/jobs/7\n0::/\n"
        found = dict(cgroup.own_folders(HYBRID, own))
        self.assertEqual(found["memory"], [Path("/sys/fs/cgroup/memory/jobs/7"), Path("/sys/fs/cgroup/memory/jobs"), Path("/sys/fs/cgroup/memory")])
        self.assertEqual(found["cpuacct"], [Path("/sys/fs/cgroup/cpu")])
        self.assertEqual(set(found), {"", "memory", "cpuacct", "pids"})

    def places(self, mounts, own=""):
        with mock.patch.object(cgroup, "text", lambda file: {"mountinfo": mounts, "cgroup": own}.get(file.name) or read(file)):
            return cgroup.places()

    def test_version_2_needs_a_folder_that_hands_its_controllers_down(self):
        mounts = f"31 30 0:27 / {self.folder} rw shared:10 - cgroup2 cgroup2 rw\n"
        self.write("user/session/cgroup.subtree_control", "")
        self.assertEqual(self.places(mounts, "0::/user/session\n"), {})
        self.write("user/cgroup.subtree_control", "cpu memory pids\n")
        self.assertEqual(self.places(mounts, "0::/user/session\n"), {"": self.folder / "user"})

    def test_without_all_controllers_there_is_no_group(self):
        self.assertEqual(self.places(f"33 30 0:29 / {self.folder} rw - cgroup cgroup rw,memory\n"), {})

    def test_groups_of_graders_that_have_ended_are_removed(self):
        ended = subprocess.Popen(["true"])
        ended.wait()
        for process in (ended.pid, os.getpid()):
            (self.folder / f"workbook-wall-{process}-0").mkdir()
        with mock.patch.object(cgroup, "places", lambda: {"memory": self.folder}):
            cgroup.sweep()
        self.assertEqual([path.name for path in self.folder.iterdir()], [f"workbook-wall-{os.getpid()}-0"])

    def test_the_files_of_version_2(self):
        group = Group("v2", {"memory": self.folder, "pids": self.folder})
        self.write("memory.swap.max", "max")
        group.limit(Limits(memory_bytes=MB, processes=7))
        written = [(self.folder / name).read_text() for name in ("memory.max", "pids.max", "memory.swap.max")]
        self.assertEqual(written, [str(MB), "7", "0"])
        self.assertFalse((self.folder / "memory.oom.group").exists())
        self.write("cpu.stat", "usage_usec 1500000\nuser_usec 1\n")
        self.write("memory.peak", "4096\n")
        self.write("memory.events", "low 0\noom 3\noom_kill 0\noom_group_kill 0\n")
        self.assertEqual((group.cpu_s(), group.peak_bytes(), group.is_out_of_memory()), (1.5, 4096, False))
        self.write("memory.events", "oom 3\noom_kill 1\n")
        self.assertTrue(group.is_out_of_memory())


def read(file):
    try:
        return file.read_text()
    except OSError:
        return ""


class Usage(support.ScratchCase):
    def test_a_folder_counts_its_files_and_their_names(self):
        self.assertEqual(usage.of_folder(self.folder, MB), 0)
        (self.folder / "deep/er").mkdir(parents=True)
        (self.folder / "deep/er/file").write_bytes(b"x" * 10000)
        (self.folder / "link").symlink_to("/usr")
        found = usage.of_folder(self.folder, MB)
        self.assertGreaterEqual(found, 10000 + 4 * usage.ENTRY_BYTES)
        self.assertLess(found, 64000)

    def test_a_process_counts_with_its_children(self):
        child = os.fork()
        if child == 0:
            held = bytearray(os.urandom(1)) * (32 * MB)
            while held:
                pass
        try:
            latest = 200
            while usage.of_tree(child, 1 << 40)[1] < 32 * MB and latest:
                latest -= 1
                signal.sigtimedwait([], 0.02)
            self.assertIn(child, usage.tree(os.getpid()))
            self.assertGreater(usage.of_tree(os.getpid(), 0)[1], 32 * MB)
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


class CommandLines(support.ScratchCase):
    def test_the_limits_leave_room_for_the_other_processes_of_the_same_user(self):
        words = levels.limit_words(Limits(processes=5), others=100)
        self.assertIn("processes=105", words)
        self.assertGreaterEqual(levels.threads_of(os.geteuid()), 1)

    def test_each_level_has_its_parts(self):
        task = Task(("/bin/true",), read=(Path("/somewhere"), Path("/usr/local/x")), descriptors=(7,))
        start = Start(Path("/h/workbook-wall"), 60600, cgroup.NONE, 9, Path("/s"))
        a, b, c = levels.command_a("/usr/bin/bwrap", task, start), levels.command_b(task, start), levels.command_c(task, start)
        for words in (a, b, c):
            self.assertEqual((words[:2], words[-2:]), (["/h/workbook-wall", "--supervise"], ["--", "/bin/true"]))
            self.assertEqual(words[words.index("--keep") + 1], "7")
            self.assertEqual(words[words.index("--uid") + 1], "60600")
        self.assertTrue("--unshare-all" in a and "--filter" in a and "--landlock" not in a)
        self.assertTrue("--landlock" in b and "--filter" in b and "--keep-files" in b)
        self.assertTrue("--landlock" not in c and "--filter" not in c)
        self.assertEqual(a.count("/somewhere"), 2)
        self.assertNotIn("/usr/local/x", a)  # it is in sight with /usr

    def test_the_folder_of_locks_is_root_s_own(self):
        if os.geteuid() != 0:
            return  # nobody else has users to lock
        theirs, ours = self.folder / "theirs", self.folder / "ours"
        for place in (theirs, ours):
            place.mkdir()
        (theirs / "workbook-wall").symlink_to("/usr")
        with mock.patch.object(identity, "PLACES", tuple(map(str, (self.folder / "nowhere", theirs, ours)))):
            self.assertEqual(identity.lock_folder(), ours / "workbook-wall")
            os.chown(ours / "workbook-wall", 65534, 65534)
            with self.assertRaises(WorkbookError):
                identity.lock_folder()

    def test_two_users_at_the_same_time_differ(self):
        with own_uid() as first, own_uid() as second:
            if os.geteuid() == 0:
                self.assertNotEqual(first, second)
            else:
                self.assertEqual((first, second), (None, None))


if __name__ == "__main__":
    unittest.main()
