//! Disassembles a function, in the form of the GNU tools, for the report's instructions and their
//! costs.

use std::rc::Rc;

use iced_x86::{Decoder, DecoderOptions, FlowControl, Formatter, GasFormatter, Instruction};

use super::ModuleInfo;
use super::image::Image;
use super::{Symbols, names};

/// An instruction.
#[derive(Clone, Debug)]
pub struct Disassembled {
    /// Its address in the process.
    pub address: u64,
    /// Its address in its file, as in `objdump`.
    pub in_file: u64,
    /// Its text, as in the GNU assembler.
    pub text: String,
    /// The file of its source line: that of the innermost function that is inlined there.
    pub file: Option<Rc<str>>,
    /// Its source line, 0 = unknown.
    pub line: u32,
}

/// The size of the longest function that is disassembled, bytes.
const LONGEST: u64 = 1 << 20;

impl Symbols {
    /// Opens the files of those of `modules` that contain one of `addresses`.
    pub fn of_addresses(modules: &[ModuleInfo], addresses: &[u64]) -> Symbols {
        let wanted = |module: &ModuleInfo| {
            addresses.iter().any(|address| (module.base..module.end).contains(address))
        };
        // Files that cannot be read were reported when the profile was read.
        Symbols::open(modules, &wanted, &mut Vec::new(), |_| {})
    }

    /// The instructions of the function that contains `address`; empty if its code is unknown.
    pub fn disassembled(&self, address: u64) -> Vec<Disassembled> {
        let Some((image, bias)) = self.image(address) else { return Vec::new() };
        let bounds = image.function_bounds(address.wrapping_sub(bias));
        let Some(own) = bounds.filter(|(start, end)| end - start <= LONGEST) else {
            return Vec::new();
        };
        let code = image.code_before(own.1, own.1 - own.0);
        let first = own.1 - code.len() as u64;
        let mut formatter = GasFormatter::new();
        formatter.options_mut().set_uppercase_hex(false);
        formatter.options_mut().set_branch_leading_zeros(false);
        formatter.options_mut().set_rip_relative_addresses(true);
        formatter.options_mut().set_space_after_operand_separator(true);
        let mut written = |one: &Instruction| {
            let mut text = String::new();
            formatter.format(one, &mut text);
            let of_data = || {
                let at = one.is_ip_rel_memory_operand().then(|| one.ip_rel_memory_address())?;
                self.datum(at.wrapping_add(bias))
            };
            if let Some(name) = target(image, one, own).or_else(of_data) {
                text.push_str(&format!(" <{name}>"));
            }
            text
        };
        let decoder = Decoder::with_ip(64, code, first, DecoderOptions::NONE);
        let disassembled = |one: Instruction| {
            let address = one.ip().wrapping_add(bias);
            let functions = self.functions(address);
            let place = functions.iter().find(|function| function.line > 0);
            Disassembled {
                address,
                in_file: one.ip(),
                text: written(&one),
                file: place.and_then(|function| function.file.clone()),
                line: place.map_or(0, |function| function.line),
            }
        };
        decoder.into_iter().map(disassembled).collect()
    }
}

/// The name of the target of a call or jump, if that is outside the function.
fn target(image: &Image, one: &Instruction, own: (u64, u64)) -> Option<String> {
    let is_near = matches!(
        one.flow_control(),
        FlowControl::Call | FlowControl::UnconditionalBranch | FlowControl::ConditionalBranch
    );
    let to = one.near_branch_target();
    if !is_near || to == 0 || (own.0..own.1).contains(&to) {
        return None;
    }
    if let Some(callee) = image.stub_target(to) {
        return Some(format!("{callee}@plt"));
    }
    let symbol = image.function_symbol(to)?;
    Some(names::display(names::classify(&symbol.name).1, None))
}
