#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the surroundings of a Mac: what could not run there must not run here."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import portable  # noqa: E402


class Userland(unittest.TestCase):
    """Commands by their stand-ins."""

    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def run_in(self, script):
        return subprocess.run([sys.executable, HERE / "run.py", "bash", "-c", f"cd $TMPDIR\n{script}"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, encoding="utf-8")

    def says(self, script, text):
        done = self.run_in(script)
        self.assertEqual((done.returncode, done.stdout.split("\n", 1)[1]), (0, text), script)

    def test_refused(self):
        commands = [
            "stat -c %i .", "stat .", "touch -d @1000 a", "touch -d yesterday a", "find -name a", "find . -printf x",
            "find . -xtype l", "find . -regextype posix-basic", "find . -executable", "sed -i s/a/b/ a",
            "sed -z s/a/b/", "sed -n '2,/x/{/./p}'", "sed 'a text'", "echo | paste -sd' '", "head -n -1 a",
            "grep -P a a", "grep --color a a", "sort --version", "ls --color=never", "cp --parents a b", "cp -t a b",
            "ln -r a b", "mv -T a b", "readlink -e a", "date -d now", "date --iso-8601", "xargs -d, echo",
            "xargs -a a echo", "mktemp -p . --suffix .x", "mktemp ./XXXXXX.txt", "du -b .", "wc --lines a", "cat -A a",
            "stty -F /dev/tty", "cut --complement -c 1 a", "od --endian=big a", "env --chdir=/ true"]
        done = self.run_in(": >a\n" + "".join(f"({command}) 2>&1; echo \"status $?\"\n" for command in commands))
        answers = done.stdout.split("\n", 1)[1].split("status ")
        self.assertEqual(len(answers), len(commands) + 1, done.stdout)
        for command, said, status in zip(commands, answers, answers[1:]):
            self.assertFalse(status.startswith("0\n"), command)
            self.assertRegex(said, r"BSD's|expected \\", command)
        self.assertEqual(self.run_in("ls . -l").returncode, 2)  # options end at the first operand

    def test_missing(self):
        self.says("command -v timeout setfattr getfattr strace setsid setpriv unshare nproc tac md5sum sha256sum "
                  "ldd mkfs.ext4 prlimit shuf fdfind || echo none", "none\n")

    def test_other_output(self):
        self.says("printf 'a b\\nc\\n' | wc -l; printf 'a b\\nc\\n' >'a b'; wc 'a b'; wc -c 'a b'",
                  "       2\n       2       3       6 a b\n       6 a b\n")
        self.says("printf 'a\\na\\n' | uniq -c", "   2 a\n")
        self.says("date +%s%N | grep -c '^[0-9]*N$'", "1\n")
        self.says("umask 022; : >f; TZ=UTC0 touch -t 200101010000.01 f; stat -f '%z %Lp %m %N' f",
                  "0 644 978307201 f\n")
        self.says("printf '' | xargs echo ran", "")
        self.says("mkdir t; touch 't/a\nb'; find t -regex 't/a.b' -exec printf x ';'", "x")

    def test_attributes(self):
        script = ": >f; xattr -w com.example.a one f || exit; xattr -wx com.example.b 0aFF f; " \
                 "xattr -px com.example.b f; xattr -p com.example.a f; xattr -d com.example.a f; xattr f"
        done = self.run_in(script)
        if "not supported" in done.stdout:
            self.skipTest("no extended attributes here")
        self.assertEqual(done.stdout.split("\n", 1)[1], "0A FF\none\ncom.example.b\n")

    def test_surroundings(self):
        self.says("ulimit -s; ulimit -n; echo $FFIND_LIKE_A_MAC", "512\n256\n1\n")
        done = self.run_in("pwd -P")
        self.assertGreaterEqual(len(done.stdout.split("\n")[1]),
                                len("/private/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T"))
        done = self.run_in('tmux -S "$TMPDIR/ffind-tests-xxxxxxxx/ffind-cli-xxxxxxxx/home/../screen" ls')
        self.assertEqual(done.returncode, 64)
        self.assertEqual(self.run_in("exit 3").returncode, 3)


class Cases(unittest.TestCase):
    """Cases that no Mac can pass, with `true` for the program."""

    def status(self, text):
        with tempfile.TemporaryDirectory() as place:
            os.chmod(place, 0o755)
            case = pathlib.Path(place, "x.case")
            case.write_text("# promise\n" + text, encoding="utf-8")
            done = subprocess.run([sys.executable, HERE / "run.py", sys.executable, HERE.parent / "cli" / "run.py",
                                   "--ffind", "/usr/bin/true", "--case", case], stdout=subprocess.PIPE, check=False)
            self.said = done.stdout.decode()
            return done.returncode

    def fails(self, text, because):
        self.assertEqual(self.status(text), 1, self.said)
        self.assertIn(because, self.said)

    def test_names(self):
        self.fails("[setup]\ntree a A\n[run]\ntrue\n", "needs: casesensitive")
        self.fails("[run]\nmkdir d; tree d/straße d/STRASSE\n", "needs: casesensitive")
        self.fails("[setup]\ntree $'\\xc3\\xa9' $'e\\xcc\\x81'\n[run]\ntrue\n", "needs: casesensitive")
        self.fails("[setup]\ntree $'\\xff'\n[run]\ntrue\n", "needs: rawnames")
        self.assertEqual(self.status("[setup]\ntree a/b B\n[run]\ntrue\n"), 0, self.said)

    def test_words(self):
        self.fails("[run]\ntree a; stat -c %a a\n", "illegal option -- c")
        self.fails("[run]\nprintf 'a\\n' | wc -l\n[stdout]\n1\n", "+       1")
        self.fails(f"[run]\nsock {'f' * 104}\n", "longer than")

    def test_skipped(self):
        for word in ("root", "casesensitive", "linux", "rawnames", "strace"):
            self.assertEqual(self.status(f"needs: {word}\n[run]\ntrue\n"), 77, self.said)
            self.assertIn(f"skipped x: needs {word}", self.said)
        self.assertEqual(self.status("mount: yes\n[run]\ntrue\n"), 77, self.said)
        self.assertIn("skipped x: mount namespaces need Linux", self.said)


class Portable(unittest.TestCase):
    def told(self, problems):
        return [what for _, what in problems]

    def test_bash(self):
        for line in ("declare -A a", "local -n x=y", "mapfile -t a", "echo ${x^^}", "echo ${x,}", "echo ${x@Q}",
                     "echo ${x:0:-1}", "echo ${a[-1]}", "a |& b", "a &>>b", "printf '%(%s)T'", "wait -n", "[[ -v x ]]",
                     "read -t 0.5 x", "exec {fd}<x", "echo {01..10}", "echo {1..9..2}", "shopt -s globstar",
                     "echo $BASHPID", r"echo $'\u00e9'", "x=$(case $y in a) echo;; esac)", "a) b ;;&"):
            self.assertEqual(len(self.told(portable.bash_problems([(1, line)]))), 1, line)
        for line in ("# declare -A a", "local -a x", "echo ${x: -1} ${x:1:2} ${x/a/b}", "a | b & c", "a >b 2>&1",
                     "{1..9}", "read -r x", "[ -n x ]", r"echo $'\xc3\xa9'", "a) b ;;", "printf '%s' x", "wait $!", "${a[@]}"):
            self.assertEqual(self.told(portable.bash_problems([(1, line)])), [], line)
        self.assertEqual(len(self.told(portable.bash_problems([(1, "set -eu"), (2, 'x "${a[@]}"')]))), 1)
        self.assertEqual(self.told(portable.bash_problems([(1, "set -eu"), (2, 'x ${a[@]+"${a[@]}"}')])), [])

    def test_python(self):
        for text in ("match x:\n  case 1: pass\n", "try:\n  pass\nexcept* OSError:\n  pass\n",
                     "def f(x: int | None): pass\n", "isinstance(x, int | str)\n", "zip(a, b, strict=True)\n", "import tomllib\n",
                     "from itertools import pairwise\n", "itertools.pairwise(x)\n", "datetime.UTC\n",
                     "@dataclass(slots=True)\nclass A: pass\n", "x: str | None = None\n"):
            self.assertEqual(len(self.told(portable.python_problems(text))), 1, text)
        for text in ("x = a | b\n", "zip(a, b)\n", "from __future__ import annotations\ndef f(x: int | None): pass\n",
                     "x = {1: 2} | {3: 4}\n"):
            self.assertEqual(self.told(portable.python_problems(text)), [], text)

    def test_what_is_here(self):
        done = subprocess.run([sys.executable, HERE / "portable.py"], stdout=subprocess.PIPE, check=False)
        self.assertEqual((done.stdout, done.returncode), (b"", 0))


if __name__ == "__main__":
    unittest.main()
