"""What gdb knows of a program's source."""

import gdb

from . import charset


def _function(address):
    """The innermost function, inlined or not, that an address lies in: its start, end and name."""
    block = gdb.block_for_pc(address)
    while block is not None and block.function is None:
        block = block.superblock
    return (block.start, block.end, block.function.name) if block is not None else None


class Places:
    """The part of gdb's host that goes from addresses to lines and back."""

    def line_at(self, address):
        file, line, function = None, None, None
        try:
            sal = gdb.find_pc_line(address)
            if sal.symtab:
                table = sal.symtab
                file, line = charset.read(lambda: table.filename), sal.line
            block = gdb.block_for_pc(address)
            while block is not None and function is None:
                function = block.function.name if block.function else None
                block = block.superblock
        except (gdb.error, RuntimeError, OverflowError):
            pass
        return function or self.symbol_around(address)[0], file, line

    def source(self, address):
        try:
            sal = gdb.find_pc_line(address)
            if sal.symtab:
                return charset.read(sal.symtab.fullname), sal.line
        except (gdb.error, RuntimeError, OverflowError):
            pass
        return None, None

    def path_of(self, frame):
        try:
            return charset.read(frame.raw.find_sal().symtab.fullname)
        except (gdb.error, AttributeError):
            return None

    def starts(self, address):
        try:
            table, around = gdb.find_pc_line(address).symtab, _function(address)
            if table is None or around is None:
                return []
            rows = [row for row in table.linetable() if around[0] <= row.pc < around[1]]
            return [(row.pc, row.line) for row in rows if row.line and _function(row.pc) == around]
        except (gdb.error, RuntimeError, TypeError):
            return []

    def parts(self, address):
        found = []
        try:
            block = gdb.block_for_pc(address)
            # What a body is nested in by the debug information has code of its own.
            while block is not None and not block.is_static and block.start <= address < block.end:
                if block.function is not None:
                    found.append([(block.start, block.end)])
                block = block.superblock
        except (gdb.error, RuntimeError, OverflowError):
            pass
        return found

    def program(self):
        return charset.read(lambda: gdb.current_progspace().filename) or ""

    def sources(self):
        found = []
        try:
            text = gdb.execute("info sources", to_string=True)
        except gdb.error:
            return found
        for line in text.splitlines():
            if line.startswith("/"):
                found += [part.strip() for part in line.split(", ") if part.startswith("/")]
        return sorted(set(found))
