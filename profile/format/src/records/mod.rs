//! The records: one structure for each kind, with its fields in the order of the file.
//!
//! Integers are plain numbers of the published interfaces (`ompt_state_t` and its kin), so that
//! this crate depends on nothing. Times are nanoseconds of CLOCK_MONOTONIC, addresses are those of
//! the profiled process. A total is cumulative: of several with one key, the last in the file
//! holds.

mod counters;
mod fields;
mod mpi;
mod placement;
mod process;
mod python;
mod samples;
mod sites;
mod targets;
mod threads;

pub use counters::{CounterDifference, CounterSources, Energy, ProcessCounters};
pub use mpi::{
    MpiAsked, MpiCallTotal, MpiLock, MpiMeeting, MpiMessage, MpiOpen, MpiThread, MpiWaited, Rank,
};
pub use placement::{ControlGroup, MachineCpu, ProcessAffinity, ThreadAffinity, ThreadCpu};
pub use process::{
    Attached, End, Machine, Message, Module, Part, Process, ProcessTime, Processors, ReportPiece,
    ThreadBegin, ThreadEnd,
};
pub use python::PythonCode;
pub use samples::{Fork, Sample, SampleCall, SampleMemory, SampleNode, SampleQueued, Stack};
pub use sites::{
    CallTotal, ConstructTotal, MutexSitePlace, MutexSiteSampling, MutexSiteSlept, MutexSiteTotal,
    RegionBody, RegionSiteOpen, RegionSiteQueued, RegionSiteTotal, TaskSiteSampling, TaskSiteTotal,
};
pub use targets::{TargetEvent, TargetSiteTotal};
pub use threads::{ThreadQueued, ThreadSampling, ThreadScheduling, ThreadTotal};

use crate::wire::{Sink, Source};

/// The reason why a record could not be read; the reader goes on with the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// A kind that this version does not know.
    UnknownKind {
        /// The number that the record has for its kind.
        kind: u8,
        /// The length of the record's body, bytes.
        length: usize,
    },
    /// The body ends before its fields do, or a number is too large.
    Malformed {
        /// The kind's number, one of [`kind`].
        kind: u8,
    },
    /// The record claims more bytes than the chunk has; the rest of the chunk is skipped.
    Overlong {
        /// The number that the record has for its kind, known or not.
        kind: u8,
    },
}

/// Gives each structure the number of its kind, and makes the enum `Record` of all of them.
macro_rules! kinds {
    ($( $name:ident $(<$life:lifetime>)? = $kind:literal as $constant:ident, )*) => {
        /// The number of each kind of record.
        pub mod kind {
            $( #[doc = concat!("[`", stringify!($name), "`](super::", stringify!($name), ")")]
               pub const $constant: u8 = $kind; )*

            /// All kinds.
            pub const ALL: &[u8] = &[$($kind),*];

            /// A [`Sample`](super::Sample) with only the fields that differ from those of the
            /// sample before it in the chunk.
            pub const SAMPLE_AGAIN: u8 = 22;
            /// A [`Stack`](super::Stack) as copies of parts of itself and of the last stack of
            /// another form in the chunk.
            pub const STACK_COPIED: u8 = 23;
            /// A [`Stack`](super::Stack) as copies of parts of itself.
            pub const STACK_FOLDED: u8 = 24;
        }

        $(
            impl<'a> From<$name $(<$life>)?> for Record<'a> {
                fn from(record: $name $(<$life>)?) -> Self {
                    Record::$name(record)
                }
            }
        )*

        /// Any record.
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[allow(clippy::large_enum_variant)]
        pub enum Record<'a> {
            $( #[doc = concat!("See [`", stringify!($name), "`].")] $name($name $(<$life>)?), )*
        }

        impl<'a> Record<'a> {
            /// The number that stands for this kind in the file.
            pub fn kind(&self) -> u8 {
                match self { $( Record::$name(_) => $kind, )* }
            }

            pub(crate) fn encode(&self, sink: &mut Sink<'_>) {
                match self { $( Record::$name(record) => record.encode(sink), )* }
            }

            pub(crate) fn decode(kind: u8, body: &'a [u8]) -> Result<Self, RecordError> {
                let mut source = Source::new(body);
                match kind {
                    $( $kind => $name::decode(&mut source)
                        .map(Record::$name)
                        .ok_or(RecordError::Malformed { kind }), )*
                    _ => Err(RecordError::UnknownKind { kind, length: body.len() }),
                }
            }
        }
    };
}

