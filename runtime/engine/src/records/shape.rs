//! The shape of a team, that is, how its members meet, as a word of its record. `team/shape.rs`
//! chooses it.

use super::{Owner, Team};
use core::sync::atomic::{AtomicU8, Ordering};
pub use omphalos_settings::Shape;
use omphalos_sync::tree::Tree;

/// A team's shape. A lagging member may still read it while it changes (`words.rs`).
pub struct ShapeWord(AtomicU8);

impl ShapeWord {
    /// Makes the word of a team that meets flat.
    pub(crate) const fn flat() -> ShapeWord {
        ShapeWord(AtomicU8::new(Shape::Flat as u8))
    }

    /// Returns the shape.
    #[inline(always)]
    pub fn get(&self) -> Shape {
        match self.0.load(Ordering::Relaxed) {
            1 => Shape::Tree,
            2 => Shape::Central,
            _ => Shape::Flat,
        }
    }

    /// Changes the shape, but does not write an equal one.
    #[inline(always)]
    pub(crate) fn put(&self, by: Owner<'_, Team>, shape: Shape) {
        by.check(self);
        // SAFETY: only the owner writes the word, and the calling thread is the owner.
        if unsafe { self.0.as_ptr().read() } != shape as u8 {
            self.0.store(shape as u8, Ordering::Relaxed);
        }
    }
}

/// The most children of a node of the tree. More of them would make the tree lower, but more
/// threads would share a node's line.
pub const FAN: u32 = 4;
/// The tree of a team.
pub type MeetingTree = Tree<{ FAN as usize }>;
