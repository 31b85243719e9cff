//! The counters of the system and the processor, by place and by function.

use serde_json::{Value, json};

use super::rows::construct;
use crate::model::{CounterPlace, CounterRow, Counters, Counts};

/// The counters of the system and the processor.
pub(super) fn counters(counters: &Counters) -> Value {
    let row = |row: &CounterRow| {
        let (place, at) = match &row.place {
            CounterPlace::Region(region) => ("region", Some(construct(region))),
            CounterPlace::Serial => ("serial", None),
            CounterPlace::Waiting => ("waiting", None),
            CounterPlace::Others => ("others", None),
        };
        json!({ "place": place, "construct": at, "counts": counts(&row.counts) })
    };
    let function = |(name, of): &(std::rc::Rc<str>, Counts)| {
        let counts = counts(of);
        json!({ "function": &**name, "counts": counts })
    };
    json!({
        "user_only": counters.user_only,
        "missing": counters.missing,
        "rows": counters.rows.iter().map(row).collect::<Vec<_>>(),
        "functions": counters.functions.iter().map(function).collect::<Vec<_>>(),
        "total": counts(&counters.total),
        "energy": counters.energy.iter().map(|energy| json!({
            "package": energy.package,
            "joules": energy.joules,
            "elapsed_ns": energy.elapsed,
        })).collect::<Vec<_>>(),
    })
}

fn counts(counts: &Counts) -> Value {
    let slots = counts.slots.map(|[all, retiring, bad_speculation, front_end, back_end]| {
        json!({
            "all": all,
            "retiring": retiring,
            "bad_speculation": bad_speculation,
            "frontend_bound": front_end,
            "backend_bound": back_end,
        })
    });
    json!({
        "running_ns": counts.running,
        "page_faults": counts.page_faults,
        "major_faults": counts.major_faults,
        "switches_left": counts.left,
        "switches_taken": counts.taken,
        "cycles": counts.cycles,
        "instructions": counts.instructions,
        "cache_misses": counts.cache_misses,
        "stalled_cycles_frontend": counts.stalls_frontend,
        "stalled_cycles_backend": counts.stalls_backend,
        "slots": slots,
        "events_asked_ns": counts.counting.0,
        "events_counted_ns": counts.counting.1,
    })
}