// A number is never used again. 22 to 24 are other forms of samples and stacks (see `kind`). 38 and
// 39 are not used.
kinds! {
    Process<'a> = 1 as PROCESS,
    Module<'a> = 2 as MODULE,
    ThreadBegin = 3 as THREAD_BEGIN,
    ThreadEnd = 4 as THREAD_END,
    Stack<'a> = 5 as STACK,
    Fork = 6 as FORK,
    Sample = 7 as SAMPLE,
    RegionSiteTotal = 8 as REGION_SITE_TOTAL,
    MutexSiteTotal = 9 as MUTEX_SITE_TOTAL,
    ThreadTotal = 10 as THREAD_TOTAL,
    End<'a> = 11 as END,
    Message<'a> = 12 as MESSAGE,
    TaskSiteTotal = 13 as TASK_SITE_TOTAL,
    TaskSiteSampling = 14 as TASK_SITE_SAMPLING,
    MutexSiteSampling = 15 as MUTEX_SITE_SAMPLING,
    ThreadSampling = 16 as THREAD_SAMPLING,
    SampleCall<'a> = 17 as SAMPLE_CALL,
    CallTotal<'a> = 18 as CALL_TOTAL,
    ThreadScheduling = 19 as THREAD_SCHEDULING,
    ConstructTotal = 20 as CONSTRUCT_TOTAL,
    MutexSitePlace = 21 as MUTEX_SITE_PLACE,
    TargetSiteTotal = 25 as TARGET_SITE_TOTAL,
    TargetEvent = 26 as TARGET_EVENT,
    RegionBody = 27 as REGION_BODY,
    Processors = 28 as PROCESSORS,
    ProcessTime = 29 as PROCESS_TIME,
    SampleQueued = 30 as SAMPLE_QUEUED,
    RegionSiteOpen = 31 as REGION_SITE_OPEN,
    ThreadQueued = 32 as THREAD_QUEUED,
    RegionSiteQueued = 33 as REGION_SITE_QUEUED,
    Machine<'a> = 34 as MACHINE,
    ReportPiece<'a> = 35 as REPORT_PIECE,
    SampleMemory = 36 as SAMPLE_MEMORY,
    Part = 37 as PART,
    Rank<'a> = 40 as RANK,
    MpiCallTotal = 41 as MPI_CALL_TOTAL,
    MpiThread = 42 as MPI_THREAD,
    MpiMeeting = 43 as MPI_MEETING,
    MpiMessage = 50 as MPI_MESSAGE,
    Attached = 60 as ATTACHED,
    ThreadCpu = 70 as THREAD_CPU,
    ThreadAffinity<'a> = 71 as THREAD_AFFINITY,
    ProcessAffinity<'a> = 72 as PROCESS_AFFINITY,
    ControlGroup<'a> = 73 as CONTROL_GROUP,
    MachineCpu = 74 as MACHINE_CPU,
    SampleNode = 75 as SAMPLE_NODE,
    PythonCode<'a> = 80 as PYTHON_CODE,
    MpiWaited = 90 as MPI_WAITED,
    MpiAsked = 91 as MPI_ASKED,
    MpiLock = 92 as MPI_LOCK,
    MpiOpen = 93 as MPI_OPEN,
    CounterSources<'a> = 100 as COUNTER_SOURCES,
    CounterDifference = 101 as COUNTER_DIFFERENCE,
    ProcessCounters = 102 as PROCESS_COUNTERS,
    Energy<'a> = 103 as ENERGY,
    MutexSiteSlept = 110 as MUTEX_SITE_SLEPT,
}
