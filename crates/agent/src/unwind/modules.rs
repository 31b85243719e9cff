//! The mapped objects: where they are and where their unwind information is.
//!
//! What must hold: a list is made outside handlers, never changed, and never freed; handlers take
//! the newest by one load. An address that no module has asks for a newer list, which the next
//! callback makes. Before objects are unmapped ([`frozen`]) handlers stop reading them.

use core::sync::atomic::{
    AtomicBool, AtomicPtr, AtomicU32, AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release, SeqCst},
};
use gimli::{BaseAddresses, EhFrameHdr, EndianSlice, LittleEndian, ParsedEhFrameHdr};
use omphalos_profile_format::module_flag;

/// One mapped object.
pub struct Module {
    /// First mapped address.
    pub start: u64,
    /// One past the last.
    pub end: u64,
    /// Offset in the file of the byte at `start`.
    pub file_offset: u64,
    /// Executable parts.
    pub code: Vec<(u64, u64)>,
    /// As the loader names it; the executable's own path is filled in.
    pub path: Vec<u8>,
    /// The note's bytes, empty if there is none.
    pub build_id: Vec<u8>,
    /// `module_flag`s.
    pub flags: u32,
    /// `.eh_frame` to the end of its segment.
    pub eh_frame: &'static [u8],
    /// The search table.
    pub header: Option<ParsedEhFrameHdr<EndianSlice<'static, LittleEndian>>>,
    /// Addresses that the information is relative to.
    pub bases: BaseAddresses,
}

/// All objects at one time, by address.
pub struct Modules {
    /// Different for each list.
    pub generation: u32,
    /// By `start`.
    pub list: Vec<Module>,
    changes: (u64, u64),
}

static NEWEST: AtomicPtr<Modules> = AtomicPtr::new(core::ptr::null_mut());
static GENERATION: AtomicU32 = AtomicU32::new(0);
static STALE: AtomicBool = AtomicBool::new(false);
static LAST_LOOK: AtomicU64 = AtomicU64::new(0);
static FROZEN: AtomicUsize = AtomicUsize::new(0);
static WALKING: AtomicUsize = AtomicUsize::new(0);

impl Modules {
    /// The module that `address` is in. Async-signal-safe.
    pub fn find(&self, address: u64) -> Option<&Module> {
        let after = self.list.partition_point(|module| module.start <= address);
        self.list.get(after.checked_sub(1)?).filter(|module| address < module.end)
    }

    /// Asks for a newer list. Async-signal-safe.
    pub fn note_unknown(&self) {
        STALE.store(true, Relaxed);
    }

    /// True if `address` is in code and behind a call instruction. Async-signal-safe.
    pub fn follows_call(&self, address: u64) -> bool {
        let Some(module) = self.find(address) else { return false };
        let code = module.code.iter().any(|(from, to)| address >= from + 8 && address < *to);
        if !code {
            return false;
        }
        let mut before = [0u8; 7];
        for (at, byte) in before.iter_mut().enumerate() {
            // SAFETY: inside the module's mapped code, at least eight bytes from its start.
            *byte = unsafe { ((address - 7 + at as u64) as *const u8).read_volatile() };
        }
        let indirect = |opcode: u8, mode: u8| opcode == 0xff && mode & 0x38 == 0x10;
        before[2] == 0xe8
            || (indirect(before[5], before[6]) && before[6] >= 0xd0)
            || (indirect(before[4], before[5]) && before[5] >> 6 == 1)
            || (indirect(before[1], before[2]) && (before[2] >> 6 == 2 || before[2] == 0x15))
    }
}

/// The newest list, unless objects are being unmapped; `use_it` must not keep it.
/// Async-signal-safe.
pub fn with_newest<R>(use_it: impl FnOnce(&Modules) -> R) -> Option<R> {
    WALKING.fetch_add(1, SeqCst);
    // SAFETY: null or a list, which is never freed.
    let newest = unsafe { NEWEST.load(Acquire).as_ref() };
    let result = match newest {
        Some(modules) if FROZEN.load(SeqCst) == 0 => Some(use_it(modules)),
        _ => None,
    };
    WALKING.fetch_sub(1, SeqCst);
    result
}

/// Runs `unmap` while no handler reads any module, then makes a new list.
pub fn frozen<R>(unmap: impl FnOnce() -> R) -> R {
    FROZEN.fetch_add(1, SeqCst);
    while WALKING.load(SeqCst) != 0 {
        omphalos_sys::thread::give_way();
    }
    let result = unmap();
    make();
    FROZEN.fetch_sub(1, SeqCst);
    result
}

