//! Entry points that are the same in several generations, but for names and types. A library's
//! `DESK`, its `code` and its C types are found where the macros are used.

use core::ffi::{c_char, c_int, c_void};

use crate::icv::{self, Known};
use crate::{Answer, Code, Desk, Held, Kind, memory};

impl Desk {
    /// What a handle of this kind names.
    pub fn held<T>(&self, kind: Kind, handle: *const T) -> Answer<Held> {
        self.get(kind, handle as u64)
    }

    /// Hands out a handle, where the debugger wants it.
    ///
    /// # Safety
    /// `to` is null or points to a place for it.
    pub unsafe fn hand_out_to<T>(
        &self,
        to: *mut *mut T,
        answer: impl FnOnce() -> Answer<Held>,
    ) -> Answer<()> {
        memory::wanted(to)?;
        let handle = self.hand_out(answer()?)?;
        // SAFETY: the caller's promise.
        unsafe { memory::put(to, memory::pointer(handle)) }
    }

    /// Writes how two handles compare.
    ///
    /// # Safety
    /// `value` is null or points to a place for it.
    pub unsafe fn compare<T>(
        &self,
        kind: Kind,
        (one, other): (*mut T, *mut T),
        value: *mut c_int,
    ) -> Answer<()> {
        let (one, other) = (self.held(kind, one)?, self.held(kind, other)?);
        // SAFETY: the caller's promise.
        unsafe { memory::put(value, one.compare(&other)?) }
    }

    /// Writes the id and the scope of the ICV behind `current`, whether there are more, and its
    /// name, which is the debugger's to free.
    ///
    /// # Safety
    /// Each pointer is null or points to a place for its result.
    pub unsafe fn next_icv<T, S: TryFrom<u64>>(
        &self,
        (handle, current): (*const T, u64),
        (next_id, name): (*mut u64, *mut *const c_char),
        (scope, more): (*mut S, *mut c_int),
    ) -> Answer<()> {
        let space = self.held(Kind::Space, handle)?.space;
        memory::wanted(next_id)?;
        memory::wanted(name)?;
        memory::wanted(scope)?;
        memory::wanted(more)?;
        let next = current.checked_add(1).and_then(icv::with_id).ok_or(Code::BadInput)?;
        let its_scope = S::try_from(next.scope).map_err(|_| Code::Error)?;
        let its_name = memory::text(space.debugger(), next.name)?;
        // SAFETY: the caller's promise.
        unsafe {
            memory::put(next_id, next.id)?;
            memory::put(name, its_name)?;
            memory::put(scope, its_scope)?;
            memory::put(more, (next.id < icv::COUNT).into())
        }
    }

    /// Writes the settings of the process: a list of texts `NAME=VALUE` that ends with null. It is
    /// noted, so that the debugger can hand it back ([`Desk::take_back`]).
    ///
    /// # Safety
    /// `to` is null or points to a place for the list.
    pub unsafe fn control_variables<T>(
        &self,
        handle: *const T,
        to: *mut *const *const c_char,
    ) -> Answer<()> {
        let space = self.held(Kind::Space, handle)?;
        memory::wanted(to)?;
        let list = memory::texts(space.space.debugger(), &space.control_variables()?)?;
        self.note(list.cast());
        // SAFETY: the caller's promise.
        unsafe { memory::put(to, list) }
    }

    /// The ICV that is asked, and of what.
    pub fn icv_in_scope(
        &self,
        handle: *mut c_void,
        scope: impl TryInto<u64>,
        id: u64,
    ) -> Answer<(Held, Known)> {
        let held = self.any(handle as u64)?;
        let known = icv::with_id(id).ok_or(Code::BadInput)?;
        held.in_scope(scope.try_into().map_err(|_| Code::BadInput)?)?;
        Ok((held, known))
    }
}

/// Defines entry points that hand out what another handle's answer names:
/// `NAME(handle: KIND TYPE, to: TYPE) = ANSWER`, where `ANSWER` is a method of [`Held`].
#[macro_export]
macro_rules! handed_out {
    ($(
        $(#[$doc:meta])*
        $name:ident($from:ident: $kind:ident $given:ty, $to:ident: $wanted:ty) = $answer:ident;
    )+) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// The second argument is null or points to a place for the handle.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($from: *mut $given, $to: *mut *mut $wanted) -> ompd_rc_t {
            let answer = || $crate::Desk::held(&DESK, $crate::Kind::$kind, $from)?.$answer();
            // SAFETY: the caller's promise.
            code(unsafe { DESK.hand_out_to($to, answer) })
        }
    )+};
}

/// Defines how handles of a kind go back, and how two of them compare:
/// `KIND TYPE: RELEASE(handle), COMPARE(one, other)`.
#[macro_export]
macro_rules! given_back {
    (
        $kind:ident $given:ty: $release:ident($handle:ident),
        $compare:ident($one:ident, $other:ident)
    ) => {
        /// Gives a handle back.
        #[unsafe(no_mangle)]
        pub extern "C" fn $release($handle: *mut $given) -> ompd_rc_t {
            code(DESK.release($crate::Kind::$kind, $handle as u64))
        }

        /// Less than, equal to or greater than 0.
        ///
        /// # Safety
        /// `cmp_value` is null or points to a place for it.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $compare(
            $one: *mut $given,
            $other: *mut $given,
            cmp_value: *mut core::ffi::c_int,
        ) -> ompd_rc_t {
            // SAFETY: the caller's promise.
            code(unsafe { DESK.compare($crate::Kind::$kind, ($one, $other), cmp_value) })
        }
    };
}
