//! Counts of a processor that is not here, played back: rates, shares, figures that are scaled up,
//! energy, and the words where a figure is not known.

mod support;

use omphalos_profile_format::*;
use omphalos_report::text::{self, TextOptions};
use omphalos_report::{Analysis, CounterPlace, Counts};
use support::{Recorder, state, thread_total};

const APP: u64 = 0x40_0000;
const SITES: [u64; 2] = [APP + 0x201, APP + 0x401];
const MS: u64 = 1_000_000;

fn recorder(events: u32, user_only: u32, missing: &[&[u8]]) -> Recorder {
    let mut recorder = Recorder::new(&[(APP, 0x1000, "/nowhere/app", 0)]);
    recorder.thread(0, 1);
    recorder.push(0, thread_total(0, 900 * MS, 0));
    let missing = ByteStrings::Slices(missing);
    recorder.push(PROCESS_CHUNK, CounterSources { events, user_only, missing });
    recorder
}

fn report(analysis: &Analysis) -> String {
    let text = text::render(analysis, &TextOptions::default());
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Two regions, the serial part and a wait, on a processor that counts everything.
fn all_of_it() -> Analysis {
    let mut recorder = recorder(0x3ff, 1, &[]);
    let stack = recorder.stack(0, &[APP + 0x300]);
    let place = |state, region_codeptr| CounterDifference {
        state,
        region_codeptr,
        running: 100 * MS,
        enabled: 100,
        counting: 100,
        cycles: 1000,
        ..CounterDifference::default()
    };
    let parallel = |site: usize| place(state::PARALLEL, SITES[site]);
    let busy = CounterDifference { stack, instructions: 2500, minor_faults: 7, ..parallel(0) };
    recorder.push(0, CounterDifference { running: 300 * MS, cache_misses: 5, ..busy });
    // The same place again, while others had the counters half of the time.
    recorder.push(0, CounterDifference { enabled: 100, counting: 50, cycles: 500, ..busy });
    let slots = CounterDifference {
        slots: 4000,
        retiring: 400,
        bad_speculation: 200,
        frontend_bound: 400,
        backend_bound: 3000,
        stalls_backend: 700,
        ..parallel(1)
    };
    recorder.push(0, CounterDifference { instructions: 250, left: 3, major_faults: 1, ..slots });
    recorder.push(0, CounterDifference { instructions: 1000, ..place(state::SERIAL, 0) });
    recorder.push(0, CounterDifference { taken: 2, ..place(state::IMPLICIT_BARRIER, SITES[1]) });
    let process = ProcessCounters { minor_faults: 20, major_faults: 1, left: 10, taken: 2 };
    recorder.push(PROCESS_CHUNK, process);
    for (domain, energy) in [(&b"package-0"[..], 30_000_000), (b"package-1", 10_000_000)] {
        let elapsed = 2_000_000_000;
        recorder.push(PROCESS_CHUNK, Energy { domain, energy, elapsed, why: b"" });
    }
    recorder.end(900 * MS);
    recorder.analyse()
}

#[test]
fn figures_have_their_rows_and_add_up() {
    let analysis = all_of_it();
    let counters = analysis.counters().expect("counters");
    let of_region = |at: u64| {
        let is_it = |place: &CounterPlace| match place {
            CounterPlace::Region(construct) => construct.label.contains(&format!("{at:x}")),
            _ => false,
        };
        counters.rows.iter().find(|row| is_it(&row.place)).map(|row| row.counts)
    };
    let first = of_region(0x200).or(of_region(0x201)).expect("the first region");
    // 2,500 in the whole time, and 2,500 in half of it.
    assert_eq!((first.cycles, first.instructions), (Some(2000), Some(7500)));
    assert_eq!(first.per_cycle(), Some(3.75));
    assert_eq!((first.page_faults, first.running), (14, 400 * MS));
    let second = of_region(0x400).or(of_region(0x401)).expect("the second region");
    assert_eq!(second.top_down(), Some([0.1, 0.05, 0.1, 0.75]));
    assert_eq!(second.stalled(), [Some(0.0), Some(0.7)]);
    assert_eq!((second.page_faults, second.major_faults, second.left), (1, 1, 3));
    let others = counters.rows.last().expect("rows");
    assert!(matches!(others.place, CounterPlace::Others));
    // The process has 21, of which 15 are known; none of the processor's are.
    let of_others = (others.counts.page_faults, others.counts.left, others.counts.cycles);
    assert_eq!(of_others, (6, 7, None));
    let sum = |figure: fn(&Counts) -> u64| -> u64 {
        counters.rows.iter().map(|row| figure(&row.counts)).sum()
    };
    let figures: [fn(&Counts) -> u64; 6] = [
        |counts| counts.running,
        |counts| counts.page_faults,
        |counts| counts.left,
        |counts| counts.taken,
        |counts| counts.cycles.unwrap_or(0),
        |counts| counts.instructions.unwrap_or(0),
    ];
    for figure in figures {
        assert_eq!(sum(figure), figure(&counters.total));
    }
    let functions: u64 = counters.functions.iter().map(|(_, counts)| counts.running).sum();
    assert_eq!(functions, 600 * MS, "all but the wait");
}

#[test]
fn the_report_says_them_in_words() {
    let text = report(&all_of_it());
    for words in [
        "Counters by region, hardware in user code alone",
        "<waiting, and in the runtime>",
        "the processor's counters were shared: counted 90 % of the time and scaled up",
        "energy: 40.0 J, 20.0 W in 2.00 s (package-0: 30.0 J, 15.0 W; package-1: 10.0 J, 5.0 W)",
        "Counters by function",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn what_is_not_known_is_said_and_no_figure_stands_for_it() {
    let line = b"cycles: this machine has no hardware counters";
    let mut recorder = recorder(0, 0, &[line]);
    let plain = CounterDifference { state: state::SERIAL, left: 4, ..Default::default() };
    recorder.push(0, CounterDifference { running: MS, ..plain });
    let why = b"energy: only root may read it";
    recorder.push(PROCESS_CHUNK, Energy { why, ..Energy::default() });
    recorder.end(900 * MS);
    let analysis = recorder.analyse();
    let counters = analysis.counters().expect("counters");
    assert_eq!(counters.total.cycles, None);
    assert_eq!((counters.total.per_cycle(), counters.total.top_down()), (None, None));
    let text = report(&analysis);
    assert!(text.contains("cycles: this machine") && text.contains("energy: only root"), "{text}");
    assert!(!text.contains("IPC") && !text.contains(" J,"), "{text}");
}

#[test]
fn counters_that_were_never_free_count_nothing() {
    let mut recorder = recorder(0b11, 0, &[]);
    let never = CounterDifference { state: state::SERIAL, running: MS, ..Default::default() };
    recorder.push(0, CounterDifference { enabled: MS, counting: 0, ..never });
    recorder.end(900 * MS);
    let analysis = recorder.analyse();
    assert_eq!(analysis.counters().expect("counters").total.cycles, None);
    let text = report(&analysis);
    assert!(text.contains("others had its counters all of the time"), "{text}");
}

#[test]
fn a_profile_without_them_has_no_table() {
    let mut recorder = Recorder::new(&[(APP, 0x1000, "/nowhere/app", 0)]);
    recorder.thread(0, 1);
    recorder.push(0, thread_total(0, 900 * MS, 0));
    recorder.end(900 * MS);
    let analysis = recorder.analyse();
    assert!(analysis.counters().is_none() && !report(&analysis).contains("Counters"));
}
