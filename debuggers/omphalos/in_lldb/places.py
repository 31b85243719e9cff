"""Where code of a line begins, in lldb."""


class Places:
    """The part of lldb's host that goes from addresses to the source's files."""

    def source(self, address):
        line = self.at(address).GetLineEntry()
        if not line.IsValid():
            return None, None
        return line.GetFileSpec().fullpath, line.GetLine()

    def starts(self, address):
        place, found = self.at(address), []
        unit, file = place.GetCompileUnit(), place.GetLineEntry().GetFileSpec()
        spans, inner = (self.parts(address) or [[]])[0], len(self.parts(address))
        for number in range(unit.GetNumLineEntries()):
            entry = unit.GetLineEntryAtIndex(number)
            start = entry.GetStartAddress().GetLoadAddress(self.target())
            is_within = any(low <= start < high for low, high in spans)
            if is_within and entry.GetLine() and entry.GetFileSpec() == file:
                if len(self.parts(start)) == inner:
                    found.append((start, entry.GetLine()))
        return found
