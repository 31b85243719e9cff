//! The exits of transparent tasks.
//!
//! The children of a transparent task may name any storage until its body has ended. So a later
//! sibling with dependences (or a child of such a sibling, if that is transparent itself) first
//! waits at the exit. When the body has ended, it waits only for those children that its own
//! dependences mean, as it would for siblings.
//!
//! | field | written by |
//! |---|---|
//! | `waiting` | a maker joins it for a task that waits here; the thread that ends the body closes it |
//! | `exported` | the thread that ends the body, before it closes; afterwards nobody |
//!
//! A [`Behind`] is one node's place behind one exit. Its link is in the exit's list. The thread
//! that closes the exit has the place to itself and adds the further edges from there. So two
//! threads that add edges to one node share no memory but `Missing`, which counts all edges; a
//! closer counts what it adds before it gives the exit's own edge up.

use super::Depend;
use super::node::Node;
use super::table::Table;
use crate::records::Thread;
use core::cell::UnsafeCell;
use omphalos_sync::dependents::{Dependents, Link};

/// See the module.
pub(super) struct Exit {
    waiting: Dependents,
    exported: UnsafeCell<Table>,
}

// SAFETY: the table is written once, before the list is closed, and read only by threads that saw
// the list closed. What it refers to may be used and dropped on any thread.
unsafe impl Send for Exit {}
// SAFETY: as above.
unsafe impl Sync for Exit {}

/// What can wait: a node (its maker calls), or a place behind an exit that a thread is closing.
pub(super) trait Waits {
    /// Waits for `before`. False if `before` is complete, or if this waits for it already.
    fn wait_for(&self, before: &Node) -> bool;
    /// Waits at `exit`, with its dependences `list`. False if the exit is closed.
    fn wait_at(&self, exit: &Exit, list: &[Depend]) -> bool;
}

impl Exit {
    /// Of a task whose body has not ended.
    pub(super) fn new() -> Exit {
        Exit { waiting: Dependents::new(), exported: UnsafeCell::new(Table::default()) }
    }

    /// What the task's children depend on, if its body has ended.
    fn exported(&self) -> Option<&Table> {
        // SAFETY: closed, so nobody writes it any more.
        self.waiting.is_closed().then(|| unsafe { &*self.exported.get() })
    }

    /// Whether nothing behind it is left to wait for.
    pub(super) fn is_done(&self) -> bool {
        self.exported().is_some_and(Table::is_done)
    }

    /// Makes `who` wait for what these dependences mean behind the exit. Returns how many edges
    /// that makes.
    pub(super) fn before(&self, who: &impl Waits, list: &[Depend]) -> u32 {
        loop {
            match self.exported() {
                Some(table) => return table.before(who, list),
                None if who.wait_at(self, list) => return 1,
                None => {}
            }
        }
    }

    /// The body has ended, and `table` is what its children depend on. Calls `ready` with each (a
    /// node from a pool, or a waiter) that waited here and has nothing else to wait for. Returns
    /// whether some wait for more.
    pub(super) fn close(
        &self,
        table: Table,
        mut ready: impl FnMut(Result<&'static Node, *const Thread>),
    ) -> bool {
        // SAFETY: nobody reads it before the list is closed.
        unsafe { *self.exported.get() = table };
        // SAFETY: from here on nobody writes it.
        let exported = unsafe { &*self.exported.get() };
        let mut further = 0;
        self.waiting.close(|word| {
            // SAFETY: the node that owns the place waits for this call.
            let place: &Behind = unsafe { &*(word as *const Behind) };
            // SAFETY: as above.
            let node: &'static Node = unsafe { &*place.node };
            further += exported.before(place, node.behind());
            node.let_go(&mut ready);
        });
        further != 0
    }

    /// Calls `each` with the nodes that wait here.
    ///
    /// # Safety
    /// The body does not end meanwhile.
    pub(super) unsafe fn for_each_waiting(&self, mut each: impl FnMut(&'static Node)) {
        // SAFETY: the body does not end (the caller's promise), so the exit stays open, and every
        // node that waits here stays in the list.
        unsafe {
            self.waiting.for_each(|word| each(&*(*(word as *const Behind)).node));
        }
    }
}

/// A node's place behind an exit.
pub(super) struct Behind {
    link: Link,
    node: *const Node,
    /// What the thread that closed the exit added: links to siblings, and places behind further
    /// exits.
    #[expect(clippy::vec_box, reason = "a link that joined a list must not move")]
    links: UnsafeCell<Vec<Box<Link>>>,
    further: UnsafeCell<Places>,
}

/// Places of one owner. Boxed: a link that joined a list must not move.
type Places = Vec<Box<Behind>>;

/// Joins `exit` with one more place of `node`. False if the exit is closed.
fn join(places: &UnsafeCell<Places>, exit: &Exit, node: *const Node) -> bool {
    // SAFETY: one thread alone touches these places: a node's are its maker's, and those of a
    // place behind an exit belong to the thread that closes that exit.
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
    let joined = unsafe { exit.waiting.join(&(*place).link, place as usize) };
    if !joined {
        places.pop();
    }
    joined
}

impl Waits for Behind {
    fn wait_for(&self, before: &Node) -> bool {
        // SAFETY: the thread that closes the exit has the place to itself.
        let links = unsafe { &mut *self.links.get() };
        links.push(Box::new(Link::new()));
        // SAFETY: the node waits for the exit until this is over.
        let node = unsafe { &*self.node };
        let joined = node.wait_further(before, &links[links.len() - 1]);
        if !joined {
            links.pop();
        }
        joined
    }

    fn wait_at(&self, exit: &Exit, _list: &[Depend]) -> bool {
        // SAFETY: as above.
        let node = unsafe { &*self.node };
        node.count_further(|| join(&self.further, exit, self.node))
    }
}

/// What a node that waits at exits keeps for them.
pub(super) struct AtExits {
    /// Its dependences: a thread that closes an exit reads them.
    pub(super) list: Box<[Depend]>,
    places: UnsafeCell<Places>,
}

impl AtExits {
    /// Of a node with these dependences.
    pub(super) fn new(list: &[Depend]) -> Box<AtExits> {
        Box::new(AtExits { list: list.into(), places: UnsafeCell::new(Vec::new()) })
    }

    /// One more exit. For the maker of `node`.
    pub(super) fn join(&self, exit: &Exit, node: &Node) -> bool {
        join(&self.places, exit, node)
    }
}
