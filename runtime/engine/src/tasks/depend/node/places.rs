//! The places at which a node waits at exits of transparent tasks (`exit.rs`).
//!
//! A [`Behind`] is one node's place at one exit. Its link is in the exit's list. The thread that
//! closes the exit has the place to itself and adds the further edges from there. So two threads
//! that add edges to one node share no memory but `Missing`, which counts all edges. A thread that
//! closes an exit counts the edges that it adds before it subtracts the exit's own edge.

use super::{Node, Waits};
use crate::records::Depend;
use core::cell::UnsafeCell;
use omphalos_sync::dependents::{Dependents, Link};

/// A node's place at an exit.
pub(in super::super) struct Behind {
    link: Link,
    node: *const Node,
    /// The edges that the thread that closed the exit added: links to tasks, and places at further
    /// exits.
    #[expect(clippy::vec_box, reason = "a link that joined a list must not move")]
    links: UnsafeCell<Vec<Box<Link>>>,
    further: UnsafeCell<Places>,
}

/// The places of one owner. Boxed, because a link that joined a list must not move.
type Places = Vec<Box<Behind>>;

/// Makes one more place of `node`, and joins `exit` with it. Returns false if the exit is closed.
fn join(places: &UnsafeCell<Places>, exit: &Dependents, node: *const Node) -> bool {
    // SAFETY: only one thread touches these places: those of a node belong to its maker, and those
    // of a place at an exit belong to the thread that closes that exit.
    let places = unsafe { &mut *places.get() };
    places.push(Box::new(Behind {
        link: Link::new(),
        node,
        links: UnsafeCell::new(Vec::new()),
        further: UnsafeCell::new(Vec::new()),
    }));
    let place: *const Behind = &raw const *places[places.len() - 1];
    // SAFETY: the place stays where it is until the node is used again, and that is after the exit
    // closed.
    let joined = unsafe { exit.join(&(*place).link, place as usize) };
    if !joined {
        places.pop();
    }
    joined
}

impl Behind {
    /// Returns the node that waits here.
    pub(in super::super) fn node(&self) -> *const Node {
        self.node
    }
}

impl Waits for Behind {
    fn wait_for(&self, before: &Node) -> bool {
        // SAFETY: the thread that closes the exit has the place to itself.
        let links = unsafe { &mut *self.links.get() };
        links.push(Box::new(Link::new()));
        // SAFETY: the node waits at the exit until this call is over.
        let node = unsafe { &*self.node };
        let joined = node.wait_further(before, &links[links.len() - 1]);
        if !joined {
            links.pop();
        }
        joined
    }

    fn wait_at(&self, exit: &Dependents, _list: &[Depend]) -> bool {
        // SAFETY: as above.
        let node = unsafe { &*self.node };
        node.count_further(|| join(&self.further, exit, self.node))
    }
}

/// The places of a node that waits at exits, and its dependences.
pub(super) struct AtExits {
    /// The node's dependences: a thread that closes an exit reads them.
    pub(super) list: Box<[Depend]>,
    places: UnsafeCell<Places>,
}

impl AtExits {
    /// Makes the places of a node with these dependences.
    pub(super) fn new(list: &[Depend]) -> Box<AtExits> {
        Box::new(AtExits { list: list.into(), places: UnsafeCell::new(Vec::new()) })
    }

    /// Joins one more exit. Returns false if the exit is closed. For the maker of `node`.
    pub(super) fn join(&self, exit: &Dependents, node: &Node) -> bool {
        join(&self.places, exit, node)
    }
}
