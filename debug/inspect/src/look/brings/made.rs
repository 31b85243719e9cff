//! Finds where the program makes barriers and latches: the number of threads is written there.

use omphalos_ompd_view::snapshot::{Address, Bringing};

use super::super::place;
use super::{MOST_PLACES, places_of};
use crate::names::Named;

/// The places that make the object, or, if the code does not show which one, such objects.
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
    // No code makes an object that the compiler has made: the source declares it.
    for (file, line) in names.ready_made(header) {
        found.extend(place(&Some(file), line).filter(|place| !found.contains(place)));
    }
    found.truncate(MOST_PLACES);
    found
}
