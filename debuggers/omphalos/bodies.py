"""Constructs' bodies: of an outlined function, which construct it is the body of, and the function
that the construct stands in."""

from . import constructs, names


class Bodies:
    """Answers from the code of the program's files; `state()` is the runtime's snapshot or None."""

    def __init__(self, host, state):
        self.host = host
        self.state = state
        # By file: its outlined functions. By function: the one around it.
        self._bodies, self._around = {}, {}

    def entered(self, after):
        """The entry point that the call before `after` goes to, or None."""
        found = self.image_at(after)
        if not found:
            return None
        image, bias = found
        return image.called(after - bias)

    def image_at(self, address):
        """The ELF file that an address belongs to, and its bias."""
        return self.host.image_at(address)

    def body(self, frame):
        """The function that a user wrote, and the construct or None, of a frame."""
        role, base = names.classify(frame.name)
        if role in (names.USER, names.HELPER):
            return names.plain(frame.name or "??"), None
        return self._body(frame, role, base)

    def _body(self, frame, role, base):
        """The function that a construct stands in, and the construct."""
        construct = {names.REGION: "parallel", names.TASK: "task"}.get(role)
        if role == names.BODY:
            construct = "parallel" if base else "task"
        if not construct:
            construct = self._construct(frame)
        if not base:
            key = (frame.name, frame.module)
            if key not in self._around:
                self._around[key] = self._enclosing(frame) or "??"
            base = self._around[key]
        return base, construct

    def _construct(self, frame):
        """Which construct an outlined function is the body of: the call that it is handed to tells,
        or the runtime."""
        start = self.host.start_of(frame.pc - 1 if frame.level else frame.pc)
        if start is None:
            return "outlined"
        sites = self.sites_of(start)
        if sites:
            return constructs.written(sites[0].name)
        state = self.state()
        if state and any(team.get("function") == start for team in state.teams()):
            return "parallel"
        if state and any(task.get("function") == start for task in state.tasks()):
            return "task"
        return "outlined"

    def sites_of(self, start):
        """The calls that hand the function at `start` to the runtime; addresses are the file's."""
        found = self.image_at(start)
        if not found:
            return []
        image, bias = found
        if image.path not in self._bodies:
            bodies = self._bodies[image.path] = {}
            for site in image.sites(lambda name: constructs.entry(name) is not None):
                if constructs.entry(site.name).where == constructs.BODY:
                    for constant in image.constants_before(site.address):
                        if image.in_code(constant):
                            bodies.setdefault(constant, []).append(site)
        return self._bodies[image.path].get(start - bias, [])

    def _enclosing(self, frame):
        """The function around the construct of a body whose own name does not tell: the one that
        hands it over."""
        start = self.host.start_of(frame.pc - 1 if frame.level else frame.pc)
        found = self.image_at(start) if start is not None else None
        if found:
            image, bias = found
            sites = self.sites_of(start)
            if not sites:
                # clang's outer half is handed over, and calls this one.
                outer = (
                    body
                    for body in self._bodies.get(image.path, ())
                    if image.calls(body, start - bias)
                )
                sites = [site for body in outer for site in self._bodies[image.path][body]]
            for site in sites:
                function = self.host.line_at(site.after + bias - 1)[0]
                if function:
                    return names.classify(function)[1] or function
        return self.host.function_around(frame)

    def left(self, body):
        """The jumps that hand a body to the runtime, where nothing else does."""
        sites = self.sites_of(body) if body else []
        return sites if all(site.tail for site in sites) else []

    def bias(self, address):
        """What is added to addresses in the file of the code at an address."""
        found = self.image_at(address)
        return found[1] if found else 0
