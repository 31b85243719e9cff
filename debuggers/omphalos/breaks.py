"""Stops at constructs: `omp break`."""

import os
import re

from . import code, constructs, host as hosts, names
from .text import Refused, shown

BREAK_HELP = (
    "Stop in the user's code at each construct of a kind, or at a line.\n"
    "omp break "
    "region|task|taskloop|taskwait|taskgroup|critical|barrier|single|master|ordered|for|"
    "sections|atomic|flush|teams|target\n"
    "omp break FILE:LINE\n"
    "Of region, task, taskloop, teams and target each thread stops where the construct's body "
    "begins; of critical, ordered,\n"
    "single, master and taskgroup the thread that executes it, in its body; of the others a thread "
    "stops before the\n"
    "construct. A taskloop's tasks are tasks, too.\n"
    "Places in libraries that are loaded later are added then. Delete them as breakpoints of the "
    "debugger."
)


def ours(path):
    """Whether a file is the user's: no runtime and no system library."""
    name = os.path.basename(path)
    return not hosts.RUNTIMES.match(name) and not hosts.SYSTEM.match(name)


def break_at(session, arguments):
    """`omp break`."""
    if len(arguments) != 1:
        raise Refused("omp break takes one construct, or FILE:LINE: see help omp break")
    word = arguments[0]
    line = re.match(r"^(.+):(\d+)$", word)
    if line:
        session.host.stop_at_line(line.group(1), int(line.group(2)), word)
        return None
    construct = constructs.WORDS.get(word)
    if construct is None:
        raise Refused(
            "%s is no construct: omp break takes %s, or FILE:LINE"
            % (shown(word), ", ".join(sorted(constructs.WORDS)))
        )
    return session.stops.want(construct)