/// A forked child has no other thread that could be walking.
pub fn reset_in_child() {
    WALKING.store(0, SeqCst);
    FROZEN.store(0, SeqCst);
}

/// Makes a newer list if a handler met an unknown address, at most ten times a second. Says whether
/// there is a new one. `now` in ns. For callbacks, not for handlers.
#[inline]
pub fn refresh(now: impl FnOnce() -> u64) -> bool {
    if !STALE.load(Relaxed) {
        return false;
    }
    let now = now();
    if now.saturating_sub(LAST_LOOK.load(Relaxed)) < 100_000_000 {
        return false;
    }
    LAST_LOOK.store(now, Relaxed);
    STALE.store(false, Relaxed);
    let known = with_newest(|modules| modules.changes);
    known != Some(changes()) && make()
}

/// Makes a list and puts it in place; true if it could. Allocates.
pub fn make() -> bool {
    let mut list: Vec<Module> = Vec::with_capacity(64);
    let before = changes();
    // SAFETY: the callback gets the vector that lives here, and its own arguments are the loader's.
    unsafe { libc::dl_iterate_phdr(Some(add), core::ptr::from_mut(&mut list).cast()) };
    list.sort_by_key(|module| module.start);
    let generation = GENERATION.fetch_add(1, Relaxed) + 1;
    let modules = Box::new(Modules { generation, list, changes: before });
    // The old list stays: a handler may be reading it.
    NEWEST.store(Box::into_raw(modules), Release);
    true
}

/// How often objects came and went.
fn changes() -> (u64, u64) {
    unsafe extern "C" fn first(
        info: *mut libc::dl_phdr_info,
        _size: usize,
        out: *mut libc::c_void,
    ) -> libc::c_int {
        // SAFETY: `out` is the pair below; the loader's structure is valid for the call.
        unsafe { *out.cast::<(u64, u64)>() = ((*info).dlpi_adds, (*info).dlpi_subs) };
        1
    }
    let mut counts = (0u64, 0u64);
    // SAFETY: as said in the callback.
    unsafe { libc::dl_iterate_phdr(Some(first), core::ptr::from_mut(&mut counts).cast()) };
    counts
}

unsafe extern "C" fn add(
    info: *mut libc::dl_phdr_info,
    _size: usize,
    list: *mut libc::c_void,
) -> libc::c_int {
    // SAFETY: `list` is the vector of `make`; the loader's structure and its headers are valid.
    unsafe {
        let list = &mut *list.cast::<Vec<Module>>();
        if let Some(module) = describe(&*info) {
            list.push(module);
        }
    }
    0
}

