//! Finds the function that makes a task whose body has no telling name: clang gives all of them the
//! same name.

use std::rc::Rc;

use super::{Role, Symbols, outlined};
use crate::entries::{self, Part};

/// Nested tasks that are searched for a function with a name.
const DEEPEST: u32 = 16;

impl Symbols {
    /// The function that makes the task whose code contains `pc`: the one around the task in the
    /// source, whatever else is declared between them, such as a lambda.
    pub(super) fn maker(&self, pc: u64) -> Option<Rc<str>> {
        self.maker_at(pc, DEEPEST)
    }

    fn maker_at(&self, pc: u64, deeper: u32) -> Option<Rc<str>> {
        let functions = self.functions(pc);
        let own = functions.last().filter(|own| own.role == Role::Task && own.shown.is_empty())?;
        let start = own.start?;
        if let Some(known) = self.opened.borrow().makers.get(&start) {
            return known.clone();
        }
        let entry = |callee: &str| {
            let makes = entries::part(callee) == Some(Part::TaskAlloc);
            makes.then(|| outlined::argument_with_body(callee)).flatten()
        };
        let calls = self.calls_with(Some(start), &entry);
        let found = calls.first().and_then(|after| {
            let around = self.functions(after - 1);
            let named = around.first().filter(|maker| !maker.shown.is_empty());
            let by_task = || self.maker_at(after - 1, deeper.checked_sub(1)?);
            named.map(|maker| maker.shown.clone()).or_else(by_task)
        });
        self.opened.borrow_mut().makers.insert(start, found.clone());
        found
    }
}