class Stops:
    """The stops at constructs that the user asked for. They last over runs; their breakpoints do
    not."""

    def __init__(self, session):
        self.session = session
        self.host = session.host
        self.wanted = []
        # Breakpoints by address (or file and line), and the hooks that find more places.
        self.planted, self.hooks = {}, {}
        # By construct: the files that were loaded when its lines were looked for.
        self.looked_in = {}

    def want(self, construct):
        """Adds a construct."""
        self._prune()
        # What the user has deleted and asks for again comes back.
        self.planted = {
            key: stop
            for key, stop in self.planted.items()
            if stop.label != construct or stop.lives()
        }
        if construct not in self.wanted:
            self.wanted.append(construct)
        self._lines(construct)
        if not self.host.alive() or not self.host.has_runtime():
            self.host.when_started(self.plant)
            return "%s: the places are found when the program runs" % construct
        self.plant([construct])
        if self._found(construct):
            return None
        if any(key[0] == construct for key in self.hooks):
            return "%s: the places are found when the program comes to them" % construct
        self.wanted.remove(construct)
        source = ", and no source file with such a directive is readable, or has code there"
        raise Refused(
            "no place of %s is found: neither the program nor a library of it calls the runtime "
            "for it%s" % (construct, source if construct in constructs.INLINE else "")
        )

    def _found(self, construct):
        return any(stop.label == construct for stop in self.planted.values())

    def _imported(self, construct):
        """Whether the program calls the runtime for a construct."""
        names = constructs.of(construct)
        return bool(code.image(self.host.program()).sites(lambda name: name in names))

    def _prune(self):
        """Gives up constructs of which the user has deleted every breakpoint; of the others, hooks
        stay."""
        for construct in list(self.wanted):
            stops = [stop for stop in self.planted.values() if stop.label == construct]
            hooks = [key for key in self.hooks if key[0] == construct]
            seen = stops or [self.hooks[key] for key in hooks]
            if seen and not any(stop.lives() for stop in seen):
                self.wanted.remove(construct)
                for key in hooks:
                    self.hooks.pop(key).delete()
                self.planted = {
                    key: stop for key, stop in self.planted.items() if stop.label != construct
                }

    def forget(self):
        """The process has ended: its addresses mean nothing any more."""
        self._prune()
        for construct in self.wanted:
            if not self._found(construct) and not any(key[0] == construct for key in self.hooks):
                self.host.write("omp: %s: no place was found in this run\n" % construct)
        lines = {key: stop for key, stop in self.planted.items() if isinstance(key, tuple)}
        for key, stop in list(self.planted.items()) + list(self.hooks.items()):
            if key not in lines:
                stop.delete()
        self.planted, self.hooks = lines, {}

    def plant(self, wanted=None):
        """Sets what can be set now, for all that is wanted or for some."""
        if not self.host.alive() or not self.host.has_runtime():
            return
        if wanted is None:
            self._prune()
        for construct in wanted or self.wanted:
            # gdb is asked for its sources only while it does nothing else.
            if not getattr(self.host, "busy", False):
                self._lines(construct)
            for path, bias in self.host.images():
                if ours(path):
                    self._sites(construct, code.image(path), bias)
            for name in constructs.of(construct):
                if constructs.entry(name).where == constructs.BODY:
                    self._bodies(construct, name)

    def _sites(self, construct, image, bias):
        for site in image.sites(
            lambda name: name in constructs.ENTRIES or name.startswith("__kmpc_atomic_")
        ):
            entry = constructs.entry(site.name)
            if entry is None or constructs.of_site(image, site) not in constructs.kinds(construct):
                continue
            if entry.where == constructs.BODY:
                for start in site.bodies:
                    self._body(construct, start + bias)
                continue
            after = entry.where == constructs.AFTER and not site.tail
            address = bias + (site.after if after else site.address)
            if address not in self.planted and not self._has_line(construct, site.address + bias):
                condition = entry.condition if after or entry.where == constructs.BEFORE else None
                self.planted[address] = self.host.stop_at(address, condition, construct)

    def _has_line(self, construct, address):
        """Whether the directive's line has a stop already."""
        _, file, line = self.host.line_at(address)
        name = os.path.basename(file or "")
        return any(
            isinstance(key, tuple)
            and (os.path.basename(key[0]), key[1]) == (name, line)
            and stop.label == construct
            for key, stop in self.planted.items()
        )

    def _body(self, construct, start):
        """Stops in a function that the code hands to the runtime, if its name says that it is a
        construct's body."""
        if names.classify(self.host.line_at(start)[0])[0] in (names.USER, names.HELPER):
            return
        body = self.host.body(start)
        if body and body not in self.planted:
            self.planted[body] = self.host.stop_at(body, None, construct)

    def _bodies(self, construct, name):
        """Has the runtime's entry point tell of functions handed to it that the code does not show.

        The user sees it where nothing else stands for the construct; it goes with the last
        breakpoint that does.
        """
        entry = constructs.entry(name)

        def handed(register, read):
            if not construct_lives():
                return False
            start = entry.handed(register, read)
            body = self.host.body(start) if start else 0
            if body and body not in self.planted:
                self.planted[body] = self.host.stop_at(body, None, construct)
            return False

        def construct_lives():
            stops = [stop for stop in self.planted.values() if stop.label == construct]
            return not stops or any(stop.lives() for stop in stops)

        label = None if self._found(construct) else construct
        for address in entry_addresses(self.host, name):
            if (construct, address) not in self.hooks:
                self.hooks[(construct, address)] = self.host.hook(address, None, handed, label)

    def _lines(self, construct):
        """Lines of the source behind a directive that compilers make no call of."""
        if construct not in constructs.INLINE:
            return
        if self._imported(construct) and construct not in ("for", "sections"):
            return
        loaded = [path for path, _ in self.host.images() if ours(path)]
        if self.looked_in.get(construct) == loaded and self._found(construct):
            return
        self.looked_in[construct] = loaded
        for path in self.host.sources():
            for first, behind in directives(path, constructs.INLINE[construct]):
                # Behind the directive, or at it: compilers choose. A brace need not have code.
                lines = (behind, first) + ((behind + 1,) if construct == "target" else ())
                line = next((line for line in lines if self.host.has_code(path, line)), None)
                if line and (path, line) not in self.planted:
                    self.planted[(path, line)] = self.host.stop_at_line(path, line, construct)


_SOURCE = re.compile(r"\.(c|cc|cpp|cxx|h|hpp|f|for|f\d\d)$", re.I)


def directives(path, words):
    """The directives of a source file that have one of these names: their line, and the one
    behind."""
    if not _SOURCE.search(path):
        return []
    pattern = re.compile(r"((parallel|teams|distribute|target) )*(%s)\b" % "|".join(words))
    told = names.ask_library("omphalos_directives", path) or []
    return [(first, last + 1) for first, last, said in told if pattern.match(said)]


def entry_addresses(host, name):
    """Where an entry point starts in the runtime, in each of its versions; none where no runtime
    that has it is loaded."""
    found = []
    for path, bias in host.images():
        if hosts.RUNTIMES.match(os.path.basename(path)):
            found += [value + bias for value in code.image(path).exports.get(name, ())]
    return found
