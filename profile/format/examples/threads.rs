//! Shows for each thread of a profile how long it lived and worked. Run it by `cargo run --release
//! -p omphalos-profile-format --example threads FILE`.
use omphalos_profile_format::{Item, Reader, Record};
use std::collections::BTreeMap;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("the name of a profile is missing")?;
    let file = std::fs::read(path)?;
    let mut totals = BTreeMap::new();
    for item in Reader::new(&file)? {
        let Item::Chunk(chunk) = item else { continue };
        for record in chunk.records() {
            // Totals are cumulative: the last one of each thread holds.
            let Ok(Record::ThreadTotal(total)) = record else { continue };
            totals.insert(total.thread, (total.alive, total.work + total.serial_work));
        }
    }
    for (thread, (alive, work)) in totals {
        println!("thread {thread}: {} ms, {} of them work", alive / 1_000_000, work / 1_000_000);
    }
    Ok(())
}
