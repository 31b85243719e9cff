"""Values of variables in gdb: of a frame, and of what gcc's outlined functions are handed."""

import re

import gdb

from .. import names, shared_structure


class Frame:
    """Selects a frame for a while."""

    def __init__(self, frame):
        self.frame = frame

    def __enter__(self):
        self.before = gdb.selected_frame()
        self.frame.select()

    def __exit__(self, *_):
        if self.before.is_valid():
            self.before.select()
        return False


def place_of(value):
    """The address of the variable that a body's own one stands for; None if that is not known. An
    array may be handed over as a pointer or a reference to its first element."""
    try:
        if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR:
            return int(value)
        return int(value.address) if value.address is not None else None
    except (gdb.error, ValueError, OverflowError, TypeError):
        return None


def is_better(kind, mine):
    """Whether a variable's type (`kind`) says more than that of its stand-in in the body (`mine`).
    The stand-in says less where gcc's body does not know an array's length, where gfortran made a
    pointer, and where clang made a reference to an array's first element."""
    kind, mine = kind.strip_typedefs(), mine.strip_typedefs()
    if mine.code == gdb.TYPE_CODE_ARRAY:
        return mine.sizeof == 0 < kind.sizeof
    if kind.code == gdb.TYPE_CODE_ARRAY:
        return True
    return (
        mine.code == gdb.TYPE_CODE_PTR
        and mine.target().strip_typedefs().code == gdb.TYPE_CODE_ARRAY
    )


def typed(value, kind):
    """A value that clang's outer half of a body got as a number, in the type that the user gave
    it."""
    mine = value.type.strip_typedefs().unqualified()
    kind = kind.strip_typedefs().unqualified()
    if kind.code == gdb.TYPE_CODE_REF:
        kind = kind.target().strip_typedefs().unqualified()
    if mine == kind or mine.code != gdb.TYPE_CODE_INT or kind.sizeof > mine.sizeof:
        return value
    return gdb.Value(
        (int(value) & (256**mine.sizeof - 1)).to_bytes(mine.sizeof, "little")[: kind.sizeof], kind
    )


def variable(frame, name):
    """A variable of a frame's function, or None."""
    if frame is None or not frame.is_valid():
        return None
    try:
        block = frame.block()
        while block is not None:
            named = [
                symbol
                for symbol in block
                if (symbol.is_variable or symbol.is_argument)
                and symbol.name in (name, name.lower())
            ]
            # clang's private copy goes before the argument that it is a copy of.
            for symbol in sorted(named, key=lambda symbol: symbol.is_argument):
                # gdb looks for an array's bounds in the selected frame.
                with Frame(frame):
                    value = frame.read_var(symbol, block)
                    if value.type.strip_typedefs().code in (gdb.TYPE_CODE_REF,):
                        value = value.referenced_value()
                    value.fetch_lazy()
                    return value
            if block.function is not None:
                return None
            block = block.superblock
    except (gdb.error, RuntimeError, ValueError):
        pass
    return None


def _pointer(kind):
    """The pointer type for a parameter that is a pointer or a reference."""
    kind = kind.strip_typedefs().unqualified()
    return kind.target().pointer()


def captured(frame, name, kind, data=None):
    """The value of the variable of that name and type in what gcc's outlined function was handed
    (`data`, if that is known); None if it is not there."""
    try:
        if data is None:
            data = frame.read_var(".omp_data_i")
            if data.is_optimized_out:
                return None
            is_reference = data.type.strip_typedefs().code == gdb.TYPE_CODE_REF
            data = data.referenced_value() if is_reference else data.dereference()
        for field in data.type.strip_typedefs().fields():
            if field.name in (name, name.lower()):
                value, kind = data[field], kind.strip_typedefs().unqualified()
                # A shared variable is handed by its address, one that is copied by its value.
                given = field.type.strip_typedefs().unqualified()
                if given != kind:
                    if (
                        given.code != gdb.TYPE_CODE_PTR
                        or given.target().strip_typedefs().unqualified() != kind
                    ):
                        return None
                    value = value.dereference()
                value.fetch_lazy()
                return value
    except (gdb.error, RuntimeError, ValueError, TypeError):
        pass
    return None


def handed_over(host, frame):
    """What gcc's outlined function was handed, where its own variables have no values yet; else
    None.

    Without optimisation the function copies them only behind the place where breakpoints stop, and
    its argument has no name.
    """
    if frame.level or names.classify(frame.name)[0] != names.OUTLINED:
        return None
    start = host.start_of(frame.pc)
    body = host.body(start) if start is not None else 0
    if not start or frame.pc != body or not 0 < body - start <= 256:
        return None
    # mov %rdi,disp(%rbp)
    kept = re.search(
        rb"\x48\x89\x7d(.)|\x48\x89\xbd(....)", host.read(start, body - start), re.S
    )
    if kept is None:
        return None
    try:
        base = int(frame.raw.read_register("rbp")) & (2**64 - 1)
        at = base + int.from_bytes(kept.group(1) or kept.group(2), "little", signed=True)
        kind = frame.raw.function().type.fields()[0].type
        return gdb.Value(host.read(at, 8), _pointer(kind)).dereference()
    except (gdb.error, RuntimeError, AttributeError, IndexError, ValueError):
        return None


def live(session, scope, name, value):
    """The variable of a frame that encountered a region which is not over, where gcc's code
    keeps it elsewhere meanwhile; else None."""
    found = shared_structure.structure(session, scope.thread, scope.frame)
    if not found:
        return None
    try:
        kind = _pointer(gdb.block_for_pc(found[0]).function.type.fields()[0].type)
        data = gdb.Value(found[1]).cast(kind).dereference()
        copied = next(
            field.type for field in kind.target().fields() if field.name == name
        )
        if copied.strip_typedefs().unqualified() != value.type.strip_typedefs().unqualified():
            return None
        value = data[name]
        value.fetch_lazy()
        return value
    except (gdb.error, RuntimeError, AttributeError, IndexError, StopIteration):
        return None
