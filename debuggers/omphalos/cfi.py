"""The unwinding tables of ELF files (.eh_frame, as DWARF 5 and the LSB have it): how the caller's
registers are found.

What is in a file need not be true: what makes no sense raises ValueError, IndexError or
struct.error, and nothing has no end.
"""

import struct

# Instructions of one function's table, and operations of one expression, that are executed.
MOST = 10000
RSP, RIP = 7, 16


class Reader:
    """Bytes that are read one after the other; `address`: where the first one lies."""

    def __init__(self, data, address):
        self.data, self.at, self.address = data, 0, address

    def more(self):
        """Whether something is left."""
        return self.at < len(self.data)

    def number(self, form):
        """A number in `struct`'s form."""
        (value,) = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return value

    def leb(self, signed=False):
        """A LEB128 number."""
        value, shift = 0, 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        return value - (1 << shift) if signed and byte & 64 else value

    def bytes(self, length):
        """So many bytes."""
        found = self.data[self.at : self.at + length]
        self.at += length
        return found

    def pointer(self, encoding):
        """A pointer in one of the encodings DW_EH_PE_*; those that are relative to code or
        functions are not used here."""
        here = self.address + self.at
        forms = {0: "Q", 2: "H", 3: "I", 4: "Q", 10: "h", 11: "i", 12: "q"}
        kind = encoding & 15
        value = self.leb(kind == 9) if kind in (1, 9) else self.number(forms[kind])
        if encoding & 0x70 not in (0, 0x10):
            raise ValueError("a pointer of another kind")
        return (value + here if encoding & 0x70 else value) & (2**64 - 1)


class Entry:
    """What an FDE and its CIE say of a function."""

    __slots__ = ("start", "end", "signal", "first", "own", "code_unit", "data_unit", "encoding")


def entry(image, address):
    """The entry of the function around an address of the file, or None."""
    start = image.frame_header
    if not start:
        return None
    head = Reader(image.bytes_at(start, 32), start)
    version, pointer, count, table = head.bytes(4)
    # The sorted table that linkers make: pairs of 32-bit numbers relative to the header.
    if version != 1 or table != 0x3B:
        return None
    head.pointer(pointer)
    length = head.pointer(count)
    at = start + head.at
    low, high = 0, length
    while low < high:
        middle = (low + high) // 2
        (begin,) = struct.unpack("<i", image.bytes_at(at + middle * 8, 4))
        low, high = (middle + 1, high) if start + begin <= address else (low, middle)
    if low == 0:
        return None
    (place,) = struct.unpack("<i", image.bytes_at(at + low * 8 - 4, 4))
    found = _function(image, start + place)
    return found if found.start <= address < found.end else None


def _record(image, at):
    length = struct.unpack("<I", image.bytes_at(at, 4))[0]
    if not 4 < length < 1 << 20:
        raise ValueError("a record of a strange length")
    return Reader(image.bytes_at(at + 4, length), at + 4)


def _function(image, at):
    reader = _record(image, at)
    common = at + 4 - reader.number("I")
    found = Entry()
    augmented = _common(image, common, found)
    found.start = reader.pointer(found.encoding)
    found.end = found.start + reader.pointer(found.encoding & 15)
    if augmented:
        reader.bytes(reader.leb())
    found.own = Reader(reader.data[reader.at :], reader.address + reader.at)
    return found


def _common(image, at, found):
    """Reads a CIE; gives whether its functions have augmentation data."""
    reader = _record(image, at)
    if reader.number("I") != 0:
        raise ValueError("no CIE")
    version = reader.number("B")
    end = reader.data.index(b"\0", reader.at)
    letters = reader.bytes(end - reader.at).decode("ascii", "replace")
    reader.at += 1
    found.code_unit, found.data_unit = reader.leb(), reader.leb(signed=True)
    reader.number("B") if version == 1 else reader.leb()
    found.signal, found.encoding = "S" in letters, 0
    if letters.startswith("z"):
        reader.leb()
        for letter in letters[1:]:
            if letter == "R":
                found.encoding = reader.number("B")
            elif letter == "L":
                reader.number("B")
            elif letter == "P":
                # Its place need not be known, but how long it is.
                encoding = reader.number("B")
                reader.pointer(encoding & 15)
    found.first = Reader(reader.data[reader.at :], reader.address + reader.at)
    return letters.startswith("z")


def row(found, address):
    """(rule of the CFA, rules by register) at an address of the function."""
    state = {"cfa": None, "rules": {}}
    _execute(found, found.first, state, address, {})
    first = dict(state["rules"])
    _execute(found, found.own, state, address, first)
    return state["cfa"], state["rules"]


def _execute(found, reader, state, address, first):
    at, kept, rules = found.start, [], state["rules"]
    reader.at = 0
    for _ in range(MOST):
        if not reader.more() or at > address:
            return
        code = reader.number("B")
        high, low = code >> 6, code & 63
        if high == 1 or code in (1, 2, 3, 4):
            if code == 1:
                following = reader.pointer(found.encoding)
            else:
                step = low if high == 1 else reader.number({2: "B", 3: "H", 4: "I"}[code])
                following = at + step * found.code_unit
            if following > address:
                return
            at = following
        elif high == 2:
            rules[low] = ("offset", reader.leb() * found.data_unit)
        elif high == 3 or code == 6:
            register = low if high == 3 else reader.leb()
            if register in first:
                rules[register] = first[register]
            else:
                rules.pop(register, None)
        elif code == 10:
            kept.append((state["cfa"], dict(rules)))
        elif code == 11:
            state["cfa"], old = kept.pop()
            rules.clear()
            rules.update(old)
        elif code in (12, 13, 14, 18, 19):
            _place(found, reader, state, code)
        elif code == 15:
            state["cfa"] = ("expression", reader.bytes(reader.leb()))
        elif code == 46:
            reader.leb()
        elif code != 0:
            register = reader.leb()
            rules[register] = _rule(found, reader, code)


def _place(found, reader, state, code):
    """The instructions that say where the CFA is from a register."""
    _, register, offset = (
        state["cfa"] if state["cfa"] and state["cfa"][0] == "register" else (None, RSP, 0)
    )
    if code in (12, 13, 18):
        register = reader.leb()
    if code in (12, 14):
        offset = reader.leb()
    elif code in (18, 19):
        offset = reader.leb(signed=True) * found.data_unit
    state["cfa"] = ("register", register, offset)


def _rule(found, reader, code):
    if code in (5, 17, 47):
        offset = reader.leb(signed=code == 17) * found.data_unit
        return ("offset", -offset if code == 47 else offset)
    if code in (20, 21):
        return ("value", reader.leb(signed=code == 21) * found.data_unit)
    if code in (16, 22):
        return ("at" if code == 16 else "is", reader.bytes(reader.leb()))
    if code == 9:
        return ("register", reader.leb())
    if code in (7, 8):
        return ("undefined",) if code == 7 else ("same",)
    raise ValueError("an unknown instruction")
