"""How far the loops and sections of directives reach in the source.

The text alone is read, as far as compilers' lines need it: where a loop's head ends, and where its
body does. What macros hide is not found.
"""

import itertools
import re

from .breaks import directives

# What stands before a loop, or before sections.
WORDS = ("for", "do", "loop", "sections", "distribute", "taskloop", "simd")
# Loops inside each other that one directive is for, at most.
MOST = 16
_LOOPS = re.compile(r"\b(?:collapse|ordered|tile|permutation)\s*\(\s*(\d+)\s*\)", re.I)
# Comments, strings, characters and directives of the preprocessor, none of which is code.
_NO_CODE = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    r"|^[ \t]*#(?:\\\n|[^\n])*",
    re.S | re.M,
)
_HEADED = re.compile(r"(?:for|while|if|switch|catch)\b")
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_FORTRAN = (".f", ".F", ".f90", ".F90", ".f95", ".F95", ".for", ".f03", ".f08")
_DO = re.compile(r"^\s*(?:\d+\s+)?(?:\w+\s*:\s*)?do\b(?!\s*=)\s*(\d+)?", re.I)
_END = re.compile(r"^\s*[!cC*]\$omp\s+end\b.*\b(do|loop|simd|distribute|taskloop)\b", re.I)
_END_DO = re.compile(r"^\s*(?:\d+\s+)?end\s*do\b", re.I)


class Extent:
    """The lines of a construct: its directive's first, the last of what stands before the body, and
    the body's last."""

    def __init__(self, path, first, head, last):
        self.path = path
        self.first, self.head, self.last = first, head, last

    def has(self, line):
        """Whether a line belongs to it."""
        return self.first <= line <= self.last

    def is_head(self, line):
        """Whether a line stands before its body."""
        return self.first <= line <= self.head

    def has_frame(self, host, frame):
        """Whether a frame stands in it, and in no construct inside of it."""
        found = of_frame(host, frame)
        return found is not None and found.is_same(self)

    def is_head_of(self, host, frame):
        """Whether a frame stands in it, on a line before its body."""
        return self.has_frame(host, frame) and self.is_head(frame.line)

    def is_same(self, other):
        """Whether both are one."""
        return (self.path, self.first) == (other.path, other.first)


def around(host, address):
    """The innermost construct whose lines an address belongs to, or None."""
    return of_line(*host.source(address))


def of_frame(host, frame):
    """The innermost construct that a frame stands in, or None."""
    return of_line(host.path_of(frame), frame.line)


def text_of(path, line):
    """A line of a file; "" if it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return next(itertools.islice(file, line - 1, None), "")
    except OSError:
        return ""


def of_line(path, line):
    """The innermost construct of a file that a line belongs to, or None."""
    found = None
    for extent in of_file(path) if path and line else ():
        if extent.has(line) and (found is None or extent.first >= found.first):
            found = extent
    return found


def of_file(path):
    """The constructs of a file."""
    found = directives(path, WORDS)
    if not found:
        return []
    with open(path, encoding="utf-8", errors="replace") as file:
        text = file.read()
    reach = _in_fortran if path.endswith(_FORTRAN) else _in_c
    reached = ((first, reach(text, first, behind)) for first, behind in found)
    return [Extent(path, first, *lines) for first, lines in reached if lines]


def _asks(text, first, behind):
    """Whether a directive is one of sections, and how many nested loops belong to it."""
    said = "\n".join(text.split("\n")[first - 1 : behind - 1])
    loops = max((int(number) for number in _LOOPS.findall(said)), default=1)
    return re.search(r"\bsections\b", said, re.I), min(max(loops, 1), MOST)


def _in_c(text, first, behind):
    code = _NO_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    at = sum(len(line) + 1 for line in code.split("\n")[: behind - 1])

    def line_of(offset):
        return code.count("\n", 0, offset) + 1

    is_sections, loops = _asks(text, first, behind)
    end = _statement(code, at)
    head = at
    for _ in range(0 if is_sections else loops):
        loop = re.compile(r"\bfor\b").search(code, head, end)
        if loop is None:
            break
        head = _closed(code, code.find("(", loop.end()))
    if head == at:
        # A brace alone has code of its own sometimes.
        return (behind - 1, line_of(end - 1)) if is_sections else None
    return line_of(head - 1), line_of(end - 1)


def _closed(code, at):
    """The offset behind the bracket that closes the one at an offset."""
    open_ones = []
    for at in range(max(at, 0), len(code)):
        letter = code[at]
        if letter in _BRACKETS:
            open_ones.append(_BRACKETS[letter])
        elif open_ones and letter == open_ones[-1]:
            open_ones.pop()
            if not open_ones:
                return at + 1
    return len(code)


def _statement(code, at):
    """Where the statement that begins at an offset, or behind blanks there, ends."""
    for _ in range(64):
        at += len(code[at:]) - len(code[at:].lstrip())
        if code.startswith("{", at):
            return _closed(code, at)
        headed = _HEADED.match(code, at)
        if not headed:
            break
        is_if = headed.group() == "if"
        at = _closed(code, code.find("(", at))
        if is_if:
            end = _statement(code, at)
            other = re.compile(r"\s*else\b").match(code, end)
            return _statement(code, other.end()) if other else end
    while at < len(code) and code[at] not in ";}":
        at = _closed(code, at) if code[at] in _BRACKETS else at + 1
    return at + 1


def _in_fortran(text, first, behind):
    lines = text.split("\n")
    is_sections, loops = _asks(text, first, behind)
    if is_sections:
        ends = re.compile(r"^\s*[!cC*]\$omp\s+end\s+(parallel\s*)?sections\b", re.I)
        for number in range(behind, len(lines) + 1):
            if ends.match(lines[number - 1]):
                return behind - 1, number
        return None
    head, open_ones = None, []
    for number in range(behind, len(lines) + 1):
        line = lines[number - 1]
        begun = _DO.match(line)
        label = re.match(r"^\s*(\d+)\b", line)
        if begun:
            open_ones.append(begun.group(1))
            if loops:
                head, loops = number, loops - 1
        elif _END_DO.match(line) and open_ones:
            open_ones.pop()
        elif not open_ones and line.strip() and not re.match(r"^\s*[!cC*]", line):
            return None
        if label and not begun:
            # Several loops may end at one label.
            while open_ones and open_ones[-1] == label.group(1):
                open_ones.pop()
        if head and not open_ones:
            return head, _ended(lines, number)
    return None


def _ended(lines, number):
    """The line of the directive that ends a loop, if one follows its last."""
    for at in range(number, len(lines)):
        if _END.match(lines[at]):
            return at + 1
        if lines[at].strip() and not re.match(r"^\s*(![^$]|[cC*]\s)", lines[at]):
            break
    return number
