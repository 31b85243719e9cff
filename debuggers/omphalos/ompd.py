"""libompd.so, OMPD 5.x, by ctypes: the debugger's answers as its callbacks, and what it says of the
program.

The library that is installed beside this package is loaded, or the one that the user names: never
one that the debuggee names, since loading a library executes its code.
"""

import ctypes
import json
import os

from . import code
from .host import is_runtime
from .text import Refused, shown

OK, UNAVAILABLE, STALE, BAD_INPUT, ERROR, UNSUPPORTED = range(6)
INCOMPATIBLE, READ_ERROR, WRITE_ERROR, NOMEM = 7, 8, 9, 10
# Bytes that one call of a callback may ask for.
LARGEST = 1 << 26

_p, _u64, _i64, _int = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int64, ctypes.c_int
# The context by which the callbacks know the process: there is one.
PROCESS = _p(1)


class Address(ctypes.Structure):
    """`ompd_address_t`."""

    _fields_ = [("segment", _u64), ("address", _u64)]


_F, _at = ctypes.CFUNCTYPE, ctypes.POINTER(Address)


class Callbacks(ctypes.Structure):
    """`ompd_callbacks_t`. Omphalos' library does without those that are mere pointers here."""

    _fields_ = [
        ("alloc_memory", _F(_int, _u64, ctypes.POINTER(_p))),
        ("free_memory", _F(_int, _p)),
        ("print_string", _p),
        ("sizeof_type", _p),
        ("symbol_addr_lookup", _F(_int, _p, _p, ctypes.c_char_p, _at, ctypes.c_char_p)),
        ("read_memory", _F(_int, _p, _p, _at, _u64, _p)),
        ("write_memory", _F(_int, _p, _p, _at, _u64, _p)),
        ("read_string", _p),
        ("device_to_host", _p),
        ("host_to_device", _p),
        ("get_thread_context_for_thread_id", _p),
    ]


def find():
    """Where the library is expected: beside this package, in the installed tree."""
    here = os.path.dirname(os.path.abspath(__file__))
    # PREFIX/share/omphalos/python/omphalos/ompd.py
    prefix = os.path.normpath(os.path.join(here, "../../../.."))
    return os.path.join(prefix, "lib", "libompd.so")


def _other(host):
    """The file of an OpenMP runtime that is loaded, if none of them is Omphalos."""
    loaded = [path for path, _ in host.images() if is_runtime(path)]
    if any("omphalos_debug" in code.image(path).exports for path in loaded):
        return None
    return next(iter(loaded), None)


def answer(lib, name, *arguments):
    """What a function of Omphalos' own in a loaded libompd returns, as JSON."""
    path = shown(lib._name)  # pylint: disable=protected-access
    if not hasattr(lib, name):
        raise Refused("%s is not Omphalos': it has no %s" % (path, name))
    function = getattr(lib, name)
    function.restype = _p
    found = function(*arguments)
    if not found:
        raise Refused("%s gives nothing: the runtime's state cannot be read" % name)
    try:
        text = ctypes.string_at(found)
    finally:
        lib.omphalos_free(_p(found))
    try:
        return json.loads(text.decode("utf-8", "replace"))
    except ValueError as error:
        raise Refused("%s gives no JSON: %s" % (name, shown(error)))


