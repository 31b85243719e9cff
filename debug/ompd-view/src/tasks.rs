//! Finds all explicit tasks that are not complete, in the blocks of memory that contain their
//! records. There is no other way: nothing links the records, and a detached task, or one that
//! waits for others, is in no queue.

use crate::runtime::{Runtime, number};
use crate::target::Fault;
use std::collections::HashSet;

/// The most blocks of one thread, and the most records in all, that are looked at.
const MOST_BLOCKS: usize = 1 << 16;
const MOST_RECORDS: usize = 1 << 21;
/// The most lists of unused records of one thread.
const MOST_LISTS: u64 = 64;
/// The size of the largest record that is believed.
const LARGEST: u64 = 1 << 32;

/// The progress of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Ready, and nobody has begun it.
    Queued,
    /// It waits for tasks that it depends on.
    Waits,
    /// A thread executes it, or something on top of it.
    Begun,
    /// Its body has ended, its event is outstanding.
    Detached,
    /// It is complete; its record stays as long as it has children.
    Complete,
}

impl Progress {
    /// The name of the state in the snapshot.
    pub fn name(self) -> &'static str {
        match self {
            Progress::Queued => "queued",
            Progress::Waits => "waits",
            Progress::Begun => "executing",
            Progress::Detached => "detached",
            Progress::Complete => "complete",
        }
    }
}