/// # Safety
/// `info` must be the loader's, during its callback.
unsafe fn describe(info: &libc::dl_phdr_info) -> Option<Module> {
    if info.dlpi_phdr.is_null() {
        return None;
    }
    // SAFETY: the loader's program headers.
    let headers =
        unsafe { core::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
    let loads = || headers.iter().filter(|header| header.p_type == libc::PT_LOAD);
    let at = |address: u64| info.dlpi_addr.wrapping_add(address);
    let first = loads().min_by_key(|header| header.p_vaddr)?;
    let start = at(first.p_vaddr) & !0xfff;
    let end = loads().map(|header| at(header.p_vaddr) + header.p_memsz).max()?;
    let path = if info.dlpi_name.is_null() {
        Vec::new()
    } else {
        // SAFETY: the loader's string.
        unsafe { core::ffi::CStr::from_ptr(info.dlpi_name) }.to_bytes().to_vec()
    };
    let mut module = Module {
        start,
        end,
        file_offset: first.p_offset & !0xfff,
        code: loads()
            .filter(|header| header.p_flags & libc::PF_X != 0)
            .map(|header| (at(header.p_vaddr), at(header.p_vaddr) + header.p_memsz))
            .collect(),
        flags: flags(&path, start, end),
        path,
        build_id: Vec::new(),
        eh_frame: &[],
        header: None,
        bases: BaseAddresses::default(),
    };
    if module.path.is_empty() {
        module.path = match std::fs::read_link("/proc/self/exe") {
            Ok(path) => std::os::unix::ffi::OsStringExt::into_vec(path.into_os_string()),
            Err(_) => b"/proc/self/exe".to_vec(),
        };
    }
    for header in headers {
        let from = at(header.p_vaddr);
        match header.p_type {
            libc::PT_NOTE => {
                // SAFETY: a loaded note segment.
                let notes = unsafe {
                    core::slice::from_raw_parts(from as *const u8, header.p_memsz as usize)
                };
                if let Some(id) = build_id(notes) {
                    module.build_id = id.to_vec();
                }
            }
            libc::PT_GNU_EH_FRAME => {
                let Some(segment) = loads().find(|load| {
                    header.p_vaddr >= load.p_vaddr && header.p_vaddr < load.p_vaddr + load.p_memsz
                }) else {
                    continue;
                };
                let limit = at(segment.p_vaddr) + segment.p_memsz;
                // SAFETY: from the header to the end of its segment is mapped.
                unsafe { find_information(&mut module, from, limit) };
            }
            _ => {}
        }
    }
    Some(module)
}

/// # Safety
/// `from..limit` must be mapped for as long as the module is.
unsafe fn find_information(module: &mut Module, from: u64, limit: u64) {
    // SAFETY: the caller's promise.
    let bytes: &'static [u8] =
        unsafe { core::slice::from_raw_parts(from as *const u8, (limit - from) as usize) };
    let bases = BaseAddresses::default().set_eh_frame_hdr(from);
    let Ok(header) = EhFrameHdr::new(bytes, LittleEndian).parse(&bases, 8) else { return };
    let gimli::Pointer::Direct(eh_frame) = header.eh_frame_ptr() else { return };
    // `.eh_frame` stands in the same segment nearly always; another one is looked up as such.
    let end = if eh_frame >= from && eh_frame < limit { limit } else { module.end };
    if eh_frame < module.start || eh_frame >= end {
        return;
    }
    let end = if eh_frame < from { from } else { end };
    // SAFETY: inside the module; the information ends with a zero length before its segment does.
    module.eh_frame =
        unsafe { core::slice::from_raw_parts(eh_frame as *const u8, (end - eh_frame) as usize) };
    module.bases = bases.set_eh_frame(eh_frame);
    module.header = Some(header);
}

fn flags(path: &[u8], start: u64, end: u64) -> u32 {
    let here = flags as *const () as u64;
    if (start..end).contains(&here) {
        return module_flag::AGENT;
    }
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
    let runtimes: [&[u8]; 6] =
        [b"libgomp.", b"libgomp-", b"libomp.", b"libomp-", b"libiomp5.", b"libomphalos.so"];
    if runtimes.iter().any(|prefix| name.starts_with(prefix)) { module_flag::RUNTIME } else { 0 }
}

/// The build id in a note segment.
fn build_id(mut notes: &[u8]) -> Option<&[u8]> {
    let word = |bytes: &[u8], at: usize| {
        bytes.get(at..at + 4)?.try_into().ok().map(|word| u32::from_le_bytes(word) as usize)
    };
    while notes.len() >= 12 {
        let (name, description, kind) = (word(notes, 0)?, word(notes, 4)?, word(notes, 8)?);
        let from = 12 + name.next_multiple_of(4);
        if kind == 3 && notes.get(12..16)? == b"GNU\0" {
            return notes.get(from..from + description);
        }
        notes = notes.get(from + description.next_multiple_of(4)..)?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_program_has_information() {
        assert!(make());
        let address = this_program_has_information as *const () as u64;
        let found = with_newest(|modules| {
            modules.find(address).map(|module| (module.header.is_some(), module.eh_frame.len()))
        });
        assert!(matches!(found, Some(Some((true, 1000..)))), "{found:?}");
    }

    #[test]
    fn runtimes_are_known_by_name() {
        for name in ["/a/libgomp-a34b.so.1.0.0", "libomp.so.5", "libiomp5.so", "/x/libomphalos.so"]
        {
            assert_eq!(flags(name.as_bytes(), 0, 0), module_flag::RUNTIME, "{name}");
        }
        assert_eq!(flags(b"/usr/lib/libompl.so", 0, 0), 0);
    }

    #[test]
    fn a_build_id_is_found_behind_another_note() {
        let mut notes = vec![4, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0];
        notes.extend(b"GNU\0abcd");
        notes.extend([4, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]);
        notes.extend(b"GNU\0\x12\x34\0\0");
        assert_eq!(build_id(&notes), Some(&[0x12, 0x34][..]));
        assert_eq!(build_id(&notes[..20]), None);
    }
}
