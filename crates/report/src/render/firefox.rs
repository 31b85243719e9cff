//! The Firefox Profiler's processed format: one track a thread, user-model stacks, what OpenMP was
//! doing as categories. Opens at profiler.firefox.com and in `samply load`.

use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use fxprof_processed_profile as fx;

use super::json::thread_kind;
use crate::join::{LabelKind, NodeId};
use crate::{Analysis, TimedSample};

struct Categories {
    user: fx::CategoryHandle,
    system: fx::CategoryHandle,
    region: fx::CategoryHandle,
    task: fx::CategoryHandle,
    wait: fx::CategoryHandle,
    blocked: fx::CategoryHandle,
}

/// The profile as JSON.
pub fn render(analysis: &Analysis) -> String {
    let summary = analysis.summary();
    let name = summary.executable.rsplit('/').next().unwrap_or("program");
    let started = SystemTime::UNIX_EPOCH + Duration::from_nanos(summary.started);
    let interval = fx::SamplingInterval::from_nanos((1e9 / summary.rate_asked.max(1e-3)) as u64);
    let mut profile = fx::Profile::new(name, started.into(), interval);
    profile.set_os_name("Linux");
    profile.set_symbolicated(true);
    let categories = Categories {
        user: profile.add_category("User", fx::CategoryColor::Yellow),
        system: profile.add_category("System", fx::CategoryColor::Orange),
        region: profile.add_category("Parallel region", fx::CategoryColor::Green),
        task: profile.add_category("Task", fx::CategoryColor::Blue),
        wait: profile.add_category("OpenMP wait", fx::CategoryColor::Red),
        blocked: profile.add_category("Blocked", fx::CategoryColor::Purple),
    };
    let zero = fx::Timestamp::from_nanos_since_reference(0);
    let process = profile.add_process(name, summary.pid, zero);

    let mut samples: HashMap<u32, Vec<&TimedSample>> = HashMap::new();
    for sample in analysis.samples() {
        samples.entry(sample.thread).or_default().push(sample);
    }
    for row in analysis.threads() {
        let Some(samples) = samples.get(&row.thread) else { continue };
        let start = samples.first().map_or(0, |sample| sample.time);
        let start = fx::Timestamp::from_nanos_since_reference(start);
        let tid = if row.os_tid == 0 { row.thread } else { row.os_tid };
        let thread = profile.add_thread(process, tid, start, tid == summary.pid);
        let label = format!("OpenMP thread {} ({})", row.thread, thread_kind(row.kind));
        profile.set_thread_name(thread, &label);
        let mut stacks: HashMap<NodeId, Option<fx::StackHandle>> = HashMap::new();
        for sample in samples {
            let stack =
                intern(&mut profile, thread, analysis, &categories, &mut stacks, sample.node);
            profile.add_sample(
                thread,
                fx::Timestamp::from_nanos_since_reference(sample.time),
                stack,
                fx::CpuDelta::from_nanos(sample.cpu_time),
                i32::try_from(sample.weight).unwrap_or(i32::MAX),
            );
        }
    }
    serde_json::to_string(&profile).unwrap_or_else(|_| "{}".to_owned())
}

fn intern(
    profile: &mut fx::Profile,
    thread: fx::ThreadHandle,
    analysis: &Analysis,
    categories: &Categories,
    known: &mut HashMap<NodeId, Option<fx::StackHandle>>,
    node: NodeId,
) -> Option<fx::StackHandle> {
    // From the innermost node outwards to the first known one, then back in.
    let mut chain = Vec::new();
    let mut at = node;
    while at != NodeId::ROOT && !known.contains_key(&at) {
        chain.push(at);
        at = analysis.stacks.parent(at);
    }
    let mut stack = known.get(&at).copied().flatten();
    for node in chain.into_iter().rev() {
        let label = analysis.stacks.label_of(node);
        let category = match label.kind {
            LabelKind::Function => categories.user,
            LabelKind::System => categories.system,
            LabelKind::Region => categories.region,
            LabelKind::Task => categories.task,
            LabelKind::Runtime => categories.wait,
            LabelKind::Blocked => categories.blocked,
        };
        let name = profile.intern_string(&label.text);
        let frame = profile.intern_frame(
            thread,
            fx::FrameInfo {
                frame: fx::Frame::Label(name),
                category_pair: category.into(),
                flags: fx::FrameFlags::empty(),
            },
        );
        stack = Some(profile.intern_stack(thread, stack, frame));
        known.insert(node, stack);
    }
    stack
}
