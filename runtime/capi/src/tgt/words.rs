//! The text that LLVM's own library writes if a construct fails: programs search their logs for it.
//! This runtime's own text follows, with variable and line.

use super::lists::List;
use core::fmt::Write;
use omphalos_events::TargetKind;
use omphalos_mapping::{Fault, Kind, Map, Section};
use omphalos_sys::stderr;

/// The last line of every such failure.
const LAST: &str = "fatal error 1: failure of target construct while offloading is mandatory";

/// Writes the text for the fault.
pub fn write(kind: TargetKind, list: &List, fault: &Fault) {
    stderr::raw(words(kind, list, fault).as_bytes());
}

fn words(kind: TargetKind, list: &List, fault: &Fault) -> String {
    use TargetKind::{ExitData, ExitDataNowait, Target, TargetNowait, Update, UpdateNowait};
    let updates = matches!(kind, Update | UpdateNowait);
    let begins = !updates && !matches!(kind, ExitData | ExitDataNowait);
    let item = list.items.get(fault.item()).map(|item| item.kind);
    let must = match item {
        Some(Kind::Map(Map { present, .. })) => present,
        Some(Kind::NoLength { must, .. }) => must,
        _ => false,
    };
    let mut text = String::new();
    let mut line = |words: core::fmt::Arguments<'_>| {
        let _ = writeln!(text, "omptarget {words}");
    };
    let here = |section: Section| format!("{:#018x} ({} bytes)", section.start, section.bytes());
    let missing = match *fault {
        Fault::Absent { section, .. } => Some(section),
        Fault::Overlaps { section, present, .. } => {
            if begins {
                line(format_args!(
                    "message: explicit extension not allowed: host address specified is {}, but \
                     device allocation maps to host at {}",
                    here(section),
                    here(present)
                ));
            }
            must.then_some(section)
        }
        _ => None,
    };
    if let Some(section) = missing {
        let modifier = if updates { "motion" } else { "map type" };
        line(format_args!(
            "message: device mapping required by 'present' {modifier} modifier does not exist for \
             host address {}",
            here(section)
        ));
    }
    if begins {
        let why = match missing {
            Some(_) => "'present' map type modifier",
            None => "device failure or illegal mapping",
        };
        line(format_args!("error: Call to getTargetPointer returned null pointer ({why})."));
    }
    if matches!(kind, Target | TargetNowait) {
        line(format_args!("error: Call to targetDataBegin failed, abort target."));
        line(format_args!("error: Failed to process data before launching the kernel."));
    }
    line(format_args!("{LAST}"));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_library_has_it() {
        let section = Section::new(0x1000, 4);
        let of = |kind, fault| words(kind, &List::default(), &fault);
        let text = of(TargetKind::Target, Fault::Absent { item: 0, section });
        let first = "omptarget message: device mapping required by 'present' map type modifier \
                     does not exist for host address 0x0000000000001000 (4 bytes)\n";
        assert!(text.starts_with(first), "{text}");
        assert!(text.ends_with("while offloading is mandatory\n"), "{text}");
        let text = of(TargetKind::Update, Fault::Absent { item: 0, section });
        assert!(text.contains("'present' motion modifier") && text.lines().count() == 2, "{text}");
        let present = Section::new(0x1002, 4);
        let text = of(TargetKind::EnterData, Fault::Overlaps { item: 0, section, present });
        assert!(text.contains("maps to host at 0x0000000000001002 (4 bytes)\n"), "{text}");
        assert!(text.contains("(device failure or illegal mapping).\n"), "{text}");
    }
}
