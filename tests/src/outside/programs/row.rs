//! A program's row: its seconds on each runtime, ours first, and what the peers lack.

use std::fmt;

use super::super::options::Options;
use super::list::Program;
use crate::figures::{cell, median};
use crate::peers::Contender;

/// The number of runs over the limit after which a peer is left out of the row's other rounds.
const ENOUGH: usize = 2;

/// The results of one runtime in the rounds so far.
struct Column {
    name: &'static str,
    seconds: Vec<f64>,
    /// The number of `seconds` that are the limit.
    overran: usize,
    failed: Option<String>,
}

pub struct Row {
    pub name: String,
    pub tasks: bool,
    columns: Vec<Column>,
    limit: f64,
}

impl Row {
    pub fn new(program: &Program, options: &Options, contenders: &[Contender]) -> Row {
        let column = |each: &Contender| Column {
            name: each.name,
            seconds: Vec::new(),
            overran: 0,
            failed: None,
        };
        Row {
            name: program.name.clone(),
            tasks: program.tasks,
            columns: contenders.iter().map(column).collect(),
            limit: options.limit.as_secs_f64(),
        }
    }

    /// Whether this runtime runs in another round.
    pub fn goes_on(&self, index: usize) -> bool {
        self.columns[index].failed.is_none() && self.columns[index].overran < ENOUGH
    }

    /// Adds a run's seconds; `None` if it did not end within the limit, which is an error on ours.
    pub fn add(&mut self, index: usize, seconds: Option<f64>) -> Result<(), String> {
        if index == 0 && seconds.is_none() {
            return Err(format!("not finished after {} s", self.limit));
        }
        let column = &mut self.columns[index];
        column.overran += usize::from(seconds.is_none());
        column.seconds.push(seconds.unwrap_or(self.limit));
        Ok(())
    }

    /// Notes a run that failed or whose result is wrong, which is an error on ours.
    pub fn fail(&mut self, index: usize, why: &str) -> Result<(), String> {
        if index == 0 {
            return Err(why.into());
        }
        self.columns[index].failed = Some(why.into());
        Ok(())
    }

    /// Divides our time by the best peer's: the median over the rounds.
    pub fn ratio(&self) -> Option<f64> {
        let (ours, peers) = self.columns.split_first()?;
        let ratio = |peer: &Column| {
            let pairs = ours.seconds.iter().zip(&peer.seconds);
            median(&pairs.map(|(ours, peer)| ours / peer).collect::<Vec<f64>>())
        };
        let right = peers.iter().filter(|peer| peer.failed.is_none() && !peer.seconds.is_empty());
        right.map(ratio).reduce(f64::max)
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<28}", self.name)?;
        for column in &self.columns {
            let figure = match column.failed {
                None if !column.seconds.is_empty() => Some(median(&column.seconds)),
                _ => None,
            };
            write!(f, "{}", cell(figure, 9, 4))?;
        }
        writeln!(f, "{}", cell(self.ratio(), 7, 3))?;
        for column in &self.columns {
            if let Some(why) = &column.failed {
                writeln!(f, "  {}: {why}", column.name)?;
            } else if column.overran > 0 {
                writeln!(
                    f,
                    "  {}: {} of {} runs did not end within {} s and count as that",
                    column.name,
                    column.overran,
                    column.seconds.len(),
                    self.limit
                )?;
            }
        }
        Ok(())
    }
}