class Library:
    """A loaded libompd, for the process that `host` debugs."""

    def __init__(self, host, path):
        self.host = host
        self.path = path
        self._memory = {}
        if not os.path.isfile(path):
            raise Refused(
                "%s is not there: without it the state of OpenMP is unknown. Install Omphalos' "
                "libompd.so there, or name "
                "it: omp library FILE" % shown(path)
            )
        try:
            self.lib = ctypes.CDLL(path)
        except OSError as error:
            raise Refused("%s cannot be loaded: %s" % (shown(path), shown(error)))
        for name in ("ompd_initialize", "omphalos_snapshot"):
            if not hasattr(self.lib, name):
                text = "%s is no libompd.so of Omphalos': it has no %s"
                raise Refused(text % (shown(path), name))
        answered = {name: kind for name, kind in Callbacks._fields_ if kind is not _p}
        self.callbacks = Callbacks(
            **{name: kind(self._guarded(name)) for name, kind in answered.items()}
        )
        version = _i64(0)
        self.lib.ompd_get_api_version(ctypes.byref(version))
        code = self.lib.ompd_initialize(version, ctypes.byref(self.callbacks))
        if code != OK:
            raise Refused("%s does not start: ompd_initialize gives %d" % (shown(path), code))
        self.space = None

    def _guarded(self, name):
        """A callback that answers `ompd_rc_error` where Python raises: nothing may fly through
        C."""
        act = getattr(self, "_" + name)

        def call(*arguments):
            try:
                return act(*arguments)
            except Exception:  # pylint: disable=broad-except
                return ERROR

        return call

    def _alloc_memory(self, size, into):
        if size > LARGEST:
            return NOMEM
        memory = ctypes.create_string_buffer(max(int(size), 1))
        address = ctypes.addressof(memory)
        self._memory[address] = memory
        into[0] = address
        return OK

    def _free_memory(self, address):
        return OK if self._memory.pop(address, None) is not None else BAD_INPUT

    def _symbol_addr_lookup(self, _space, _thread, name, address, file):
        found = self.host.symbol(name.decode("ascii"), file.decode() if file else None)
        if found is None:
            return UNAVAILABLE
        address[0] = Address(0, found)
        return OK

    def _read_memory(self, _space, _thread, address, length, buffer):
        if length > LARGEST:
            return READ_ERROR
        try:
            data = self.host.read(address[0].address, int(length))
        except Refused:
            return READ_ERROR
        if len(data) != length:
            return READ_ERROR
        ctypes.memmove(buffer, data, len(data))
        return OK

    def _write_memory(self, _space, _thread, address, length, buffer):
        try:
            self.host.write_memory(address[0].address, ctypes.string_at(buffer, int(length)))
        except Refused:
            return WRITE_ERROR
        return OK

    def attach(self):
        """The handle of the process."""
        if self.space is None:
            space = _p()
            code = self.lib.ompd_process_initialize(PROCESS, ctypes.byref(space))
            if code != OK:
                raise Refused(self._no_runtime(code))
            self.space = space
        return self.space

    def _no_runtime(self, code):
        other = _other(self.host)
        if other:
            return (
                "the program's OpenMP runtime is %s, which is not Omphalos: start the program with "
                "`omphalos run`" % shown(other)
            )
        reasons = {
            UNAVAILABLE: "the process holds no runtime that it knows",
            INCOMPATIBLE: "the runtime in the process is of another version",
            READ_ERROR: "the memory of the process cannot be read",
        }
        return "libompd finds no OpenMP state: %s (ompd_process_initialize gives %d)" % (
            reasons.get(code, "the runtime is not loaded yet, or is another one than Omphalos'"),
            code,
        )

    def detach(self):
        """Forgets the process."""
        if self.space is not None:
            self.lib.ompd_rel_address_space_handle(self.space)
            self.space = None

    def snapshot(self):
        """The runtime's state now."""
        return answer(self.lib, "omphalos_snapshot", self.attach())

    def look(self, snapshot, seen):
        """The snapshot with stacks, waits outside the runtime, names and places; `seen`:
        docs/ompd.md says what is in it."""
        parts = [_json(part) for part in (snapshot, seen)]
        return answer(self.lib, "omphalos_look", self.attach(), *parts)

    def icvs(self, lwp):
        """[scope, name, value] of each control variable, as the thread with that number has it."""
        return answer(self.lib, "omphalos_icvs", self.attach(), _u64(lwp))

    def copy_of(self, lwp, pointer):
        """The address of a thread's copy of the threadprivate variable whose pointer to its table
        of copies stands at `pointer`; None where the variable itself is the one to read."""
        return answer(self.lib, "omphalos_copy", self.attach(), _u64(lwp), _u64(pointer))

    def stack(self, innermost):
        """[where it goes on, an address in the call that it is in, the stack pointer behind its
        return address] of each frame of a stack, by the unwinding tables; docs/ompd.md says what
        is in `innermost`."""
        return answer(self.lib, "omphalos_stack", PROCESS, _json(innermost))

    def arguments(self, frame):
        """The first two arguments of the call that a frame stands in, None for one that the code
        does not tell; docs/ompd.md says what is in `frame`."""
        return answer(self.lib, "omphalos_arguments", PROCESS, _json(frame))

    def why(self, snapshot, earlier=None):
        """Why nothing goes on: findings."""
        return answer(self.lib, "omphalos_why", *[_json(part) for part in (snapshot, earlier)])


def _json(data):
    return ctypes.c_char_p(json.dumps(data).encode() if data is not None else None)
