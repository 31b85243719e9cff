//! The recorder's output, and the questions about it that rows ask.

use std::collections::HashMap;
use std::fmt;

/// One event.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// Its fields, in order; a name may come more than once.
    pub fields: Vec<(String, String)>,
}

impl Event {
    /// Returns a field's value, empty if there is none.
    pub fn get(&self, field: &str) -> &str {
        self.fields.iter().find(|(name, _)| name == field).map_or("", |(_, value)| value)
    }

    /// Returns a field as a number, decimal or hexadecimal; 0 if it is none.
    pub fn number(&self, field: &str) -> u64 {
        let text = self.get(field);
        match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).unwrap_or(0),
            None => text.parse().unwrap_or(0),
        }
    }

    /// Whether a field has this value.
    pub fn is(&self, field: &str, value: &str) -> bool {
        self.get(field) == value
    }

    /// Whether a set of flags has this one.
    pub fn has(&self, field: &str, flag: &str) -> bool {
        let text = self.get(field);
        let inside = text.split_once('(').map_or(text, |(_, inside)| inside.trim_end_matches(')'));
        inside.split('|').any(|each| each.trim() == flag)
    }
}

impl fmt::Display for Event {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.name)?;
        self.fields.iter().try_for_each(|(name, value)| write!(out, " {name}={value}"))
    }
}

/// All events of a run, in the order in which they came.
#[derive(Debug, Default)]
pub struct Stream {
    /// The events.
    pub events: Vec<Event>,
    /// The runtime's answer to each registration.
    pub answers: HashMap<String, String>,
    /// Whether the tool was told of the end.
    pub ended: bool,
}

impl Stream {
    /// Parses the recorder's text.
    pub fn parse(text: &str) -> Stream {
        let mut stream = Stream::default();
        for line in text.lines() {
            let mut words = line.split(' ');
            let name = words.next().unwrap_or("").to_owned();
            let fields: Vec<(String, String)> = words
                .filter_map(|word| word.split_once('='))
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect();
            let event = Event { name, fields };
            match event.name.as_str() {
                "answer" => {
                    let of = event.get("event").trim_start_matches("ompt_callback_").to_owned();
                    stream.answers.insert(of, event.get("answer").to_owned());
                }
                "end" => stream.ended = true,
                _ => stream.events.push(event),
            }
        }
        stream
    }

    /// Returns the events of a name.
    pub fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Event> {
        self.events.iter().filter(move |event| event.name == name)
    }

    /// Returns the events with this name and these fields.
    pub fn with<'a>(&'a self, name: &str, fields: &[(&str, &str)]) -> Vec<&'a Event> {
        let fits = |event: &&Event| {
            event.name == name && fields.iter().all(|(field, value)| event.is(field, value))
        };
        self.events.iter().filter(fits).collect()
    }

    /// Returns those events, if there are exactly `count` of them.
    pub fn exactly<'a>(
        &'a self,
        count: usize,
        name: &str,
        fields: &[(&str, &str)],
    ) -> Result<Vec<&'a Event>, String> {
        let found = self.with(name, fields);
        if found.len() == count {
            return Ok(found);
        }
        let fields: Vec<String> =
            fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
        Err(format!("{} of `{name} {}`, not {count}", found.len(), fields.join(" ")))
    }

    /// Returns the place of an event in the stream.
    pub fn at(&self, event: &Event) -> usize {
        self.events.iter().position(|each| core::ptr::eq(each, event)).unwrap_or(usize::MAX)
    }

    /// Checks that begins and ends of these events come in pairs on each thread, and that each end
    /// belongs to the innermost begin.
    pub fn nested(&self, name: &str) -> Result<(), String> {
        let mut open: HashMap<&str, Vec<&Event>> = HashMap::new();
        for event in self.named(name) {
            let stack = open.entry(event.get("on")).or_default();
            match event.get("endpoint") {
                "Begin" => stack.push(event),
                "End" => match stack.pop() {
                    None => return Err(format!("an end without a begin: {event}")),
                    Some(begin) if begin.get("kind") != event.get("kind") => {
                        return Err(format!("`{begin}` is ended by `{event}`"));
                    }
                    Some(_) => {}
                },
                _ => {}
            }
        }
        match open.values().flatten().next() {
            Some(event) => Err(format!("never ended: {event}")),
            None => Ok(()),
        }
    }
}

/// Fails with the event's line if a condition does not hold.
pub fn hold(condition: bool, what: &str, event: &Event) -> Result<(), String> {
    if condition { Ok(()) } else { Err(format!("{what}: {event}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_events() {
        let stream = Stream::parse(
            "answer on=? event=ompt_callback_work answer=Sometimes\n\
             work on=1 kind=LoopStatic endpoint=Begin count=0x10\n\
             work on=1 kind=LoopStatic endpoint=End flags=TaskFlags(EXPLICIT|UNTIED)\nend on=1\n",
        );
        assert!(stream.ended && stream.nested("work").is_ok());
        assert_eq!(stream.answers["work"], "Sometimes");
        assert_eq!(stream.events[0].number("count"), 16);
        assert!(stream.events[1].has("flags", "UNTIED") && !stream.events[1].has("flags", "FINAL"));
    }
}