impl Runtime<'_> {
    /// Returns the explicit tasks that are not complete and those whose records stay for their
    /// children, and the faults on the way. Reads the whole memory of all records.
    pub fn explicit_tasks(&self) -> (Vec<u64>, Vec<Fault>) {
        let mut faults = Vec::new();
        let records = match self.records() {
            Ok((records, fault)) => {
                faults.extend(fault);
                records
            }
            Err(fault) => return (Vec::new(), vec![fault]),
        };
        let (mut all, mut unused) = (Vec::new(), HashSet::new());
        for thread in records {
            faults.extend(self.unused(thread, &mut unused).err());
            faults.extend(self.records_of(thread, &mut all).err());
        }
        all.retain(|task| !unused.contains(task));
        (all, faults)
    }

    /// The records of tasks that a thread has made.
    fn records_of(&self, thread: u64, all: &mut Vec<u64>) -> Result<(), Fault> {
        let (header, record) = (self.layout().size("RecordBlock")?, self.layout().size("Task")?);
        let smallest = self.value("ThreadTasks.SMALLEST_RECORD_BYTES")?.max(1);
        let mut block = self.get(self.at(thread, "Thread.tasks")?, "ThreadTasks.latest")?;
        let mut seen = HashSet::new();
        for _ in 0..MOST_BLOCKS {
            if block == 0 {
                return Ok(());
            }
            if !seen.insert(block) {
                return Err(Fault::Nonsense("the list of blocks goes in a circle".into()));
            }
            let used = self.get(block, "RecordBlock.used")?;
            let mut at = block.wrapping_add(header);
            if used.wrapping_sub(block) > LARGEST {
                return Err(Fault::Nonsense(format!("the end {used:#x} of block {block:#x}")));
            }
            while at < used {
                if all.len() >= MOST_RECORDS {
                    return Err(Fault::Nonsense(format!("more than {MOST_RECORDS} tasks")));
                }
                all.push(at);
                let payload = self.get(at, "Task.payload")?;
                if payload > LARGEST {
                    return Err(Fault::Nonsense(format!("a task with {payload} bytes at {at:#x}")));
                }
                let units = (payload + record).div_ceil(smallest);
                at = at.wrapping_add(smallest * units.next_power_of_two());
            }
            block = self.get(block, "RecordBlock.before")?;
        }
        Err(Fault::Nonsense(format!("more than {MOST_BLOCKS} blocks of one thread")))
    }

    /// Collects the records that a thread has and does not use, and those that it gives back.
    pub(crate) fn unused(&self, thread: u64, unused: &mut HashSet<u64>) -> Result<(), Fault> {
        let tasks = self.at(thread, "Thread.tasks")?;
        for lists in ["ThreadTasks.unused", "ThreadTasks.returned"] {
            let field = self.layout().field(lists)?;
            let mut bytes = vec![0; field.size.min(MOST_LISTS * 8) as usize];
            self.target().read(tasks.wrapping_add(field.offset), &mut bytes)?;
            for first in bytes.chunks_exact(8) {
                self.chain(number(first), unused)?;
            }
        }
        let batch = self.at(tasks, "ThreadTasks.batch")?;
        if self.get(batch, "Batch.home")? != 0 {
            self.chain(self.get(batch, "Batch.first")?, unused)?;
        }
        // A record that is prepared for the next task, and the records that stay with it.
        let mut prepared = self.get(tasks, "ThreadTasks.prepared")?;
        while prepared != 0 && unused.len() < MOST_RECORDS && unused.insert(prepared) {
            prepared = self.get(prepared, "Task.data")?;
        }
        Ok(())
    }

    fn chain(&self, mut at: u64, into: &mut HashSet<u64>) -> Result<(), Fault> {
        while at != 0 && into.len() < MOST_RECORDS && into.insert(at) {
            at = self.get(at, "Task.parent")?;
        }
        Ok(())
    }

    /// The progress of an explicit task that no thread executes. `None`: its record is being
    /// prepared.
    pub(crate) fn progress(&self, task: u64) -> Result<Option<Progress>, Fault> {
        let traits = self.get(task, "Task.traits")?;
        let has = |name| self.value(name).map(|bit| traits & bit != 0);
        if has("Traits.PARENT")? {
            let count = self.at(task, "Task.children")?;
            let net = self.get(count, "Count.net")?;
            if net & self.value("Count.ENDED")? != 0 {
                return Ok(Some(Progress::Complete));
            }
        }
        if has("Traits.DETACHABLE")? {
            let ends = self.get(task, "Task.ends")?;
            let (body, event) = (self.value("Task.BODY_ENDED")?, self.value("Task.FULFILLED")?);
            if ends & body != 0 && ends & event == 0 {
                return Ok(Some(Progress::Detached));
            }
            // The record only waits for the event.
            if ends & self.value("Task.DISCARDED")? != 0 {
                return Ok(Some(Progress::Complete));
            }
        }
        let node = self.get(task, "Task.node")?;
        if has("Traits.NODE")? && node != 0 {
            let missing = self.get(self.at(node, "Node.missing")?, "Missing.0")?;
            if missing != 0 && missing < self.value("Missing.OPEN")? {
                return Ok(Some(Progress::Waits));
            }
        }
        Ok((has("Traits.COUNTED")? || has("Traits.HIDDEN")?).then_some(Progress::Queued))
    }

    /// Returns, for a ticket (a record that stands for a taskloop's tasks), the number of tasks
    /// that nobody has begun. `None` for a task.
    pub(crate) fn shares(&self, task: u64) -> Result<Option<u64>, Fault> {
        if self.get(task, "Task.traits")? & self.value("Traits.TICKET")? == 0 {
            return Ok(None);
        }
        let part = task.wrapping_add(self.layout().size("Task")?);
        let range = self.at(self.at(part, "Part.shares")?, "Shares.range")?;
        let word = self.get(range, "Leased.range")?;
        let bits = self.value("Leased.END_BITS")?.min(31);
        let end = word >> bits & ((1 << bits) - 1);
        // An owner that has begun everything that it leased may have counted further.
        Ok(Some(end.saturating_sub(self.get(range, "Leased.begun")?)))
    }

    /// The nodes that wait for the one at `node`, at most `most` of them.
    pub(crate) fn waiting_nodes(&self, node: u64, most: usize) -> Result<Vec<u64>, Fault> {
        let dependents = self.at(node, "Node.dependents")?;
        let mut at = self.get(dependents, "Dependents.head")?;
        let mut nodes = Vec::new();
        while at != 0 && at != self.value("Dependents.CLOSED")? && nodes.len() < most {
            nodes.push(self.get(at, "Link.word")?);
            at = self.get(at, "Link.next")?;
        }
        Ok(nodes)
    }
}
