//! The source with its costs: for the dearest functions the lines with any cost, and the lines
//! around them, from the files as they were read.

mod files;
mod instructions;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::rc::Rc;
use std::time::SystemTime;

use files::Found;
pub use files::SourceFiles;
pub use instructions::{InstructionLine, MachineListing, machine_listings};

use crate::Analysis;
use crate::model::{CodeCost, Costs};
use crate::symbols::ModuleInfo;

/// How many lines are shown before and after one with a cost.
const AROUND: u32 = 2;
/// A line that costs less than this share of the run is not worth its place.
const LEAST_SHARE: f64 = 0.0005;
/// How far above a line its loops and function are looked for.
const REACH: u32 = 400;

/// A function with the costs of its lines.
#[derive(Clone, Debug)]
pub struct Listing {
    /// Its name.
    pub function: Rc<str>,
    /// The source file, as the compiler recorded it; none where no debug information says.
    pub file: Option<Rc<str>>,
    /// The path where it was found; none if it was not.
    pub path: Option<String>,
    /// A warning: the file is not there, or newer than the program.
    pub remark: Option<String>,
    /// Sum over its lines.
    pub costs: Costs,
    /// In the order of the file; those left out between two are folded.
    pub lines: Vec<Line>,
}

/// One line of a listing.
#[derive(Clone, Debug)]
pub struct Line {
    /// From 1.
    pub number: u32,
    /// The line's text; none where the file was not found.
    pub text: Option<String>,
    /// The line's cost.
    pub costs: Costs,
}

/// Returns the dearest `most` functions, the dearest first.
pub fn listings(analysis: &Analysis, files: &mut SourceFiles, most: usize) -> Vec<Listing> {
    let all: u64 = analysis.tree().total;
    let mut functions: BTreeMap<_, Vec<&CodeCost>> = BTreeMap::new();
    for cost in analysis.code() {
        functions.entry((&cost.function, &cost.file)).or_default().push(cost);
    }
    let mut functions: Vec<_> = functions
        .into_iter()
        .map(|(name, costs)| {
            let mut sum = Costs::default();
            costs.iter().for_each(|cost| sum.add(&cost.costs));
            (name, costs, sum)
        })
        .collect();
    functions.sort_by(|a, b| b.2.all().cmp(&a.2.all()).then_with(|| a.0.cmp(&b.0)));
    let worth = |sum: &Costs| sum.all() as f64 >= all as f64 * LEAST_SHARE;
    let mut known: HashMap<Rc<str>, Option<Found>> = HashMap::new();
    functions
        .into_iter()
        .filter(|(_, _, sum)| worth(sum))
        .take(most)
        .map(|((function, file), costs, sum)| {
            let module = costs.iter().find_map(|cost| module_of(analysis, cost.near));
            let found = file.as_ref().and_then(|file| {
                let build_id = module.map_or(&[][..], |module| &module.build_id);
                known.entry(file.clone()).or_insert_with(|| files.find(file, build_id)).as_ref()
            });
            let lines = lines(&costs, found, (all as f64 * LEAST_SHARE) as u64);
            let remark = remark(file.as_deref(), found, module);
            let path = found.map(|found| found.path.display().to_string());
            let (function, file) = (function.clone(), file.clone());
            Listing { function, file, path, remark, costs: sum, lines }
        })
        .collect()
}

fn module_of(analysis: &Analysis, address: u64) -> Option<&ModuleInfo> {
    let holds = |module: &&ModuleInfo| (module.base..module.end).contains(&address);
    analysis.modules.iter().find(holds)
}

fn remark(
    file: Option<&str>,
    found: Option<&Found>,
    module: Option<&ModuleInfo>,
) -> Option<String> {
    let Some(file) = file else {
        return Some("the code has no lines: build it with -g".to_owned());
    };
    let Some(found) = found else {
        return Some(format!(
            "{file} is not there: --source-dir DIR says below which folder the source lies"
        ));
    };
    let modified = |path: &Path| path.metadata().and_then(|file| file.modified()).ok();
    let program: Option<SystemTime> = module.and_then(|module| modified(&module.path));
    let is_newer = found.modified.zip(program).is_some_and(|(source, program)| source > program);
    is_newer.then(|| {
        format!("{} is newer than the program: its lines may have moved", found.path.display())
    })
}

/// Returns the lines with a cost, the lines around them, and the loops that they are in.
fn lines(costs: &[&CodeCost], found: Option<&Found>, least: u64) -> Vec<Line> {
    let mut sums: BTreeMap<u32, Costs> = BTreeMap::new();
    for cost in costs.iter().filter(|cost| cost.line > 0) {
        sums.entry(cost.line).or_default().add(&cost.costs);
    }
    let mut shown: BTreeSet<u32> = BTreeSet::new();
    for (&line, _) in sums.iter().filter(|(_, costs)| costs.all() >= least) {
        shown.insert(line);
        if let Some(found) = found {
            let last = found.lines.len() as u32;
            shown.extend(line.saturating_sub(AROUND).max(1)..=(line + AROUND).min(last));
            shown.extend(around(&found.lines, line));
        }
    }
    let text = |number: u32| found?.lines.get(number as usize - 1).cloned();
    let line = |number: u32| Line {
        number,
        text: text(number),
        costs: sums.get(&number).copied().unwrap_or_default(),
    };
    shown.into_iter().map(line).collect()
}

/// Returns the lines above `line` that begin what it is in, by their indents: loops, and the
/// function.
fn around(lines: &[String], line: u32) -> Vec<u32> {
    let indent = |number: u32| {
        let text = lines.get(number as usize - 1).filter(|text| !text.trim().is_empty())?;
        // Lines of the preprocessor, and braces alone, say nothing.
        let is_word = text.trim_start().starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let width = |c: char| if c == '\t' { 8 } else { 1 };
        let spaces = text.chars().take_while(|c| c.is_whitespace());
        is_word.then(|| spaces.map(width).sum::<usize>())
    };
    let mut found = Vec::new();
    let Some(mut least) = indent(line) else { return found };
    for number in (line.saturating_sub(REACH).max(1)..line).rev() {
        if least == 0 {
            break;
        }
        if let Some(own) = indent(number).filter(|own| *own < least) {
            found.push(number);
            least = own;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_around_a_line_are_known_by_their_indents() {
        let text = [
            "void f(void)", "{", "    int a;", "    for (i)", "#pragma x", "        for (j) {", "",
            "            a++;", "            b++;", "        }", "}",
        ];
        let lines = text.map(str::to_owned);
        assert_eq!(around(&lines, 9), [6, 4, 1]);
        assert_eq!(around(&lines, 1), [0; 0]);
        assert_eq!(around(&lines, 99), [0; 0]);
    }
}
