"""Types of variables as gdb knows them."""

import re

import gdb

from .. import naming
from . import charset

FORTRAN = re.compile(r"[.](f|for|f\d\d)$", re.I)
# Compilers call the variables of functions `name.12`.
NUMBERED = re.compile(r"^(\w+)[.]\d+$")


class Kind(naming.Kind):
    """See `naming.Kind`."""

    def __init__(self, raw, is_fortran):
        self.raw, self.is_fortran = raw, is_fortran
        if is_fortran:
            self.element, self.member = "(%s)", "%"

    def _of(self, raw):
        return Kind(raw, self.is_fortran)

    def name(self):
        return charset.read(lambda: self.raw.name) or ""

    def size(self):
        return self.raw.sizeof

    def plain(self):
        if self.raw.code == gdb.TYPE_CODE_TYPEDEF:
            return self._of(self.raw.target())
        return None

    def elements(self):
        if self.raw.code != gdb.TYPE_CODE_ARRAY:
            return None
        return self.raw.range()[0], self._of(self.raw.target())

    def members(self):
        if self.raw.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            return []
        own = [
            field for field in self.raw.fields() if hasattr(field, "bitpos") and not field.bitsize
        ]
        return [
            (None if field.is_base_class else field.name, field.bitpos // 8, self._of(field.type))
            for field in own
        ]


def variable(name, start):
    """(name, Kind or None) of the variable that a symbol stands for."""
    try:
        for find in (gdb.lookup_global_symbol, gdb.lookup_static_symbol):
            symbol = find(name)
            if symbol is None or not symbol.is_variable or symbol.needs_frame:
                continue
            value = symbol.value()
            if int(value.address) & (2**64 - 1) == start:
                return name, Kind(value.type, bool(FORTRAN.search(symbol.symtab.filename)))
    except (gdb.error, RuntimeError, AttributeError, TypeError):
        pass
    numbered = NUMBERED.match(name)
    return numbered.group(1) if numbered else name, None
