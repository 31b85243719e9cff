//! Finds the regions that a file's code makes, from its calls of a runtime, before the program
//! runs.

use std::rc::Rc;

use super::{Construct, ConstructKind, Symbols};
use crate::entries::{self, Part};

impl Symbols {
    /// The regions of the user's files, each with the return address of its call. A call that is a
    /// jump has none.
    pub fn regions(&self) -> Vec<(u64, Rc<Construct>)> {
        let mut found = Vec::new();
        for (image, bias) in self.program_files() {
            let makes = |after: &u64| {
                let part = image.imported(*after).and_then(|name| entries::part(&name));
                part.is_some_and(|part| part.is_fork() || part == Part::SerialParallel)
            };
            for (start, end) in image.code() {
                let calls = image.ways_out(start, end).filter(|(_, is_jump)| !is_jump);
                for after in calls.map(|(after, _)| after).filter(makes) {
                    let after = after.wrapping_add(bias);
                    found.push((after, self.construct(after, ConstructKind::Region)));
                }
            }
        }
        found
    }
}
