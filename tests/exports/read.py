"""Reads an export by a program or library of others, and prints as JSON what it adds up to.

    python3 read.py FORMAT FILE FOLDER     FOLDER: what `cargo xtask test` fetched, for some formats
"""

import csv
import glob
import json
import os
import re
import subprocess
import sys

KINDS = ["work", "wait", "blocked", "without_cpu", "not_sampled"]


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def of_tables(tables):
    """What the numbers of each column of each table come to; of the stacks also by their kind."""
    sums, kinds = {}, dict.fromkeys(KINDS, 0)
    for name, rows in tables.items():
        columns = sums.setdefault(name, {"rows": len(rows)})
        for row in rows:
            for column, value in row.items():
                if re.fullmatch(r"-?\d+", str(value)):
                    columns[column] = columns.get(column, 0) + int(value)
    for row in tables["stacks"]:
        kinds[row["kind"]] += int(row["time_ns"])
    depths = {}
    for row in tables["frames"]:
        depths.setdefault(row["stack_id"], []).append(row["name"])
    for row in tables["stacks"]:
        assert ";".join(depths.get(row["id"], [])) == row["stack"], row
    return {"kinds": kinds, "total": sum(kinds.values()), "tables": sums}


def read_csv(folder, _):
    tables = {}
    for file in glob.glob(os.path.join(folder, "*.csv")):
        with open(file, newline="", encoding="utf-8") as lines:
            name = os.path.basename(file).removesuffix(".csv")
            tables[name] = list(csv.DictReader(lines, strict=True))
            assert all(None not in row and None not in row.values() for row in tables[name]), name
    return of_tables(tables)


def read_sqlite(file, _):
    assert output("sqlite3", file, "PRAGMA integrity_check").strip() == "ok"
    names = output("sqlite3", file, "SELECT name FROM sqlite_schema WHERE type = 'table'").split()
    ask = lambda query: json.loads(output("sqlite3", "-json", file, query) or "[]")
    by_kind = "SELECT sum(time_ns) FROM stacks WHERE kind = 'work'"
    found = of_tables({name: ask(f"SELECT * FROM {name}") for name in names})
    assert int(output("sqlite3", file, by_kind) or 0) == found["kinds"]["work"]
    return found


def read_speedscope(file, fetched):
    import jsonschema

    with open(file, encoding="utf-8") as text:
        profile = json.load(text)
    with open(os.path.join(fetched, "speedscope.schema.json"), encoding="utf-8") as text:
        jsonschema.validate(profile, json.load(text))
    for one in profile["profiles"]:
        assert sum(one["weights"]) == one["endValue"], one["name"]
        assert len(one["weights"]) == len(one["samples"])
        frames = len(profile["shared"]["frames"])
        assert all(0 <= frame < frames for stack in one["samples"] for frame in stack)
    ends = {one["name"].replace(" ", "_"): one["endValue"] for one in profile["profiles"]}
    total = profile["profiles"][0]["endValue"]
    return {"kinds": {kind: ends.get(kind, 0) for kind in KINDS}, "total": total}


def read_callgrind(file, _):
    annotate = ["callgrind_annotate", "--threshold=100", "--auto=no"]
    text = output(*annotate, file)
    events = re.search(r"^Events shown:\s+(.*)$", text, re.M)[1].lower().split()
    line = re.search(r"^(.*)\s+PROGRAM TOTALS$", text, re.M)[1]
    figures = re.findall(r"([\d,]+)(?: \([\d.]+%\))?", line)
    figures = [int(figure.replace(",", "")) for figure in figures]
    kinds = dict(zip(events, figures, strict=True))
    # What the functions themselves took is all of it.
    own = [0] * len(KINDS)
    for line in re.findall(r"^((?:\s*[\d,]+ \([ \d.]+%\)|\s*[\d,]+\b)+)\s+\S+:.*$", text, re.M):
        row = re.findall(r"([\d,]+)(?: \([ \d.]+%\))?", line)
        own = [sum + int(figure.replace(",", "")) for sum, figure in zip(own, row, strict=True)]
    assert own == list(kinds.values()), (own, kinds)
    assert "PROGRAM TOTALS" in output(*annotate, "--inclusive=yes", file)
    return {"kinds": kinds, "total": sum(kinds.values())}


