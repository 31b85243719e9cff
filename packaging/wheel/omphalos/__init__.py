"""The omphalos program: runs and profiles OpenMP programs. `python -m omphalos` is it, too."""

import os
import platform
import sys

#: The folder that has bin, lib and include.
TREE = os.path.dirname(os.path.realpath(__file__))

#: What omphalos itself ends with for an error of its own.
OURS = 125

#: The oldest glibc that the program runs on.
GLIBC = (2, 28)


def obstacle():
    """Why the program cannot run on this machine, or None."""
    machine = platform.machine()
    if (sys.platform, machine) != ("linux", "x86_64"):
        system = f"{platform.system()} {machine}"
        return f"this is {system}: omphalos runs on Linux x86_64; use such a machine or container"
    try:
        name, version = os.confstr("CS_GNU_LIBC_VERSION").split()
        found = tuple(int(part) for part in version.split(".")[:2])
    except (AttributeError, OSError, ValueError):
        return (
            "this system's C library is not glibc (Alpine's is musl): use a container or a "
            "distribution with glibc, such as Debian, for omphalos and the programs that it runs"
        )
    if name == "glibc" and found < GLIBC:
        needed = ".".join(map(str, GLIBC))
        return (
            f"this system has glibc {version}, omphalos needs {needed}: use a newer system, "
            "such as RHEL 8 or Debian 10, or a container of one"
        )
    return None


def main():
    """Becomes the program."""
    program = os.path.join(TREE, "bin", "omphalos")
    why = obstacle()
    if why is None:
        try:
            os.execv(program, ["omphalos", *sys.argv[1:]])
        except OSError as error:
            why = (
                f"cannot start {program}: {error.strerror}; "
                "`python -m pip install --force-reinstall omphalos` lays it anew"
            )
    print(f"omphalos: {why}", file=sys.stderr)
    return OURS
