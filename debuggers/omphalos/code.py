"""What libompd.so tells of a program's file: what of it is mapped, what it exports, and where its
code calls an OpenMP runtime, also where the program is stripped.

Addresses are the file's own: add the bias for those in a process.
"""

import collections
import os

from . import constructs, names


class Site:
    """A call in the code: its address, the instruction behind it, and the entry point's name."""

    __slots__ = ("address", "after", "name", "tail", "bodies", "inner")

    def __init__(self, told):
        # `tail`: it is a jump in place of a call and a return; nothing comes behind it. `bodies`:
        # where the functions may start that it hands over. `inner`: where those functions start
        # that the bodies call first.
        for field, value in zip(self.__slots__, told):
            setattr(self, field, value)


class Image:
    """A file of a program."""

    def __init__(self, path):
        told = names.ask_library("omphalos_file", path)
        self.path = path
        # [address, where in the file, length there, length in memory, flags] of what is mapped.
        self.segments = told.get("segments", [])
        # By name: what the file exports, of each version, the newest first.
        self.exports = told.get("exports", {})
        self._sites = [Site(call) for call in told.get("calls", [])]
        self._by_after = {site.after: site for site in self._sites}
        self._handing = collections.defaultdict(list), collections.defaultdict(list)
        for site in self._sites:
            entry = constructs.entry(site.name)
            if entry and entry.where == constructs.BODY:
                for starts, handing in zip((site.bodies, site.inner), self._handing):
                    for start in starts:
                        handing[start].append(site)

    def sites(self, wanted):
        """The calls of those functions for whose name `wanted(name)` holds."""
        return [site for site in self._sites if wanted(site.name)]

    def call_before(self, after):
        """The call that ends at `after`, or None."""
        return self._by_after.get(after)

    def handing(self, start, inner=False):
        """The calls that hand the function at `start` to the runtime. With `inner`: the calls that
        hand over another function, whose body calls that one."""
        return self._handing[inner].get(start, [])

    def has(self, address, is_code=False):
        """Whether an address lies in what is mapped of the file, or in its code."""
        return any(
            start <= address < start + length
            for start, _, _, length, flags in self.segments
            if flags & 1 or not is_code
        )


_images = {}


def image(path):
    """The file at `path`, read once for as long as it stays the same."""
    try:
        status = os.stat(path)
        key = (path, status.st_ino, status.st_size, status.st_mtime_ns)
    except OSError:
        key = (path, 0, 0, 0)
    if key not in _images:
        if len(_images) > 256:
            _images.clear()
        _images[key] = Image(path)
    return _images[key]
