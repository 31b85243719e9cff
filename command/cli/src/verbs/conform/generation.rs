//! `omphalos conform --generation`: compares runtimes with the interfaces before OpenMP 5.0.

use clap::ValueEnum;
use omphalos_conform::older::{Generation, Row, Setup, hold, rows};
use omphalos_conform::{Head, table};

use super::{Arguments, choose, compilers, is_kept, list, runtimes, with_bar};
use crate::failure::Failure;
use crate::install::Installation;
use crate::terminal;

/// A generation as a user names it.
#[derive(Clone, Copy, ValueEnum)]
pub enum Interface {
    /// OMPT of April 2013
    #[value(name = "2013")]
    Of2013,
    /// OMPT of 2016 whose objects have words (the technical report)
    #[value(name = "2016-data")]
    Of2016Data,
    /// OMPT of 2016 whose objects have identifiers (the chapter of the specification)
    #[value(name = "2016-ids")]
    Of2016Ids,
    /// The Collector API of 2007
    Collector,
}

impl From<Interface> for Generation {
    fn from(interface: Interface) -> Generation {
        match interface {
            Interface::Of2013 => Generation::Ompt2013,
            Interface::Of2016Data => Generation::Ompt2016Data,
            Interface::Of2016Ids => Generation::Ompt2016Ids,
            Interface::Collector => Generation::Collector,
        }
    }
}

/// Runs the rows and prints the table, or the list.
pub fn run(generation: Generation, arguments: &Arguments) -> Result<i32, Failure> {
    let chosen = choose(rows(generation), Row::head, &arguments.rows)?;
    let heads: Vec<Head> = chosen.iter().map(|row| row.head()).collect();
    if arguments.list {
        return list(&heads);
    }
    let installation = Installation::find()?;
    let headers = installation.headers()?;
    let runtimes = runtimes(&arguments.runtime, &installation)?;
    let compilers = compilers(&arguments.cc)?;
    let (on, with) = (&runtimes, &compilers);
    let setup = Setup { generation, headers: &headers, runtimes: on, compilers: with };
    let held = with_bar(chosen.len(), |tell| hold(&setup, &chosen, |_| tell()))?;
    if !held.outcomes.is_empty() {
        terminal::print(&table(&runtimes, &compilers, &heads, &held.outcomes))?;
    }
    for (_, line) in &held.without {
        terminal::print(&format!("{line}\n"))?;
    }
    let has_interface = held.without.iter().all(|(runtime, _)| *runtime != 0);
    Ok(i32::from(!(has_interface && is_kept(&held.outcomes))))
}
