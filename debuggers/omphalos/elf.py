"""Where a program's machine code calls the runtime, read from its ELF file on x86-64.

A call goes through a linkage stub (`jmp *slot`) or through the slot itself. The dynamic linker's
relocations name the slots, so this works on stripped programs. Code in the program is read and
never executed.
"""

import mmap
import os
import re
import stat
import struct

# Code before a call in which its arguments are loaded.
REACH = 256
# Files beyond this are not scanned.
LARGEST = 1 << 30
MOST_SYMBOLS = 1 << 21


# By register: `lea disp(%rip)` into it, the move of rax to it, and the load of a number.
_LOADS = {
    "rdi": (b"\x48\x8d\x3d", b"\x48\x89\xc7"),
    "rsi": (b"\x48\x8d\x35", b"\x48\x89\xc6"),
    "rdx": (b"\x48\x8d\x15", b"\x48\x89\xc2"),
    "r9": (b"\x4c\x8d\x0d", b"\x49\x89\xc1"),
}
_NUMBERS = {"rdi": b"\xbf", "rsi": b"\xbe", "rdx": b"\xba", "r9": b"\x41\xb9"}


class Site:
    """A call in the code: its address, the instruction behind it, and the entry point's name."""

    __slots__ = ("address", "after", "name", "tail")

    def __init__(self, address, after, name, tail):
        self.address = address
        self.after = after
        self.name = name
        # A jump in place of a call and a return: nothing comes behind it.
        self.tail = tail


