//! The mappings of a process, and the program files among them.

/// One mapping of the process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mapping {
    /// First address.
    pub start: u64,
    /// One past the last.
    pub end: u64,
    /// The offset in the file at which it begins.
    pub offset: u64,
    /// The file as the process names it; empty for memory without a file.
    pub path: String,
    /// The file's number in its file system; 0 if not known.
    pub inode: u64,
    /// Its code may be executed.
    pub executable: bool,
    /// It may be written.
    pub writable: bool,
    /// Other processes may see writes to it.
    pub shared: bool,
}

impl Mapping {
    /// Whether it may be memory of several processes. Core files do not tell this, except by the
    /// names of files that are made for it.
    pub fn is_shared(&self) -> bool {
        const FILES: [&str; 4] = ["/dev/zero", "/dev/shm/", "/SYSV", "/memfd:"];
        self.shared || FILES.iter().any(|file| self.path.starts_with(file))
    }
}

/// A program or library: all mappings of one file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Module {
    /// The address of its ELF header.
    pub base: u64,
    /// One past its last address, zeroed data included.
    pub end: u64,
    /// One past its first mapping.
    pub first_end: u64,
    /// The file as the process names it.
    pub path: String,
    /// The file's number; 0 if not known.
    pub inode: u64,
    /// It has code, and is no file of data alone.
    pub executable: bool,
}

impl Module {
    /// The file's name without its folders.
    pub fn name(&self) -> &str {
        self.place().rsplit('/').next().unwrap_or_default()
    }

    /// The place of the file, or its place until it was deleted.
    pub fn place(&self) -> &str {
        self.path.strip_suffix(" (deleted)").unwrap_or(&self.path)
    }
}

/// Parses the text of `/proc/PID/maps`. Leaves out lines that make no sense.
pub fn of_maps(text: &str) -> Vec<Mapping> {
    text.lines().filter_map(line).collect()
}

fn line(line: &str) -> Option<Mapping> {
    let mut words = line.splitn(6, ' ');
    let (start, end) = words.next()?.split_once('-')?;
    let rights = words.next()?.as_bytes();
    let offset = words.next()?;
    let _device = words.next()?;
    let inode = words.next()?;
    let number = |text| u64::from_str_radix(text, 16).ok();
    let mapping = Mapping {
        start: number(start)?,
        end: number(end)?,
        offset: number(offset)?,
        path: words.next().unwrap_or("").trim_start().to_owned(),
        inode: inode.parse().ok()?,
        executable: rights.get(2) == Some(&b'x'),
        writable: rights.get(1) == Some(&b'w'),
        shared: rights.get(3) == Some(&b's'),
    };
    (mapping.start < mapping.end).then_some(mapping)
}

/// The program files among the mappings: adjacent mappings of one file from its beginning on, with
/// the zeroed data behind.
pub fn modules(mappings: &[Mapping]) -> Vec<Module> {
    let mut found: Vec<Module> = Vec::new();
    for mapping in mappings {
        let is_file = mapping.path.starts_with('/');
        let open = found.last_mut();
        match open {
            Some(module) if is_file && module.path == mapping.path && mapping.offset > 0 => {
                module.end = mapping.end;
                module.executable |= mapping.executable;
            }
            Some(module) if mapping.path.is_empty() && module.end == mapping.start => {
                module.end = mapping.end;
            }
            _ if mapping.offset == 0 && (is_file || mapping.path == "[vdso]") => {
                let Mapping { start: base, end, inode, executable, .. } = *mapping;
                let (first_end, path) = (end, mapping.path.clone());
                found.push(Module { base, end, first_end, path, inode, executable });
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_become_modules() {
        let text = "\
1000-2000 r--p 00000000 fe:00 12                         /a/b c
2000-3000 r-xp 00001000 fe:00 12                         /a/b c
3000-4000 rw-p 00002000 fe:00 12                         /a/b c
4000-5000 rw-p 00000000 00:00 0
9000-a000 rw-p 00000000 00:00 0                          [heap]
b000-c000 r--p 00000000 fe:00 13                         /lib/x.so (deleted)
c000-b000 r--p 00000000 fe:00 13                         /lib/x.so
nonsense
d000-e000 r-xp 00000000 00:00 0                          [vdso]
e000-f000 rw-s 00000000 fe:00 14                         /data
";
        let mappings = of_maps(text);
        assert_eq!(mappings.len(), 8);
        let found = modules(&mappings);
        let shown: Vec<_> = found.iter().map(|m| (m.base, m.end, m.name(), m.executable)).collect();
        assert_eq!(
            shown,
            [
                (0x1000, 0x5000, "b c", true),
                (0xb000, 0xc000, "x.so", false),
                (0xd000, 0xe000, "[vdso]", true),
                (0xe000, 0xf000, "data", false),
            ]
        );
    }
}
