# SPDX-License-Identifier: MIT
"""What students hand in, in every form, with mistakes and with bad intent."""

import gzip
import io
import os
import stat
import subprocess
import tarfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

import support
from workbook_lib.base.errors import WorkbookError
from workbook_lib.course.stages import Stage
from workbook_lib.grade.submissions import entries, roster
from workbook_lib.grade.submissions.submissions import collect, is_outside, key_of

STAGES = [Stage("stage01", 1, ""), Stage("stage03", 3, "")]
TODO = b"// a kernel\n"
GIT = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "PATH": os.environ["PATH"]}
GIT.update({f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")})


class Handed(support.ScratchCase):
    def setUp(self):
        super().setUp()
        self.place = self.folder / "handed"
        self.place.mkdir()

    def zip(self, name, files, links=()):
        with zipfile.ZipFile(self.place / name, "w", zipfile.ZIP_DEFLATED) as archive:
            for path, content in files:
                archive.writestr(path, content)
            for path, target in links:
                info = zipfile.ZipInfo(path)
                info.external_attr = (stat.S_IFLNK | 0o777) << 16
                archive.writestr(info, target)

    def tar(self, name, files, kind="w:gz", links=()):
        with tarfile.open(self.place / name, kind) as archive:
            for path, content in files:
                info = tarfile.TarInfo(path)
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content))
            for path, target, made in links:
                info = tarfile.TarInfo(path)
                info.type, info.linkname = made, target
                archive.addfile(info)

    def git(self, name, files, bare=False):
        place = self.folder / "work" / name
        place.mkdir(parents=True)
        for path, content in files:
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, Path):
                (place / path).symlink_to(content)
            else:
                (place / path).write_bytes(content)
        for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "x"]):
            subprocess.run(["git", *words], cwd=place, env=GIT, check=True)
        target = self.place / (f"{name}.git" if bare else name)
        subprocess.run(["git", "clone", "-q", *(["--bare"] if bare else []), str(place), str(target)], env=GIT, check=True)
        return target

    def write_todo(self, path, content=TODO):
        file = self.place / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        return file

    def only(self, stages=STAGES):
        collected = collect(self.place, stages)
        self.assertEqual((len(collected.submissions), collected.problems), (1, []))
        return collected.submissions[0]


class Forms(Handed):
    def test_each_form_gives_the_same(self):
        files = [("course/stages/stage01/todo.cu", TODO), ("course/stages/stage03/todo.cu", b"// 3\n"), ("course/README.md", b"x")]
        for path, content in files:
            self.write_todo(f"folder/{path}", content)
        self.zip("zipped.zip", files)
        self.tar("tar.tar", files, "w")
        self.tar("gz.tar.gz", files)
        self.tar("xz.txz", files, "w:xz")
        self.tar("bz.tar.bz2", files, "w:bz2")
        self.git("repository", files)
        self.git("bare", files, bare=True)
        collected = collect(self.place, STAGES)
        self.assertEqual([each.student for each in collected.submissions], ["bare", "bz", "folder", "gz", "repository", "tar", "xz", "zipped"])
        for each in collected.submissions:
            self.assertEqual(each.files, {"stage01": TODO, "stage03": b"// 3\n"}, each)
            self.assertEqual((each.missing, each.extra, each.problems), ([], ["course/README.md"], []))

    def test_one_stage_needs_no_folder(self):
        self.write_todo("anna.cu")
        self.zip("ben.zip", [("todo.cu", TODO), ("stage03/todo.cu", b"another stage")])
        found = collect(self.place, STAGES[:1]).submissions
        self.assertEqual([each.files for each in found], [{"stage01": TODO}] * 2)
        self.assertEqual(found[1].extra, ["stage03/todo.cu"])
        self.assertEqual(collect(self.place, STAGES).submissions[0].missing, ["stage01", "stage03"])

    def test_names_of_windows_and_files_of_a_mac(self):
        self.zip("anna.zip", [("Stage01\\Todo.cu", TODO), ("__MACOSX/stage01/._todo.cu", b"x"), (".DS_Store", b"x")])
        with zipfile.ZipFile(self.place / "anna.zip") as archive:
            self.assertIn("Stage01\\Todo.cu", archive.namelist())
        found = self.only()
        self.assertEqual((found.files, found.extra, found.missing), ({"stage01": TODO}, [], ["stage03"]))

    def test_what_is_there_twice(self):
        self.zip("anna.zip", [("a/stage01/todo.cu", TODO), ("b/stage01/todo.cu", b"other"), ("a/stage03/todo.cu", TODO), ("b/stage03/TODO.cu", TODO)])
        found = self.only()
        self.assertEqual((found.files, found.missing), ({"stage03": TODO}, ["stage01"]))
        self.assertEqual(found.problems, ["stage01 is there twice, as a/stage01/todo.cu and b/stage01/todo.cu: neither is taken. Hand in one of them"])

    def test_a_file_in_utf_16_is_named_and_taken(self):
        text = "int main() {}".encode("utf-16")
        self.zip("anna.zip", [("stage01/todo.cu", text)])
        found = self.only()
        self.assertEqual((found.files, len(found.problems)), ({"stage01": text}, 1))
        self.assertRegex(found.problems[0], "stage01/todo.cu has a byte that is 0: .* Save it as UTF-8")

    def test_many_other_files_are_counted(self):
        self.zip("anna.zip", [(f"{i:03}.txt", b"") for i in range(50)])
        self.assertEqual(self.only().extra[-2:], ["019.txt", "and 30 more"])


