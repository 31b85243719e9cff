"""Constructs' bodies: of an outlined function, which construct it is the body of, and the function
that the construct stands in."""

from . import constructs, names
from .where import asked


class Bodies:
    """Answers from the code of the program's files; `state()` is the runtime's snapshot or None."""

    def __init__(self, host, state):
        self.host = host
        self.state = state
        # By function: the one around it.
        self._around = {}

    def entered(self, after):
        """The entry point that the call before `after` goes to, or None."""
        found = self.image_at(after)
        if not found:
            return None
        image, bias = found
        site = image.call_before(after - bias)
        return site.name if site else None

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
        construct = {names.REGION: "parallel", names.TARGET: "target"}.get(role)
        if role == names.BODY and base:
            construct = "parallel"
        if not construct:
            is_task = role in (names.TASK, names.BODY)
            construct = self._construct(frame, "task" if is_task else "outlined")
        if not base:
            key = (frame.name, frame.module)
            if key not in self._around:
                self._around[key] = self._enclosing(frame) or "??"
            base = self._around[key]
        return base, construct

    def _construct(self, frame, otherwise):
        """Which construct an outlined function is the body of: the call that it is handed to tells,
        or the runtime."""
        start = self.host.start_of(frame.inside)
        if start is None:
            return otherwise
        sites = self.handing(start)
        if sites:
            construct = constructs.of_site(self.image_at(start)[0], sites[0])
            return "parallel" if construct == "region" else construct
        state = self.state()
        if state and any(team.get("function") == start for team in state.teams()):
            return "parallel"
        if state and any(task.get("function") == start for task in state.tasks()):
            return "task"
        return otherwise

    def sites_of(self, start):
        """The calls that hand the function at `start` to the runtime; addresses are the file's."""
        image, bias = self.image_at(start) or (None, 0)
        return image.handing(start - bias) if image else []

    def handing(self, start):
        """`sites_of`, also of the half of a body that another one calls: clang hands that one
        over."""
        image, bias = self.image_at(start) or (None, 0)
        return self.sites_of(start) or (image.handing(start - bias, inner=True) if image else [])

    def _enclosing(self, frame):
        """The function around the construct of a body whose own name does not tell: the one that
        hands it over, or else the one whose lines it has."""
        start = self.host.start_of(frame.inside)
        for site in self.handing(start) if start is not None else ():
            function = self.host.line_at(site.after + self.bias(start) - 1)[0]
            if function:
                return names.plain(names.classify(function)[1] or function)
        return asked(self.host, frame.inside + 1, 0, "place").get("function")

    def left(self, body):
        """The jumps that hand a body to the runtime, where nothing else does."""
        sites = self.sites_of(body) if body else []
        return sites if all(site.tail for site in sites) else []

    def bias(self, address):
        """What is added to addresses in the file of the code at an address."""
        found = self.image_at(address)
        return found[1] if found else 0
