//! The parts of tasks that debuggers may read (`crate::described`).

use super::depend::Node;
use super::split::Part;
use crate::records::{
    Batch, Count, Group, Ranked, RecordBlock, Running, SMALLEST_RECORD_BYTES, SlotTasks, Task,
    TeamTasks, ThreadTasks, Traits, Wanted,
};
use core::mem::offset_of;
use omphalos_layout::{Described, Structure, Value};
use omphalos_sync::{completion, count, dependents, ranges};

/// The structures.
pub(crate) const STRUCTURES: &[Structure] = &[
    Task::STRUCTURE,
    Count::STRUCTURE,
    Group::STRUCTURE,
    Node::STRUCTURE,
    dependents::Dependents::STRUCTURE,
    dependents::Link::STRUCTURE,
    dependents::Missing::STRUCTURE,
    ThreadTasks::STRUCTURE,
    Batch::STRUCTURE,
    RecordBlock::STRUCTURE,
    Running::STRUCTURE,
    SlotTasks::STRUCTURE,
    Part::STRUCTURE,
    omphalos_sync::shares::SHARES,
    omphalos_sync::ranges::LEASED,
    TeamTasks::STRUCTURE,
    Ranked::STRUCTURE,
    omphalos_sync::deque::DEQUE,
    omphalos_sync::deque::OWNER,
];

/// The numbers.
pub(crate) const VALUES: &[Value] = &[
    Value::new("Traits.DETACHABLE", Traits::DETACHABLE as u64),
    Value::new("Traits.PARTS", Traits::PARTS as u64),
    Value::new("Traits.COUNTED", Traits::COUNTED as u64),
    Value::new("Traits.PARENT", Traits::PARENT as u64),
    Value::new("Traits.NODE", Traits::NODE as u64),
    Value::new("Traits.OPEN", Traits::OPEN as u64),
    Value::new("Traits.HIDDEN", Traits::HIDDEN as u64),
    Value::new("Traits.TICKET", Traits::TICKET as u64),
    Value::new("Leased.END_BITS", ranges::END_BITS as u64),
    Value::new("Task.BODY_ENDED", completion::BODY as u64),
    Value::new("Task.FULFILLED", completion::EVENT as u64),
    Value::new("Task.DISCARDED", completion::DISCARDED as u64),
    Value::new("Count.BIAS", count::BIAS as u64),
    Value::new("Count.ENDED", count::ENDED as u64),
    Value::new("Count.HOLD", count::HOLD as u64),
    Value::new("Dependents.CLOSED", dependents::CLOSED as u64),
    Value::new("Missing.OPEN", dependents::OPEN as u64),
    Value::new("ThreadTasks.SMALLEST_RECORD_BYTES", SMALLEST_RECORD_BYTES as u64),
    Value::new("ThreadTasks.wants.1", offset_of!((*const Task, Wanted), 1) as u64),
];