class Image:
    """An ELF file. Addresses are the file's own: add the bias for those in a process."""

    def __init__(self, path):
        self.path = path
        self.movable = True
        self.loads, self.code = [], []
        # (address, length) of what is mapped, with what the file does not hold.
        self.spans = []
        # (address, where in the file, length there, length in memory, flags) of what is mapped.
        self.segments = []
        # By address: the names of linkage slots. By name: what the file exports, of each version,
        # the newest first.
        self.slots, self.exports = {}, {}
        self._stubs = None
        self._sites = {}
        try:
            self._open(path)
        except (OSError, ValueError, struct.error, LookupError):
            self.loads, self.code, self.slots = [], [], {}

    def _open(self, path):
        status = os.stat(path)
        size = status.st_size
        # The debuggee names the file: a pipe or a device is never opened.
        if not stat.S_ISREG(status.st_mode) or not 64 <= size <= LARGEST:
            raise ValueError("no regular file, or too large")
        with open(path, "rb") as file:
            self.data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if self.data[:6] != b"\x7fELF\x02\x01" or struct.unpack_from("<H", self.data, 18)[0] != 62:
            raise ValueError("no x86-64 ELF file")
        # Code that may lie anywhere loads addresses relative to itself only.
        self.movable = struct.unpack_from("<H", self.data, 16)[0] == 3
        (offset,) = struct.unpack_from("<Q", self.data, 32)
        entry, count = struct.unpack_from("<HH", self.data, 54)
        dynamic, left = None, size
        for at in range(min(count, 512)):
            kind, flags, start, address, _, length, mapped, _ = struct.unpack_from(
                "<IIQQQQQQ", self.data, offset + at * entry
            )
            if kind == 1:
                self.spans.append((address, mapped))
                # Segments that overlap are no program's: all together take no more than the file.
                length = max(0, min(length, size - start, left))
                left -= length
                self.loads.append((address, start, length))
                self.segments.append((address, start, length, mapped, flags))
                if flags & 1:
                    self.code.append((address, start, length))
            elif kind == 2:
                dynamic = (start, length)
        if dynamic:
            self._relocations(*dynamic)

    def _offset(self, address):
        for start, offset, length in self.loads:
            if start <= address < start + length:
                return offset + address - start
        raise ValueError("outside")

    def _relocations(self, start, length):
        tags = {}
        for at in range(start, start + length - 15, 16):
            tag, value = struct.unpack_from("<QQ", self.data, at)
            if tag == 0:
                break
            tags[tag] = value
        strings, symbols = self._offset(tags[5]), self._offset(tags[6])
        # Linkers put the strings behind the symbols, of which nothing else says how many there are.
        versions = self._offset(tags[0x6FFFFFF0]) if 0x6FFFFFF0 in tags else None
        self._exports(
            strings, symbols, (strings - symbols) // 24 if strings > symbols else 0, versions
        )
        for table, bytes_ in ((tags.get(23), tags.get(2, 0)), (tags.get(7), tags.get(8, 0))):
            if not table:
                continue
            at = self._offset(table)
            for entry in range(at, at + bytes_ - 23, 24):
                slot, info = struct.unpack_from("<QQ", self.data, entry)
                # R_X86_64_64, GLOB_DAT, JUMP_SLOT
                if info & 0xFFFFFFFF in (1, 6, 7) and info >> 32:
                    name = (
                        strings
                        + struct.unpack_from("<I", self.data, symbols + (info >> 32) * 24)[0]
                    )
                    end = self.data.find(b"\0", name, name + 512)
                    self.slots[slot] = self.data[name:end].decode("ascii", "replace")

    def _exports(self, strings, symbols, count, versions):
        for number in range(min(count, MOST_SYMBOLS)):
            name, info, _, section, value, _ = struct.unpack_from(
                "<IBBHQQ", self.data, symbols + number * 24
            )
            # Objects, functions and the like; not those of threads.
            if section and value and info & 15 in (0, 1, 2, 10):
                end = self.data.find(b"\0", strings + name, strings + name + 512)
                text = self.data[strings + name : end].decode("ascii", "replace")
                earlier = (
                    versions is not None
                    and struct.unpack_from("<H", self.data, versions + number * 2)[0] & 0x8000
                )
                found = self.exports.setdefault(text, [])
                found.insert(len(found) if earlier else 0, value)

    def stubs(self):
        """The linkage stubs: address to name."""
        if self._stubs is None:
            self._stubs = {}
            for address, start, length in self.code:
                code = self.data[start : start + length]
                for found in re.finditer(rb"\xff\x25", code):
                    at = found.start()
                    if at + 6 > len(code):
                        continue
                    slot = address + at + 6 + struct.unpack_from("<i", code, at + 2)[0]
                    name = self.slots.get(slot)
                    if name:
                        # Before the jump: `bnd`, `endbr64`.
                        for before in (b"", b"\xf2", b"\xf3\x0f\x1e\xfa", b"\xf3\x0f\x1e\xfa\xf2"):
                            if code[:at].endswith(before):
                                self._stubs[address + at - len(before)] = name
        return self._stubs

    def sites(self, wanted):
        """The calls of those functions for whose name `wanted(name)` holds."""
        if not self._sites:
            self._sites = {"all": self._scan()}
        return [site for site in self._sites["all"] if wanted(site.name)]

    def _scan(self):
        stubs = {address: name for address, name in self.stubs().items() if _is_of_interest(name)}
        slots = {slot: name for slot, name in self.slots.items() if _is_of_interest(name)}
        found = []
        if not slots:
            return found
        for address, start, length in self.code:
            code = self.data[start : start + length]
            for match in re.finditer(rb"[\xe8\xe9]", code):
                at = match.start()
                if at + 5 <= len(code):
                    after = address + at + 5
                    name = stubs.get(after + struct.unpack_from("<i", code, at + 1)[0])
                    if name:
                        found.append(Site(after - 5, after, name, code[at] == 0xE9))
            for match in re.finditer(rb"\xff[\x15\x25]", code):
                at = match.start()
                if at + 6 <= len(code):
                    after = address + at + 6
                    name = slots.get(after + struct.unpack_from("<i", code, at + 2)[0])
                    tail = code[at + 1] == 0x25
                    if name and not (tail and self._is_stub(after - 6)):
                        found.append(Site(after - 6, after, name, tail))
        return sorted(found, key=lambda site: site.address)

    def _is_stub(self, address):
        return any(address - before in self.stubs() for before in (0, 1, 4, 5))

    def bytes_at(self, address, length):
        """Bytes of the file that lie at an address."""
        try:
            at = self._offset(address)
        except ValueError:
            return b""
        return self.data[at : at + length]

    def called(self, after):
        """The name that the call before `after` goes to, or None."""
        code = self.bytes_at(after - 6, 6)
        if len(code) < 6:
            return None
        if code[1] == 0xE8:
            return self.stubs().get(after + struct.unpack("<i", code[2:])[0])
        if code[:2] == b"\xff\x15":
            return self.slots.get(after + struct.unpack("<i", code[2:])[0])
        return None

    def constants_before(self, address, reach=REACH):
        """Addresses that the code before `address` loads as constants, the nearest first."""
        code = self.bytes_at(address - reach, reach)
        first = address - len(code)
        for at in range(len(code) - 5, -1, -1):
            # lea disp(%rip),%reg
            if (
                code[at] in (0x48, 0x4C)
                and code[at + 1] == 0x8D
                and code[at + 2] & 0xC7 == 5
                and at + 7 <= len(code)
            ):
                yield first + at + 7 + struct.unpack_from("<i", code, at + 3)[0]
            # mov $imm32,%reg32
            elif not self.movable and 0xB8 <= code[at] <= 0xBF:
                yield struct.unpack_from("<I", code, at + 1)[0]

    def handed(self, address, register):
        """The address that the code before the call at `address` loads into a register as a
        constant, or None.

        The load next to the call counts: what is in such a register does not outlast a call.
        """
        code = self.bytes_at(address - REACH, REACH)
        first, best = address - len(code), None
        direct, through = _LOADS[register]
        # lea disp(%rip),%register
        for found in re.finditer(re.escape(direct) + b"(....)", code, re.S):
            best = (found.start(), first + found.end() + struct.unpack("<i", found.group(1))[0])
        # lea disp(%rip),%rax; mov %rax,%register
        for found in re.finditer(rb"\x48\x8d\x05(....)" + re.escape(through), code, re.S):
            if best is None or found.start() > best[0]:
                best = (
                    found.start(),
                    first + found.start() + 7 + struct.unpack("<i", found.group(1))[0],
                )
        if not self.movable:
            # mov $imm32,%register of 32 bits
            for found in re.finditer(re.escape(_NUMBERS[register]) + b"(....)", code, re.S):
                value = struct.unpack("<I", found.group(1))[0]
                if self.in_code(value) and (best is None or found.start() > best[0]):
                    best = (found.start(), value)
        return best[1] if best and self.in_code(best[1]) else None

    def calls(self, start, target):
        """Whether the first code behind `start` calls the function at `target`."""
        code = self.bytes_at(start, REACH)
        return any(
            code[at] == 0xE8
            and start + at + 5 + struct.unpack_from("<i", code, at + 1)[0] == target
            for at in range(len(code) - 4)
        )

    def in_code(self, address):
        """Whether the address lies in code."""
        return any(start <= address < start + length for start, _, length in self.code)


def _is_of_interest(name):
    """Entry points of the runtime, and what takes a lock of the C library's."""
    return name.startswith(
        ("GOMP_", "__kmpc_", "omp_", "__tgt_", "pthread_mutex_", "pthread_rwlock_")
    )


_images = {}


def image(path):
    """The ELF file at `path`, read once for as long as it stays the same."""
    try:
        status = os.stat(path)
        key = (path, status.st_ino, status.st_size, status.st_mtime_ns)
    except OSError:
        key = (path, 0, 0, 0)
    if key not in _images:
        if len(_images) > 256:
            _images.clear()
        _images[key] = Image(path)
    return _images[key]
