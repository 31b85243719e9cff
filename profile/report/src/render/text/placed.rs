//! The CPUs of threads: a line in the head where they may not use all, and a table.

use std::collections::{BTreeMap, BTreeSet};

use super::page::{Page, Table};
use crate::Analysis;
use crate::diagnosis::{count, duration, percent};
use crate::model::ratio;
use crate::placement::{Cpus, Placement, list, named};
use crate::render::json::thread_kind;

/// How many CPUs of one thread the table names.
const NAMED_CPUS: usize = 3;
/// The moves to another CPU in a second of a thread's life from which on the head names them.
const MANY_MOVES: f64 = 20.0;

/// Shows what keeps the threads from CPUs of the machine; nothing where all of them may use all.
pub(super) fn line(page: &mut Page, analysis: &Analysis) {
    let placement = analysis.placement();
    let said = said(analysis, placement);
    if !said.is_empty() {
        page.pair("placed", &said.join("; "));
    }
}

fn said(analysis: &Analysis, placement: &Placement) -> Vec<String> {
    let mut said = Vec::new();
    let known: Vec<&Cpus> = placement.threads.values().map(|place| &place.allowed).collect();
    let known: Vec<&Cpus> = known.into_iter().filter(|cpus| !cpus.is_empty()).collect();
    let masks: BTreeSet<&Cpus> = known.iter().copied().collect();
    let all: Cpus = known.iter().flat_map(|cpus| cpus.iter()).copied().collect();
    let online = &placement.online;
    let is_free = masks.len() <= 1 && (online.is_empty() || *online == all);
    if !is_free && !all.is_empty() {
        let sizes: BTreeSet<usize> = masks.iter().map(|cpus| cpus.len()).collect();
        said.push(match (masks.len(), sizes.len(), sizes.first()) {
            (1, ..) => format!("threads may use {} of {}", named(&all), list(online)),
            (_, 1, Some(1)) => {
                let (threads, cpus) = (known.len(), named(&all));
                format!("{threads} threads, each bound to one of {cpus} of {}", list(online))
            }
            _ => format!("threads bound to {} places of {}", masks.len(), named(&all)),
        });
    }
    if let Some(group) = &placement.group {
        said.push(format!(
            "the control group grants {:.2} CPUs, and stopped the threads in {} of {} periods",
            group.cpus(),
            count(group.throttled_periods),
            count(group.periods),
        ));
    }
    let seconds = analysis.summary().alive as f64 / 1e9;
    let moves: u64 = placement.threads.values().map(|place| place.migrations).sum();
    let rate = moves as f64 / seconds.max(0.001);
    if rate >= MANY_MOVES {
        said.push(format!("a thread moved to another CPU {rate:.0} times a second, or more"));
    }
    if placement.nodes() > 1 {
        let node = |cpu: &u32| Some(placement.machine.get(cpu)?.node);
        let ran = placement.threads.values().flat_map(|place| place.ran.keys());
        let nodes: Cpus = ran.filter_map(node).collect();
        if nodes.len() == 1 {
            let (node, all) = (list(&nodes), placement.nodes());
            said.push(format!("all on NUMA node {node}, one of {all}"));
        }
    } else if placement.nodes() == 1 && !said.is_empty() {
        said.push("the machine has one NUMA node".to_owned());
    }
    said
}

/// Shows the CPUs by thread, where that tells something; threads that were alike share a row.
pub(super) fn table(page: &mut Page, analysis: &Analysis, top: usize) {
    let placement = analysis.placement();
    if said(analysis, placement).is_empty() {
        return;
    }
    let mut rows: BTreeMap<(String, String), Vec<u32>> = BTreeMap::new();
    for row in analysis.threads() {
        let Some(place) = placement.threads.get(&row.thread) else { continue };
        let mut ran: Vec<(u32, u64)> = place.ran.iter().map(|(cpu, time)| (*cpu, *time)).collect();
        ran.sort_by_key(|(cpu, time)| (std::cmp::Reverse(*time), *cpu));
        let all = ran.iter().fold(0, |sum: u64, (_, time)| sum.saturating_add(*time));
        let one = |(cpu, time): &(u32, u64)| match *cpu {
            u32::MAX => format!("others {}", percent(ratio(*time, all))),
            cpu => format!("{cpu} {}", percent(ratio(*time, all))),
        };
        let mut cpus: Vec<String> = ran.iter().take(NAMED_CPUS).map(one).collect();
        if ran.len() > NAMED_CPUS {
            cpus.push(format!("{} more", ran.len() - NAMED_CPUS));
        }
        rows.entry((list(&place.allowed), cpus.join(", "))).or_default().push(row.thread);
    }
    if rows.is_empty() {
        return;
    }
    page.heading("Where threads ran");
    let kind = |thread: &u32| {
        let known = analysis.threads().iter().find(|row| row.thread == *thread);
        known.map_or("unknown", |row| thread_kind(row.kind))
    };
    let mut table = Table::new("thread", &["may use", "ran on CPU", "moves"]);
    let mut rows: Vec<_> = rows.into_iter().collect();
    rows.sort_by_key(|(_, threads)| threads.first().copied());
    let shown = top.max(4);
    for ((allowed, ran), threads) in rows.iter().take(shown) {
        let name = match &threads[..] {
            [one] => format!("{one} {}", kind(one)),
            several => list(&several.iter().copied().collect()),
        };
        let moves = threads.iter().filter_map(|thread| placement.threads.get(thread));
        let moves: u64 = moves.map(|place| place.migrations).sum();
        table.row(name, vec![allowed.clone(), ran.clone(), count(moves)]);
    }
    table.print(page);
    if rows.len() > shown {
        page.text(2, &format!("and {} more", rows.len() - shown));
    }
}

/// Shows work by the nodes of thread and memory, where the machine has several.
pub(super) fn memory(page: &mut Page, analysis: &Analysis) {
    let times = &analysis.memory_nodes().times;
    let nodes: BTreeSet<u32> = times.keys().flat_map(|(from, node)| [*from, *node]).collect();
    if nodes.len() < 2 {
        return;
    }
    page.heading("Work by node of thread and memory, by samples");
    let columns: Vec<String> = nodes.iter().map(|node| format!("memory of {node}")).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new("thread on node", &columns);
    for from in times.keys().map(|(from, _)| *from).collect::<BTreeSet<u32>>() {
        let time = |node| times.get(&(from, node)).copied().unwrap_or(0);
        let cells = nodes.iter().map(|node| duration(time(*node) as f64)).collect();
        table.row(from.to_string(), cells);
    }
    table.print(page);
}
