//! The data that an event points to and the runtime only lends: frames, dependences, mapped
//! variables, chunks.

use crate::kinds::*;
use crate::word::{Frame, Word};
use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use core::marker::PhantomData;
use omphalos_abi::ompt::{ompt_data_t, ompt_dependence_t, ompt_dispatch_chunk_t, ompt_frame_t};

/// The safe type of a callback's parameter.
pub(crate) trait Lent {
    /// The parameter's type.
    type Raw;

    /// # Safety
    /// The runtime's own argument; what it points to lives as long as `Self`.
    unsafe fn lent(raw: Self::Raw) -> Self;
}

macro_rules! lent {
    ($($type:ty = $raw:ty: $from:expr;)*) => {$(
        impl Lent for $type {
            type Raw = $raw;

            #[inline]
            unsafe fn lent(raw: $raw) -> Self {
                #[allow(unused_unsafe)]
                // SAFETY: the caller's promise.
                unsafe { $from(raw) }
            }
        }
    )*};
}

lent! {
    Word<'_> = *mut ompt_data_t: Word::new;
    LentFrame<'_> = *const ompt_frame_t: |frame| LentFrame(frame, PhantomData);
    Option<&CStr> = *const c_char: |text: *const c_char| {
        if text.is_null() { None } else { Some(CStr::from_ptr(text)) }
    };
    ThreadKind = c_int: ThreadKind::from;
    Endpoint = c_int: Endpoint::from;
    WorkKind = c_int: WorkKind::from;
    SyncKind = c_int: SyncKind::from;
    MutexKind = c_int: MutexKind::from;
    TaskStatus = c_int: TaskStatus::from;
    ParallelFlags = c_int: ParallelFlags::from;
    TaskFlags = c_int: TaskFlags::from;
    CancelFlags = c_int: CancelFlags::from;
    bool = c_int: |number| number != 0;
    i32 = c_int: core::convert::identity;
    u32 = c_uint: core::convert::identity;
    i64 = i64: core::convert::identity;
    u64 = u64: core::convert::identity;
    usize = usize: core::convert::identity;
}

/// A frame that the runtime lends.
#[derive(Clone, Copy, Debug)]
pub struct LentFrame<'a>(
    pub(crate) *const ompt_frame_t,
    pub(crate) core::marker::PhantomData<&'a ()>,
);

impl LentFrame<'_> {
    /// The frame, if the runtime gave one.
    #[inline]
    pub fn read(self) -> Option<Frame> {
        // SAFETY: null or the runtime's frame, good for the callback.
        unsafe { Frame::read(self.0) }
    }
}

/// One dependence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependence {
    /// The list item's address, or the element of an iteration vector.
    pub variable: u64,
    /// Its type.
    pub kind: DependenceKind,
}

/// The dependences of a task, which the runtime lends.
#[derive(Clone, Copy)]
pub struct DependenceList<'a>(pub(crate) &'a [ompt_dependence_t]);

impl DependenceList<'_> {
    /// Returns each dependence.
    pub fn iter(&self) -> impl Iterator<Item = Dependence> + '_ {
        self.0.iter().map(|each| Dependence {
            // SAFETY: both members of the union are eight plain bytes.
            variable: unsafe { each.variable.value },
            kind: DependenceKind::from(each.dependence_type),
        })
    }
}

impl core::fmt::Debug for DependenceList<'_> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_list().entries(self.iter()).finish()
    }
}

/// One mapped variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapItem {
    /// Its address on the host.
    pub host: u64,
    /// Its address on the device.
    pub device: u64,
    /// Its size.
    pub bytes: usize,
    /// The way in which it is mapped.
    pub flags: MapFlags,
}

/// The variables of a [`TargetMap`](super::TargetMap), which the runtime lends.
#[derive(Clone, Copy)]
pub struct MapItems<'a> {
    pub(crate) host: &'a [*mut c_void],
    pub(crate) device: &'a [*mut c_void],
    pub(crate) bytes: &'a [usize],
    pub(crate) flags: &'a [u32],
}

impl MapItems<'_> {
    /// Returns each variable; a part that the runtime leaves out reads 0.
    pub fn iter(&self) -> impl Iterator<Item = MapItem> + '_ {
        self.host.iter().enumerate().map(|(at, host)| MapItem {
            host: *host as u64,
            device: self.device.get(at).map_or(0, |address| *address as u64),
            bytes: self.bytes.get(at).copied().unwrap_or(0),
            flags: MapFlags::from(self.flags.get(at).map_or(0, |flags| *flags as c_int)),
        })
    }
}

impl core::fmt::Debug for MapItems<'_> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_list().entries(self.iter()).finish()
    }
}

/// The subject of a [`Dispatch`](super::Dispatch) event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instance {
    /// A logical iteration's number.
    Iteration(u64),
    /// A section: the address of its code.
    Section(u64),
    /// Iterations: the first one's number, and their count. `None`: the runtime does not say.
    Chunk(Option<(u64, u64)>),
    /// Anything else.
    Other(u64),
}

impl Instance {
    /// # Safety
    /// `value` must be what the runtime gave with `kind`.
    pub(crate) unsafe fn new(kind: DispatchKind, value: u64) -> Instance {
        match kind {
            DispatchKind::Iteration => Instance::Iteration(value),
            DispatchKind::Section => Instance::Section(value),
            DispatchKind::LoopChunk
            | DispatchKind::TaskloopChunk
            | DispatchKind::DistributeChunk => {
                // SAFETY: the caller's promise: null or a chunk.
                let chunk = unsafe { (value as *const ompt_dispatch_chunk_t).as_ref() };
                Instance::Chunk(chunk.map(|chunk| (chunk.start, chunk.iterations)))
            }
            DispatchKind::Unlisted(_) => Instance::Other(value),
        }
    }
}
