//! The constructs inside regions: one row for each directive, whatever calls a compiler made of it.

use omphalos_program::entries;
use std::collections::HashMap;
use std::rc::Rc;

use omphalos_profile_format::{ConstructTotal, construct_kind};

use super::handing_out;
use super::mutexes::{is_reduction, tells_waits_only};
use super::rows::{ConstructRow, RegionRow};
use super::singles::EndsOfSingles;
use super::sums::add;
use super::within::Handed;
use crate::ompt;
use crate::recording::Recording;
use crate::symbols::{
    Construct, ConstructKind, Directive, Inner, InnerSite, Owner, Symbols, has_own_barrier,
};

/// `ompt_sync_region_barrier` and `..._explicit`.
const EXPLICIT: [u32; 2] = [1, 3];

/// Rows by the region's construct and level.
pub(super) type Rows = HashMap<(Rc<str>, u32), Vec<ConstructRow>>;

/// The level of the first row of each region's construct.
pub(super) type Levels = HashMap<Rc<str>, u32>;

/// Gives each region its constructs.
pub(super) fn add_to(
    regions: &mut [RegionRow],
    recording: &Recording,
    symbols: &Symbols,
    handed: &Handed,
) {
    let mut rows = Rows::new();
    let codes = codes_of(recording, symbols);
    let mut open: HashMap<(Rc<str>, u32), u64> = HashMap::new();
    for (&(codeptr, _, level), &instances) in &recording.open_regions {
        let region = symbols.construct(codeptr, ConstructKind::Region);
        add(open.entry((region.label.clone(), level)).or_default(), instances);
    }
    let mut levels: Levels = HashMap::new();
    for region in regions.iter() {
        levels.entry(region.construct.label.clone()).or_insert(region.level);
    }
    let singles = recording.is_from_collector().then(|| EndsOfSingles::of(recording, symbols));
    for total in recording.constructs.values() {
        let region = symbols.construct(total.region_codeptr, ConstructKind::Region);
        let rows = rows.entry((region.label.clone(), total.region_level)).or_default();
        take(rows, symbols, total, singles.as_ref());
    }
    take_mutexes(&mut rows, recording, symbols, &levels);
    handing_out::take(&mut rows, recording, symbols, &levels, handed);
    for region in regions {
        let key = (region.construct.label.clone(), region.level);
        let mut own = rows.remove(&key).unwrap_or_default();
        let code = codes.get(&key.0).copied().unwrap_or_default();
        if let Some((codeptr, body)) = code.body {
            add_unseen(&mut own, symbols, region, codeptr, body);
        }
        let open = open.get(&key).copied().unwrap_or(0);
        finish(&mut own, region, open, code.is_combined);
        region.constructs = own;
    }
}

/// The facts that a region's code shows.
#[derive(Clone, Copy, Default)]
struct Code {
    /// The first return address whose outlined function is known, and the start of that function.
    body: Option<(u64, u64)>,
    /// True where one call of gcc's code makes the region and the construct combined with it.
    is_combined: bool,
}

/// Returns these facts by the regions' labels.
fn codes_of(recording: &Recording, symbols: &Symbols) -> HashMap<Rc<str>, Code> {
    let mut codes: HashMap<Rc<str>, Code> = HashMap::new();
    for codeptr in recording.regions.values().map(|total| total.codeptr_ra) {
        let region = symbols.construct(codeptr, ConstructKind::Region);
        let code = codes.entry(region.label.clone()).or_default();
        let body = || symbols.site(codeptr).body.map(|body| (codeptr, body));
        code.body = code.body.or_else(body);
        let is_combined = |name: String| name.starts_with("GOMP_parallel_");
        code.is_combined = code.is_combined || symbols.callee(codeptr).is_some_and(is_combined);
    }
    codes
}