class BadIntent(Handed):
    def test_names_that_lead_outside(self):
        for path in ("../x", "a/../../x", "/etc/x", "C:\\x", "a\\..\\x", "c:x", "a\0b"):
            self.assertTrue(is_outside(path), path)
        for path in ("a/b", "a..b/c", "..a"):
            self.assertFalse(is_outside(path), path)
        files = [("../stage01/todo.cu", TODO), ("/stage03/todo.cu", TODO)]
        self.zip("anna.zip", files)
        self.tar("ben.tar.gz", files)
        for each in collect(self.place, STAGES).submissions:
            self.assertEqual(each.files, {})
            self.assertEqual(each.problems[0], "../stage01/todo.cu leads out of the submission: it is not taken")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["handed"])

    def test_links_and_devices(self):
        secret = self.write("secret", "of the grader")
        self.write_todo("anna/stage03/x").unlink()
        (self.place / "anna/stage01").symlink_to(self.folder)
        (self.place / "anna/stage03/todo.cu").symlink_to(secret)
        self.zip("ben.zip", [], [("stage01/todo.cu", str(secret))])
        self.tar("carl.tar", [], "w", [("stage01/todo.cu", str(secret), tarfile.SYMTYPE), ("stage03/todo.cu", "x", tarfile.LNKTYPE)])
        self.git("dora", [("stage01/todo.cu", secret), ("x", b"x")])
        os.mkfifo(self.write_todo("emil/stage01/x").with_name("todo.cu"))
        (self.place / "fritz").symlink_to(self.folder)
        os.mkfifo(self.place / "gina.zip")
        found = {each.student: each for each in collect(self.place, STAGES).submissions}
        for each in found.values():
            self.assertEqual(each.files, {}, each)
        self.assertEqual(found["anna"].problems, ["stage03/todo.cu is a link: it is not taken"])
        self.assertEqual(found["ben"].problems, ["stage01/todo.cu is a link: it is not taken"])
        self.assertEqual(len(found["carl"].problems), 2)
        self.assertEqual(found["dora"].problems, ["stage01/todo.cu is a link: it is not taken"])
        self.assertEqual(found["emil"].problems, ["stage01/todo.cu is no regular file: it is not taken"])
        self.assertEqual(found["fritz"].problems, ["fritz: it is a link"])
        self.assertEqual(found["gina"].problems, ["gina.zip: it is neither a file nor a folder"])

    def test_bombs(self):
        big = b"\0" * (8 << 20)
        self.zip("anna.zip", [("stage01/todo.cu", big), ("stage03/todo.cu", TODO)])
        self.tar("ben.tgz", [("stage01/todo.cu", big), ("stage03/todo.cu", TODO)])
        self.write_todo("carl/stage01/todo.cu", big)
        self.git("dora", [("stage01/todo.cu", big), ("stage03/todo.cu", TODO)])
        for each in collect(self.place, STAGES).submissions:
            self.assertNotIn("stage01", each.files)
            self.assertRegex(each.problems[0], "stage01/todo.cu is not taken: it has more than 1 MB")
            self.assertEqual(each.files, {} if each.student == "carl" else {"stage03": TODO})

    def test_a_tar_file_is_not_unpacked_without_end(self):
        with gzip.open(self.place / "anna.tar.gz", "wb") as file:
            info = tarfile.TarInfo("zeros")
            info.size = 1 << 40
            file.write(info.tobuf())
            for _ in range(8):
                file.write(b"\0" * (1 << 20))
        with mock.patch.object(entries, "MOST_UNPACKED_BYTES", 4 << 20):
            self.assertEqual(self.only().problems, ["anna.tar.gz: it unpacks to more than 4 MB"])

    def test_too_many_files(self):
        self.zip("anna.zip", [(str(i), b"") for i in range(30)])
        with mock.patch.object(entries, "MOST_ENTRIES", 20):
            self.assertEqual(self.only().problems, ["anna.zip: there are more than 20 files in it"])

    def test_what_is_damaged_or_something_else(self):
        self.write_todo("anna.zip", b"no zip")
        self.write_todo("ben.tar.gz", b"\x1f\x8b broken")
        self.write_todo("carl.pdf", b"%PDF")
        self.write_todo("dora.tar", b"x" * 2000)
        self.write_todo("emil/.git/HEAD", b"ref: refs/heads/main\n")
        for name in ("objects", "refs"):
            (self.place / "emil/.git" / name).mkdir()
        for each in collect(self.place, STAGES).submissions:
            self.assertEqual((each.files, len(each.problems)), ({}, 1), each)
            self.assertRegex(each.problems[0], "it can't be read|it is no folder, zip|its branch main has no commit")

    def test_names_cannot_move_the_cursor(self):
        self.write_todo("a\x1b[2Jb/\x1b[1mx\ny")
        found = self.only()
        self.assertEqual((found.student, found.extra), ("a\\x1b[2Jb", ["\\x1b[1mx\\ny"]))


