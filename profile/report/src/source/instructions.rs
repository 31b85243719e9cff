//! The instructions of the dearest functions with their costs.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::{AROUND, LEAST_SHARE, SourceFiles, module_of};
use crate::Analysis;
use crate::model::{CodeCost, Costs};
use crate::symbols::Symbols;

/// A machine function with the costs of its instructions.
#[derive(Clone, Debug)]
pub struct MachineListing {
    /// The function of the source that it was compiled from.
    pub function: Rc<str>,
    /// The file of the program or library, without its folder.
    pub module: String,
    /// Sum over its instructions.
    pub costs: Costs,
    /// A note on missing data.
    pub remark: Option<String>,
    /// In the order of the addresses; those left out between two are folded.
    pub instructions: Vec<InstructionLine>,
}

/// One instruction of a listing.
#[derive(Clone, Debug)]
pub struct InstructionLine {
    /// Its number in the function, from 0.
    pub number: usize,
    /// The address in its file, as in `objdump`.
    pub address: u64,
    /// The instruction in the GNU tools' syntax.
    pub text: String,
    /// The costs of samples at the instruction and, if it is a call, in what it called.
    pub costs: Costs,
    /// The place of the source that begins here, `file.c:42`, and its text.
    pub source: Option<(String, String)>,
}

/// Returns the dearest `most` machine functions, the dearest first.
pub fn machine_listings(
    analysis: &Analysis,
    files: &mut SourceFiles,
    most: usize,
) -> Vec<MachineListing> {
    let all = analysis.tree().total as f64;
    let mut functions: BTreeMap<u64, Vec<&CodeCost>> = BTreeMap::new();
    for cost in analysis.code().iter().filter(|cost| cost.address.is_some()) {
        let start = cost.start.or(cost.address).unwrap_or(0);
        functions.entry(start).or_default().push(cost);
    }
    let mut functions: Vec<_> = functions
        .into_values()
        .map(|costs| {
            let mut sum = Costs::default();
            costs.iter().for_each(|cost| sum.add(&cost.costs));
            (sum, costs)
        })
        .collect();
    functions.retain(|(sum, _)| sum.all() as f64 >= all * LEAST_SHARE);
    functions.sort_by_key(|(sum, _)| std::cmp::Reverse(sum.all()));
    functions.truncate(most);
    let addresses: Vec<u64> = functions
        .iter()
        .flat_map(|(_, costs)| costs.iter().filter_map(|cost| cost.address))
        .collect();
    let symbols = Symbols::of_addresses(&analysis.modules, &addresses);
    let listing = |(sum, costs): (Costs, Vec<&CodeCost>)| {
        listing(analysis, &symbols, files, sum, &costs, (all * LEAST_SHARE) as u64)
    };
    functions.into_iter().map(listing).collect()
}

fn listing(
    analysis: &Analysis,
    symbols: &Symbols,
    files: &mut SourceFiles,
    sum: Costs,
    costs: &[&CodeCost],
    least: u64,
) -> MachineListing {
    let address = costs[0].address.unwrap_or(0);
    let module = module_of(analysis, address);
    let all = symbols.disassembled(address);
    let outermost = symbols.functions(address);
    let function = outermost.last().map_or(costs[0].function.clone(), |one| one.shown.clone());
    let mut own: BTreeMap<usize, Costs> = BTreeMap::new();
    for cost in costs {
        let Some(at) = cost.address else { continue };
        // The place of a call is its return address less one: inside the call's instruction.
        let next = all.partition_point(|one| one.address <= at);
        if let Some(number) = next.checked_sub(1) {
            own.entry(number).or_default().add(&cost.costs);
        }
    }
    let mut shown: BTreeSet<usize> = BTreeSet::new();
    for (&number, _) in own.iter().filter(|(_, costs)| costs.all() >= least) {
        let around = 2 * AROUND as usize;
        shown.extend(number.saturating_sub(around)..=(number + around).min(all.len() - 1));
    }
    let build_id = module.map_or(&[][..], |module| &module.build_id);
    let mut before = None;
    let mut instructions = Vec::with_capacity(shown.len());
    for number in shown {
        let one = &all[number];
        let place = one.file.as_ref().map(|file| (file.clone(), one.line));
        let source = place.clone().filter(|_| before != place).map(|(file, line)| {
            let name = file.rsplit('/').next().unwrap_or(&file);
            (format!("{name}:{line}"), files.line(&file, build_id, line).unwrap_or_default())
        });
        before = place;
        let costs = own.get(&number).copied().unwrap_or_default();
        let (address, text) = (one.in_file, one.text.clone());
        instructions.push(InstructionLine { number, address, text, costs, source });
    }
    let path = module.map(|module| module.path.display().to_string()).unwrap_or_default();
    let remark = all.is_empty().then(|| format!("the code of {path} cannot be read"));
    let module = path.rsplit('/').next().unwrap_or_default().to_owned();
    MachineListing { function, module, costs: sum, remark, instructions }
}
