"""The names that compilers give to the code of a construct.

gcc makes `f._omp_fn.0` of a region or task in `f`; clang `f.omp_outlined` with a body
`f.omp_outlined_debug__`, of a task `.omp_task_entry.` with a body `.omp_outlined.`, and of a target
region `__omp_offloading_1f_2e_f_l7`; flang `f..omp_par`; icx `f.DIR.OMP.PARALLEL...`.
"""

import ctypes
import re

# Longer names are not taken apart.
LONGEST = 2000
_known = {}

USER, OUTLINED, REGION, TASK, BODY, HELPER = "user", "outlined", "region", "task", "body", "helper"
TARGET = "target"
# What only calls the function with the body, of clang's.
HALVES = (REGION, TASK, TARGET)

_CLONES = re.compile(r"(\.(constprop|isra|part|cold|lto_priv|llvm)(\.\d+)*)+$")
_QUALIFIERS = re.compile(r"( (const|volatile|&&?))+$")
_MODULE = re.compile(r"^__(\w+?)_MOD_(\w+)$")
_DEMANGLED = re.compile(r"^(.*?)\s*\[clone ([^\]]*)\](.*)$", re.S)
# The device and the file, the function, the line, and which of those on it.
_TARGET = re.compile(
    r"^(?:::)?__omp_offloading_[0-9a-f]+_[0-9a-f]+_(.+)_l\d+(?:_\d+)?(?:_debug__)?$"
)
_HELPERS = (
    ".omp.",
    ".omp_task_privates_map.",
    ".omp_task_dup.",
    ".omp_task_destructor.",
    ".omp_combiner.",
    ".omp_initializer.",
    ".red_init.",
    ".red_comb.",
    ".red_fini.",
)


def classify(name):
    """What a function is, and the function that its construct stands in: "" where the name does not
    tell."""
    if not name:
        return USER, ""
    # C++: `f(int) [clone ._omp_fn.0]`; Fortran: `add::__m_MOD_add._omp_fn.0`.
    clone = _DEMANGLED.match(name)
    if clone:
        name = clone.group(1) + clone.group(2)
    name = _CLONES.sub("", name)
    if "._omp_cpyfn." in name:
        return HELPER, name.split("._omp_cpyfn.")[0]
    if "._omp_fn." in name:
        return OUTLINED, _written(name.split("._omp_fn.")[0])
    if "..omp_par" in name:
        return OUTLINED, _written(name.split("..omp_par")[0])
    if ".DIR.OMP." in name:
        base, directive = name.split(".DIR.OMP.", 1)
        return (TASK if directive.startswith("TASK") else REGION), _written(base)
    if name.startswith(".omp_task_entry."):
        return TASK, ""
    if name.startswith(_HELPERS):
        return HELPER, ""
    if name.startswith(".omp_outlined."):
        return BODY, ""
    # The body of a region inside a region: `f.omp_outlined_debug__.omp_outlined`.
    marks = list(re.finditer(r"\.?omp_outlined(_debug__)?", name))
    # lldb gives it with parameters.
    target = _TARGET.match(name[: marks[0].start()] if marks else without_parameters(name))
    if marks:
        base = target.group(1) if target else name[: marks[0].start()]
        return (BODY if marks[-1].group(1) else REGION), _written(base)
    if target:
        return TARGET, _written(target.group(1))
    return USER, name


def is_scattered(name):
    """Whether the lines of an outlined function do not tell where its construct stands: flang's
    first line is anywhere."""
    return "..omp_par" in (name or "")


def demangled(name):
    """A C++ name as it was written, without its parameters."""
    if len(name) > LONGEST or not re.match(r"^_Z[\w.$]+$", name):
        return name
    if name not in _known:
        _known[name] = _demangle(name) or name
    return _known[name]


def _demangle(name):
    try:
        library = ctypes.CDLL("libstdc++.so.6")
        library.__cxa_demangle.restype = ctypes.c_void_p
        status = ctypes.c_int(-1)
        found = library.__cxa_demangle(name.encode(), None, None, ctypes.byref(status))
    except (OSError, AttributeError):
        return None
    if not found:
        return None
    text = ctypes.string_at(found).decode("utf-8", "replace")
    free = ctypes.CDLL(None).free
    free.argtypes = [ctypes.c_void_p]
    free(found)
    return without_result(without_parameters(text))


def without_parameters(text):
    """A C++ function's name without its parameters: they come last, in parentheses outside of
    template arguments; what is in an anonymous namespace has some too."""
    if not text.rstrip(" const&").endswith(")") or len(text) > LONGEST:
        return text
    depth, end = 0, len(text)
    for at in range(len(text) - 1, -1, -1):
        if text[at] == ")":
            depth += 1
        elif text[at] == "(":
            depth -= 1
            if depth == 0:
                end = at
                break
    # `operator()` is a name.
    return text if text[:end].endswith("operator") else text[:end]


def without_result(text):
    """A C++ function's name without the type of its result, which a template's has in front."""
    if re.search(r"\boperator[ <>-]", text):
        return text
    # A method's `const` stands behind a blank, too.
    body = _QUALIFIERS.sub("", text)
    depth, start = 0, 0
    for at, letter in enumerate(body):
        if letter in "<([{":
            depth += 1
        elif letter in ">)]}":
            depth -= 1
        elif letter == " " and depth == 0:
            start = at + 1
    return text[start:].lstrip("*&")


def _written(base):
    """A linkage name as the user wrote it, as far as that goes without a demangler."""
    if base.startswith("_Z"):
        return demangled(base)
    outer, separator, inner = base.rpartition("::")
    if _MODULE.match(inner):
        # gdb puts the enclosing function before: `add::__m_MOD_add`.
        return plain(inner)
    if inner == "MAIN__":
        # The program's own name is that of the function which hands the body over.
        return outer
    return outer + separator + plain(inner)


def plain(name):
    """A Fortran compiler's name of a procedure as the user wrote it; any other one as it is."""
    if name in ("_QQmain", "MAIN__"):
        return "main program"
    module = _MODULE.match(_CLONES.sub("", name))
    if module:
        return "::".join(module.groups())
    if name.endswith((")", ") const")):
        # gdb leaves the parameters that it does not understand.
        return without_parameters(name)
    flang = (
        re.match(r"^_Q(?:M(\w+?))?(?:F\w+?)?P(\w+)$", name)
        if name.startswith("_Q") and len(name) <= LONGEST
        else None
    )
    return "::".join(part for part in flang.groups() if part) if flang else name
