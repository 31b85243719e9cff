//! The environment variables of the tool interface: OpenMP 6.0, section 4.5 (`OMP_TOOL`,
//! `OMP_TOOL_LIBRARIES`, `OMP_TOOL_VERBOSE_INIT`), OMPT of 2013 (`OMPT_INITIALIZE`), and Omphalos'
//! own.
//!
//! Who calls: `find.rs`, once, on the thread that starts the runtime; `ahead.rs` asks for the
//! variables' names. A bad value does not end the program: one line names it and the consequence.
//! There is one exception: by OMPT of 2016 a bad `OMP_TOOL` ends the program ([`Switch::Illegal`]).

use crate::earlier::{Generation, Support};
use omphalos_sys::message;
use std::ffi::{CString, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// The variables that [`Settings::read`] reads.
pub const VARIABLES: [&[u8]; 6] = [
    b"OMP_TOOL", b"OMP_TOOL_LIBRARIES", b"OMP_TOOL_VERBOSE_INIT", b"OMPHALOS_TOOL_LIBRARIES",
    b"OMPHALOS_OMPT_DIALECT", b"OMPT_INITIALIZE",
];
/// The first letters of their names.
pub const INITIALS: &[u8] = b"O";

/// The values that the environment has for tools.
pub struct Settings {
    /// tool-var: whether a tool is looked for at all.
    pub tool: Switch,
    /// tool-libraries-var: libraries whose tools run, after those of the address space.
    pub libraries: Vec<CString>,
    /// More libraries (`OMPHALOS_TOOL_LIBRARIES`). With it a profiler joins a program without a
    /// change to the variable that the user sets.
    pub beside: Vec<CString>,
    /// The generation that an older tool speaks, if the environment names it
    /// (`OMPHALOS_OMPT_DIALECT`).
    pub dialect: Option<Generation>,
    /// `OMPT_INITIALIZE`, for tools of 2013.
    pub support: Support,
    /// tool-verbose-init-var: where the description of the search goes.
    pub verbose: Verbose,
}

/// tool-var.
#[derive(Debug, PartialEq, Eq)]
pub enum Switch {
    /// Tools are looked for.
    On,
    /// Tools are not looked for.
    Off,
    /// Another value, as read. No tool runs, and by OMPT of 2016 the program ends.
    Illegal(String),
}

/// The destination of the description of the search.
#[derive(Debug, PartialEq, Eq)]
pub enum Verbose {
    /// Nowhere.
    Disabled,
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// A file, which is truncated.
    File(PathBuf),
}

impl Settings {
    /// Reads the environment. Warns of values that it cannot use.
    pub fn read() -> Settings {
        let trusted = !omphalos_sys::process::is_elevated();
        let mut libraries = list(std::env::var_os("OMP_TOOL_LIBRARIES"));
        let mut beside = list(std::env::var_os("OMPHALOS_TOOL_LIBRARIES"));
        let mut verbose = verbose(std::env::var_os("OMP_TOOL_VERBOSE_INIT"));
        if !trusted {
            // In a set-user-id program, the user who set the environment may lack the program's
            // rights. So the program loads no library and writes no file for that user.
            libraries.clear();
            beside.clear();
            if matches!(verbose, Verbose::File(_)) {
                verbose = Verbose::Disabled;
            }
        }
        Settings {
            tool: tool(std::env::var_os("OMP_TOOL")),
            libraries,
            beside,
            dialect: dialect(std::env::var_os("OMPHALOS_OMPT_DIALECT")),
            support: support(std::env::var_os("OMPT_INITIALIZE")),
            verbose,
        }
    }
}

fn tool(value: Option<OsString>) -> Switch {
    let Some(value) = value else { return Switch::On };
    let text = value.to_string_lossy();
    let word = text.trim();
    if word.is_empty() || word.eq_ignore_ascii_case("enabled") {
        Switch::On
    } else if word.eq_ignore_ascii_case("disabled") {
        Switch::Off
    } else {
        Switch::Illegal(text.into_owned())
    }
}

fn dialect(value: Option<OsString>) -> Option<Generation> {
    let value = value?;
    let text = value.to_string_lossy();
    let word = text.trim().to_ascii_lowercase();
    let known = Generation::NAMES.into_iter().find(|(name, _)| *name == word);
    if known.is_none() && !word.is_empty() {
        message!(
            "OMPHALOS_OMPT_DIALECT=\"{text}\" is none of 2013, 2014, 2016-ids and 2016-data: an \
             older \
             tool is recognised by what it asks for."
        );
    }
    known.map(|(_, generation)| generation)
}

fn support(value: Option<OsString>) -> Support {
    let Some(value) = value else { return Support::IfWanted };
    let text = value.to_string_lossy();
    match text.trim().to_ascii_lowercase().as_str() {
        "" => Support::IfWanted,
        "disable" | "false" => Support::Off,
        "true" => Support::Always,
        _ => {
            message!(
                "OMPT_INITIALIZE=\"{text}\" is none of true, false and disable: it is ignored, \
                 and a \
                 tool that defines ompt_initialize is asked."
            );
            Support::IfWanted
        }
    }
}

fn list(value: Option<OsString>) -> Vec<CString> {
    let bytes = value.unwrap_or_default().into_vec();
    bytes
        .split(|&b| b == b':')
        .map(<[u8]>::trim_ascii)
        .filter(|name| !name.is_empty())
        .filter_map(|name| CString::new(name).ok())
        .collect()
}

fn verbose(value: Option<OsString>) -> Verbose {
    let Some(value) = value else { return Verbose::Disabled };
    let word = value.to_string_lossy().trim().to_ascii_lowercase();
    match word.as_str() {
        "" | "disabled" => Verbose::Disabled,
        "stdout" => Verbose::Stdout,
        "stderr" => Verbose::Stderr,
        _ => Verbose::File(PathBuf::from(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tool_is_on_unless_said_otherwise() {
        assert_eq!(tool(None), Switch::On);
        for word in ["", "enabled", " Enabled "] {
            assert_eq!(tool(Some(word.into())), Switch::On, "{word:?}");
        }
        for word in ["disabled", "DISABLED "] {
            assert_eq!(tool(Some(word.into())), Switch::Off, "{word:?}");
        }
        for word in ["yes", "0"] {
            assert_eq!(tool(Some(word.into())), Switch::Illegal(word.into()));
        }
    }

    #[test]
    fn older_tools_have_their_own_words() {
        assert_eq!(support(None), Support::IfWanted);
        assert_eq!(support(Some(" TRUE".into())), Support::Always);
        assert_eq!(support(Some("disable".into())), Support::Off);
        assert_eq!(dialect(Some("2016-ids".into())), Some(Generation::Y2016Ids));
        assert_eq!(dialect(None), None);
    }

    #[test]
    fn lists_skip_what_is_empty() {
        let names = list(Some(" /a/b.so ::c.so:".into()));
        assert_eq!(names, [c"/a/b.so".to_owned(), c"c.so".to_owned()]);
        assert!(list(None).is_empty());
    }

    #[test]
    fn verbose_is_a_word_or_a_file() {
        assert_eq!(verbose(None), Verbose::Disabled);
        assert_eq!(verbose(Some("Disabled".into())), Verbose::Disabled);
        assert_eq!(verbose(Some("stdout".into())), Verbose::Stdout);
        assert_eq!(verbose(Some(" STDERR".into())), Verbose::Stderr);
        assert_eq!(verbose(Some("/tmp/Log".into())), Verbose::File("/tmp/Log".into()));
    }
}
