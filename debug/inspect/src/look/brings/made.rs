//! Finds where the program makes barriers and latches. That place in the source has the number of
//! threads that the object waits for.

use omphalos_ompd_view::snapshot::{Address, Bringing};

use super::super::place;
use super::{MOST_PLACES, places_of};
use crate::names::Named;

/// Returns the places that make the object. If the code does not show which object a place makes:
/// the places that make objects of this kind.
pub fn places(named: &Named<'_>, what: Bringing, object: Option<Address>) -> Vec<String> {
    let (class, header) = match what {
        Bringing::Arrive => ("7barrier", "barrier"),
        Bringing::CountDown => ("5latch", "latch"),
        _ => return Vec::new(),
    };
    let names = named.names();
    if let Some(object) = object {
        let argument = |callee: &str| (callee == "pthread_barrier_init").then_some(0);
        let own = names.calls_with(Some(object), &argument);
        let found = if own.is_empty() { names.calls_with(None, &argument) } else { own };
        return places_of(named, &found);
    }
    let is_constructor = |name: &str| {
        let rest = name.split_once(class).map_or("", |(_, rest)| rest);
        ["C1E", "C2E", "C4E"].iter().any(|it| rest.contains(it)) && name.starts_with("_ZNSt")
    };
    let mut found = places_of(named, &names.callers(&is_constructor, &[header]));
    // For an object that is ready when the program starts there is no code: its declaration counts.
    for (file, line) in names.ready_made(header) {
        found.extend(place(&Some(file), line).filter(|place| !found.contains(place)));
    }
    found.truncate(MOST_PLACES);
    found
}
