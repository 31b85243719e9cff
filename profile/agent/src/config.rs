//! The settings that the environment asks for: `OMPHALOS_PROFILE_OUT`, `OMPHALOS_PROFILE_HZ`,
//! `OMPHALOS_PROFILE_DELAY`, `OMPHALOS_PROFILE_FOR`, `OMPHALOS_PROFILE_ONLY_AT`,
//! `OMPHALOS_PROFILE_COUNTERS`, `OMPHALOS_PROFILE_VERBOSE`.
//!
//! What must hold: a missing or bad value never stops the program; it costs one line on standard
//! error, and a default takes its place.

use omphalos_profile_format::name;
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;

/// The samples a second of each thread, unless the user asks for another rate.
pub const DEFAULT_HZ: u64 = 1000;
/// The highest rate that is accepted; a higher one would measure the agent.
pub const MAX_HZ: u64 = 20_000;

/// Calls of the runtime in one file, by their return addresses.
#[derive(Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The file's path, as the loader names it.
    pub path: Vec<u8>,
    /// The distances from the file's begin in memory, in order.
    pub offsets: Vec<u64>,
}

/// The settings of this process.
pub struct Config {
    /// The template of the record file's path, without the suffix that a further process adds.
    pub out: Vec<u8>,
    /// Whether `OMPHALOS_PROFILE_OUT` names the file: the user who started the program wants a
    /// record.
    pub asked: bool,
    /// The time between two samples of one thread, ns.
    pub period: u64,
    /// Whether the events of the system and the processor are counted.
    pub counters: bool,
    /// Whether the agent reports on standard error what it does.
    pub verbose: bool,
    /// The time from the agent's start to the begin of measuring, ns.
    pub delay: Option<u64>,
    /// The time from the begin of measuring to its end, ns.
    pub length: Option<u64>,
    /// The regions that are measured alone; none: the whole run is measured.
    pub only: Vec<Wanted>,
}

impl Config {
    /// Reads the environment. Not async-signal-safe.
    pub fn from_environment() -> Config {
        let [verbose, counters] =
            ["OMPHALOS_PROFILE_VERBOSE", "OMPHALOS_PROFILE_COUNTERS"].map(is_set);
        let named = asked();
        let asked = named.is_some();
        let out = named.unwrap_or_else(|| OsString::from("omphalos-%p.omph"));
        let out = absolute(out.as_bytes());
        let period = 1_000_000_000 / hz();
        let [delay, length] = [DELAY, LENGTH].map(seconds);
        let only = std::env::var_os("OMPHALOS_PROFILE_ONLY_AT").unwrap_or_default();
        let only = wanted(only.as_bytes());
        Config { out, asked, period, counters, verbose, delay, length, only }
    }
}

impl Config {
    /// Reads the request of a tool that brings the agent into a running process: lines `period=NS`,
    /// `for=NS` and last `out=TEMPLATE`, whose path is absolute and may contain line ends.
    pub fn from_request(text: &[u8]) -> Option<Config> {
        let (mut period, mut length, mut rest) = (None, None, text);
        loop {
            if let Some(out) = rest.strip_prefix(b"out=") {
                let (period, out) = (period?, out.to_vec());
                let asked = out.starts_with(b"/") && (1_000_000_000 / MAX_HZ..).contains(&period);
                let config = Config {
                    out,
                    asked,
                    period,
                    counters: false,
                    verbose: false,
                    delay: None,
                    length,
                    only: vec![],
                };
                return asked.then_some(config);
            }
            let end = rest.iter().position(|byte| *byte == b'\n')?;
            let line = core::str::from_utf8(&rest[..end]).ok()?;
            let (name, value) = line.split_once('=')?;
            let value: u64 = value.parse().ok()?;
            match name {
                "period" => period = Some(value),
                "for" => length = Some(value),
                _ => return None,
            }
            rest = &rest[end + 1..];
        }
    }
}

/// Whether a variable turns on the thing that it names.
fn is_set(name: &str) -> bool {
    matches!(std::env::var(name).as_deref(), Ok("1" | "true" | "yes" | "on" | "enabled"))
}

const DELAY: &str = "OMPHALOS_PROFILE_DELAY";
const LENGTH: &str = "OMPHALOS_PROFILE_FOR";
const OUT: &str = "OMPHALOS_PROFILE_OUT";
/// The variable's value where nothing is to be recorded, and a message does no harm.
const DECLINED: u8 = b'!';

/// Stops the recording of programs that this process executes: gives another value to the variable
/// that asks for a record. Async-signal-safe.
pub fn decline(may_say: bool) {
    unsafe extern "C" {
        static environ: *mut *mut core::ffi::c_char;
    }
    let is_it = |text: &[u8]| {
        text.strip_prefix(OUT.as_bytes())
            .is_some_and(|rest| rest.starts_with(b"=") && rest.len() > 1)
    };
    // SAFETY: null, or an array of C strings that ends with a null pointer; the strings are the
    // process's own to write, and the value has a byte at least.
    unsafe {
        let mut at = environ;
        while !at.is_null() && !(*at).is_null() {
            if is_it(core::ffi::CStr::from_ptr(*at).to_bytes()) {
                let value = (*at).add(OUT.len() + 1);
                value.write(if may_say { DECLINED as core::ffi::c_char } else { 0 });
                value.add(1).write(0);
            }
            at = at.add(1);
        }
    }
}

