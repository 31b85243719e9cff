//! One test of an outside suite: a script, and the result that it must have.

use std::fmt;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use super::options::Options;
use crate::exec;
use crate::runtime::Runtime;

/// The result that a case must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    /// Exit status 0.
    Success,
    /// Anything but exit status 0, without running into the time limit.
    Failure,
}

/// A test, ready to run. The scripts run under `bash` with `pipefail` in a folder of their own.
/// They have variables: `$LIMIT` limits the time of a program and `$BUILD_LIMIT` that of a
/// compiler, and `$RUNTIME` is the linker's `-L` for the folder of `--stock`, or nothing.
#[derive(Clone, Debug)]
pub struct Case {
    /// The name in tables, with its folder in the suite.
    pub name: String,
    /// Builds the program; a failure here says nothing about the runtime. May be empty.
    pub build: String,
    /// Runs the program.
    pub run: String,
    /// Variables of the program's environment.
    pub env: Vec<(String, String)>,
    /// The result that the run must have.
    pub expect: Expect,
    /// Extended (PCRE) expressions that standard output and error together must match.
    pub output: Vec<String>,
    /// The reason not to run it here, by its own directives.
    pub skip: Option<String>,
}

impl Case {
    /// Makes a case that one script builds and another runs, and that must succeed.
    pub fn new(name: String, build: String, run: String) -> Case {
        let (env, output) = (Vec::new(), Vec::new());
        Case { name, build, run, env, expect: Expect::Success, output, skip: None }
    }
}

/// The result of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The case did what it must.
    Pass,
    /// The case did not, for this reason.
    Fail(String),
    /// The case did not finish within the limit.
    Slow,
    /// The program does not build with this compiler.
    Unbuilt(String),
    /// The case was not run, for this reason.
    Skipped(String),
}

impl Verdict {
    /// Whether the runtime did what the test expects.
    pub fn passed(&self) -> bool {
        *self == Verdict::Pass
    }

    /// The word in tables and files.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail(_) => "fail",
            Verdict::Slow => "slow",
            Verdict::Unbuilt(_) => "unbuilt",
            Verdict::Skipped(_) => "skipped",
        }
    }

    /// The reason that goes with the word, on one line.
    pub fn reason(&self) -> &str {
        match self {
            Verdict::Pass | Verdict::Slow => "",
            Verdict::Fail(why) | Verdict::Unbuilt(why) | Verdict::Skipped(why) => why,
        }
    }

    /// Reads a verdict from the results of [`Verdict::word`] and [`Verdict::reason`].
    pub fn parse(word: &str, reason: &str) -> Option<Verdict> {
        let reason = reason.to_string();
        Some(match word {
            "pass" => Verdict::Pass,
            "fail" => Verdict::Fail(reason),
            "slow" => Verdict::Slow,
            "unbuilt" => Verdict::Unbuilt(reason),
            "skipped" => Verdict::Skipped(reason),
            _ => return None,
        })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason() {
            "" => f.write_str(self.word()),
            reason => write!(f, "{} ({reason})", self.word()),
        }
    }
}

/// The exit status of a run that also compiles, if the compiler failed.
pub const UNBUILT: i32 = 97;
/// The exit status of `timeout -s KILL` when the limit was reached.
const KILLED: i32 = 128 + libc::SIGKILL;
/// A compiler may take this many times the limit of a program: machines are busy, and some
/// compilers never end with some files.
const BUILD_FACTOR: u32 = 3;

impl Case {
    /// Builds and runs the case on `runtime`; `kind` keeps the runtimes' files apart.
    pub fn run(&self, options: &Options, kind: &str, runtime: &Runtime) -> Verdict {
        if let Some(why) = &self.skip {
            return Verdict::Skipped(why.clone());
        }
        let folder = match self.folder(options, kind) {
            Ok(folder) => folder,
            Err(why) => return Verdict::Fail(why),
        };
        let verdict = self.run_in(&folder, options, runtime);
        if !options.keep {
            let _ = std::fs::remove_dir_all(&folder);
        }
        verdict
    }

