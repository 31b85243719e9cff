//! Finds the outlined function that a construct's code hands to the runtime.
//!
//! The code before the call loads the function's address as a constant: `lea disp(%rip),%reg` in
//! position-independent code, `mov $imm32,%reg` elsewhere. The last such load before the call whose
//! target is the very start of a compiler-made function is it.

use super::image::Image;
use super::{CRITICAL_PREFIX, ModuleKind, Role, Symbols, names};

/// How far back from the call the load may be; a loop may keep the address in a register.
const REACH: u64 = 256;
/// A call of the runtime, as the code shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    /// One past the call, or past the jump that stands for it.
    pub(crate) after: u64,
    /// The construct's function ended in a jump to the runtime, so that the return address is that
    /// of its caller: the function itself is on no stack.
    pub(crate) tail_called: bool,
    /// Where the outlined function starts, if its address is loaded before the call.
    pub(crate) body: Option<u64>,
}

/// Reads the code around a `codeptr_ra`.
pub(super) fn site(symbols: &Symbols, codeptr_ra: u64) -> Site {
    let plain = Site { after: codeptr_ra, tail_called: false, body: None };
    let Some(module) = symbols.module(codeptr_ra) else { return plain };
    let Some(image) = &module.image else { return plain };
    if module.kind != ModuleKind::User {
        return plain;
    }
    let address = codeptr_ra.wrapping_sub(module.bias);
    let in_process = |body: u64| body.wrapping_add(module.bias);
    if let [0xe8, displacement @ ..] = image.code_before(address, 5)
        && let Ok(displacement) = <[u8; 4]>::try_from(displacement)
    {
        let callee = address.wrapping_add_signed(i64::from(i32::from_le_bytes(displacement)));
        if !image.is_linkage(callee) {
            // A direct call within the module is none of the runtime: its callee jumped there.
            return match tail_call(image, callee) {
                Some((after, body)) => Site {
                    after: after.wrapping_add(module.bias),
                    tail_called: true,
                    body: Some(in_process(body)),
                },
                None => plain,
            };
        }
    }
    Site { body: body_before(image, address).map(in_process), ..plain }
}

/// The outlined function whose address is loaded before `address`.
fn body_before(image: &Image, address: u64) -> Option<u64> {
    constants_before(image, address, REACH).find(|&target| {
        image.function_symbol(target).is_some_and(|symbol| {
            let role = names::classify(&symbol.name).0;
            symbol.address == target && matches!(role, Role::Region | Role::Task | Role::Outlined)
        })
    })
}

/// The jump out of the module, in the function at `start`, that has an outlined function's address
/// loaded before it: where it ends and that address.
fn tail_call(image: &Image, start: u64) -> Option<(u64, u64)> {
    let end = match image.function_bounds(start) {
        Some((from, end)) if from == start => end,
        _ => image
            .function_symbol(start)
            .filter(|s| s.address == start)
            .map(|s| s.address + s.size)?,
    };
    let length = end.checked_sub(start).filter(|length| *length <= LARGEST)?;
    let code = image.code_before(end, length);
    (0..code.len()).find_map(|at| {
        let [0xe9, a, b, c, d, ..] = code[at..] else { return None };
        let after = start.wrapping_add(at as u64 + 5);
        let target = after.wrapping_add_signed(i64::from(i32::from_le_bytes([a, b, c, d])));
        let body = image.is_linkage(target).then(|| body_before(image, after))??;
        Some((after, body))
    })
}

/// Functions longer than this are not searched for a tail call.
const LARGEST: u64 = 1 << 20;

pub(super) fn critical_word(symbols: &Symbols, codeptr_ra: u64) -> Option<String> {
    let module = symbols.module(codeptr_ra)?;
    let image = module.image.as_ref()?;
    let address = codeptr_ra.wrapping_sub(module.bias);
    // gcc's entry for the critical without a name takes no word.
    if image.imported(address).is_some_and(|callee| &*callee == "GOMP_critical_start") {
        return None;
    }
    constants_before(image, address, LARGEST).find_map(|target| {
        let symbol = image.data_symbol(target)?;
        symbol.name.starts_with(CRITICAL_PREFIX).then(|| symbol.name.to_string())
    })
}

/// Constants that look like addresses and are loaded in the code of one function before `address`,
/// the nearest first.
fn constants_before(image: &Image, address: u64, reach: u64) -> impl Iterator<Item = u64> {
    let start = image
        .function_bounds(address.wrapping_sub(1))
        .map(|(start, _)| start)
        .or_else(|| image.function_symbol(address.wrapping_sub(1)).map(|symbol| symbol.address));
    let reach = start.map_or(reach, |start| reach.min(address.saturating_sub(start)));
    let code = image.code_before(address, reach);
    let first = address.wrapping_sub(code.len() as u64);
    (0..code.len()).rev().filter_map(move |at| {
        let immediate =
            |from: usize| code.get(from..from + 4)?.try_into().ok().map(i32::from_le_bytes);
        match code[at..] {
            // REX.W lea reg, [rip + disp32]
            [0x48 | 0x4c, 0x8d, modrm, ..] if modrm & 0xc7 == 0x05 => {
                let next = first.wrapping_add(at as u64 + 7);
                Some(next.wrapping_add_signed(i64::from(immediate(at + 3)?)))
            }
            // mov reg32, imm32
            [0xb8..=0xbf, ..] => Some(u64::from(immediate(at + 1)? as u32)),
            _ => None,
        }
    })
}
