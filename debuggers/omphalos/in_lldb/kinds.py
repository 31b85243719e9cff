"""Types of variables as lldb knows them."""

import re

import lldb

from .. import naming

# Compilers call the variables of functions `name.12`.
NUMBERED = re.compile(r"^(\w+)[.]\d+$")
# Variables of one name that are looked at.
MOST = 64


class Kind(naming.Kind):
    """See `naming.Kind`."""

    def __init__(self, raw):
        self.raw = raw

    def name(self):
        return self.raw.GetName() or ""

    def size(self):
        return self.raw.GetByteSize()

    def plain(self):
        if self.raw.IsTypedefType():
            return Kind(self.raw.GetTypedefedType())
        bare = self.raw.GetUnqualifiedType()
        return Kind(bare) if bare != self.raw else None

    def elements(self):
        of = (
            self.raw.GetArrayElementType()
            if self.raw.GetTypeClass() == lldb.eTypeClassArray
            else None
        )
        return (0, Kind(of)) if of and of.IsValid() else None

    def members(self):
        raw = self.raw
        found = [
            (None, raw.GetDirectBaseClassAtIndex(at))
            for at in range(raw.GetNumberOfDirectBaseClasses())
        ]
        for at in range(raw.GetNumberOfFields()):
            field = raw.GetFieldAtIndex(at)
            if not field.IsBitfield():
                found.append((field.GetName(), field))
        return [(name, each.GetOffsetInBytes(), Kind(each.GetType())) for name, each in found]


def variable(target, name, start):
    """(name, Kind or None) of the variable that a symbol stands for."""
    numbered = NUMBERED.match(name or "")
    plain = numbered.group(1) if numbered else name
    # Found by the name alone, also where it has scopes.
    for value in target.FindGlobalVariables(plain.rsplit("::", 1)[-1], MOST):
        if value.GetLoadAddress() == start:
            return plain, Kind(value.GetType())
    return plain, None
