#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs ./bootstrap --install, --uninstall and --test in a copy of its own.

    bootstrap.py --ffind build/ffind [NAME...]    as unittest takes them: Installation.test_twice

Neither packages nor a compiler are needed: a stand-in for cmake copies what the real one installed once, and one
for ctest writes the reports of two suites.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOBODY = 65534
STAND_INS = {
    # BREAKS names a file at whose copy the installation ends, halfway; FIRST the only directory that is copied.
    "cmake": """
        [ "$1" = --install ] || { mkdir -p build/Testing/Temporary && exit; }
        to=$DESTDIR$4
        mkdir -p "$to"
        case $to in */stage/*) FIRST='' BREAKS='' ;; esac
        [ -z "${FIRST-}" ] || { cp -pR "$INSTALLED/$FIRST" "$to/" && exit 1; }
        cp -pR "$INSTALLED/." "$to/"
        [ -z "${BREAKS-}" ] || { rm "$to/$BREAKS" && echo 'no space left' && exit 1; }""",
    "ctest": """
        printf '%s\\n' 'skipped a: needs root' 'passed' 'skipped b: needs root' 'skipped c: needs jq' \\
            >build/Testing/Temporary/LastTest.log
        printf '<testsuite name="x"\\n\\ttests="5"\\n\\tfailures="%s"\\n\\tdisabled="0"\\n\\tskipped="1"\\n' \\
            "${FAILURES:-0}" >build/Testing/junit.xml
        exit "${FAILURES:-0}" """,
    "dpkg-query": "echo installed",
    "apt-get": "exit 1",
}


def snapshot(place):
    """Every path below `place` but the build's, with its mode, and the target of a link or the bytes of a file."""
    there = {}
    for path in sorted(pathlib.Path(place).rglob("*")):
        content = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else None
        name = path.relative_to(place).as_posix()
        if not name.startswith("checkout/build"):
            there[name] = (path.lstat().st_mode, content)
    return there


