"""What lldb keeps to itself of a core file: the system calls that threads were in."""

import os
import stat
import struct

# NT_PRSTATUS; in it the thread, and orig_rax, the sixteenth of its registers.
STATUS, LWP, REGISTERS, ORIG_RAX = 1, 32, 112, 15
# Notes of a core file that are looked through, in bytes.
LARGEST = 1 << 26


def calls(path):
    """The number of the system call (2^64 - 1: none) of each thread, by LWP; nothing of a file that
    is no such core."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return {}
        with open(path, "rb") as file:
            return _calls(file)
    except (OSError, struct.error, ValueError):
        return {}


def _calls(file):
    head = file.read(64)
    # ELF of 64 bits, little-endian, a core, of x86-64.
    if head[:6] != b"\x7fELF\x02\x01" or struct.unpack_from("<HH", head, 16) != (4, 62):
        return {}
    (offset,) = struct.unpack_from("<Q", head, 32)
    entry, count = struct.unpack_from("<HH", head, 54)
    if entry != 56:
        return {}
    file.seek(offset)
    segments = file.read(entry * count)
    found, left = {}, min(LARGEST, os.fstat(file.fileno()).st_size)
    for at in range(count):
        kind, _, start, _, _, length, _, _ = struct.unpack_from("<IIQQQQQQ", segments, at * entry)
        # PT_NOTE
        if kind == 4 and length <= left:
            # Segments may overlap: all together take no more than the file.
            left -= length
            file.seek(start)
            _notes(file.read(length), found)
    return found


def _notes(notes, found):
    at = 0
    while at + 12 <= len(notes):
        name, length, kind = struct.unpack_from("<III", notes, at)
        data = at + 12 + (name + 3) // 4 * 4
        if (
            kind == STATUS
            and notes[at + 12 : at + 16] == b"CORE"
            and length >= REGISTERS + 8 * (ORIG_RAX + 1)
        ):
            (lwp,) = struct.unpack_from("<I", notes, data + LWP)
            (found[lwp],) = struct.unpack_from("<Q", notes, data + REGISTERS + 8 * ORIG_RAX)
        at = data + (length + 3) // 4 * 4
