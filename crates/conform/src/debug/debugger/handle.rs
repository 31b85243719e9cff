//! What may be asked of a thread, a region or a task.
#![allow(non_upper_case_globals)] // codes under the names of the specification

use core::ffi::{c_int, c_void};

use omphalos_abi::ompd::*;

use super::library::{Library, Raw};
use super::session::{Answer, Handle, Kind, Refusal, call, icv_number, icv_text};

impl<'a> Handle<'a> {
    fn other(
        &self,
        kind: Kind,
        ask: impl FnOnce(&Library, Raw, &mut Raw) -> Answer<()>,
    ) -> Answer<Handle<'a>> {
        let mut raw: Raw = core::ptr::null_mut();
        ask(self.session.library, self.raw, &mut raw)?;
        Ok(Handle { session: self.session, kind, raw })
    }

    /// The innermost region of a thread.
    pub fn region(&self) -> Answer<Handle<'a>> {
        self.other(Kind::Region, |library, own, to| {
            call!(library, ompd_get_curr_parallel_handle(own, to))
        })
    }

    /// The region around a region.
    pub fn enclosing(&self) -> Answer<Handle<'a>> {
        self.other(Kind::Region, |library, own, to| {
            call!(library, ompd_get_enclosing_parallel_handle(own, to))
        })
    }

    /// The region of a task.
    pub fn region_of_task(&self) -> Answer<Handle<'a>> {
        self.other(Kind::Region, |library, own, to| {
            call!(library, ompd_get_task_parallel_handle(own, to))
        })
    }

    /// The task that a thread executes.
    pub fn task(&self) -> Answer<Handle<'a>> {
        self.other(Kind::Task, |library, own, to| {
            call!(library, ompd_get_curr_task_handle(own, to))
        })
    }

    /// The task that met the construct of a task.
    pub fn generating(&self) -> Answer<Handle<'a>> {
        self.other(Kind::Task, |library, own, to| {
            call!(library, ompd_get_generating_task_handle(own, to))
        })
    }

    /// The task that a task interrupted on its thread.
    pub fn scheduling(&self) -> Answer<Handle<'a>> {
        self.other(Kind::Task, |library, own, to| {
            call!(library, ompd_get_scheduling_task_handle(own, to))
        })
    }

    /// The implicit task of a region's thread.
    pub fn task_of(&self, num: i32) -> Answer<Handle<'a>> {
        self.other(Kind::Task, |library, own, to| {
            call!(library, ompd_get_task_in_parallel(own, num, to))
        })
    }

    /// A region's thread.
    pub fn thread_of(&self, num: i32) -> Answer<Handle<'a>> {
        self.other(Kind::Thread, |library, own, to| {
            call!(library, ompd_get_thread_in_parallel(own, num, to))
        })
    }

    /// Whether both are the same thread.
    pub fn is(&self, other: &Handle<'_>) -> Answer<bool> {
        let mut order: c_int = 1;
        let library = self.session.library;
        call!(library, ompd_thread_handle_compare(self.raw, other.raw, &mut order))?;
        Ok(order == 0)
    }

    /// What the kernel calls a thread.
    pub fn lwp(&self) -> Answer<u64> {
        let mut id: u32 = 0;
        let to: *mut c_void = (&raw mut id).cast();
        call!(self.session.library, ompd_get_thread_id(self.raw, OMPD_THREAD_ID_LWP, 4, to))?;
        Ok(id.into())
    }

    /// What the C library calls a thread.
    pub fn pthread(&self) -> Answer<u64> {
        let mut id: u64 = 0;
        let to: *mut c_void = (&raw mut id).cast();
        call!(self.session.library, ompd_get_thread_id(self.raw, OMPD_THREAD_ID_PTHREAD, 8, to))?;
        Ok(id)
    }

    /// A thread's state and wait id.
    pub fn state(&self) -> Answer<(u64, u64)> {
        let (mut state, mut id) = (0, 0);
        call!(self.session.library, ompd_get_state(self.raw, &mut state, &mut id))?;
        Ok((state as u64, id))
    }

    /// A task's frames, exit and enter: address and flags.
    pub fn frames(&self) -> Answer<[(u64, u64); 2]> {
        let (mut exit, mut enter) = (ompd_frame_info_t::default(), ompd_frame_info_t::default());
        call!(self.session.library, ompd_get_task_frame(self.raw, &mut exit, &mut enter))?;
        Ok([exit, enter].map(|frame| (frame.frame_address.address, frame.frame_flag as u64)))
    }

    /// The tool's word.
    pub fn word(&self) -> Answer<u64> {
        let (mut value, mut place) = (0, ompd_address_t::default());
        let scope = self.scope();
        call!(self.session.library, ompd_get_tool_data(self.raw, scope, &mut value, &mut place))?;
        Ok(value as u64)
    }

    fn scope(&self) -> ompd_scope_t {
        match self.kind {
            Kind::Thread => ompd_scope_thread,
            Kind::Region => ompd_scope_parallel,
            Kind::Task => ompd_scope_task,
        }
    }

    /// An ICV as a number, and whether that is all of it.
    pub fn number(&self, id: ompd_icv_id_t, scope: ompd_scope_t) -> Answer<(i64, bool)> {
        icv_number(self.session.library, self.raw, id, scope)
    }

    /// An ICV as a text.
    pub fn text(&self, id: ompd_icv_id_t, scope: ompd_scope_t) -> Answer<String> {
        icv_text(self.session.library, self.raw, id, scope)
    }
}
