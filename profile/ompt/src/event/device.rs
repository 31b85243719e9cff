//! Events of devices and of constructs that use one. What `codeptr` is stands in the module above.

use super::MapItems;
use crate::device::Device;
use crate::kinds::*;
use crate::word::Word;
use core::ffi::CStr;

event! {
    /// A device is ready.
    DeviceInitialize {
        /// Its number.
        device: i32,
        /// What it is.
        kind: Option<&'a CStr>,
        /// What can be asked of it; `None` if the runtime traces it not.
        traced: Option<Device>,
        /// What the runtime says of its tracing.
        documentation: Option<&'a CStr>,
    }
}
event! {
    /// A device construct begins or ends.
    Target {
        /// Which construct.
        kind: TargetKind,
        /// Begin or end.
        endpoint: Endpoint,
        /// The device's number.
        device: i32,
        /// The encountering task's word.
        task: Word<'a>,
        /// The target task's word.
        target_task: Word<'a>,
        /// The construct's word.
        target: Word<'a>,
        /// The construct's number where the runtime has no word for it (before 5.1), else 0.
        id: u64,
        /// See the module above.
        codeptr: u64,
    }
}
event! {
    /// An operation on device memory begins or ends.
    TargetDataOp {
        /// Begin or end; both at once from a runtime before 5.1.
        endpoint: Endpoint,
        /// The target task's word.
        target_task: Word<'a>,
        /// The construct's word.
        target: Word<'a>,
        /// As in [`Target`].
        id: u64,
        /// Which operation.
        kind: DataOpKind,
        /// From where.
        source: u64,
        /// On which device.
        source_device: i32,
        /// To where.
        destination: u64,
        /// On which device.
        destination_device: i32,
        /// How much.
        bytes: usize,
        /// See the module above.
        codeptr: u64,
    }
}
event! {
    /// A kernel is about to run, or has.
    TargetSubmit {
        /// Begin or end; from a runtime before 5.1 only the begin.
        endpoint: Endpoint,
        /// The construct's word.
        target: Word<'a>,
        /// As in [`Target`].
        id: u64,
        /// Teams that were asked for.
        requested_teams: u32,
    }
}
event! {
    /// Variables of a construct are mapped, or no longer.
    TargetMap {
        /// The construct's word.
        target: Word<'a>,
        /// As in [`Target`].
        id: u64,
        /// Each of them.
        items: MapItems<'a>,
        /// See the module above.
        codeptr: u64,
    }
}
event! {
    /// Code is loaded onto a device.
    DeviceLoad {
        /// The device's number.
        device: i32,
        /// The file that it comes from, if it is of one.
        file: Option<&'a CStr>,
        /// Where in the file; negative if that is not known.
        offset_in_file: i64,
        /// The virtual address that the file has for it, 0 if it has none.
        address_in_file: u64,
        /// How much.
        bytes: usize,
        /// Where it lies in the host's memory, 0 if it does not.
        host_address: u64,
        /// Where it lies on the device, 0 if that is not known.
        device_address: u64,
        /// What its unloading is called by.
        module: u64,
    }
}