def read_pprof(file, _):
    kinds = {}
    for kind in ["time", *KINDS]:
        options = ["-top", "-unit=ns", "-nodefraction=0", "-edgefraction=0"]
        options.append(f"-sample_index={kind}")
        text = output("go", "tool", "pprof", *options, file)
        found = re.search(r"accounting for (\d+)ns.* of (\d+)ns total", text)
        kinds[kind] = int(found[2]) if found else 0
        # The functions by themselves are all of it.
        assert not found or found[1] == found[2], text
    raw = output("go", "tool", "pprof", "-raw", file)
    assert re.search(r"time/nanoseconds.* work/nanoseconds wait/nanoseconds", raw), raw[:400]
    return {"kinds": {kind: kinds[kind] for kind in KINDS}, "total": kinds["time"]}


def by_trace_processor(file):
    from perfetto.trace_processor import TraceProcessor

    with TraceProcessor(trace=file) as reader:
        ask = lambda query: next(iter(reader.query(query)))
        sums = "SELECT key, int_value AS value FROM args WHERE key GLOB 'debug.*_ns'"
        errors = ask("SELECT sum(value) AS n FROM stats WHERE severity = 'error'").n
        assert errors == 0, errors
        return {
            "reader": "trace_processor",
            "samples": ask("SELECT count(*) AS n FROM perf_sample").n,
            "threads": ask("SELECT count(*) AS n FROM thread_track").n,
            "slices": ask("SELECT count(*) AS n FROM slice WHERE category IN ('region', 'wait')").n,
            "unfinished": ask("SELECT count(*) AS n FROM slice WHERE dur < 0").n,
            "sums": [[row.key.removeprefix("debug."), row.value] for row in reader.query(sums)],
        }


def by_schema(file):
    """What the published schema says of it, where trace_processor cannot be had."""
    from google.protobuf.unknown_fields import UnknownFieldSet
    from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

    trace = Trace()
    with open(file, "rb") as data:
        trace.ParseFromString(data.read())
    known = {"stacks": set(), "frames": set(), "functions": set(), "mappings": set()}
    open_slices, threads, samples, slices, sums = {}, 0, 0, 0, []
    last = {}
    for packet in trace.packet:
        assert len(UnknownFieldSet(packet)) == 0
        new = packet.interned_data
        known["mappings"] |= {one.iid for one in new.mappings}
        known["functions"] |= {one.iid for one in new.function_names}
        for frame in new.frames:
            assert frame.function_name_id in known["functions"]
            assert frame.mapping_id in known["mappings"]
            known["frames"].add(frame.iid)
        for stack in new.callstacks:
            assert set(stack.frame_ids) <= known["frames"]
            known["stacks"].add(stack.iid)
        if packet.HasField("perf_sample"):
            assert packet.perf_sample.callstack_iid in known["stacks"]
            samples += 1
        if packet.HasField("track_descriptor"):
            open_slices[packet.track_descriptor.uuid] = 0
            threads += packet.track_descriptor.HasField("thread")
        if packet.HasField("track_event"):
            event = packet.track_event
            assert packet.timestamp >= last.get(event.track_uuid, 0), "time goes back"
            last[event.track_uuid] = packet.timestamp
            steps = {TrackEvent.TYPE_SLICE_BEGIN: 1, TrackEvent.TYPE_SLICE_END: -1}
            step = steps.get(event.type, 0)
            slices += step == 1 and event.categories[0] in ("region", "wait")
            open_slices[event.track_uuid] += step
            assert open_slices[event.track_uuid] >= 0
            told = [[one.name, one.uint_value] for one in event.debug_annotations]
            sums += [one for one in told if one[0].endswith("_ns")]
    return {
        "reader": "the schema",
        "samples": samples,
        "threads": threads,
        "slices": slices,
        "unfinished": sum(open_slices.values()),
        "sums": sums,
    }


def read_perfetto(file, _):
    try:
        return by_trace_processor(file)
    except (OSError, subprocess.CalledProcessError):
        # Its program comes from the network.
        return by_schema(file)


print(json.dumps(globals()[f"read_{sys.argv[1]}"](*sys.argv[2:])))