    fn folder(&self, options: &Options, kind: &str) -> Result<PathBuf, String> {
        let safe: String =
            self.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let folder = options.work.join(kind).join(options.tools.label()).join(safe);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        Ok(folder)
    }

    fn run_in(&self, folder: &PathBuf, options: &Options, runtime: &Runtime) -> Verdict {
        let shell = |script: &str, limit: Duration| {
            let mut command = Command::new("bash");
            command.args(["-c", &format!("set -o pipefail\n{script}")]).current_dir(folder);
            runtime.apply(&mut command);
            let limited =
                |limit: Duration| format!("timeout --foreground -s KILL {}", limit.as_secs());
            command.env("LIMIT", limited(options.limit));
            command.env("BUILD_LIMIT", limited(options.limit * BUILD_FACTOR));
            // Both runtimes get a program that is linked against the stock one, like a user's.
            let link = options.stock.as_ref().map(|folder| format!("-L{}", folder.display()));
            command.env("RUNTIME", link.unwrap_or_default());
            command.envs(self.env.iter().map(|(n, v)| (n.as_str(), v.as_str())));
            exec::run_within(&mut command, limit)
        };
        if !self.build.is_empty() {
            // The script may call several compilers; its own limit is for a shell that hangs.
            match shell(&self.build, options.limit * (BUILD_FACTOR + 1)) {
                Ok(outcome) if outcome.success() => {}
                Ok(outcome) if outcome.status.code() == Some(KILLED) => {
                    return Verdict::Unbuilt(endless(options));
                }
                Ok(outcome) => return Verdict::Unbuilt(first_error(&outcome.stderr)),
                Err(_) => return Verdict::Unbuilt(endless(options)),
            }
        }
        let outcome = match shell(&self.run, options.limit * 20) {
            Ok(outcome) => outcome,
            Err(_) => return Verdict::Slow,
        };
        if options.keep {
            let text = format!("{}\n{}\n{}", self.build, self.run, outcome.describe());
            let _ = std::fs::write(folder.join("result.txt"), text);
        }
        if outcome.status.code() == Some(UNBUILT) {
            return Verdict::Unbuilt(first_error(&outcome.stderr));
        }
        let right = outcome.success() == (self.expect == Expect::Success);
        if outcome.status.code() == Some(KILLED) {
            return Verdict::Slow;
        }
        if !right {
            return Verdict::Fail(one_line(&outcome.describe()));
        }
        for pattern in &self.output {
            if !matches(pattern, &format!("{}{}", outcome.stdout, outcome.stderr)) {
                return Verdict::Fail(one_line(&format!("output does not match {pattern}")));
            }
        }
        Verdict::Pass
    }
}

/// Whether `grep` finds `pattern` in `text`, whose line ends are ordinary characters.
fn matches(pattern: &str, text: &str) -> bool {
    // grep would read a line's end in the pattern as the end of one of two patterns.
    let pattern = pattern.replace('\n', "\\n");
    let script = r#"printf %s "$TEXT" | grep -Pzq -e "$PATTERN""#;
    let mut command = Command::new("bash");
    command.args(["-c", script]).env("TEXT", text).env("PATTERN", pattern);
    command.status().is_ok_and(|status| status.success())
}

fn endless(options: &Options) -> String {
    let limit = options.limit * BUILD_FACTOR;
    format!("the compiler did not end within {} s", limit.as_secs())
}

fn first_error(text: &str) -> String {
    let telling = |words: &[&str]| text.lines().find(|l| words.iter().any(|w| l.contains(w)));
    let line =
        telling(&["rror:", "not yet implemented", "undefined"]).or_else(|| telling(&["rror"]));
    one_line(line.or(text.lines().next()).unwrap_or("no message"))
}

/// Returns the beginning of `text` on one line.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(300).collect()
}
