//! The `omphalos` program as people use it: started with arguments, judged by its output and its
//! exit status.

mod attach;
mod common;
mod conform;
mod diff;
mod doctor;
mod errors;
mod files;
mod generated;
mod hints;
mod inspect;
mod installed;
mod installing;
mod peers;
mod process;
mod processes;
mod profiled;
mod series;
mod top;
