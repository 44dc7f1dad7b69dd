# SPDX-License-Identifier: MIT
"""Shells that complete: each is started once on a terminal of its own and answers all cases.

`offered(line)` is what the shell would offer behind `line`, `after_tab(line)` the line after one TAB.
Both type into the shell's own line editor; a key bound to `dump` sends the line back through
descriptor 9, so that nothing has to be read off the screen and nothing waits for time to pass.
"""
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import time

COMPLETIONS = pathlib.Path(__file__).resolve().parents[2] / "completions"
BASH_COMPLETION = [pathlib.Path(directory) / "bash-completion/bash_completion"
                   for directory in ("/usr/share", "/opt/homebrew/share", "/usr/local/share")]
SECONDS = 60  # for one answer: more than a loaded machine needs, less than ctest's limit

ALL, TAB, DUMP = b"\x18a", b"\t", b"\x18d"  # \x18 is Ctrl-X


class Missing(Exception):
    """The shell, or what it needs, is not installed."""


class Shell:
    """`script` is read first: as the file SETUP of `arguments`, or else by a command."""

    def __init__(self, home, environment, arguments, script):
        path = shutil.which(arguments[0])
        if path is None:
            raise Missing(f"{arguments[0]} is not installed")
        setup = pathlib.Path(home) / ("." + arguments[0] + "-setup")
        setup.write_text(script)
        source = "SETUP" not in arguments
        arguments = [str(setup) if word == "SETUP" else word for word in arguments]
        self._answers, answers = os.pipe()
        process, self._terminal = pty.fork()
        if process == 0:
            os.dup2(answers, 9)
            os.chdir(home)
            os.execve(path, arguments, environment)
        os.close(answers)
        if source:
            self._type(f" source {setup}\n".encode())
        self._read()  # the empty line that the script ends with

    def close(self):
        os.close(self._terminal)  # hangs the shell up
        os.close(self._answers)
        os.wait()

    def _type(self, keys):
        os.write(self._terminal, keys)

    def _read(self):
        """What dump sends, up to its NUL; what is shown meanwhile is thrown away."""
        answer, until = b"", time.monotonic() + SECONDS
        while not answer.endswith(b"\0"):
            ready, _, _ = select.select([self._answers, self._terminal], [], [],
                                        max(0, until - time.monotonic()))
            if not ready:
                raise TimeoutError("the shell does not answer")
            if self._terminal in ready:
                shown = os.read(self._terminal, 65536)
                if os.environ.get("SHOW"):  # to see what a shell complains of
                    print(shown)
            if self._answers in ready:
                answer += os.read(self._answers, 65536)
        return answer[:-1].decode()

    def _line_after(self, line, key):
        self._type(line.encode() + key + DUMP)
        return self._read()

    def after_tab(self, line):
        return self._line_after(line, TAB)

    def offered(self, line, start):
        """`start` is where the word begins that is completed: all that fits is put there."""
        answer, typed = self._line_after(line, ALL)[start:], line[start:]
        quote = next((c for c in typed if c in "'\""), "")
        if not quote or typed.count(quote) % 2 == 0 or "\\" in answer:
            return words_of(answer)
        # bash drops an open quote, zsh closes it: not every blank stands between two words.
        before, _, typed = typed.partition(quote)
        answer, known = answer.replace(quote, "")[len(before):], known_part(typed)
        return [word.strip() for word in (answer.split(known) if known else answer.split())]


def words_of(text):
    """As a shell reads them; a quote that is still open ends with the text."""
    words, word, quote, escaped = [], None, "", False
    for c in text:
        if escaped:
            word, escaped = (word or "") + c, False
        elif c == "\\" and quote != "'":
            word, escaped = word or "", True
        elif quote:
            word, quote = (word, "") if c == quote else (word + c, quote)
        elif c in "'\"":
            word, quote = word or "", c
        elif c == " ":
            words, word = words + ([] if word is None else [word]), None
        else:
            word = (word or "") + c
    return words + ([] if word is None else [word])


def known_part(typed):
    """What of the word `typed` stands before the part that is completed."""
    return re.match(r"(?s)(?:.*[,(=: ])?", typed).group()


