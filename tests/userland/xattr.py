# SPDX-License-Identifier: MIT
"""macOS's xattr(1) over Linux's extended attributes, which lie in the namespace `user.`.

    xattr FILE                    the names
    xattr -w[x] NAME VALUE FILE   sets; x: VALUE is hexadecimal
    xattr -p[x] NAME FILE         prints
    xattr -d NAME FILE            removes
"""
import os
import sys


def refuse(text):
    sys.stderr.write(f"xattr: {text}\n")
    sys.exit(64)


def main(words):
    letters = ""
    while words and words[0].startswith("-") and words[0] != "-":
        letters += words.pop(0)[1:]
    if not set(letters) <= set("wpdx"):
        refuse(f"option {letters} not recognized")
    action = letters.replace("x", "")
    wanted = {"w": 3, "p": 2, "d": 2, "": 1}.get(action)
    if wanted != len(words):
        refuse("usage: xattr [-w|-p|-d] [-x] [NAME] [VALUE] FILE")
    path = words[-1]
    name = "user." + words[0]
    try:
        if action == "w":
            os.setxattr(path, name, bytes.fromhex(words[1]) if "x" in letters else os.fsencode(words[1]))
        elif action == "p":
            value = os.getxattr(path, name)
            sys.stdout.buffer.write(value.hex(" ").upper().encode() + b"\n" if "x" in letters else value + b"\n")
        elif action == "d":
            os.removexattr(path, name)
        else:
            print("\n".join(each[len("user."):] for each in os.listxattr(path)))
    except OSError as error:
        refuse(f"[Errno {error.errno}] {error.strerror}: '{path}'")
    except ValueError:
        refuse(f"{words[1]}: not hexadecimal")


if __name__ == "__main__":
    main(sys.argv[1:])
