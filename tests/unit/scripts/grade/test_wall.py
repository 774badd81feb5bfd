# SPDX-License-Identifier: MIT
"""Programs behind the wall: what they can't do, which limit stops them, and that nothing of them is left."""

import os
import signal
import socket
import subprocess
import sys
import time
import unittest
from dataclasses import replace
from pathlib import Path
from unittest import mock

import support
from grade import walls
from grade.walls import HELPER, LIMITS, TRIES
from workbook_lib.base.errors import WorkbookError
from workbook_lib.grade.wall import cgroup, probe, wall as wall_module, watch
from workbook_lib.grade.wall.levels import Parts
from workbook_lib.grade.wall.result import Status
from workbook_lib.grade.wall.task import MB, Task
from workbook_lib.grade.wall.wall import open_wall

AS_ANOTHER = """
import sys
sys.path[:0] = {paths!r}
from grade.walls import HELPER, TRIES
from workbook_lib.grade.wall.probe import checked
from workbook_lib.grade.wall.wall import open_wall
for level in {levels!r}:
    with open_wall(HELPER, level) as wall:
        record = checked(wall, TRIES).record
        print(level, len(record.held), *record.weaker, sep="; ")
"""
KILLED = """
import sys
sys.path[:0] = {paths!r}
from grade.walls import HELPER
from workbook_lib.grade.wall.task import Task
from workbook_lib.grade.wall.wall import open_wall
with open_wall(HELPER, {level!r}) as wall:
    wall.run(Task(("/bin/sh", "-c", "(setsid sleep {word} &); echo begun >&2; exec sleep {word}")))
"""
PATHS = [str(support.ROOT / "tests/unit/scripts"), str(support.ROOT / "scripts")]


