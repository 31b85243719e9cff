//! Finds the outlined function that a construct's code hands to the runtime.
//!
//! The code before the call loads the function's address as a constant: `lea disp(%rip),%reg` in
//! position-independent code, `mov $imm32,%reg` elsewhere. The last such load before the call whose
//! target is the very start of a compiler-made function is it.

use super::image::Image;
use super::{CRITICAL_PREFIX, ModuleKind, Role, Symbols, names};

/// How far back from the call the load may be; a loop may keep the address in a register.
const REACH: u64 = 256;
/// The same for the word of a critical: further back it would be that of another critical.
const REACH_OF_WORD: u64 = 40;

pub(super) fn find(symbols: &Symbols, codeptr_ra: u64) -> Option<u64> {
    let module = symbols.module(codeptr_ra)?;
    let image = module.image.as_ref()?;
    if module.kind != ModuleKind::User {
        return None;
    }
    let address = codeptr_ra.wrapping_sub(module.bias);
    constants_before(image, address, REACH).find_map(|target| {
        let symbol = image.function_symbol(target)?;
        let outlined =
            matches!(names::classify(&symbol.name).0, Role::Region | Role::Task | Role::Outlined);
        (symbol.address == target && outlined).then(|| target.wrapping_add(module.bias))
    })
}

pub(super) fn critical_word(symbols: &Symbols, codeptr_ra: u64) -> Option<String> {
    let module = symbols.module(codeptr_ra)?;
    let image = module.image.as_ref()?;
    let address = codeptr_ra.wrapping_sub(module.bias);
    constants_before(image, address, REACH_OF_WORD).find_map(|target| {
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