class Repositories(Handed):
    def test_the_configuration_of_a_student_starts_nothing(self):
        files = [("stage01/todo.cu", TODO)]
        place = self.git("anna", files)
        mark = self.folder / "started"
        with (place / ".git/config").open("a") as config:
            config.write(f"[core]\nfsmonitor = touch {mark}\nhooksPath = {self.folder}\n[filter \"x\"]\nsmudge = touch {mark}\n")
            config.write(f'[remote "origin"]\nurl = ext::touch {mark}\npromisor = true\n[protocol "ext"]\nallow = always\n')
            config.write("[extensions]\npartialClone = origin\n")
        (place / "stage01/todo.cu").write_bytes(b"not committed")
        self.assertEqual(self.only().files, {"stage01": TODO})
        self.assertFalse(mark.exists())

    def test_an_object_that_is_not_there_is_not_fetched(self):
        place = self.git("anna", [("stage01/todo.cu", TODO)], bare=True)
        mark = self.folder / "started"
        blob = subprocess.run(["git", "rev-parse", "HEAD:stage01/todo.cu"], cwd=place, env=GIT, capture_output=True, text=True).stdout.strip()
        (place / "objects" / blob[:2] / blob[2:]).unlink()
        with (place / "config").open("a") as config:
            config.write(f'[remote "origin"]\nurl = ext::touch {mark}\npromisor = true\n[protocol "ext"]\nallow = always\n')
        found = self.only()
        self.assertEqual(found.files, {})
        self.assertRegex(found.problems[0], "stage01/todo.cu is not taken: git can't read it")
        self.assertFalse(mark.exists())

    def test_objects_of_another_repository_are_not_taken(self):
        place = self.git("anna", [("stage01/todo.cu", TODO)])
        info = place / ".git/objects/info"
        info.mkdir(exist_ok=True)
        (info / "alternates").write_text("/another/repository\n")
        self.assertEqual(self.only().problems, ["anna: it takes objects of another repository (objects/info/alternates)"])

    def test_a_head_that_is_a_commit_and_packed_branches(self):
        place = self.git("anna", [("stage01/todo.cu", TODO)])
        subprocess.run(["git", "checkout", "-q", "--detach"], cwd=place, env=GIT, check=True)
        self.assertEqual(self.only().files, {"stage01": TODO})
        subprocess.run(["git", "checkout", "-q", "main"], cwd=place, env=GIT, check=True)
        subprocess.run(["git", "pack-refs", "--all"], cwd=place, env=GIT, check=True)
        self.assertEqual(self.only().files, {"stage01": TODO})
        (place / ".git/HEAD").write_text("ref: refs/heads/../../../x\n")
        self.assertEqual(self.only().problems, ["anna: its HEAD names no branch"])


