//! Says that a thread walks in a circle: a list whose end leads back into it, a full table that it
//! probes for a free place.

use omphalos_ompd_view::snapshot::{Circle, Thread};

use crate::words;

/// The looks that must find the same circle.
const LOOKS: u32 = 2;
/// Elements that are named one by one, at most.
const FEW: usize = 3;

/// Whether the thread runs in a circle from which only another thread's store leads out.
pub fn walks(thread: &Thread) -> bool {
    circle(thread).is_some()
}

fn circle(thread: &Thread) -> Option<&Circle> {
    let stays = |circle: &&Circle| circle.of.looks >= LOOKS && !circle.of.changes;
    thread.circle.as_ref().filter(|_| thread.waits.is_none()).filter(stays)
}

/// Whether the thread does so, and may look for news in the elements.
pub fn polls(thread: &Thread) -> bool {
    circle(thread).is_some_and(|circle| circle.reads_more)
}

/// Whether the thread does so, and writes what others may read.
pub fn walks_and_writes(thread: &Thread) -> bool {
    circle(thread).is_some_and(|circle| circle.of.writes)
}

/// The cause for a thread that walks in a circle.
pub fn summary(thread: &Thread, others: &str) -> Option<String> {
    let circle = circle(thread)?;
    let (name, at) = (words::thread(thread), words::at(thread));
    let read = circle.of.place.as_ref().map_or_else(String::new, |at| format!(" (read at {at})"));
    let by = match circle.names.first() {
        Some(name) => format!("'{}'", name.split(['[', '(', '+']).next().unwrap_or(name)),
        None => circle.of.what.clone(),
    };
    let way = match (circle.linked, &*by) {
        (true, "") => format!("each leads to the next one{read}, and the last to the first"),
        (true, _) => format!("by {by} each leads to the next one{read}, and the last to the first"),
        (false, "") => format!("it has come by all of them{read}, and begins anew"),
        (false, _) => format!("it has come by all of them in {by}{read}, and begins anew"),
    };
    let few = circle.names.len() == circle.elements && circle.elements <= FEW;
    let elements = match circle.elements {
        1 => "one element".to_owned(),
        count => format!("{count} elements"),
    };
    let named = if few { format!(" ({})", circle.names.join(", ")) } else { String::new() };
    let way = match circle.elements {
        1 if by.is_empty() => format!("it leads to itself{read}"),
        1 => format!("by {by} it leads to itself{read}"),
        _ => way,
    };
    let end = match circle.elements {
        1 => "It does not end",
        _ => "None of them ends",
    };
    Some(format!(
        "{name} walks in a circle of {elements}{named}{at} and never comes to an end: {way}. {end} \
         its loop, and no thread runs that could change that{others}."
    ))
}