def running(word):
    """The processes with this word in their command."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = Path("/proc", name, "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if word.encode() in words:
            found.append(name)
    return found


class Probe(walls.WallCase):
    def test_the_wall_holds(self):
        self.assertGreater(len(probe.TRIES), 40)
        for wall in self.each_wall():
            record = probe.checked(wall, TRIES, [support.ROOT / "answers", support.ROOT / "README.md"]).record
            self.assertEqual((record.held, record.failed), (list(probe.TRIES), []))

    def test_a_wall_without_one_of_its_parts_is_refused(self):
        holes = (
            (Parts(filter=False), ["uses userfaultfd", "sends by UDP", "makes a user namespace (unshare)"]),
            (Parts(limits=False), ["opens more files than it may"]),
        )
        for parts, whats in holes:
            for wall in self.each_wall(parts):
                with self.assertRaises(WorkbookError) as refused:
                    probe.checked(wall, TRIES)
                self.assertIn("has a hole, so nothing is graded", str(refused.exception))
                for what in whats:
                    self.assertIn(f"  {what} (it worked)", str(refused.exception))

    def test_answers_among_the_system_s_files_are_seen(self):
        for wall in self.each_wall():
            with self.assertRaisesRegex(WorkbookError, "reads what the grader keeps from students ./usr/bin, /usr/bin/env.$"):
                probe.checked(wall, TRIES, [Path("/usr/bin"), support.ROOT / "answers", Path("/usr/bin/env")])

    def test_without_landlock_the_container_s_wall_is_refused(self):
        if "B" in walls.levels():
            with open_wall(HELPER, "B", parts=Parts(landlock=False)) as wall:
                with self.assertRaisesRegex(WorkbookError, "reads a file of the grader that everybody may read"):
                    probe.checked(wall, TRIES)

    def test_a_descriptor_and_a_variable_that_nobody_gave_are_found(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        self.addCleanup(os.close, writer)
        given = {"descriptors": (reader,), "environment": {"SECRET_SEED": "1"}}
        run = wall_module.Wall.run
        for wall in self.each_wall():
            with mock.patch.object(wall_module.Wall, "run", lambda self, task: run(self, replace(task, **given))):
                failed = probe.probe(wall, TRIES).record.failed
            self.assertEqual(failed, ["open descriptor: it worked", "foreign environment: it worked"])

    def test_the_launcher_itself_closes_what_it_was_not_told_to_keep(self):
        reader, writer = os.pipe()
        with os.fdopen(reader, "rb") as pipe:
            text = f"echo leaked >&{writer}"
            status = subprocess.run([HELPER, "--filter", "--", "/bin/bash", "-c", text], pass_fds=(writer,), stderr=subprocess.DEVNULL)
            os.close(writer)
            self.assertEqual((status.returncode, pipe.read()), (1, b""))

    def test_a_program_that_says_nothing_holds_nothing(self):
        for wall in self.each_wall():
            silent = self.script("silent", "exit 0")
            failed = probe.probe(wall, silent).record.failed
            self.assertIn("secret file: nothing was said", failed)

    def test_it_holds_for_a_grader_who_is_not_root(self):
        if os.geteuid() != 0:
            return  # the other tests run as such a user
        text = AS_ANOTHER.format(paths=PATHS, levels=walls.levels())
        self.folder.chmod(0o777)
        environment = {"PATH": "/usr/bin:/bin", "TMPDIR": str(self.folder), **walls_environment()}
        python = next((each for each in ("/usr/bin/python3", sys.executable) if Path(each).exists()))
        nobody = lambda: (os.setgroups([]), os.setresgid(65534, 65534, 65534), os.setresuid(65534, 65534, 65534))  # noqa: E731
        done = subprocess.run([python, "-B", "-c", text], env=environment, preexec_fn=nobody, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        lines = done.stdout.splitlines()
        self.assertEqual([line.split("; ")[:2] for line in lines], [[level, str(len(probe.TRIES))] for level in walls.levels()])
        if "B" in walls.levels():
            self.assertIn("the grader is not root, so the runs have its own user", lines[-1])


def walls_environment():
    return {"WORKBOOK_WALL": str(HELPER.parent), "WORKBOOK_BUILD": str(walls.BUILD)}


class Limits(walls.WallCase):
    def test_each_end_has_its_status(self):
        fast = replace(LIMITS, cpu_s=0.3)
        ends = (
            ("exit 3", LIMITS, Status.OK, "with status 3"),
            ("kill -SEGV $$", LIMITS, Status.CRASH, "an address that is not its own .SIGSEGV."),
            ("kill -ABRT $$", LIMITS, Status.CRASH, "SIGABRT"),
            ("while :; do :; done", fast, Status.CPU, "0.3 s of processor time"),
            ("(while :; do :; done) & (while :; do :; done) & wait", fast, Status.CPU, "processor time"),
            ("sleep 30", replace(LIMITS, wall_s=0.3), Status.WALL, "after 0.3 s"),
            ("yes", LIMITS, Status.OUTPUT, "64 KB of text"),
            ("yes >&2", LIMITS, Status.OUTPUT, "64 KB of text"),
            ("exec head -c 2000000 /dev/urandom > $TMPDIR/x", replace(LIMITS, file_bytes=MB), Status.OUTPUT, "wrote more"),
            ("exec unshare -U true", LIMITS, Status.REFUSED, "SIGSYS"),
            ("exec mount -t tmpfs none $TMPDIR", LIMITS, Status.REFUSED, "SIGSYS"),
        )
        for wall in self.each_wall():
            for text, limits, status, words in ends:
                with self.subTest(text=text):
                    result = self.shell(wall, text, limits)
                    self.assertEqual(result.status, status, result)
                    self.assertRegex(result.words, words)

    def test_memory_with_a_control_group_and_without(self):
        texts = {"one": [TRIES, "memory", str(512 * MB)], "two": ["/bin/sh", "-c", f"{TRIES} memory {80 * MB} & {TRIES} memory {80 * MB}; wait"]}
        for places in ({}, None):
            patch = mock.patch.object(cgroup, "places", (lambda: {}) if places is not None else cgroup.places)
            with patch:
                for wall in self.each_wall():
                    for name, words in texts.items():
                        with self.subTest(name=name, cgroup=wall.record.cgroup):
                            result = wall.run(Task(tuple(map(str, words)), read=(TRIES.parent,), limits=LIMITS))
                            self.assertEqual(result.status, Status.MEMORY, result)
                            self.assertRegex(result.words, "more than 128 MB of memory")

    def test_no_file_of_the_scratch_folder_escapes_the_sum(self):
        text = "for i in 1 2 3 4 5 6 7 8 9; do exec 9> $TMPDIR/$i; head -c 2000000 /dev/urandom >&9; rm $TMPDIR/$i; sleep 0.1; done"
        for wall in self.each_wall():
            result = self.shell(wall, text)
            if wall.level == "B":  # where the kernel does not count
                self.assertEqual(result.status, Status.OUTPUT, result)

    def test_output_and_usage_are_told(self):
        for wall in self.each_wall():
            result = self.shell(wall, r"printf 'a\033[2Jb\377\n'; echo wrong >&2; exit 7")
            self.assertEqual((result.output, result.messages, result.exit_code), ("a\\x1b[2Jb\\xff\n", "wrong\n", 7))
            self.assertEqual((result.signal, result.wall.level), ("", wall.level))
            self.assertTrue(0 < result.cpu_s < 10 and 0 < result.wall_s < 60 and 0 < result.peak_bytes < 128 * MB, result)

    def test_nothing_is_left_of_a_run(self):
        word = f"{60000 + os.getpid() / 1e6:.6f}"
        for wall in self.each_wall():
            for text in (f"(setsid sleep {word} &); exit 0", f"(setsid setsid sleep {word} &); sleep {word}", "f() { f & f & }; f; sleep 20"):
                self.shell(wall, text, replace(LIMITS, wall_s=0.5))
                self.assertEqual(running(word), [])
            self.assertEqual([path.name for path in wall.folder.iterdir()], [HELPER.name])

    def test_nothing_is_left_of_a_grader_that_is_killed(self):
        for level in walls.levels():
            word = f"{70000 + os.getpid() / 1e6:.6f}"
            text = KILLED.format(paths=PATHS, level=level, word=word)
            with subprocess.Popen([sys.executable, "-B", "-c", text], env={**os.environ, **walls_environment(), "TMPDIR": str(self.folder)}) as grader:
                latest = time.monotonic() + 20
                while len(running(word)) < 2 and time.monotonic() < latest:
                    time.sleep(0.02)
                grader.send_signal(signal.SIGKILL)
            while running(word) and time.monotonic() < latest:
                time.sleep(0.02)
            self.assertEqual(running(word), [], level)


class Given(walls.WallCase):
    def test_a_run_has_what_it_is_given_and_nothing_else(self):
        given = self.write("given/text", "of the task").parent
        self.write("kept/text", "of the grader")
        for wall in self.each_wall():
            result = self.shell(
                wall,
                f"cat {given}/text && echo x > $TMPDIR/x && echo $NAME && ! echo x > {given}/y && ! cat {self.folder}/kept/text && pwd && env",
                read=(given,),
                environment={"NAME": "value"},
                folder=given,
            )
            self.assertEqual(result.exit_code, 0, result)
            self.assertRegex(result.output, f"of the task.*value\n{given}\n")
            names = {line.split("=")[0] for line in result.output.splitlines()[2:]}
            self.assertEqual(names, {"PATH", "LANG", "HOME", "TMPDIR", "NAME", "PWD"})

    def test_a_descriptor_that_is_given_leads_to_a_server(self):
        for wall in self.each_wall():
            ours, theirs = socket.socketpair()
            with ours, theirs:
                ours.sendall(b"question\n")
                number = theirs.fileno()
                result = wall.run(
                    Task(("/bin/bash", "-c", f"read -r -u {number} word && echo $word answered >&{number}"), descriptors=(number,), limits=LIMITS)
                )
                self.assertEqual(result.exit_code, 0, result)
                self.assertEqual(ours.recv(100), b"question answered\n")

    def test_two_runs_have_two_users_and_no_group_of_the_grader(self):
        if os.geteuid() == 0:
            self.addCleanup(os.setgroups, os.getgroups())
            os.setgroups([0, 4])
        for wall in self.each_wall():
            with wall_module.own_uid() as taken:
                user, groups = self.shell(wall, "id -u; id -G").output.splitlines()
            if os.geteuid() == 0:
                self.assertNotIn(user, ("0", str(taken)))
                self.assertEqual(groups, user)

    def test_what_the_user_of_a_run_cannot_reach_is_an_error_before_it(self):
        if os.geteuid() != 0:
            return  # it is the grader's own user
        given = self.write("closed/given/text", "").parent
        given.parent.chmod(0o700)
        for wall in self.each_wall():
            with self.assertRaisesRegex(WorkbookError, f"chmod o.rx {given.parent}, or move"):
                self.shell(wall, "true", read=(given,))
            with self.assertRaisesRegex(WorkbookError, "is not there"):
                self.shell(wall, "true", read=(self.folder / "nowhere",))
            with self.assertRaisesRegex(WorkbookError, "secret"):
                file = self.write("secret", "")
                file.chmod(0o600)
                self.shell(wall, "true", read=(file,))
            file.chmod(0o644)
            self.assertEqual(self.shell(wall, f"cat {file}", read=(file,)).exit_code, 0)


class Broken(walls.WallCase):
    def test_a_supervisor_that_ends_nothing_is_an_error_and_no_wait(self):
        word = f"{80000 + os.getpid() / 1e6:.6f}"
        helper = self.script("bin/workbook-wall", f"""sleep {word} &