class Class(Handed):
    def test_the_roster_names_who_is_missing_and_who_is_unknown(self):
        listed = roster.parse("username,first_name,last_name,email,section,github_id\nAnna,A,B,a@b,1,2\nben,B,C,b@c,1,3\n", "r.csv")
        self.write_todo("anna/stage01/todo.cu")
        self.write_todo("zoe/stage01/todo.cu")
        found = collect(self.place, STAGES, listed)
        self.assertEqual([each.student for each in found.submissions], ["Anna"])
        self.assertEqual((found.without, found.problems), (["ben"], ["zoe is not graded: no username of the roster is its name without the ending"]))

    def test_the_roster_can_name_the_submission(self):
        listed = roster.parse("username,Submission\nanna,A B_123_assignsubmission_file_\nben,\n", "r.csv")
        self.write_todo("A B_123_assignsubmission_file_/stage01/todo.cu")
        self.write_todo("ben/stage01/todo.cu")
        found = collect(self.place, STAGES, listed)
        self.assertEqual(sorted(each.student for each in found.submissions), ["anna", "ben"])
        self.assertEqual((found.without, found.problems), ([], []))

    def test_who_hands_in_twice(self):
        self.write_todo("anna/stage01/todo.cu")
        self.zip("Anna.zip", [("stage01/todo.cu", TODO)])
        self.write_todo("ben/stage01/todo.cu")
        found = collect(self.place, STAGES)
        self.assertEqual([each.student for each in found.submissions], ["ben"])
        self.assertEqual(found.problems, ["Anna has handed in 2 times (Anna.zip, anna): none of them is graded"])

    def test_a_folder_without_submissions(self):
        for place in (self.place, self.folder / "nowhere"):
            with self.assertRaises(WorkbookError):
                collect(place, STAGES)

    def test_the_name_of_a_submission_is_that_of_the_student(self):
        names = {"a.tar.gz": "a", "a.zip": "a", "A.ZIP": "A", "a.b.tgz": "a.b", "a.git": "a", "a.cu": "a", "a": "a", "a.tar": "a"}
        self.assertEqual({name: key_of(Path(name)) for name in names}, names)


class Roster(support.ScratchCase):
    def test_what_programs_write(self):
        for text in ("Username;Name\nanna;A\n", "\ufeffusername\tx\nanna\ty\n", "Student ID,x\r\nanna,y\r\n", "name,Email\nA,anna\n\n,\n"):
            file = self.write("roster.csv", text)
            self.assertEqual([student.key for student in roster.read_roster(file)], ["anna"], text)
        self.assertEqual(roster.parse('username,name\n"anna","B, A"\n', "r")[0].columns["name"], "B, A")

    def test_a_name_cannot_move_the_cursor(self):
        self.assertEqual(roster.parse('username\n"a\x1b[2J\nb"\n', "r")[0].key, "a\\x1b[2J\\nb")

    def test_what_cannot_be_right_has_its_line(self):
        for text, message in (
            ("name,x\nA,B\n", "r.csv:1: no column names the student"),
            ("", "r.csv:1: no column names the student: .*none"),
            ("username,x\nanna,1\nAnna,2\n", "r.csv:3: 'Anna' stands there twice"),
            ("username,x\n,1\n", "r.csv:2: the column 'username' is empty"),
        ):
            with self.assertRaisesRegex(WorkbookError, message):
                roster.parse(text, "r.csv")

    def test_a_file_that_is_no_text(self):
        file = self.folder / "roster.csv"
        file.write_bytes(b"username\n\xff\xfe\n")
        with self.assertRaisesRegex(WorkbookError, "is no UTF-8"):
            roster.read_roster(file)
        with self.assertRaisesRegex(WorkbookError, "can't be read"):
            roster.read_roster(self.folder / "none.csv")


if __name__ == "__main__":
    unittest.main()
