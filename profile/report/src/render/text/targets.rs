//! Target constructs, by line and device, and the sums of each device.

use super::page::{Page, Table};
use super::tables::ms;
use crate::Analysis;
use crate::diagnosis::{bytes, count, duration};
use crate::model::{Copies, TargetRow, total};

const COLUMNS: [&str; 18] = [
    "device", "executed", "elapsed", "kernels", "in kernels", "host waits", "overlap", "to device",
    "bytes to", "ms to", "from device", "bytes from", "ms from", "within", "bytes within",
    "ms within", "blocks", "bytes in blocks",
];

pub(super) fn targets(page: &mut Page, analysis: &Analysis, top: usize) {
    let rows = analysis.targets();
    if rows.is_empty() {
        return;
    }
    page.heading("Target constructs by source line (ms)");
    let mut table = Table::new("construct", &COLUMNS);
    for row in rows.iter().take(top.max(1)) {
        let nowait = if row.nowait { " nowait" } else { "" };
        let label = format!("{}{nowait} at {}", row.name, row.construct.label);
        table.row(label, cells(row));
    }
    table.without_empty_columns().print(page);
    if rows.len() > top.max(1) {
        page.text(2, &format!("and {} more", rows.len() - top.max(1)));
    }
    if rows.iter().any(|row| row.device.is_some()) {
        page.text(
            2,
            "host waits: the thread that met the construct did nothing else, or, with nowait, \
             waited in a barrier, taskwait or mutex meanwhile; overlap: with nowait, it worked \
             meanwhile; of constructs that run at the same time all is added up",
        );
    }
    let mut devices: Vec<u32> = rows.iter().filter_map(|row| row.device).collect();
    devices.sort_unstable();
    devices.dedup();
    for device in devices {
        let own: Vec<&TargetRow> = rows.iter().filter(|row| row.device == Some(device)).collect();
        page.text(2, &sum(device, &own));
    }
}

/// Returns the sums of a device, in words.
fn sum(device: u32, rows: &[&TargetRow]) -> String {
    let all = |part: fn(&TargetRow) -> u64| total(rows.iter().map(|row| part(row)));
    let overlap = all(|row| row.overlap);
    let meanwhile = match overlap {
        0 => String::new(),
        time => format!(", and worked {} meanwhile", duration(time as f64)),
    };
    format!(
        "device {device}: {} in kernels, {} in copies ({} to it, {} from it); the host waited \
         {}{meanwhile}",
        duration(all(|row| row.kernel_time) as f64),
        duration(all(TargetRow::copying) as f64),
        bytes(all(|row| row.to_device.bytes)),
        bytes(all(|row| row.from_device.bytes)),
        duration(all(|row| row.host_wait) as f64),
    )
}

fn cells(row: &TargetRow) -> Vec<String> {
    let or_nothing = |number: u64, text: String| if number == 0 { String::new() } else { text };
    let counted = |number: u64| or_nothing(number, count(number));
    let copies = |copies: Copies| {
        let Copies { count: number, bytes: all, time } = copies;
        [counted(number), or_nothing(number, bytes(all)), or_nothing(number, ms(time))]
    };
    let device = row.device.map_or_else(|| "host".to_owned(), |number| number.to_string());
    let is_waited_for = |time: u64| if row.device.is_some() { ms(time) } else { String::new() };
    let mut cells = vec![device, count(row.executions), ms(row.elapsed)];
    cells.extend([counted(row.kernels), or_nothing(row.kernels, ms(row.kernel_time))]);
    cells.push(is_waited_for(row.host_wait));
    cells.push(if row.nowait { is_waited_for(row.overlap) } else { String::new() });
    cells.extend([row.to_device, row.from_device, row.within].into_iter().flat_map(copies));
    cells
        .extend([counted(row.blocks.count), or_nothing(row.blocks.count, bytes(row.blocks.bytes))]);
    cells
}