class Bash(Shell):
    LOAD = f"source '{COMPLETIONS}/ffind.bash'"

    def __init__(self, home, environment):
        version = subprocess.run(["bash", "-c", "echo $BASH_VERSINFO"], stdout=subprocess.PIPE, check=False)
        if int(version.stdout or 0) < 4:
            raise Missing("bash is older than 4 (macOS's own): what it cannot do is not looked for")
        super().__init__(home, environment, ["bash", "--noprofile", "--rcfile", "SETUP", "-i"],
                         self.LOAD + r"""
PS1=
bind 'set enable-bracketed-paste off'
bind 'set bell-style none'
bind 'set completion-query-items 0'
bind 'set page-completions off'
bind '"\C-xa": insert-completions'
dump() { printf '%s\0' "$READLINE_LINE" >&9; READLINE_LINE= READLINE_POINT=0; }
bind -x '"\C-xd": dump'
printf '\0' >&9
""")


class BashWithPackage(Bash):
    """The package bash-completion finds the file by itself, under its installed name."""

    def __init__(self, home, environment):
        package = next(filter(pathlib.Path.exists, BASH_COMPLETION), None)
        if package is None:
            raise Missing("the package bash-completion is not installed")
        place = pathlib.Path(home) / "data/bash-completion/completions"
        place.mkdir(parents=True)
        shutil.copy(COMPLETIONS / "ffind.bash", place / "ffind")
        self.LOAD = f"source '{package}'"
        super().__init__(home, environment | {"XDG_DATA_HOME": str(place.parents[1])})


class Zsh(Shell):
    LOAD = f"fpath=('{COMPLETIONS}' $fpath); autoload -Uz compinit && compinit -D -u"

    def __init__(self, home, environment):
        super().__init__(home, environment, ["zsh", "-f", "-i"], "PS1= PS2= RPS1=\n" + self.LOAD + r"""
zstyle ':completion:all-matches::::' completer _all_matches _complete
zstyle ':completion:all-matches:*' insert yes
zle -C all-matches complete-word _generic
dump() { print -rN -- "$BUFFER" >&9; BUFFER= }
zle -N dump
bindkey '^Xa' all-matches
bindkey '^Xd' dump
printf '\0' >&9
""")


class Fish(Shell):
    LOAD = ""
    INSTALLED = True

    def __init__(self, home, environment):
        place = pathlib.Path(home) / "data/fish/vendor_completions.d"
        place.mkdir(parents=True)
        if self.INSTALLED:
            shutil.copy(COMPLETIONS / "ffind.fish", place)
        environment = environment | {"XDG_DATA_DIRS": str(place.parents[1])}
        super().__init__(home, environment, ["fish", "-i"], self.LOAD + r"""
function fish_prompt; end
function fish_greeting; end
set fish_autosuggestion_enabled 0
function dump
  printf '%s\0' (commandline | string collect) >&9
  commandline ''
end
function dump_all
  printf '%s\n' (complete -C (commandline | string collect)) | string collect >&9
  commandline ''
end
bind \cxd dump
bind \cxa dump_all
printf '\0' >&9
""")

    def offered(self, line, start):
        """fish has no key that types all there is, but a command that prints it, with descriptions."""
        rows = [(word + "\t").split("\t")[:2] for word in self._line_after(line, ALL).splitlines() if word]
        descriptions = {description for _, description in rows}
        if len(rows) > 2 and len(descriptions) == 1 and descriptions.isdisjoint({"", "Directory"}):
            return [f"{descriptions} behind each"]
        return [word for word, _ in rows]


class PrintedBash(Bash):
    """What --completions prints, loaded as the manual says; so below."""
    LOAD = 'eval "$(ffind --completions bash)"'


class PrintedZsh(Zsh):
    LOAD = 'autoload -Uz compinit && compinit -D -u; eval "$(ffind --completions zsh)"'


class PrintedFish(Fish):
    LOAD = "ffind --completions fish | source"
    INSTALLED = False


SHELLS = {"bash": Bash, "bash-with-package": BashWithPackage, "bash-printed": PrintedBash, "zsh": Zsh,
          "zsh-printed": PrintedZsh, "fish": Fish, "fish-printed": PrintedFish}
