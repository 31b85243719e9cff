"""Control variables, by OMPD's functions."""

import ctypes

from .ompd import LWP, OK, SCOPES

_p, _u64, _i64, _int = ctypes.c_void_p, ctypes.c_uint64, ctypes.c_int64, ctypes.c_int
# `ompd_rc_incomplete`: only the first item fits into an integer.
INCOMPLETE = 11
# Variables that are asked for at most.
MOST = 4096


def all_of(library, lwp):
    """(scope, name, value) of each control variable, as the thread with that number has it."""
    lib, space = library.lib, library.attach()
    handles = _Handles(lib, space, lwp)
    try:
        found, current = [], 0
        for _ in range(MOST):
            following, name, scope, more = _u64(0), _p(), _int(0), _int(0)
            code = lib.ompd_enumerate_icvs(
                space,
                _u64(current),
                ctypes.byref(following),
                ctypes.byref(name),
                ctypes.byref(scope),
                ctypes.byref(more),
            )
            if code != OK or following.value == current:
                break
            current = following.value
            variable = library.text(name)
            handle = handles.of(scope.value)
            if handle:
                value = _value(library, handle, scope.value, current)
                found.append((SCOPES.get(scope.value, str(scope.value)), variable, value))
            if not more.value:
                break
        return found
    finally:
        handles.release()


def _value(library, handle, scope, icv):
    lib, number, text = library.lib, _i64(0), _p()
    if lib.ompd_get_icv_string_from_scope(handle, _int(scope), _u64(icv), ctypes.byref(text)) == OK:
        return library.text(text)
    code = lib.ompd_get_icv_from_scope(handle, _int(scope), _u64(icv), ctypes.byref(number))
    if code == OK:
        return str(number.value)
    if code == INCOMPLETE:
        return "%d, ..." % number.value
    return "(not known: %d)" % code


class _Handles:
    """The handles of a thread, its region and its task."""

    def __init__(self, lib, space, lwp):
        self.lib, self.space = lib, space
        self.thread, self.parallel, self.task = _p(), _p(), _p()
        number = _u64(lwp or 0)
        if (
            not lwp
            or lib.ompd_get_thread_handle(
                space, _u64(LWP), _u64(4), ctypes.byref(number), ctypes.byref(self.thread)
            )
            != OK
        ):
            self.thread = _p()
            return
        if lib.ompd_get_curr_parallel_handle(self.thread, ctypes.byref(self.parallel)) != OK:
            self.parallel = _p()
        if lib.ompd_get_curr_task_handle(self.thread, ctypes.byref(self.task)) != OK:
            self.task = _p()

    def of(self, scope):
        """The handle that a scope is asked with, or a null one."""
        return {
            1: self.space,
            2: self.space,
            3: self.thread,
            4: self.parallel,
            5: self.task,
            6: self.task,
        }.get(scope)

    def release(self):
        """Gives the handles back."""
        for handle, name in (
            (self.task, "task"),
            (self.parallel, "parallel"),
            (self.thread, "thread"),
        ):
            if handle:
                getattr(self.lib, "ompd_rel_%s_handle" % name)(handle)
