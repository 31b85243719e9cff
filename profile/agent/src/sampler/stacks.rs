//! The stacks that a thread has written: a fixed table from a stack's hash to its id.
//!
//! Two stacks with the same 64-bit hash would be taken for one. When the table is three quarters
//! full, all stacks are forgotten; a stack that comes again is then written under a new id.

const SLOTS: usize = 4096;

/// The table.
pub struct Stacks {
    slots: &'static mut [(u64, u64)],
    count: usize,
    last: u64,
}

impl Default for Stacks {
    fn default() -> Self {
        // SAFETY: integers.
        Stacks { slots: unsafe { crate::memory::zeroed(SLOTS) }, count: 0, last: 0 }
    }
}

impl Stacks {
    /// Returns the id of a stack, and whether it is new (then it must be written before its id).
    /// Async-signal-safe.
    pub fn id(&mut self, frames: &[u64]) -> (u64, bool) {
        if self.count * 4 >= SLOTS * 3 {
            self.forget();
        }
        let hash = hash(frames);
        for step in 0..SLOTS {
            let Some(slot) = self.slots.get_mut((hash as usize).wrapping_add(step) % SLOTS) else {
                break;
            };
            if slot.1 == 0 {
                self.last += 1;
                self.count += 1;
                *slot = (hash, self.last);
                return (self.last, true);
            }
            if slot.0 == hash {
                return (slot.1, false);
            }
        }
        self.last += 1;
        (self.last, true)
    }

    /// Forgets all stacks; ids go on. Async-signal-safe.
    pub fn forget(&mut self) {
        if self.count > 0 {
            self.slots.fill((0, 0));
            self.count = 0;
        }
    }
}

fn hash(frames: &[u64]) -> u64 {
    let mut hash = frames.len() as u64;
    for frame in frames {
        hash = (hash ^ frame).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_keeps_its_id() {
        let mut stacks = Stacks::default();
        let (first, new) = stacks.id(&[1, 2, 3]);
        assert!(new && first != 0);
        assert_eq!(stacks.id(&[1, 2, 3]), (first, false));
        assert_eq!(stacks.id(&[3, 2, 1]), (first + 1, true));
        for more in 0..10_000 {
            stacks.id(&[more, 7]);
        }
        let (again, new) = stacks.id(&[1, 2, 3]);
        assert!(new && again > first);
    }
}
