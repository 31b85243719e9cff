//! An OMPT tool that asks for every event and writes each as a line of text, in the order of the
//! events, into the file that `OMPHALOS_RECORD_OUT` names:
//!
//!     thread_begin on=1 state=Overhead thread=1 kind=Initial
//!
//! `on` is the number of the event's thread. Threads, regions, tasks and target constructs have
//! numbers that the recorder keeps in their data words, so a word that the runtime loses shows as
//! `?`.
//!
//! What must hold: one line for each event, whole lines only; the file is complete when the tool
//! was told its end (or a fatal error).

mod line;
mod output;
mod recorder;
mod trace;

use omphalos_ompt::tool;

tool!(output::Recorder);
