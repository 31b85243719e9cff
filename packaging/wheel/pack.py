"""Packs the installable tree as a wheel: pack.py TREE FILE VERSION TAG.

The same tree gives the same bytes: entries are sorted, and have the time SOURCE_DATE_EPOCH.
"""

import base64
import hashlib
import os
import sys
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Debug information is a package of its own.
LEFT_OUT = {".debug", "debug"}
# What a virtual environment has in its own places.
SHARED = ("share/man", "share/bash-completion", "share/zsh", "share/fish")

METADATA = """\
Metadata-Version: 2.4
Name: omphalos
Version: {version}
Summary: Runs and profiles unmodified OpenMP programs
License-Expression: Apache-2.0 OR MIT
License-File: LICENSE-APACHE
License-File: LICENSE-MIT
Keywords: OpenMP,profiler,debugger,HPC,OMPT
Classifier: Development Status :: 4 - Beta
Classifier: Environment :: Console
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Software Development :: Debuggers
Classifier: Topic :: System :: Distributed Computing
Requires-Python: >=3.8
Description-Content-Type: text/markdown

{readme}"""

WHEEL = """\
Wheel-Version: 1.0
Generator: omphalos
Root-Is-Purelib: false
Tag: {tag}
"""

ENTRY_POINTS = """\
[console_scripts]
omphalos = omphalos:main
"""


def entries(tree, version, tag):
    """Yields (name, content, executable)."""
    info = f"omphalos-{version}.dist-info"
    for path in tree.rglob("*"):
        name = path.relative_to(tree)
        if path.is_dir() or LEFT_OUT & set(name.parts):
            continue
        # A wheel has no links: the runtime's names are the libraries in lib/ldconfig.
        if path.is_symlink() and path.resolve().name == "libomphalos.so":
            continue
        place = f"omphalos/{name}"
        if str(name).startswith(SHARED):
            place = f"omphalos-{version}.data/data/{name}"
        yield place, path.read_bytes(), os.access(path, os.X_OK)
    for path in (HERE / "omphalos").glob("*.py"):
        yield f"omphalos/{path.name}", path.read_bytes(), False
    doc = tree / "share/doc/omphalos"
    for name in ("LICENSE-APACHE", "LICENSE-MIT"):
        yield f"{info}/licenses/{name}", (doc / name).read_bytes(), False
    readme = (doc / "README.md").read_text()
    yield f"{info}/METADATA", METADATA.format(version=version, readme=readme).encode(), False
    yield f"{info}/WHEEL", WHEEL.format(tag=tag).encode(), False
    yield f"{info}/entry_points.txt", ENTRY_POINTS.encode(), False


def main():
    tree, file, version, tag = Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
    # A zip file knows no time before 1980.
    seconds = max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800)
    when = time.gmtime(seconds)[:6]
    record = []

    def add(archive, name, content, executable):
        entry = zipfile.ZipInfo(name, when)
        entry.external_attr = (0o100755 if executable else 0o100644) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, content, compresslevel=9)

    with zipfile.ZipFile(file, "w") as archive:
        for name, content, executable in sorted(entries(tree, version, tag)):
            add(archive, name, content, executable)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
            record.append(f"{name},sha256={digest.decode()},{len(content)}\n")
        name = f"omphalos-{version}.dist-info/RECORD"
        record.append(f"{name},,\n")
        add(archive, name, "".join(record).encode(), False)


main()
