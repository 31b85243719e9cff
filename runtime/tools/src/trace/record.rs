//! The records of a trace. Each interface translates them into its own form.

use core::ffi::c_void;
use core::mem::size_of;
use omphalos_events::{Endpoint, TargetKind, TargetOp};

/// The kinds of events that a device records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traced {
    /// A construct begins or ends.
    Target,
    /// An operation on the device's memory.
    DataOp,
    /// A region.
    Submit,
    /// The maps of a construct.
    Map,
}

impl Traced {
    /// The number of kinds.
    pub const COUNT: usize = Traced::ALL.len();
    /// All kinds, in the order of their numbers.
    pub const ALL: [Traced; 4] = [Traced::Target, Traced::DataOp, Traced::Submit, Traced::Map];
}

/// One record. Times are nanoseconds of the clock that `omp_get_wtime` reads.
#[derive(Clone, Debug)]
pub struct Record {
    /// The event, as the interface numbers it.
    pub number: u32,
    /// The time when the event began.
    pub time: u64,
    /// The thread that had the event.
    pub thread: u64,
    /// The construct; 0 outside of any.
    pub target: u64,
    /// The parts that only some records have.
    pub what: What,
}

/// A record's body.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum What {
    Target {
        kind: TargetKind,
        endpoint: Endpoint,
        device: i32,
        task: u64,
        codeptr: u64,
    },
    DataOp(DataOp),
    Submit {
        operation: u64,
        requested: u32,
        granted: u32,
        end: u64,
    },
    Map {
        items: Vec<Mapped>,
        codeptr: u64,
    },
    /// An event of a region, in the form of the only interface that has records of it.
    Region(Body),
}

/// The body of a record of a region.
pub type Body = [u64; 9];

/// An operation on memory.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct DataOp {
    pub operation: u64,
    pub op: TargetOp,
    pub source: usize,
    pub destination: usize,
    pub devices: (i32, i32),
    pub bytes: usize,
    pub end: u64,
    pub codeptr: u64,
}

/// A mapped list item.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Mapped {
    pub host: usize,
    pub device: usize,
    pub bytes: usize,
    pub flags: u32,
}

/// The four lists of a map record, one after the other.
#[allow(missing_docs)]
pub struct Lists {
    pub host: *mut *mut c_void,
    pub device: *mut *mut c_void,
    pub bytes: *mut usize,
    pub flags: *mut u32,
}

impl Lists {
    /// The bytes that each list item takes.
    const ITEM: usize = 3 * size_of::<usize>() + size_of::<u32>();

    /// Returns the offset of the next record after one of `plain` bytes and this many list items.
    pub const fn behind(plain: usize, count: usize) -> usize {
        (plain + count * Lists::ITEM).next_multiple_of(8)
    }

    /// Writes the lists.
    ///
    /// # Safety
    /// `to` is a multiple of 8, and there is room.
    pub unsafe fn write(items: &[Mapped], to: *mut u8) -> Lists {
        let (count, host) = (items.len(), to.cast::<*mut c_void>());
        // SAFETY: the caller's promise; each list has `count` elements.
        unsafe {
            let device = host.add(count);
            let bytes = device.add(count).cast::<usize>();
            let flags = bytes.add(count).cast::<u32>();
            for (at, item) in items.iter().enumerate() {
                host.add(at).write(item.host as *mut c_void);
                device.add(at).write(item.device as *mut c_void);
                bytes.add(at).write(item.bytes);
                flags.add(at).write(item.flags);
            }
            Lists { host, device, bytes, flags }
        }
    }
}

/// Whether a record of `plain` bytes at a cursor lies within a buffer.
pub fn is_inside(cursor: u64, plain: usize, buffer_bytes: usize) -> bool {
    let end = usize::try_from(cursor).ok().and_then(|at| at.checked_add(plain));
    end.is_some_and(|end| end <= buffer_bytes)
}

impl Record {
    /// Returns the bytes of the record in a buffer of an interface whose records have `plain`
    /// bytes.
    pub fn bytes_with(&self, plain: usize) -> usize {
        match &self.what {
            What::Map { items, .. } => Lists::behind(plain, items.len()),
            _ => plain,
        }
    }

    /// Takes the first items away into a record of their own, as many as `fits` allows. Returns
    /// `None` if no item fits, or this is no record with items.
    pub fn split(&mut self, fits: impl Fn(&Record) -> bool) -> Option<Record> {
        let What::Map { items, codeptr } = &mut self.what else { return None };
        let part = |items: &[Mapped]| Record {
            what: What::Map { items: items.to_vec(), codeptr: *codeptr },
            ..*self
        };
        let (mut fit, mut too_many) = (0, items.len());
        while too_many - fit > 1 {
            let count = fit + (too_many - fit) / 2;
            *(if fits(&part(&items[..count])) { &mut fit } else { &mut too_many }) = count;
        }
        let first = (fit != 0).then(|| part(&items[..fit]))?;
        items.drain(..fit);
        Some(first)
    }
}
