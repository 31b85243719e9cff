//! pprof's format, `profile.proto` of <https://github.com/google/pprof>, for `go tool pprof` and
//! other readers: stacks with a value for all time and for each kind of time. Not compressed, which
//! its readers accept as well.

use omphalos_report::{Analysis, PlacedFrame, TimeKind};
use prost::Message;

use crate::stacks::{Numbers, Stacks, time_kind};

#[derive(Clone, PartialEq, Message)]
struct Profile {
    #[prost(message, repeated, tag = "1")]
    sample_type: Vec<ValueType>,
    #[prost(message, repeated, tag = "2")]
    sample: Vec<Sample>,
    #[prost(message, repeated, tag = "4")]
    location: Vec<Location>,
    #[prost(message, repeated, tag = "5")]
    function: Vec<Function>,
    #[prost(string, repeated, tag = "6")]
    string_table: Vec<String>,
    #[prost(int64, tag = "9")]
    time_nanos: i64,
    #[prost(int64, tag = "10")]
    duration_nanos: i64,
    #[prost(int64, repeated, tag = "13")]
    comment: Vec<i64>,
    #[prost(int64, tag = "14")]
    default_sample_type: i64,
}

#[derive(Clone, PartialEq, Message)]
struct ValueType {
    #[prost(int64, tag = "1")]
    kind: i64,
    #[prost(int64, tag = "2")]
    unit: i64,
}

#[derive(Clone, PartialEq, Message)]
struct Sample {
    /// The innermost one first.
    #[prost(uint64, repeated, tag = "1")]
    location_id: Vec<u64>,
    #[prost(int64, repeated, tag = "2")]
    value: Vec<i64>,
}

#[derive(Clone, PartialEq, Message)]
struct Location {
    #[prost(uint64, tag = "1")]
    id: u64,
    #[prost(message, repeated, tag = "4")]
    line: Vec<Line>,
}

#[derive(Clone, PartialEq, Message)]
struct Line {
    #[prost(uint64, tag = "1")]
    function_id: u64,
    #[prost(int64, tag = "2")]
    line: i64,
}

#[derive(Clone, PartialEq, Message)]
struct Function {
    #[prost(uint64, tag = "1")]
    id: u64,
    #[prost(int64, tag = "2")]
    name: i64,
    #[prost(int64, tag = "4")]
    filename: i64,
}

/// The word for all time together.
const ALL: &str = "time";

/// The profile as bytes.
pub fn render(processes: &[&Analysis]) -> Vec<u8> {
    let Stacks { frames, rows } = Stacks::of(processes);
    let mut strings = Numbers::default();
    // The format requires the empty string first.
    let mut string = |text: &str| strings.number(text.to_owned()) as i64;
    string("");
    let unit = string("nanoseconds");
    let kinds = std::iter::once(ALL).chain(TimeKind::ALL.map(time_kind));
    let sample_type = kinds.map(|kind| ValueType { kind: string(kind), unit }).collect();
    let mut functions = Numbers::default();
    let mut location = Vec::new();
    for (id, frame) in (1u64..).zip(&frames) {
        let PlacedFrame { text, file, line, .. } = frame;
        let names = (string(text), string(file.as_deref().unwrap_or_default()));
        let function_id = functions.number(names) as u64 + 1;
        let line = vec![Line { function_id, line: i64::from(*line) }];
        location.push(Location { id, line });
    }
    let function = |(id, &(name, filename))| Function { id, name, filename };
    let sample = rows.iter().map(|stack| {
        let time = i64::try_from(stack.time).unwrap_or(i64::MAX);
        let of_kind = TimeKind::ALL.map(|kind| if kind == stack.kind { time } else { 0 });
        Sample {
            location_id: stack.frames.iter().rev().map(|frame| *frame as u64 + 1).collect(),
            value: std::iter::once(time).chain(of_kind).collect(),
        }
    });
    let summary = processes.first().map(|first| first.summary());
    let figure = |figure: Option<u64>| figure.and_then(|it| i64::try_from(it).ok()).unwrap_or(0);
    let command = processes.first().map(|first| string(&first.command()));
    Profile {
        sample_type,
        sample: sample.collect(),
        location,
        function: (1u64..).zip(&functions.rows).map(function).collect(),
        time_nanos: figure(summary.map(|summary| summary.started)),
        duration_nanos: figure(summary.map(|summary| summary.elapsed)),
        comment: command.into_iter().collect(),
        default_sample_type: string(ALL),
        string_table: strings.rows,
    }
    .encode_to_vec()
}