while [ "$1" != --status ]; do shift; done
echo started > /dev/fd/$2; echo ended 0 0 0 > /dev/fd/$2""")
        wall = wall_module.Wall("B", self.folder, helper)
        begun = time.monotonic()
        result = wall.run(Task(("/bin/true",), limits=LIMITS))
        self.assertEqual((result.status, result.words), (Status.ERROR, f"the grader could not run it: {watch.NOT_ENDED}"))
        self.assertLess(time.monotonic() - begun, 30)
        for process in running(word):
            os.kill(int(process), signal.SIGKILL)


class Choice(walls.WallCase):
    def test_a_container_gets_its_own_level(self):
        if "B" not in walls.levels():
            return
        self.script("bwrap", "echo 'bwrap: No permissions to create new namespace' >&2; exit 1")
        self.folder.chmod(0o755)
        with mock.patch.object(wall_module, "PLACES", str(self.folder)), open_wall(HELPER) as wall:
            self.assertEqual(wall.level, "B")
            self.assertIn("names and sizes of files outside can be asked for, but not their content", wall.record.weaker)
            reason = "the grader could not run it: bwrap: No permissions to create new namespace"
            self.assertEqual(wall.record.weaker[0], f"not level A: {reason}")
        with mock.patch.object(wall_module, "PLACES", str(self.folder)), self.assertRaisesRegex(WorkbookError, "No permissions"):
            with open_wall(HELPER, "A"):
                self.fail("it stands")

    def test_without_bubblewrap_it_says_what_to_install(self):
        with mock.patch.object(wall_module, "PLACES", ""), self.assertRaisesRegex(WorkbookError, "apt-get install bubblewrap"):
            with open_wall(HELPER, "A"):
                self.fail("it stands")

    def test_a_temporary_folder_without_programs_is_named(self):
        found = mock.Mock(f_flag=os.ST_NOEXEC)
        with mock.patch.object(wall_module.os, "statvfs", lambda place: found), self.assertRaisesRegex(WorkbookError, "noexec.: set TMPDIR"):
            with open_wall(HELPER):
                self.fail("it stands")

    def test_the_weak_level_is_only_had_by_name(self):
        with self.assertRaisesRegex(WorkbookError, "--weak-sandbox"), open_wall(HELPER, "C"):
            self.fail("it stands")
        with open_wall(HELPER, is_weak=True) as wall:
            self.assertEqual((wall.level, wall.record.weaker[-1]), ("C", wall_module.WEAK))
            self.assertEqual(self.shell(wall, "exit 3").exit_code, 3)
            self.assertTrue(probe.checked(wall, TRIES).record.failed)

    def test_what_the_wall_cannot_start_is_an_error_of_the_grader(self):
        for wall in self.each_wall():
            for task in (Task(("/nowhere/program",)), Task(("/bin/true",), folder=Path("/nowhere"))):
                result = wall.run(task)
                self.assertEqual((result.status, result.exit_code), (Status.ERROR, None))
                self.assertIn("nowhere", result.words)


if __name__ == "__main__":
    unittest.main()
