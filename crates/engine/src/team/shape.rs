//! How the members of a team meet, chosen anew for each region by its size and by the processors that
//! there are. README.md has the floors of the three.

use crate::records::Team;
use core::sync::atomic::{AtomicU8, Ordering};
pub use omphalos_settings::Shape;
use omphalos_settings::settings;
use omphalos_sync::tree::Tree;

/// A shape that a lagging member may still read (`words`).
pub struct ShapeWord(AtomicU8);

impl ShapeWord {
    /// A team that meets flat.
    pub(crate) const fn flat() -> ShapeWord {
        ShapeWord(AtomicU8::new(Shape::Flat as u8))
    }

    /// The shape.
    #[inline(always)]
    pub fn get(&self) -> Shape {
        match self.0.load(Ordering::Relaxed) {
            1 => Shape::Tree,
            2 => Shape::Central,
            _ => Shape::Flat,
        }
    }

    /// Changes the shape, if it is another one.
    #[inline(always)]
    pub(crate) fn put(&self, shape: Shape) {
        if self.get() != shape {
            self.0.store(shape as u8, Ordering::Relaxed);
        }
    }
}

/// Children of a node: what a node's line sees is bounded by it, the height falls with it.
pub const FAN: u32 = 4;
/// The largest team that meets flat.
const FLAT_MEMBERS: u32 = 4;

/// The tree of a team.
pub type MeetingTree = Tree<{ FAN as usize }>;

impl Team {
    /// The shape for a region of `size` members while `busy` threads work; makes room for it.
    #[inline(always)]
    pub(crate) fn shape_for(&self, size: u32, busy: u32) -> Shape {
        let settings = settings();
        let shape = match settings.meeting {
            Some(shape) => shape,
            None if size <= FLAT_MEMBERS => Shape::Flat,
            None if settings.crowded(busy) => Shape::Central,
            None => Shape::Tree,
        };
        if shape != Shape::Flat {
            self.plant(size);
        }
        shape
    }

    /// The latest region was cancelled: nothing of that is left. Its members left it at different barriers and
    /// constructs, "arrived" everywhere. No member is in a region.
    #[cold]
    pub(crate) fn forget_cancelled(&self) {
        self.cancelled.store(0, Ordering::Relaxed);
        self.forget_arrivals();
        let mut beyond = 0;
        for slot in (0..self.capacity.get()).map(|num| self.slot(num)) {
            slot.published.arrived.store(0, Ordering::Relaxed);
            slot.published.shares_done.store(0, Ordering::Relaxed);
            let counted = slot.epoch.get().max(slot.share.next()).max(slot.singles.get());
            beyond = beyond.max(counted).max(slot.beyond.get());
        }
        self.slot(0).beyond.set(beyond);
    }

    /// Barriers of a cancelled region may have been given up half-way. No member is in a region.
    #[cold]
    pub(crate) fn forget_arrivals(&self) {
        // SAFETY: null or a tree that is never freed.
        if let Some(tree) = unsafe { self.tree.get().as_ref() } {
            tree.reset();
        }
    }

    #[inline(always)]
    fn plant(&self, size: u32) {
        // SAFETY: null or a tree that is never freed.
        let tree = unsafe { self.tree.get().as_ref() };
        if tree.is_none_or(|tree| tree.capacity() < size) {
            self.plant_larger(size);
        }
    }

    #[cold]
    fn plant_larger(&self, size: u32) {
        /// A tree and the smaller one before it, which a lagging reader may still hold: not read, it says to
        /// who looks for leaks that this one is in use.
        #[repr(C)]
        struct Planted {
            tree: MeetingTree,
            _before: *const MeetingTree,
        }
        let tree = MeetingTree::new(size.next_power_of_two());
        let planted = Box::leak(Box::new(Planted { tree, _before: self.tree.get() }));
        self.tree.set(&raw mut planted.tree);
    }
}
