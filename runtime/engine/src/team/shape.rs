//! Chooses the shape of a region, that is, how its members meet, by its size and the number of
//! processors. The primary calls this for each region. `barrier/README.md` has the three shapes and
//! their costs.

use crate::records::{MeetingTree, Team};
use core::sync::atomic::Ordering;
pub use omphalos_settings::Shape;
use omphalos_settings::settings;

/// The largest team that meets flat.
const FLAT_MEMBERS: u32 = 4;

impl Team {
    /// Returns the shape for a region of `size` members while `busy` threads work. Makes the tree
    /// large enough.
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

    /// Removes the remains of the latest region, which was cancelled. Its members left it at
    /// different barriers and constructs, and count as arrived everywhere. No member is in a
    /// region.
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
        let primary = self.as_owner().member(0);
        primary.beyond.set(primary, beyond);
    }

    /// Resets the tree: members may have given up barriers of a cancelled region half-way. No
    /// member is in a region.
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
        /// A tree and the smaller one before it, which a lagging reader may still hold. No code
        /// reads the field: through it leak checkers see that the old tree is in use.
        #[repr(C)]
        struct Planted {
            tree: MeetingTree,
            _before: *const MeetingTree,
        }
        let tree = MeetingTree::new(size.next_power_of_two());
        let planted = Box::leak(Box::new(Planted { tree, _before: self.tree.get() }));
        self.tree.set(self.as_owner(), &raw mut planted.tree);
    }
}
