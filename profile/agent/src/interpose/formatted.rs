//! `scanf`, `printf` and their kin, which take any number of arguments. Each is a stub that makes a
//! list of the arguments, as a compiler does for such a function, and passes it to the C library's
//! function for lists.

use super::streams::{has_room_for_most, output_has_room_for_most};
use core::ffi::{c_char, c_int, c_void};
use libc::FILE;

/// The arguments behind the named ones, as the C library takes them.
type List = *mut c_void;

/// Defines `NAME as WHAT by LIST` with a certain number of named arguments: LIST is the function
/// for lists, WHAT the name in reports. The number also selects the register for the list.
macro_rules! formatted {
    ($(
        $count:literal $register:literal
        fn $name:ident as $shown:ident by $list:ident ($($arg:ident: $ty:ty),*)
            $([direct if $direct:expr])?;
    )*) => {
        $(
            const _: () = {
                unsafe extern "C" fn listed($($arg: $ty,)* list: List) -> c_int {
                    look_through!(
                        $list as $shown, false c"", ($($arg: $ty,)* list: List) -> c_int
                            $([direct if $direct])?
                    )
                }

                /// The C library's function of this name.
                ///
                /// # Safety
                /// As the C library's.
                #[unsafe(no_mangle)]
                #[unsafe(naked)]
                pub unsafe extern "C" fn $name() {
                    // The list: how much of the saved registers is named, the arguments on the
                    // stack, and where the registers are saved: six for integers, eight for
                    // floating point.
                    core::arch::naked_asm!(
                        ".cfi_startproc",
                        "sub rsp, 216",
                        ".cfi_adjust_cfa_offset 216",
                        "mov [rsp + 32], rdi",
                        "mov [rsp + 40], rsi",
                        "mov [rsp + 48], rdx",
                        "mov [rsp + 56], rcx",
                        "mov [rsp + 64], r8",
                        "mov [rsp + 72], r9",
                        "test al, al",
                        "je 2f",
                        "movaps [rsp + 80], xmm0",
                        "movaps [rsp + 96], xmm1",
                        "movaps [rsp + 112], xmm2",
                        "movaps [rsp + 128], xmm3",
                        "movaps [rsp + 144], xmm4",
                        "movaps [rsp + 160], xmm5",
                        "movaps [rsp + 176], xmm6",
                        "movaps [rsp + 192], xmm7",
                        "2:",
                        "mov dword ptr [rsp], 8 * {count}",
                        "mov dword ptr [rsp + 4], 48",
                        "lea rax, [rsp + 224]",
                        "mov [rsp + 8], rax",
                        "lea rax, [rsp + 32]",
                        "mov [rsp + 16], rax",
                        concat!("mov ", $register, ", rsp"),
                        "call {listed}",
                        "add rsp, 216",
                        ".cfi_adjust_cfa_offset -216",
                        "ret",
                        ".cfi_endproc",
                        count = const $count,
                        listed = sym listed,
                    )
                }
            };
        )*
    };
}

formatted! {
    1 "rsi" fn scanf as scanf by vscanf(format: *const c_char);
    1 "rsi" fn __isoc99_scanf as scanf by __isoc99_vscanf(format: *const c_char);
    1 "rsi" fn __isoc23_scanf as scanf by __isoc23_vscanf(format: *const c_char);
    2 "rdx" fn fscanf as fscanf by vfscanf(stream: *mut FILE, format: *const c_char);
    2 "rdx" fn __isoc99_fscanf as fscanf by __isoc99_vfscanf(
        stream: *mut FILE, format: *const c_char
    );
    2 "rdx" fn __isoc23_fscanf as fscanf by __isoc23_vfscanf(
        stream: *mut FILE, format: *const c_char
    );
    1 "rsi" fn printf as printf by vprintf(format: *const c_char)
        [direct if output_has_room_for_most()];
    2 "rdx" fn __printf_chk as printf by __vprintf_chk(flag: c_int, format: *const c_char)
        [direct if output_has_room_for_most()];
    2 "rdx" fn fprintf as fprintf by vfprintf(stream: *mut FILE, format: *const c_char)
        [direct if has_room_for_most(stream)];
    3 "rcx" fn __fprintf_chk as fprintf by __vfprintf_chk(
        stream: *mut FILE, flag: c_int, format: *const c_char
    ) [direct if has_room_for_most(stream)];
    2 "rdx" fn dprintf as dprintf by vdprintf(file: c_int, format: *const c_char);
    3 "rcx" fn __dprintf_chk as dprintf by __vdprintf_chk(
        file: c_int, flag: c_int, format: *const c_char
    );
}

interpose! {
    false c"":
    fn vscanf as scanf(format: *const c_char, list: List) -> c_int;
    fn vfscanf as fscanf(stream: *mut FILE, format: *const c_char, list: List) -> c_int;
    fn __isoc99_vscanf as scanf(format: *const c_char, list: List) -> c_int;
    fn __isoc99_vfscanf as fscanf(stream: *mut FILE, format: *const c_char, list: List) -> c_int;
    fn vprintf as printf(format: *const c_char, list: List) -> c_int
        [direct if output_has_room_for_most()];
    fn vfprintf as fprintf(stream: *mut FILE, format: *const c_char, list: List) -> c_int
        [direct if has_room_for_most(stream)];
    fn __vprintf_chk as printf(flag: c_int, format: *const c_char, list: List) -> c_int
        [direct if output_has_room_for_most()];
    fn __vfprintf_chk as fprintf(
        stream: *mut FILE, flag: c_int, format: *const c_char, list: List
    ) -> c_int [direct if has_room_for_most(stream)];
}
