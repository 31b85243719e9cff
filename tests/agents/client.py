#!/usr/bin/env python3
"""client.py OMPHALOS PROFILE OTHER PID BIG: drives `omphalos mcp` by the protocol itself, as a
client does: begins, lists, calls each tool with good and bad arguments, reads the guide, ends by
closing its end. PROFILE has an imbalance, OTHER none, PID stands in a cycle of locks, BIG has many
regions. Prints what is not as it should be."""

import json
import re
import subprocess
import sys

omphalos, profile, other, pid, big = sys.argv[1:]
MOST = 6000
UNITS = ("_ms", "_us", "_percent", "_s", "_tid")
COUNTS = {"threads", "usable_cpus", "entered", "team_threads", "acquired", "waited_for", "executed",
          "executed_by_others", "times", "iterations", "chunks", "thread", "threads_in_all",
          "runs_before", "runs_after", "pid", "findings", "regions", "other_processes"}
faults = []


def check(holds, what):
    if not holds:
        faults.append(what)


class Client:
    def __init__(self):
        self.server = subprocess.Popen([omphalos, "mcp"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True)
        self.number = 0

    def send(self, message):
        self.server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.server.stdin.flush()

    def ask(self, method, **params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        answer = json.loads(self.server.stdout.readline())
        check(answer["id"] == self.number, f"the answer to {method} has another number: {answer}")
        return answer

    def call(self, name, **arguments):
        """The answer as an object, or as a text where it is a complaint."""
        answer = self.ask("tools/call", name=name, arguments=arguments)
        result = answer.get("result")
        if result is None:
            return "error " + answer["error"]["message"]
        text = result["content"][0]["text"]
        check(len(text) <= MOST, f"{name} {arguments}: {len(text)} characters")
        return text if result["isError"] else json.loads(text)


def units(name, value, where):
    """Every number's name says its unit, or is a count's."""
    if isinstance(value, dict):
        for key, inner in value.items():
            units(key, inner, f"{where}.{key}")
    elif isinstance(value, list):
        for inner in value:
            units(name, inner, where)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        has = name.endswith(UNITS) or name in COUNTS or name.endswith("_left_out")
        check(has, f"{where} has no unit: {value}")


client = Client()
begun = client.ask("initialize", protocolVersion="2025-06-18", capabilities={},
                   clientInfo={"name": "test", "version": "1"})["result"]
check(begun["serverInfo"]["name"] == "omphalos", str(begun))
check("omphalos profile" in begun["instructions"], str(begun))
client.send({"method": "notifications/initialized"})

tools = {tool["name"]: tool for tool in client.ask("tools/list")["result"]["tools"]}
check(0 < len(tools) <= 8, f"{len(tools)} tools")
for name, tool in tools.items():
    check(tool["annotations"]["readOnlyHint"] is True, f"{name} is not said to read only")
    check(tool["inputSchema"]["type"] == "object", f"{name}: {tool['inputSchema']}")
    answer = client.call(name, nonsense=1)
    check(isinstance(answer, str) and "nonsense" in answer, f"{name}: {answer}")
    for required in tool["inputSchema"]["required"]:
        kind = tool["inputSchema"]["properties"][required]["type"]
        check(kind == "string", f"{name}: {required} is a {kind}")
        all_given = {other: "/nonexistent" for other in tool["inputSchema"]["required"]}
        missing = client.call(name, **{k: v for k, v in all_given.items() if k != required})
        check(isinstance(missing, str), f"{name} without {required}: {missing}")
        wrong = client.call(name, **{**all_given, required: 7})
        check(isinstance(wrong, str) and "text" in wrong, f"{name} {required}=7: {wrong}")
        absent = client.call(name, **all_given)
        check(isinstance(absent, str) and "/nonexistent" in absent, f"{name}: {absent}")

good = {
    "digest": {"profile": profile}, "region": {"profile": profile, "region": "imbalance.c"},
    "function": {"profile": profile, "function": "grind"}, "threads": {"profile": profile},
    "diff": {"before": profile, "after": other}, "why": {"pid": int(pid)}, "doctor": {},
    "profiles": {"folder": profile.rsplit("/", 1)[0]},
}
check(set(good) == set(tools), f"tools {sorted(tools)}")
answers = {name: client.call(name, **arguments) for name, arguments in good.items()}
for name, answer in answers.items():
    check(isinstance(answer, dict), f"{name}: {answer}")
    units(name, answer, name)

digest = answers["digest"]
if not digest["inconclusive"]:
    first = digest["findings"][0]
    check("imbalance.c:19" in first["place"] and first["saves_at_most_ms"] > 0, str(first))
    check("schedule(dynamic)" in first["to_do"], str(first))
    check("load imbalance" not in digest["ruled_out"], str(digest["ruled_out"]))
check("contention" in digest["ruled_out"], str(digest["ruled_out"]))
check("memory bandwidth" in digest["cannot_be_seen"], str(digest))
check("denormal numbers" in digest["cannot_be_seen"], str(digest))
check(answers["region"]["region"].startswith("imbalance.c:19"), str(answers["region"]))
check(answers["function"]["function"] == "grind", str(answers["function"]))
check(len(answers["threads"]["threads"]) == 2, str(answers["threads"]))
check(answers["diff"]["verdict"] in ("faster", "slower", "same", "inconclusive"), "no verdict")
listed = answers["profiles"]["profiles"]
check(any(row["path"] == profile for row in listed), str(listed))
why = answers["why"]
check(why["causes"] and why["causes"][0]["kind"] == "lock-cycle", str(why))
check(re.search(r"mutex_and_lock.c:\d+ in main", why["causes"][0]["cause"]), str(why["causes"]))
check(any("barrier" in cause for cause in why["ruled_out"]), str(why["ruled_out"]))

for name, arguments, says in [
    ("region", {"profile": profile, "region": "nowhere.c:1"}, "imbalance.c:19"),
    ("function", {"profile": profile, "function": "nobody"}, "grind"),
    ("why", {}, "'pid'"), ("why", {"pid": "12x"}, "whole number"), ("why", {"pid": -1}, "whole"),
    ("why", {"core": "/nonexistent/core"}, "/nonexistent/core"),
    ("doctor", {"program": "/nonexistent/app"}, "/nonexistent/app"),
    ("digest", {"profile": "/etc/passwd"}, "not a profile"),
    ("nothing", {}, "digest"),
]:
    answer = client.call(name, **arguments)
    check(isinstance(answer, str) and says in answer, f"{name} {arguments}: {answer}")

# What is huge is cut, and says so.
for name, arguments in [("digest", {}), ("region", {}), ("function", {}), ("threads", {})]:
    answer = client.call(name, profile=big, **arguments)
    check(isinstance(answer, dict), f"{name} of a large profile: {answer}")
    units(name, answer, name)
    if name == "region":
        check(answer["regions_left_out"] > 100, str(answer)[:300])

resources = client.ask("resources/list")["result"]["resources"]
guide = client.ask("resources/read", uri=resources[0]["uri"])["result"]["contents"][0]
check(all(f"`{name}`" in guide["text"] for name in ("digest", "diff", "why")), guide["text"])
check("error" in client.ask("resources/read", uri="omphalos://nothing"), "a resource of no name")
check("error" in client.ask("nonsense/method"), "a method of no name")

client.server.stdin.close()
check(client.server.wait(30) == 0, "the server does not end well with its input")
print("\n".join(faults))
sys.exit(bool(faults))
