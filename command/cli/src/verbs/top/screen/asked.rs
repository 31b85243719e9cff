//! A question about one thread: its stack, or why it waits. The look takes time, so another thread
//! does it.

use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

use omphalos_inspect::{Way, look, text};
use omphalos_why::explain;

use crate::verbs::inspect::without_file;

/// A question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Question {
    /// The thread's stack, joined down to main.
    Stack,
    /// Why it waits.
    Why,
}

/// Time between the two looks of [`Question::Why`], as in `omphalos why`.
const APART: Duration = Duration::from_millis(500);

/// A question, and the answer once it is there.
pub struct Asked {
    /// The question.
    pub question: Question,
    /// The thread that the question is about.
    pub lwp: u32,
    answer: Option<String>,
    comes: Receiver<String>,
}

impl Asked {
    /// Asks. `way`: whether the program may be stopped for it.
    pub fn new(question: Question, pid: u32, lwp: u32, way: Way) -> Asked {
        let (tell, comes) = channel();
        std::thread::spawn(move || tell.send(answer(question, pid, lwp, way)));
        Asked { question, lwp, answer: None, comes }
    }

    /// Takes the answer if it has come.
    pub fn take_answer(&mut self) {
        match self.comes.try_recv() {
            Ok(answer) => self.answer = Some(answer),
            Err(TryRecvError::Disconnected) if self.answer.is_none() => {
                self.answer = Some("The look has failed.".to_owned());
            }
            Err(_) => {}
        }
    }

    /// The answer.
    pub fn text(&self) -> &str {
        self.answer.as_deref().unwrap_or("Looking …")
    }
}

fn answer(question: Question, pid: u32, lwp: u32, way: Way) -> String {
    let gone = || format!("LWP {lwp} has ended.");
    let told = match question {
        Question::Stack => {
            let seen = look::asking(pid, way, &without_file());
            seen.map(|seen| text::of_thread(&seen, lwp).unwrap_or_else(gone))
        }
        Question::Why => look::twice(pid, way, APART, &without_file()).map(|seen| {
            let (before, now) = (Some(&seen.first.snapshot), &seen.last.snapshot);
            let found = explain(now, before);
            let seconds = APART.as_secs_f64();
            text::why_of(lwp, &found, before, now, seconds).unwrap_or_else(gone)
        }),
    };
    told.unwrap_or_else(|fault| format!("{fault}."))
}
