//! A report, a comparison or a scaling as one page of HTML: to send to somebody, who opens it in a
//! browser.
//!
//! What must hold: the page asks for nothing beside itself, and its own policy forbids it to; what
//! comes from the program is text and never markup, whatever it holds; the page says of each table
//! what it leaves out. The data is one block of JSON, drawn by the scripts in `page`.

mod change;
mod flame;
mod frame;
mod report;
mod scale;

pub use change::render as comparison;
pub use report::render as report;
pub use scale::render as scaling;
