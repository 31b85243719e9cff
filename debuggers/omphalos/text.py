"""Text for people: tables, and names that cannot play tricks on a terminal."""

import unicodedata

# Names longer than this are cut: a damaged string has no end.
LONGEST = 1000


class Refused(Exception):
    """A command cannot do what was asked; the message says why, and what would help."""


def shown(text):
    """`text` with everything that a terminal would obey written out, such as \\x1b.

    All text that the debuggee holds goes through here: its names of functions, files, threads and
    locks.
    """
    if text is None:
        return ""
    if isinstance(text, bytes):
        text = text.decode("utf-8", "backslashreplace")
    text = str(text)
    if text.isascii() and text.isprintable() and len(text) <= LONGEST:
        return text
    cut = "..." if len(text) > LONGEST else ""
    return "".join(map(_shown, text[:LONGEST])) + cut


def _shown(letter):
    code = ord(letter)
    if letter == " " or (32 <= code < 127):
        return letter
    # Control, format (which turns text around), surrogate, private and unassigned letters; line
    # ends.
    if unicodedata.category(letter)[0] == "C" or unicodedata.category(letter) in ("Zl", "Zp"):
        if code < 256:
            return "\\x%02x" % code
        return "\\u%04x" % code if code < 65536 else "\\U%08x" % code
    return letter


def table(head, rows):
    """Columns under a head, as wide as their widest cell."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[at]) for row in [head] + rows) for at in range(len(head))]
    lines = []
    for row in [head] + rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def place(file, line, whole=False):
    """`file.c:12`, or "" where nothing is known."""
    if not file:
        return ""
    name = file if whole else file.rsplit("/", 1)[-1]
    return shown(name) + (":%d" % line if line else "")


def numbers(values):
    """1, 2, 3, 7 as "1-3, 7"."""
    parts = []
    values = sorted(set(values))
    at = 0
    while at < len(values):
        end = at
        while end + 1 < len(values) and values[end + 1] == values[end] + 1:
            end += 1
        first, last = values[at], values[end]
        if end - at >= 2:
            parts.append("%d-%d" % (first, last))
        else:
            parts.extend(str(value) for value in values[at : end + 1])
        at = end + 1
    return ", ".join(parts)


def count(number, one, many=None):
    """`1 task`, `2 tasks`."""
    return "%d %s" % (number, one if number == 1 else many or one + "s")