/// Adds a construct's totals to its row. `singles`: the ends of singles, for a profile through the
/// Collector API alone.
fn take(
    rows: &mut Vec<ConstructRow>,
    symbols: &Symbols,
    total: &ConstructTotal,
    singles: Option<&EndsOfSingles>,
) {
    let number = total.construct_kind & 0xffff;
    let family = total.construct_kind & !0xffff;
    if family == construct_kind::BARRIER {
        // A body leaves by a jump for a call that is its last: the call returns into the runtime.
        let is_jump = symbols.kind(total.codeptr_ra.wrapping_sub(1)) == Owner::Runtime;
        let jump = is_jump.then(|| symbols.barrier_by_jump(total.region_codeptr)).flatten();
        let (inner, is_explicit) = match singles {
            Some(_) if number != EXPLICIT[1] => (Inner::End, false),
            _ => (Inner::Barrier, EXPLICIT.contains(&number)),
        };
        let own = singles.filter(|_| inner == Inner::End);
        let single = own.and_then(|singles| singles.before(symbols, total));
        let site = match single {
            Some(codeptr) => symbols.inner(codeptr, total.codeptr_ra, Inner::Single),
            None => symbols.inner(jump.unwrap_or(total.codeptr_ra), 0, inner),
        };
        let figures = (total.instances, total.barrier_wait);
        match site.directive {
            None if single.is_some() => {
                own_barrier(rows, "single", &site.construct, figures);
            }
            _ => barrier(rows, site, inner, is_explicit, figures),
        }
        return;
    }
    let inner = match (family, number) {
        (construct_kind::MASKED, _) => Inner::Masked,
        (construct_kind::REDUCTION, _) => Inner::Reduction,
        (_, 2) => Inner::Sections,
        (_, 3..=5) => Inner::Single,
        (_, 1 | 10..=13) => Inner::Loop,
        _ => Inner::Other,
    };
    let site = symbols.inner(total.codeptr_ra, total.end_codeptr, inner);
    let directive = site.directive.as_ref();
    let has = |word: &str| directive.is_some_and(|directive| directive.has(word));
    let name = match inner {
        Inner::Loop if has("sections") => "sections".to_owned(),
        Inner::Loop => {
            let schedule = match number {
                10 => " (static)",
                11 => " (dynamic)",
                12 => " (guided)",
                _ => "",
            };
            format!("{}{schedule}", loop_word(&site.construct))
        }
        Inner::Masked if has("master") => "master".to_owned(),
        Inner::Masked => "masked".to_owned(),
        Inner::Reduction => "reduction".to_owned(),
        Inner::Sections => "sections".to_owned(),
        Inner::Single if has("workshare") || number == 5 => "workshare".to_owned(),
        Inner::Single => "single".to_owned(),
        _ => ompt::work_name(number).to_owned(),
    };
    let row = find_or_add(rows, &name, &site.construct);
    add(&mut row.instances, total.instances);
    let waits = !matches!(inner, Inner::Masked | Inner::Reduction);
    if waits && directive.is_none_or(|directive| !directive.has_nowait()) {
        add(row.wait.get_or_insert(0), total.barrier_wait);
    }
    // A single in gcc's code: the next barrier is its own, unless the source says nowait.
    let is_open = inner == Inner::Single && site.by_gcc;
    let is_followed = directive.is_none_or(|directive| !directive.has_nowait());
    let mut time = Some(total.time);
    if is_open && is_followed {
        // Only one of the two is there: an event told of the single's end, or none did.
        time = Some(total.open_time.max(total.time));
        add(row.wait.get_or_insert(0), total.open_barrier_wait);
    } else if is_open {
        (time, row.wait) = (None, None);
    }
    row.time = time.map(|time| time.saturating_add(row.time.unwrap_or(0)));
    if matches!(inner, Inner::Loop | Inner::Sections) {
        let (seen, all) = (total.counted_iterations, total.iterations);
        let chunks = match (seen, all) {
            (0, 0) => Some(0),
            (0, _) => None,
            _ => u64::try_from(u128::from(total.chunks) * u128::from(all) / u128::from(seen)).ok(),
        };
        row.chunks_estimated |= seen < all;
        row.chunks = chunks.map(|chunks| chunks.saturating_add(row.chunks.unwrap_or(0)));
        add(row.iterations.get_or_insert(0), all);
    }
    if total.open_instances > 0 && !(is_open && is_followed) {
        let site = symbols.inner(total.open_codeptr, 0, Inner::Barrier);
        let figures = (total.open_instances, total.open_barrier_wait);
        barrier(rows, site, Inner::Barrier, true, figures);
    }
}

/// Takes a call of the runtime's barrier. By the source's directive, it may end another construct.
fn barrier(
    rows: &mut Vec<ConstructRow>,
    site: InnerSite,
    inner: Inner,
    is_explicit: bool,
    (instances, wait): (u64, u64),
) {
    // gcc ends a static loop by a call of the barrier.
    let own = |directive: &&Directive| has_own_barrier(directive);
    let of = match inner {
        Inner::End => site.directive.as_ref().filter(|directive| !directive.has("barrier")),
        _ => site.directive.as_ref().filter(own),
    };
    let (name, is_seen) = match of {
        Some(directive) if directive.is_loop() => {
            let schedule = match own(&directive) {
                true => " (static)",
                false => directive.schedule(),
            };
            (format!("{}{schedule}", loop_word(&site.construct)), false)
        }
        Some(directive) if directive.has("sections") => ("sections".to_owned(), false),
        Some(directive) if directive.has("workshare") => ("workshare".to_owned(), false),
        Some(directive) if directive.has("scope") => ("scope".to_owned(), false),
        Some(_) => ("single".to_owned(), true),
        None if is_explicit || (inner == Inner::End && site.directive.is_some()) => {
            ("barrier".to_owned(), true)
        }
        None => ("implicit barrier".to_owned(), true),
    };
    own_barrier(rows, &name, &site.construct, (instances, wait)).is_seen &= is_seen;
}

/// Adds a barrier: its own row, or that of the construct that it ends.
fn own_barrier<'a>(
    rows: &'a mut Vec<ConstructRow>,
    name: &str,
    construct: &Rc<Construct>,
    (instances, wait): (u64, u64),
) -> &'a mut ConstructRow {
    let row = find_or_add(rows, name, construct);
    // A single's own row counts its instances.
    if name != "single" {
        add(&mut row.instances, instances);
    }
    add(row.wait.get_or_insert(0), wait);
    row
}

