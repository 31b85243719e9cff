//! Target constructs on devices: totals and single executions.

use super::fields::fields;

fields! {
    /// The sums over all executions of one target construct on one device, or all calls of a memory
    /// routine at one place. Times are sums over executions. Key: the first three fields.
    TargetSiteTotal {
        /// The return address of the construct, or of the routine's call.
        codeptr_ra: u64,
        /// `ompt_target_t`, 0 = a memory routine outside of any construct.
        target_kind: u32,
        /// The device's number, [`HOST`](crate::target::HOST) for the host itself.
        device: u32,
        /// Times that the construct was executed, or operations that the routine did.
        executions: u64,
        /// The time from the construct's begin to its end, ns.
        elapsed: u64,
        /// Kernels that were executed.
        kernels: u64,
        /// The time from a kernel's begin to its end, ns.
        kernel_time: u64,
        /// Copies from the host.
        to_device: u64,
        /// Their bytes.
        to_device_bytes: u64,
        /// The time that they took, ns.
        to_device_time: u64,
        /// Copies to the host.
        from_device: u64,
        /// Their bytes.
        from_device_bytes: u64,
        /// The time that they took, ns.
        from_device_time: u64,
        /// Copies from device to device, and operations that set memory.
        within: u64,
        /// Their bytes.
        within_bytes: u64,
        /// The time that they took, ns.
        within_time: u64,
        /// Blocks of device memory that were allocated.
        allocations: u64,
        /// Their bytes.
        allocated_bytes: u64,
        /// The time to allocate and free such blocks, ns.
        memory_time: u64,
        /// The time in which the construct's thread did nothing else, or waited for the construct,
        /// ns.
        host_wait: u64,
        /// The time in which a thread worked that had left the construct to another one, ns.
        overlap: u64,
    }

    /// One execution of a target construct, a kernel or a copy, for a timeline. If they come very
    /// often, an agent leaves some out; the totals have all of them.
    TargetEvent {
        /// The executing thread.
        thread: u32,
        /// The begin of the event.
        time: u64,
        /// The duration, ns.
        duration: u64,
        /// See [`target`](crate::target).
        event_kind: u32,
        /// As in the total.
        device: u32,
        /// The bytes of a copy.
        bytes: u64,
        /// As in the total.
        codeptr_ra: u64,
    }
}
