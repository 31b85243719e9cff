"""What gcc's code hands to a region: a structure on the stack of the function around the construct.

A shared variable whose address the program takes nowhere is copied into it, and back where the
region ends: meanwhile the copy is the variable.
"""

from . import constructs, outside_look
from .host import SAVED
from .text import Refused


def structure(session, thread, frame):
    """(where the region's body starts, the address of what it was given), of a frame that a region
    was encountered in; None where the code does not show it."""
    host = session.host
    found = host.image_at(frame.pc)
    if not found:
        return None
    image, bias = found
    site = image.call_before(frame.pc - bias)
    entry = constructs.entry(site.name) if site and site.name.startswith("GOMP_") else None
    if not entry or entry.construct != "region":
        return None
    try:
        known = {name: host.register(thread, frame, name) for name in ("rsp",) + SAVED}
        asked = outside_look.frame(host, dict(known, rip=frame.pc))
        body, address = session.library().arguments(asked)
    except Refused:
        return None
    if body is None and site.bodies:
        body = site.bodies[0] + bias
    return None if body is None or address is None else (body, address)
