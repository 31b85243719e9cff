//! One mapped object: from the loader's description to a [`Module`].
//!
//! What must hold: every read is in the object's mapped segments, at the places that its program
//! headers name. An object with odd headers gets no unwind information and does no harm.

use super::modules::Module;
use gimli::{BaseAddresses, EhFrameHdr, LittleEndian};
use omphalos_profile_format::{library, module_flag};

/// # Safety
/// `info` must be the loader's, during its callback.
pub unsafe fn describe(info: &libc::dl_phdr_info) -> Option<Module> {
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
        is_kernels: path.starts_with(b"linux-vdso.so") || path.starts_with(b"linux-gate.so"),
        path,
        build_id: Vec::new(),
        eh_frame: &[],
        header: None,
        bases: BaseAddresses::default(),
    };
    if module.path.contains(&b'/') && !module.path.starts_with(b"/") {
        // The loader has the path that the program used, perhaps from a folder that it has left
        // since.
        module.path = mapped_path(start).unwrap_or(module.path);
    }
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

/// Reads the header at `from`, which says where the unwind information is. Async-signal-safe.
///
/// # Safety
/// `from..limit` must be mapped for as long as the module is.
pub unsafe fn find_information(module: &mut Module, from: u64, limit: u64) {
    // SAFETY: the caller's promise.
    let bytes: &'static [u8] =
        unsafe { core::slice::from_raw_parts(from as *const u8, (limit - from) as usize) };
    let bases = BaseAddresses::default().set_eh_frame_hdr(from);
    let Ok(header) = EhFrameHdr::new(bytes, LittleEndian).parse(&bases, 8) else { return };
    let gimli::Pointer::Direct(eh_frame) = header.eh_frame_ptr() else { return };
    // `.eh_frame` is nearly always in the same segment; if not, it ends with the module at most.
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

/// Returns the system's path of the file that is mapped at `start`.
fn mapped_path(start: u64) -> Option<Vec<u8>> {
    let maps = std::fs::read("/proc/self/maps").ok()?;
    let beginning = format!("{start:x}-");
    let line = maps.split(|byte| *byte == b'\n').find(|line| {
        let digits = line.iter().take_while(|byte| **byte == b'0').count();
        line[digits..].starts_with(beginning.as_bytes())
    })?;
    let at = line.iter().position(|byte| *byte == b'/')?;
    Some(line[at..].to_vec())
}

fn flags(path: &[u8], start: u64, end: u64) -> u32 {
    let here = flags as *const () as u64;
    if (start..end).contains(&here) {
        return module_flag::AGENT;
    }
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
    if library::is_one_of(name, &library::RUNTIMES) { module_flag::RUNTIME } else { 0 }
}

/// Returns the build id in a note segment.
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
