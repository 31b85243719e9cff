//! The value of one variable, and the message where it cannot be used.

use super::values::Parsed;
use super::variables::Variables;
use core::fmt::Display;
use omphalos_sys::warning;

/// Returns the variable's value as `parse` reads it. If the value cannot be used, one line says so,
/// and names the consequence (`instead`) and the accepted values.
pub(super) fn take<T>(
    from: &Variables,
    name: &str,
    parse: fn(&str) -> Parsed<T>,
    instead: impl Display,
) -> Option<T> {
    taken(from, name, parse, &instead)
}

/// As [`take`]. The compiler makes one copy for each type of value, and none for each caller.
#[inline(never)]
fn taken<T>(
    from: &Variables,
    name: &str,
    parse: fn(&str) -> Parsed<T>,
    instead: &dyn Display,
) -> Option<T> {
    take_with(from, name, parse, instead)
}

/// As [`take`], for a parser that knows more than the text.
pub(super) fn take_with<T>(
    from: &Variables,
    name: &str,
    parse: impl Fn(&str) -> Parsed<T>,
    instead: impl Display,
) -> Option<T> {
    let text = from.get(name)?;
    match parse(text) {
        Ok(value) => Some(value),
        Err(wanted) => {
            refuse(from, name, text, &instead, wanted);
            None
        }
    }
}

/// Warns of a value that cannot be used. The compiler makes one copy for all types of values.
#[cold]
#[inline(never)]
fn refuse(from: &Variables, name: &str, text: &str, instead: &dyn Display, wanted: &str) {
    if from.fault() {
        warning!("{name}={text:?} is ignored, {instead}; it should be {wanted}");
    }
}