class Checkout(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.installed = pathlib.Path(place.name, "installed")
        subprocess.run(["cmake", "--install", PROGRAM.parent, "--prefix", cls.installed, "--strip"], check=True,
                       stdout=subprocess.DEVNULL)
        os.chmod(place.name, 0o755)

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="ffind bootstrap's ")
        self.addCleanup(place.cleanup)
        self.place = pathlib.Path(place.name).resolve()
        self.home, self.prefix = self.place / "home", self.place / "made/pre fix"
        for folder in ("checkout", "bin", "home"):
            (self.place / folder).mkdir()
        shutil.copy(ROOT / "bootstrap", self.place / "checkout")
        for name, text in STAND_INS.items():
            file = self.place / "bin" / name
            file.write_text(f"#!/bin/sh\n{text}\n")
            file.chmod(0o755)
        os.chmod(self.place, 0o755)
        self.files = {x for x, (_, content) in snapshot(self.installed).items() if content is not None}

    def bootstrap(self, *words, status=0, user=None, **environment):
        """What is printed, as a list of lines."""
        environment = {"HOME": str(self.home), "PATH": f"{self.place}/bin:{os.environ['PATH']}",
                       "INSTALLED": str(self.installed), **environment}
        done = subprocess.run([self.place / "checkout/bootstrap", *map(str, words)], env=environment, user=user,
                              cwd=self.place / "checkout", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, encoding="utf-8", check=False)
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout.splitlines()

    def refused(self, reason, *words, **more):
        """It fails for `reason` and leaves everything as it was."""
        before = snapshot(self.place)
        said = self.bootstrap(*words, **{"status": 1, **more})
        self.assertIn(reason, "\n".join(said))
        self.assertEqual(snapshot(self.place), before)

    def sums(self, *files):
        return subprocess.run(["cksum", *files], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout

    def installed_below(self, place):
        return {x for x, (_, content) in snapshot(place).items() if content is not None}


class Packages(Checkout):
    def without(self, *commands):
        """A directory of the commands of this machine, but those."""
        folder = self.place / "system"
        folder.mkdir()
        for place in reversed(os.environ["PATH"].split(":")):
            for file in pathlib.Path(place).glob("*"):
                (folder / file.name).unlink(missing_ok=True)
                if file.name not in commands:
                    (folder / file.name).symlink_to(file)
        for name in commands:
            (self.place / "bin" / name).unlink(missing_ok=True)
        return folder

    def test_alpine(self):
        system = self.without("dpkg-query", "apt-get", "brew", "sudo", "doas")
        apk = self.place / "bin/apk"
        apk.write_text('#!/bin/sh\ncase $1 in info) [ "$3" = cmake ] ;; *) echo "$@" >>"$HOME/apk" ;; esac\n')
        apk.chmod(0o755)
        path = f"{self.place}/bin:{system}"
        if os.getuid() == 0:
            self.bootstrap("--test", PATH=path)
            words = (self.home / "apk").read_text().split()
            self.assertEqual(words[:3], ["add", "--quiet", "--update-cache"])
            # A command that is there is no package; what is installed is left alone.
            self.assertLessEqual({"g++", "cli11-dev", "linux-headers", "catch2-3", "sed"}, set(words))
            self.assertFalse({"cmake", "-", "g++-", "libcli11-dev"} & set(words))
            (self.home / "apk").unlink()
            apk.write_text("#!/bin/sh\nexit 1\n")
            self.refused("apk add --repository https://dl-cdn.alpinelinux.org/alpine/edge/testing cli11-dev", PATH=path)
        self.refused("no sudo here; have someone run: apk add g++", status=1, PATH=path,
                     user=NOBODY if os.getuid() == 0 else None)

    def test_homebrew_refuses_root(self):
        if os.getuid() != 0 or not shutil.which("setpriv"):
            self.skipTest("needs root and setpriv")
        system = self.without("dpkg-query", "apt-get", "apk", "sudo", "doas")
        os.chmod(self.home, 0o777)
        for name, text in {"brew": '[ "$(id -u)" -ne 0 ] || { echo "Error: Running Homebrew as root"; exit 1; }\n'
                                   'case $1 in list) [ "$3" = fmt ] ;; *) echo "$@" >>"$HOME/brewed" ;; esac',
                           "sudo": 'echo "$@" >>"$HOME/sudo"; shift 3\n'
                                   f'exec setpriv --reuid={NOBODY} --clear-groups "$@"'}.items():
            file = self.place / "bin" / name
            file.write_text(f"#!/bin/sh\n{text}\n")
            file.chmod(0o755)
        path = f"{self.place}/bin:{system}"
        self.refused("Homebrew refuses root; run ./bootstrap as its user first", PATH=path)
        self.refused("Homebrew refuses root; run ./bootstrap as its user first", PATH=path, SUDO_USER="root")
        self.bootstrap("--install", self.prefix, PATH=path, SUDO_USER="nobody")
        self.assertTrue((self.prefix / "bin/ffind").exists())
        brewed = (self.home / "brewed").read_text()
        self.assertIn("install --quiet", brewed)
        self.assertIn(f"-H -u nobody {self.place}/bin/brew ", (self.home / "sudo").read_text())


class Installation(Checkout):
    def test_all_of_it(self):
        said = self.bootstrap("--install", self.prefix)
        self.assertEqual(self.installed_below(self.prefix), self.files | {"share/ffind/installed"})
        for name in ("man/man1/ffind.1", "bash-completion/completions/ffind", "zsh/site-functions/_ffind",
                     "fish/vendor_completions.d/ffind.fish", "ffind/ffind-keys.zsh"):
            self.assertIn(f"share/{name}", self.files)
        self.assertTrue(os.access(self.prefix / "bin/ffind", os.X_OK))
        self.assertIn(f"bootstrap: to try it: {self.prefix}/bin/ffind readme /usr/share/doc", said[-1])

    def test_list(self):
        self.bootstrap("--install", self.prefix)
        lines = (self.prefix / "share/ffind/installed").read_text().splitlines()
        listed = {line for line in lines if line[0].isdigit()}
        self.assertEqual(listed, set(self.sums(*(self.prefix / name for name in self.files)).splitlines()))
        self.assertIn(f"directory - {self.place}/made", lines)
        self.assertNotIn(f"directory - {self.place}", lines)

    def test_nothing_is_left(self):
        before = snapshot(self.place)
        self.bootstrap("--install", self.prefix)
        self.assertIn("removed", self.bootstrap("--uninstall", f"{self.prefix}//")[-1])
        self.assertEqual(snapshot(self.place), before)

    def test_directories_of_others_stay(self):
        (self.prefix / "share/man").mkdir(parents=True)
        (self.prefix / "bin").mkdir()
        before = snapshot(self.prefix)
        self.bootstrap("--install", self.prefix)
        (self.prefix / "share/zsh/other").write_text("")
        self.bootstrap("--uninstall", self.prefix)
        self.assertEqual(set(snapshot(self.prefix)), {*before, "share/zsh", "share/zsh/other"})

    def test_twice(self):
        self.bootstrap("--install", self.prefix)
        before = snapshot(self.prefix)
        self.bootstrap("--install", self.prefix)
        self.assertEqual(snapshot(self.prefix), before)
        self.bootstrap("--uninstall", self.prefix)
        self.assertFalse((self.place / "made").exists())

    def test_files_of_an_earlier_version(self):
        self.bootstrap("--install", self.prefix)
        old, changed = self.prefix / "bin/old", self.prefix / "bin/changed"
        old.write_text("old\n")
        changed.write_text("old\n")
        with open(self.prefix / "share/ffind/installed", "a", encoding="utf-8") as file:
            file.write(self.sums(old, changed))
        changed.write_text("new\n")
        said = self.bootstrap("--install", self.prefix)
        self.assertFalse(old.exists())
        self.assertIn(f"bootstrap: kept, because it was changed: {changed}", said)

    def test_changed_files_stay(self):
        self.bootstrap("--install", self.prefix)
        keys, page = self.prefix / "share/ffind/ffind-keys.zsh", self.prefix / "share/man/man1/ffind.1"
        keys.write_text("mine\n")
        page.unlink()
        page.symlink_to(self.installed / "share/man/man1/ffind.1")
        self.refused(str(keys), "--install", self.prefix)
        said = self.bootstrap("--uninstall", self.prefix)
        self.assertEqual([x for x in said if "kept" in x],
                         [f"bootstrap: kept, because it was changed: {x}" for x in sorted((keys, page))])
        self.assertEqual(self.installed_below(self.prefix), {"share/ffind/ffind-keys.zsh", "share/man/man1/ffind.1"})

    def test_foreign_file(self):
        page = self.prefix / "share/man/man1/ffind.1"
        page.parent.mkdir(parents=True)
        page.write_text("of another package\n")
        self.refused(str(page), "--install", self.prefix)
        page.unlink()
        page.symlink_to("nowhere")
        self.refused(str(page), "--install", self.prefix)

    def test_file_for_a_directory(self):
        self.prefix.mkdir(parents=True)
        (self.prefix / "bin").write_text("")
        self.refused(f"{self.prefix}/bin is not a directory", "--install", self.prefix)
        (self.prefix / "bin").unlink()
        (self.prefix / "share").mkdir()
        (self.prefix / "share/fish").symlink_to("nowhere")
        self.refused(f"{self.prefix}/share/fish is not a directory", "--install", self.prefix)

    def test_relative(self):
        self.refused(f"try: ./bootstrap --install {self.place}/checkout/local", "--install", "local")
        self.refused("must be an absolute path", "--install", "")
        self.refused("must be an absolute path", "--uninstall", "local")
        self.refused("DESTDIR must be an absolute path", "--install", self.prefix, DESTDIR="stage")
        self.refused("must be a single line", "--install", "/a\nb")

    def test_no_permission(self):
        self.prefix.mkdir(parents=True)
        self.prefix.chmod(0o555)
        user = NOBODY if os.geteuid() == 0 else None
        self.refused(f"no permission to write to {self.prefix}", "--install", self.prefix, user=user)
        self.refused(f"no permission to write to {self.prefix}", "--install", self.prefix / "a/b", user=user)
        self.prefix.chmod(0o777)

    def test_no_list(self):
        self.refused("nothing is installed below", "--uninstall", self.prefix)

    def test_halfway(self):
        before = snapshot(self.place)
        said = self.bootstrap("--install", self.prefix, status=1, BREAKS="bin/ffind")
        self.assertIn("no space left", said)
        self.bootstrap("--uninstall", self.prefix)
        self.assertEqual(snapshot(self.place), before)

    def test_halfway_to_another_version(self):
        before = snapshot(self.place)
        self.bootstrap("--install", self.prefix)
        page, listed = self.prefix / "share/man/man1/ffind.1", self.prefix / "share/ffind/installed"
        old = self.sums(page)
        page.write_text("of an older version\n")
        listed.write_text(listed.read_text().replace(old, self.sums(page)))
        self.bootstrap("--install", self.prefix, status=1, FIRST="bin")
        self.assertEqual(page.read_text(), "of an older version\n")
        self.bootstrap("--install", self.prefix)
        self.assertEqual(self.sums(page), old)
        self.bootstrap("--uninstall", self.prefix)
        self.assertEqual(snapshot(self.place), before)

    def test_destdir(self):
        stage = self.place / "stage"
        self.bootstrap("--install", "/usr", DESTDIR=str(stage))
        self.assertEqual(self.installed_below(stage / "usr"), self.files | {"share/ffind/installed"})
        self.assertNotIn(str(stage), (stage / "usr/share/ffind/installed").read_text())
        self.bootstrap("--uninstall", "/usr", DESTDIR=str(stage))
        self.assertEqual(list(stage.iterdir()), [])

    def test_default_prefix(self):
        self.bootstrap("--install", DESTDIR=f"{self.place}/stage")
        where = "usr/local" if os.geteuid() == 0 else str(self.home)[1:] + "/.local"
        self.assertTrue((self.place / "stage" / where / "bin/ffind").exists())
        if os.geteuid() == 0:
            os.chown(self.home, NOBODY, NOBODY)
            os.chown(self.place / "checkout", NOBODY, NOBODY)
            self.bootstrap("--install", user=NOBODY)
            self.assertTrue((self.home / ".local/bin/ffind").exists())

    def test_what_root_built_belongs_to_the_owner(self):
        if os.geteuid() != 0:
            self.skipTest("needs root")
        os.chown(self.place / "checkout", NOBODY, NOBODY)
        self.bootstrap()
        self.assertEqual((self.place / "checkout/build/Testing").stat().st_uid, NOBODY)


class Shells(Checkout):
    """In a new shell the program, its page and its completions are found, once what was said is in its file."""

    def find(self, shell, file, questions, answers):
        if not shutil.which(shell):
            self.skipTest(f"needs {shell}")
        self.find_below(self.home / ".local", shell, self.home / file, questions, answers)
        self.home /= "other"
        self.find_below(self.prefix, shell, self.home / file, questions, answers)

    def find_below(self, prefix, shell, file, questions, answers):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("# settings\n\n")
        said = self.bootstrap("--install", prefix)
        start = said.index(f"bootstrap: add to {file}:") + 1
        lines = [x for x in said[start:] if x.startswith("    ")]
        with open(file, "a", encoding="utf-8") as rc:
            rc.writelines(line.strip() + "\n" for line in lines)
        login = ["-l"] if file.name == ".bash_profile" else []
        asked = subprocess.run([shell, *login, "-i", "-c", questions], cwd=self.home, stdin=subprocess.DEVNULL,
                               env={"HOME": str(self.home), "PATH": os.environ["PATH"], "TERM": "dumb"},
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", check=False)
        told = asked.stdout.splitlines()
        self.assertEqual(told[:1], [f"{prefix}/bin/ffind"], asked)
        if shutil.which("man"):
            self.assertIn(f"{prefix}/share/man/man1/ffind.1", told, asked)
        for answer in answers:
            self.assertTrue(any(answer in line for line in told), f"{answer} in {asked}")
        # They are not asked for again.
        again = self.bootstrap("--install", prefix)
        repeated = [x.strip() for x in again if x.startswith("    ")]
        self.assertEqual([x for x in repeated if x in map(str.strip, lines)], [])

    def test_bash(self):
        self.find("bash", ".bash_profile" if sys.platform == "darwin" else ".bashrc",
                  "command -v ffind; man -w ffind; { _completion_loader ffind || complete -p ffind; } 2>/dev/null;"
                  "complete -p ffind; bind -m emacs-standard -p 2>/dev/null; bind -s", ["complete ", "C-t"])

    def test_zsh(self):
        self.find("zsh", ".zshrc", "command -v ffind; man -w ffind; print -r -- $_comps[ffind]; bindkey '^T'",
                  ["_ffind", "__ffind_keys_paths"])

    def test_fish(self):
        self.find("fish", ".config/fish/config.fish",
                  "command -v ffind; man -w ffind; complete -C 'ffind --explai'; bind \\ct",
                  ["--explain", "__ffind_keys_paths"])

    def test_nothing_to_add(self):
        (self.home / ".zshrc").write_text("")
        (self.home / ".bashrc").write_text("source x/ffind-keys.bash\n")
        (self.home / ".bash_profile").write_text("source x/ffind-keys.bash\n")
        prefix = self.home / ".local"
        said = self.bootstrap("--install", prefix, SHELL="/bin/bash",
                              PATH=f"{self.place}/bin:{prefix}/bin:{os.environ['PATH']}")
        self.assertFalse([x for x in said if "PATH=" in x or "ffind-keys.bash" in x], said)
        self.assertEqual(said[-1], "bootstrap: to try it: ffind readme /usr/share/doc")


class Endings(Checkout):
    def test_three_lines(self):
        program = f"{self.place}/checkout/build/ffind"
        where, how, what = self.bootstrap()[-3:]
        self.assertEqual(where, f"bootstrap: built {program}")
        self.assertIn("./bootstrap --install [PREFIX]", how)
        self.assertEqual(what, "bootstrap: to try it: build/ffind readme /usr/share/doc")

    def test_verdict(self):
        verdict = "suites passed, 3 cases skipped: list in build/Testing/skipped"
        self.assertEqual(self.bootstrap("--test")[-3:], [
            "bootstrap: skipped 2: needs root", "bootstrap: skipped 1: needs jq", f"bootstrap: 4 of 5 {verdict}"])
        self.assertEqual(self.bootstrap("--test", status=2, FAILURES="2")[-1], f"bootstrap: 2 of 5 {verdict}")
        self.assertIn("skipped c: needs jq", (self.place / "checkout/build/Testing/skipped").read_text())

    def test_failed_tests_are_not_installed(self):
        said = self.bootstrap("--test", "--install", self.prefix, status=1, FAILURES="1")
        self.assertIn("3 of 5 suites", said[-1])
        self.assertFalse(self.prefix.exists())
        self.assertIn("to try it", self.bootstrap("--install", self.prefix, "--test")[-1])

    def test_misuse(self):
        for words in (["--instal"], ["--install", "--uninstall"], ["--test", "--uninstall"], ["--install", "/a", "/b"]):
            self.assertIn("Usage: ./bootstrap", "\n".join(self.bootstrap(*words, status=2)))


if __name__ == "__main__":
    at = sys.argv.index("--ffind")
    PROGRAM = pathlib.Path(sys.argv[at + 1]).resolve()
    del sys.argv[at:at + 2]
    unittest.main(verbosity=1)
