//! The questions, and the answers of OMPT and the routines.

mod icvs;
mod regions;
mod tasks;
mod threads;

use core::fmt::Display;

use super::record::Record;
use omphalos_ompd_client::{Native, Parallel, Process, Refusal, Task, Thread, Value};

/// The result of comparing OMPD's answer with OMPT's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They are equal.
    Agreed,
    /// They differ: the text has both.
    Differs(String),
    /// OMPD does not answer: the reason.
    CannotTell(String),
    /// There is nothing to compare at this stop.
    Nothing,
}

/// A question about the thread that is in a callback.
pub struct Question {
    /// Its name.
    pub name: &'static str,
    /// The function that the question is about.
    pub by: &'static str,
    ask: fn(&Asking<'_>) -> Verdict,
}

impl Question {
    /// Asks the question.
    pub fn hold_against(&self, asking: &Asking<'_>) -> Verdict {
        (self.ask)(asking)
    }
}

/// Returns all questions.
pub fn questions() -> impl Iterator<Item = &'static Question> {
    [threads::ALL, regions::ALL, tasks::ALL, icvs::ALL].into_iter().flatten()
}

/// The process that is asked, and the answers to compare with.
pub struct Asking<'a> {
    /// The library's view of the process or core.
    pub process: &'a Process<'a>,
    /// The answers of OMPT and the routines.
    pub record: &'a Record,
    /// The file of the tool, as the environment names it.
    pub tool: &'a str,
}

/// Handles, and the reason why there is no further one.
type Chain<H> = (Vec<H>, Option<Refusal>);

/// The greatest number of nested handles that is believed.
const MOST_LEVELS: usize = 256;

impl<'a> Asking<'a> {
    fn thread(&self) -> Value<Thread<'a>> {
        self.process.thread(Native::Lwp(self.record.lwp))
    }

    /// Collects the handles from the first one on, and the reason why there is no further one.
    fn chain<H>(first: Value<H>, next: fn(&H) -> Value<H>) -> Chain<H> {
        let mut all = Vec::new();
        let mut now = first;
        while all.len() < MOST_LEVELS {
            match now {
                Ok(handle) => {
                    now = next(&handle);
                    all.push(handle);
                }
                Err(refusal) => return (all, Some(refusal)),
            }
        }
        (all, None)
    }

    /// Returns the regions around the thread.
    fn regions(&self) -> Chain<Parallel<'a>> {
        Self::chain(self.thread().and_then(|thread| thread.parallel()), Parallel::enclosing)
    }

    /// Returns the tasks on the thread, the innermost first. Each further one was interrupted by
    /// the one before it, or encountered that one's region.
    fn tasks(&self) -> Chain<Task<'a>> {
        let outer = |task: &Task<'a>| match task.scheduling() {
            Err(refusal) if refusal.is_none() => task.generating(),
            found => found,
        };
        Self::chain(self.thread().and_then(|thread| thread.task()), outer)
    }
}

/// Compares an answer of OMPD's with OMPT's.
fn compare<T: PartialEq>(ompd: Value<T>, ompt: T, show: impl Fn(&T) -> String) -> Verdict {
    match ompd {
        Ok(ompd) if ompd == ompt => Verdict::Agreed,
        Ok(ompd) => Verdict::Differs(format!("OMPD says {}, OMPT {}", show(&ompd), show(&ompt))),
        Err(refusal) => Verdict::CannotTell(refusal.to_string()),
    }
}

fn compare_hex(ompd: Value<u64>, ompt: u64) -> Verdict {
    compare(ompd, ompt, |word| format!("{word:#x}"))
}

/// Compares the number of handles. A list that OMPD ends early with an error has an unknown length;
/// a list that OMPD says is over has a known one.
fn compare_count<H>(found: &Chain<H>, ompt: usize) -> Verdict {
    match &found.1 {
        Some(refusal) if found.0.len() < ompt && !refusal.is_none() => {
            Verdict::CannotTell(refusal.to_string())
        }
        _ => compare(Ok(found.0.len()), ompt, usize::to_string),
    }
}

/// Compares each level that both know. Returns the first verdict that is not agreement.
fn each_level<H, T>(
    found: Chain<H>,
    ompt: &[Option<T>],
    ask: impl Fn(&H, &T) -> Verdict,
) -> Verdict {
    let mut verdict = match &found.1 {
        Some(refusal) if found.0.is_empty() && !ompt.is_empty() => {
            return Verdict::CannotTell(refusal.to_string());
        }
        _ => Verdict::Nothing,
    };
    for (level, (handle, ompt)) in found.0.iter().zip(ompt).enumerate() {
        let Some(ompt) = ompt else { continue };
        match ask(handle, ompt) {
            Verdict::Nothing => {}
            Verdict::Agreed => verdict = Verdict::Agreed,
            Verdict::Differs(what) => return Verdict::Differs(at_level(level, &what)),
            Verdict::CannotTell(why) => return Verdict::CannotTell(at_level(level, &why)),
        }
    }
    verdict
}

fn at_level(level: usize, what: &dyn Display) -> String {
    if level == 0 { what.to_string() } else { format!("{level} levels out: {what}") }
}
