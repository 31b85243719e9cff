//! The record format between the in-process agent and the report: versioned, append-only, little
//! endian, readable after a crash. `README.md` describes the format; this crate defines it.
//!
//! Two sides that share only the record structures:
//! - [`ChunkWriter`] encodes records into memory that the caller owns. It never allocates, never
//!   panics, takes no lock and touches no global state, so a signal handler may use it; a record
//!   that does not fit leaves the buffer as it was, and the answer is [`Full`].
//! - [`Reader`] walks a byte slice (a mapped file) and yields chunks and records. No byte can make
//!   it panic or loop: [`Damage`] describes damaged parts, which are skipped.
//!
//! What must hold: a record's fields are only ever added at its end, a kind's number is never used
//! again, and a reader ignores bytes after the fields that it knows.
#![deny(missing_docs)]

mod before;
mod constants;
mod copies;
mod crc;
mod frames;
pub mod job;
pub mod library;
pub mod mpi;
pub mod name;
pub mod python;
mod read;
mod records;
mod sample_delta;
mod wire;
mod write;

pub use before::Before;
pub use constants::{UNSEEN_SLEEP, construct_kind, counter, module_flag, severity, target};
pub use crc::crc32;
pub use frames::{Frames, FramesIter, Key};
pub use read::{Chunk, Damage, DamageKind, Item, OpenError, Reader, Records};
pub use records::{
    Attached, CallTotal, ConstructTotal, ControlGroup, CounterDifference, CounterSources, End,
    Energy, Fork, Machine, MachineCpu, Message, Module, MpiAsked, MpiCallTotal, MpiLock,
    MpiMeeting, MpiMessage, MpiOpen, MpiThread, MpiWaited, MutexSitePlace, MutexSiteSampling,
    MutexSiteSlept, MutexSiteTotal, Part, Process, ProcessAffinity, ProcessCounters, ProcessTime,
    Processors, PythonCode, Rank, Record, RecordError, RegionBody, RegionSiteOpen,
    RegionSiteQueued, RegionSiteTotal, ReportPiece, Sample, SampleCall, SampleMemory, SampleNode,
    SampleQueued, Stack, TargetEvent, TargetSiteTotal, TaskSiteSampling, TaskSiteTotal,
    ThreadAffinity, ThreadBegin, ThreadCpu, ThreadEnd, ThreadQueued, ThreadSampling,
    ThreadScheduling, ThreadTotal, kind,
};
pub use wire::{ByteStrings, ByteStringsIter};
pub use write::{ChunkWriter, Full, file_header};

/// The first eight bytes of a record file.
pub const FILE_MAGIC: [u8; 8] = *b"OMPHPROF";
/// The version that this crate writes, and the newest that it reads.
pub const FORMAT_VERSION: u32 = 1;
/// Bytes of the file header that this version writes; a reader skips as many as the file says.
pub const FILE_HEADER_BYTES: usize = 16;
/// The first four bytes of each chunk: the bytes `CHNK`.
pub const CHUNK_MARKER: u32 = 0x4b4e_4843;
/// Bytes before a chunk's payload: marker, length, CRC-32, thread.
pub const CHUNK_HEADER_BYTES: usize = 16;
/// The longest payload that a reader accepts (1 MiB); agents write far shorter ones.
pub const MAX_CHUNK_PAYLOAD: usize = 1 << 20;
/// The chunk's thread for records of the whole process.
pub const PROCESS_CHUNK: u32 = u32::MAX;
