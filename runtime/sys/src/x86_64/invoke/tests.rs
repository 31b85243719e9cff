use super::*;

extern "C" fn sum6(
    gtid: &i32,
    tid: &i32,
    a: &mut i64,
    b: usize,
    c: usize,
    d: usize,
    e: usize,
    f: usize,
    g: usize,
) {
    *a = i64::from(*gtid) * 1_000_000
        + i64::from(*tid) * 100_000
        + (b + 2 * c + 3 * d + 4 * e + 5 * f + 6 * g) as i64;
    // The stack must be aligned for vector instructions.
    let local = core::hint::black_box(zero());
    assert_eq!(core::ptr::from_ref(&local) as usize % 16, 0);
}

fn zero() -> std::arch::x86_64::__m128i {
    // SAFETY: SSE2 is part of x86-64.
    unsafe { std::arch::x86_64::_mm_setzero_si128() }
}

#[test]
fn a_microtask_gets_all_arguments() {
    let mut result = 0i64;
    let args = [
        core::ptr::from_mut(&mut result).cast::<c_void>(),
        1 as _,
        2 as _,
        3 as _,
        4 as _,
        5 as _,
        6 as _,
    ];
    let mut words = [7u64; 2];
    let (code, exit) = (sum6 as *const c_void, words.as_mut_ptr());
    // SAFETY: `sum6` takes two addresses and seven words; a second word stands behind the first.
    unsafe { call_microtask::<8>(code, 3, 4, args.len(), args.as_ptr(), exit) };
    assert_eq!(result, 3_400_000 + 1 + 4 + 9 + 16 + 25 + 36);
    assert_eq!(words[0], 0);
    assert!(is_on_stack(words[1]));
}

extern "C" fn sum9(
    a: &mut usize,
    b: usize,
    c: usize,
    d: usize,
    e: usize,
    f: usize,
    g: usize,
    h: usize,
    i: usize,
) {
    *a = b + 2 * c + 3 * d + 4 * e + 5 * f + 6 * g + 7 * h + 8 * i;
    let local = core::hint::black_box(zero());
    assert_eq!(core::ptr::from_ref(&local) as usize % 16, 0);
}

extern "C" fn sum6_alone(a: &mut usize, b: usize, c: usize, d: usize, e: usize, f: usize) {
    *a = b + 2 * c + 3 * d + 4 * e + 5 * f;
}

#[test]
fn a_kernel_gets_all_arguments() {
    for (code, count, sum) in [(sum9 as *const c_void, 9, 204), (sum6_alone as _, 6, 55)] {
        let (mut result, mut exit) = (0usize, 7u64);
        let mut args = [core::ptr::null_mut::<c_void>(); 9];
        args[0] = core::ptr::from_mut(&mut result).cast();
        for (at, argument) in args.iter_mut().enumerate().skip(1) {
            *argument = at as *mut c_void;
        }
        // SAFETY: both take an address and words, as many as said.
        unsafe { call_kernel(code, count, args.as_ptr(), &mut exit) };
        assert_eq!((result, exit), (sum, 0));
    }
}

extern "C" fn set(data: &mut u64) {
    *data = 42;
}

#[test]
fn data_is_handed_on_and_the_exit_frame_cleared() {
    let (mut data, mut exit) = (0u64, 7u64);
    // SAFETY: `set` takes one pointer.
    unsafe {
        call_with_data(set as *const c_void, core::ptr::from_mut(&mut data).cast(), &mut exit)
    };
    assert_eq!((data, exit), (42, 0));
}

/// Whether this may be an address of a frame of the last calls.
fn is_on_stack(frame: u64) -> bool {
    let here = core::hint::black_box(0u64);
    frame.abs_diff(&raw const here as u64) < 4096
}

extern "C" fn noted(words: &mut [u64; 3]) {
    words[2] = words[0];
}

#[test]
fn a_region_keeps_its_exit_frame() {
    let mut words = [7u64; 3];
    let exit = words.as_mut_ptr();
    // SAFETY: `noted` takes the address of three words.
    unsafe { call_region::<8>(noted as *const c_void, exit.cast(), exit) };
    let [exit, kept, inside] = words;
    assert_eq!((exit, kept), (0, inside));
    assert!(is_on_stack(kept));
}

extern "C" fn hand_on(gtid: i32, exit: &mut u64) {
    *exit = gtid as u64;
}

#[test]
fn a_part_clears_its_own_exit_frame_only() {
    let mut exit = 7u64;
    // SAFETY: `hand_on` takes a number and the address of a word; `exit` serves for both.
    unsafe {
        let word = &raw mut exit;
        call_task_part(hand_on as *const c_void, 5, word.cast(), word);
    }
    assert_eq!(exit, 5, "another thread's");
    extern "C" fn none(_: i32, _: *mut c_void) {}
    // SAFETY: as above.
    unsafe { call_task_part(none as *const c_void, 5, core::ptr::null_mut(), &mut exit) };
    assert_eq!(exit, 0);
}
