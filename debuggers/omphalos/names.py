"""The names that compilers give to the code of a construct.

gcc makes `f._omp_fn.0` of a region or task in `f`; clang `f.omp_outlined` with a body `f.omp_outlined_debug__`, and of
a task `.omp_task_entry.` with a body `.omp_outlined.`; flang `f..omp_par`; icx `f.DIR.OMP.PARALLEL...`.
"""

import re

USER, OUTLINED, REGION, TASK, BODY, HELPER = "user", "outlined", "region", "task", "body", "helper"

_CLONES = re.compile(r"(\.(constprop|isra|part|cold|lto_priv|llvm)(\.\d+)*)+$")
_DEMANGLED = re.compile(r"^(.*?)\s*\[clone ([^\]]*)\](.*)$", re.S)
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
    """What a function is, and the function that its construct stands in: "" where the name does not tell."""
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
    for mark in (".omp_outlined_debug__", "omp_outlined_debug__"):
        if mark in name:
            return BODY, _written(name.split(mark)[0])
    if name.startswith(".omp_outlined."):
        return BODY, ""
    if ".omp_outlined" in name:
        return REGION, _written(name.split(".omp_outlined")[0])
    return USER, name


def _written(base):
    """A linkage name as the user wrote it, as far as that goes without a demangler."""
    outer, separator, inner = base.rpartition("::")
    module = re.match(r"^__(\w+?)_MOD_(\w+)$", inner)
    if module:
        # gdb puts the enclosing function before: `add::__m_MOD_add`.
        return module.group(1) + "::" + module.group(2)
    if inner == "MAIN__":
        return outer or "MAIN__"
    if inner.startswith("_QM") or inner.startswith("_QP") or inner == "_QQmain":
        flang = re.match(r"^_Q(?:M(\w+?))?P(\w+)$", inner)
        if flang:
            return "::".join(part for part in flang.groups() if part)
    return outer + separator + inner
