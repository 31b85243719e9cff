//! The environment variables of the tool interface: OpenMP 6.0 section 4.5 (`OMP_TOOL`,
//! `OMP_TOOL_LIBRARIES`, `OMP_TOOL_VERBOSE_INIT`) and one of our own.
//!
//! A bad value never ends the program: one line says what was read and what is done instead.

use omphalos_sys::message;
use std::ffi::{CString, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// What the environment says about tools.
pub struct Settings {
    /// tool-var: whether a tool is looked for at all.
    pub enabled: bool,
    /// tool-libraries-var: libraries to look into if the address space has no tool.
    pub libraries: Vec<CString>,
    /// Libraries whose tools run beside the one found (`OMPHALOS_TOOL_LIBRARIES`): each attached tool
    /// has its own data words, so a profiler can join a program that brings a tool of its own.
    pub beside: Vec<CString>,
    /// tool-verbose-init-var: where the search is described.
    pub verbose: Verbose,
}

/// Where the search for tools is described.
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
    /// Reads the environment. Warns about what it cannot use.
    pub fn read() -> Settings {
        let trusted = !elevated();
        let mut libraries = list(std::env::var_os("OMP_TOOL_LIBRARIES"));
        let mut beside = list(std::env::var_os("OMPHALOS_TOOL_LIBRARIES"));
        let mut verbose = verbose(std::env::var_os("OMP_TOOL_VERBOSE_INIT"));
        if !trusted {
            // The environment of a set-user-id program belongs to someone else than its rights.
            libraries.clear();
            beside.clear();
            if matches!(verbose, Verbose::File(_)) {
                verbose = Verbose::Disabled;
            }
        }
        Settings { enabled: enabled(std::env::var_os("OMP_TOOL")), libraries, beside, verbose }
    }
}

/// Whether the program runs with more rights than the user who started it.
fn elevated() -> bool {
    // SAFETY: getauxval reads what the kernel left for the process.
    unsafe { libc::getauxval(libc::AT_SECURE) != 0 }
}

fn enabled(value: Option<OsString>) -> bool {
    let Some(value) = value else { return true };
    let text = value.to_string_lossy();
    let word = text.trim();
    if word.is_empty() || word.eq_ignore_ascii_case("enabled") {
        true
    } else if word.eq_ignore_ascii_case("disabled") {
        false
    } else {
        message!(
            "OMP_TOOL=\"{text}\" is neither \"enabled\" nor \"disabled\": no tool is started. \
             Set it to one of them, or unset it."
        );
        false
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
        assert!(enabled(None));
        for word in ["", "enabled", " Enabled "] {
            assert!(enabled(Some(word.into())), "{word:?}");
        }
        for word in ["disabled", "DISABLED ", "yes", "0"] {
            assert!(!enabled(Some(word.into())), "{word:?}");
        }
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
