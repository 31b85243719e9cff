//! A task's dependences as its construct lists them.

/// A kind of dependence: the numbers of `ompt_dependence_type_t`.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum DependKind {
    In = 1,
    Out = 2,
    Inout = 3,
    MutexInoutset = 4,
    Inoutset = 7,
    OutAll = 34,
    InoutAll = 35,
}

impl DependKind {
    /// Whether tasks with this kind of dependence on one address leave each other unordered.
    pub(crate) fn is_shared(self) -> bool {
        matches!(self, DependKind::In | DependKind::Inoutset | DependKind::MutexInoutset)
    }

    /// Whether the dependence is on all memory (`omp_all_memory`).
    pub(crate) fn is_all(self) -> bool {
        matches!(self, DependKind::OutAll | DependKind::InoutAll)
    }
}

/// One dependence of a task. It has the layout of `omphalos_events::Dependence`, which tools get.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Depend {
    /// Address of the list item.
    pub address: usize,
    /// The kind of the dependence.
    pub kind: DependKind,
}