pub(super) fn loop_word(construct: &Construct) -> &'static str {
    let extension = construct.file.as_deref().and_then(|file| file.rsplit('.').next());
    let is_fortran = extension.is_some_and(|e| e.starts_with(['f', 'F']));
    if is_fortran { "do" } else { "for" }
}

fn find_or_add<'a>(
    rows: &'a mut Vec<ConstructRow>,
    name: &str,
    construct: &Rc<Construct>,
) -> &'a mut ConstructRow {
    let same = |row: &ConstructRow| {
        let (a, b) = (&row.construct, construct);
        row.name == name
            && (a.line, &a.file, &a.function) == (b.line, &b.file, &b.function)
            && (a.line > 0 || a.label == b.label)
    };
    let at = rows.iter().position(same).unwrap_or_else(|| {
        rows.push(ConstructRow { name: name.to_owned(), ..ConstructRow::new(construct.clone()) });
        rows.len() - 1
    });
    &mut rows[at]
}

/// Takes critical and ordered regions, from the totals of their mutexes.
fn take_mutexes(rows: &mut Rows, recording: &Recording, symbols: &Symbols, levels: &Levels) {
    for (key, &region) in &recording.mutex_places {
        let Some(total) = recording.mutexes.get(key) else { continue };
        let (name, inner) = match ompt::mutex_kind(total.mutex_kind) {
            "ordered" => ("ordered", Inner::Ordered),
            kind if is_reduction(symbols, kind, total.codeptr_ra) => continue,
            "critical" => ("critical", Inner::Critical),
            _ => continue,
        };
        let Some(rows) = rows_of(rows, symbols, region, levels) else { continue };
        let site = symbols.inner(total.codeptr_ra, 0, inner);
        let row = find_or_add(rows, name, &site.construct);
        add(row.wait.get_or_insert(0), total.wait);
        if tells_waits_only(recording, name) {
            row.is_seen = false;
            continue;
        }
        add(&mut row.instances, total.acquisitions);
        add(row.time.get_or_insert(0), total.hold);
    }
}

pub(super) fn rows_of<'a>(
    rows: &'a mut Rows,
    symbols: &Symbols,
    region: u64,
    levels: &Levels,
) -> Option<&'a mut Vec<ConstructRow>> {
    let label = symbols.construct(region, ConstructKind::Region).label.clone();
    let level = *levels.get(&label)?;
    Some(rows.entry((label, level)).or_default())
}

/// Adds directives for which the program calls no runtime, so that nothing is counted.
fn add_unseen(
    rows: &mut Vec<ConstructRow>,
    symbols: &Symbols,
    region: &RegionRow,
    codeptr: u64,
    body: u64,
) {
    if !symbols.callee(codeptr).is_some_and(|callee| entries::is_gccs(&callee)) {
        return;
    }
    let Some(path) = region.construct.file.as_deref() else { return };
    let mut within_nested = false;
    for directive in symbols.directives_within(body, path) {
        if directive.line < region.construct.line {
            continue;
        }
        let is_own = directive.line == region.construct.line;
        within_nested |= directive.is_region() && !is_own;
        if within_nested || rows.iter().any(|row| row.construct.line == directive.line) {
            continue;
        }
        let name = if directive.is_plain_static() {
            format!("{} (static)", loop_word(&region.construct))
        } else if directive.has("master") {
            "master".to_owned()
        } else if directive.has("masked") {
            "masked".to_owned()
        } else if directive.has("scope") {
            "scope".to_owned()
        } else {
            continue;
        };
        let construct = Rc::new(region.construct.at_line(directive.line));
        let row = find_or_add(rows, &name, &construct);
        row.is_seen = false;
        if is_own {
            row.instances = region.instances;
        }
    }
}

/// Gives the wait at the region's end to the construct that is combined with the region, or to
/// none. `is_combined`: one call of gcc's code makes both, also where the source has two
/// directives. `open`: instances that have not reached their ends.
fn finish(rows: &mut Vec<ConstructRow>, region: &RegionRow, open: u64, is_combined: bool) {
    if rows.is_empty() {
        return;
    }
    let waits = rows.iter().filter(|row| !row.is_mutex()).filter_map(|row| row.wait);
    let at_end = region.barrier_wait.saturating_sub(waits.fold(0, u64::saturating_add));
    let combined = rows.iter_mut().find(|row| {
        let same = row.construct.file == region.construct.file;
        let is_work =
            ["for", "do", "sections", "workshare"].iter().any(|w| row.name.starts_with(w));
        let is_own = row.construct.line == region.construct.line && row.construct.line > 0;
        same && is_work && (is_own || is_combined)
    });
    match combined {
        Some(row) => add(row.wait.get_or_insert(0), at_end),
        None => {
            let name = "end of the region".to_owned();
            let row = ConstructRow::new(region.construct.clone());
            let (instances, wait) = (region.instances.saturating_sub(open), Some(at_end));
            rows.push(ConstructRow { name, instances, wait, ..row });
        }
    }
    rows.sort_by_key(|row| (row.name.starts_with("end of"), row.construct.line));
}
