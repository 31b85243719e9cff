//! An OMPT tool that asks for every event and writes each down as a line of text, in the order in
//! which they came, into the file that `OMPHALOS_RECORD_OUT` names:
//!
//!     thread_begin on=1 state=Overhead thread=1 kind=Initial
//!
//! `on` is the number of the thread that had the event; threads, regions, tasks and target
//! constructs have numbers that the recorder keeps in their data words, so a word that the runtime
//! loses shows as `?`. What must hold: one line an event, whole lines only, the file complete when
//! the tool's end was told (or a fatal error).

mod line;
mod output;
mod recorder;
mod trace;

use omphalos_ompt::tool;

tool!(output::Recorder);