/// Returns the variable's value, if it asks for a record.
pub fn asked() -> Option<OsString> {
    std::env::var_os(OUT).filter(|path| !path.is_empty() && path.as_bytes() != [DECLINED])
}

/// Whether nothing is to be recorded although the agent is loaded: see [`decline`].
pub fn is_declined() -> bool {
    std::env::var_os(OUT).is_some() && asked().is_none()
}

/// Whether a message may say that nothing is recorded.
pub fn may_say() -> bool {
    std::env::var_os(OUT).is_some_and(|path| path.as_bytes() == [DECLINED])
}

/// Returns the template with the folder that the program starts in: the program may change its
/// folder before its first region.
fn absolute(template: &[u8]) -> Vec<u8> {
    match std::env::current_dir() {
        Ok(folder) if !template.starts_with(b"/") => {
            [&name::literal(folder.as_os_str().as_bytes()), &b"/"[..], template].concat()
        }
        _ => template.to_vec(),
    }
}

/// Reads a variable that is a time in seconds; returns it in ns.
fn seconds(name: &str) -> Option<u64> {
    let text = std::env::var_os(name)?;
    let time = text.to_str().and_then(parse_seconds);
    if time.is_none() {
        omphalos_sys::message!(
            "{name}={} is no number of seconds: all of the run is measured",
            text.display()
        );
    }
    time
}

fn parse_seconds(text: &str) -> Option<u64> {
    /// A year.
    const MOST: f64 = 31_536_000.0;
    let seconds: f64 = text.trim().parse().ok()?;
    (0.0..=MOST).contains(&seconds).then_some((seconds * 1e9) as u64)
}

fn hz() -> u64 {
    let Some(text) = std::env::var_os("OMPHALOS_PROFILE_HZ") else { return DEFAULT_HZ };
    match text.to_str().and_then(parse_hz) {
        Some(hz) => hz,
        None => {
            omphalos_sys::message!(
                "OMPHALOS_PROFILE_HZ={} is no number from 1 to {MAX_HZ}: sampling at {DEFAULT_HZ} \
                 Hz; set it to samples a second for each thread",
                text.display()
            );
            DEFAULT_HZ
        }
    }
}

fn parse_hz(text: &str) -> Option<u64> {
    text.trim().parse().ok().filter(|hz| (1..=MAX_HZ).contains(hz))
}

/// Reads `OMPHALOS_PROFILE_ONLY_AT`: for each file a line with offsets in hexadecimal, a space, and
/// the path.
fn wanted(text: &[u8]) -> Vec<Wanted> {
    let line = |line: &[u8]| {
        let space = line.iter().position(|byte| *byte == b' ')?;
        let offsets = core::str::from_utf8(&line[..space]).ok()?;
        let offsets = offsets.split(',').map(|offset| u64::from_str_radix(offset, 16));
        let mut offsets: Vec<u64> = offsets.collect::<Result<_, _>>().ok()?;
        offsets.sort_unstable();
        Some(Wanted { path: line[space + 1..].to_vec(), offsets })
    };
    text.split(|byte| *byte == b'\n').filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds() {
        assert_eq!(parse_seconds("0.25"), Some(250_000_000));
        for bad in ["", "-1", "5s", "nan", "inf", "1e12"] {
            assert_eq!(parse_seconds(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_request_has_its_words() {
        let asked = Config::from_request(b"period=1000000\nfor=5\nout=/a\nb.omph");
        let asked = asked.expect("a request");
        assert_eq!((asked.period, asked.length), (1_000_000, Some(5)));
        assert_eq!(asked.out, b"/a\nb.omph");
        let bad: [&[u8]; 6] = [
            b"",
            b"period=1000000\n",
            b"out=/a",
            b"period=1000000\nout=a",
            b"period=1\nout=/a",
            b"period=1000000\nother=1\nout=/a",
        ];
        for text in bad {
            assert!(Config::from_request(text).is_none(), "{}", text.escape_ascii());
        }
    }

    #[test]
    fn only_sensible_rates_are_taken() {
        assert_eq!(parse_hz(" 250 "), Some(250));
        for bad in ["", "0", "-1", "1e3", "20001", "fast"] {
            assert_eq!(parse_hz(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn files_have_their_offsets() {
        let all = wanted(b"1f0,20 /a b/app\nff /lib/x.so\nnonsense\nzz /y\n");
        let one = |path: &[u8], offsets: &[u64]| Wanted {
            path: path.to_vec(),
            offsets: offsets.to_vec(),
        };
        assert_eq!(all, [one(b"/a b/app", &[0x20, 0x1f0]), one(b"/lib/x.so", &[0xff])]);
    }
}
