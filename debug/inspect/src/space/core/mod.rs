//! A core file: memory from its segments, and from the files that it names for memory that it
//! leaves out.

mod notes;

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use object::elf::{FileHeader64, ProgramHeader64};
use object::read::elf::{FileHeader, ProgramHeader};
use object::{LittleEndian, elf};
use omphalos_ompd_view::asleep::{Kernel, Unasked, calls};
use omphalos_ompd_view::snapshot::Os;
use omphalos_ompd_view::{Fault, Registers, Target};

use super::{Mapping, Module, Space};
use notes::{mappings, named_files, number, status};

/// The most threads of a core file.
const MOST_THREADS: usize = 1 << 16;
/// The bytes from the beginning of each file that the kernel puts into a core: they distinguish it
/// from others.
const PAGE: u64 = 4096;

/// See the module.
pub struct Core {
    file: Mmap,
    segments: Vec<Segment>,
    mappings: Vec<Mapping>,
    threads: Vec<(u32, Registers)>,
    pid: Option<u32>,
    command: String,
    /// The program's file, if the user names it.
    program: Option<PathBuf>,
    files: RefCell<HashMap<String, Option<Mmap>>>,
    /// Notes about parts that could not be read.
    pub notes: Vec<String>,
}

struct Segment {
    start: u64,
    /// The bytes that the core file has.
    held: u64,
    offset: u64,
}

impl Core {
    /// Opens the core file at `path`. `program`: the program's file, if it is not at its place.
    pub fn open(path: &Path, program: Option<&Path>) -> Result<Core, Fault> {
        if let Some(program) = program
            && !program.is_file()
        {
            return Err(Fault::Unknown(format!("program {}", program.display())));
        }
        let not = || Fault::Nonsense(format!("{} is not a core file", path.display()));
        let file = map(path).ok_or_else(|| match path.exists() {
            true => not(),
            false => Fault::Unknown(format!("file {}", path.display())),
        })?;
        let little = LittleEndian;
        let data = &*file;
        let header = FileHeader64::<LittleEndian>::parse(data).map_err(|_| not())?;
        if header.e_type(little) != elf::ET_CORE {
            return Err(not());
        }
        if header.e_machine(little) != elf::EM_X86_64 {
            return Err(Fault::Unknown("way to read cores of other machines than x86-64".into()));
        }
        let headers = header.program_headers(little, data).map_err(|_| not())?.to_vec();
        let mut core = Core {
            segments: Vec::new(),
            mappings: Vec::new(),
            threads: Vec::new(),
            pid: None,
            command: String::new(),
            program: program.and_then(|program| program.canonicalize().ok()),
            files: RefCell::default(),
            notes: Vec::new(),
            file,
        };
        let length = core.file.len() as u64;
        let mut cut = 0;
        let mut loads = Vec::new();
        for header in &headers {
            let (offset, size) = header.file_range(little);
            match header.p_type(little) {
                elf::PT_LOAD => {
                    let held = size.min(length.saturating_sub(offset));
                    cut += size - held;
                    let start = header.p_vaddr(little);
                    core.segments.push(Segment { start, held, offset });
                    loads.push(*header);
                }
                elf::PT_NOTE if offset.checked_add(size).is_none_or(|end| end > length) => {
                    core.notes.push("the core file is cut off in its notes".into());
                }
                _ => {}
            }
        }
        if cut > 0 {
            core.notes.push(format!("the core file is cut off: {cut} bytes of memory are missing"));
        }
        let files = core.read_notes(&headers)?;
        core.segments.sort_by_key(|segment| segment.start);
        core.mappings = mappings(&loads, files);
        core.is_its_program()?;
        core.find_restarts();
        // In the file, the thread that died comes first.
        let pid = core.pid;
        core.threads.sort_by_key(|(lwp, _)| super::rank(pid, *lwp));
        if core.threads.is_empty() {
            return Err(Fault::Unknown(format!("threads in {}", path.display())));
        }
        Ok(core)
    }

    /// Compares the first page of the program's file with the copy in the core, which has the first
    /// page of each file that it names.
    fn is_its_program(&mut self) -> Result<(), Fault> {
        let Some(first) = self.mappings.iter().find(|mapping| mapping.path.starts_with('/')) else {
            return Ok(());
        };
        let Some(segment) = self.segments.iter().find(|segment| segment.start == first.start)
        else {
            return Ok(());
        };
        let place = self.place(first);
        let (died, held) = (first.path.clone(), segment.held.min(PAGE) as usize);
        let at = segment.offset as usize;
        let (Some(was), Some(file)) = (self.file.get(at..at.saturating_add(held)), map(&place))
        else {
            return Ok(());
        };
        let place = place.display();
        if file.get(..held) == Some(was) {
            Ok(())
        } else if self.program.is_some() {
            Err(Fault::Nonsense(format!("{place} is not the program that died: that is {died}")))
        } else {
            self.notes.push(format!("{place} is another one now: names and lines may be wrong"));
            Ok(())
        }
    }

    /// Finds threads that are about to begin a call again. When a signal's handler has returned,
    /// the thread is in front of the interrupted call, with the call's number in its register, and
    /// nothing says that it is in the call.
    fn find_restarts(&mut self) {
        const SYSCALL: [u8; 2] = [0x0f, 0x05];
        for at in 0..self.threads.len() {
            let registers = self.threads[at].1;
            let mut code = [0; 2];
            if registers.call[1] == u64::MAX
                && self.piece(registers.rip, &mut code) == Some(2)
                && code == SYSCALL
            {
                let call = &mut self.threads[at].1.call;
                call[1] = std::mem::replace(&mut call[0], calls::INTERRUPTED);
            }
        }
    }

    fn read_notes(
        &mut self,
        headers: &[ProgramHeader64<LittleEndian>],
    ) -> Result<Vec<Mapping>, Fault> {
        let little = LittleEndian;
        let mut files = Vec::new();
        let data = &*self.file;
        for header in headers {
            let Ok(Some(mut notes)) = header.notes(little, data) else { continue };
            while let Ok(Some(note)) = notes.next() {
                let text = note.desc();
                match note.n_type(little) {
                    elf::NT_PRSTATUS if self.threads.len() < MOST_THREADS => {
                        self.threads.extend(status(text));
                    }
                    elf::NT_PRPSINFO => {
                        self.pid = text.get(24..28).map(|bytes| number(bytes) as u32);
                        let words = text.get(56..).unwrap_or_default();
                        let words = words.split(|byte| *byte == 0).next().unwrap_or_default();
                        self.command = String::from_utf8_lossy(words).trim().to_owned();
                    }
                    elf::NT_FILE => files = named_files(text).unwrap_or_default(),
                    _ => {}
                }
            }
        }
        Ok(files)
    }

    fn mapping(&self, address: u64) -> Option<&Mapping> {
        let next = self.mappings.partition_point(|mapping| mapping.start <= address);
        self.mappings.get(next.checked_sub(1)?).filter(|mapping| address < mapping.end)
    }

    /// Reads from `address` on as many bytes as are in one piece.
    fn piece(&self, address: u64, into: &mut [u8]) -> Option<usize> {
        let next = self.segments.partition_point(|segment| segment.start <= address);
        let segment = next.checked_sub(1).map(|at| &self.segments[at]);
        if let Some(segment) = segment
            && address - segment.start < segment.held
        {
            let skip = address - segment.start;
            let size = (segment.held - skip).min(into.len() as u64) as usize;
            let at = segment.offset.checked_add(skip)? as usize;
            into[..size].copy_from_slice(self.file.get(at..at.checked_add(size)?)?);
            return Some(size);
        }
        // Writable memory is in the core or nowhere: the mapped file has old values.
        let mapping = self.mapping(address).filter(|m| m.path.starts_with('/') && !m.writable)?;
        let mut files = self.files.borrow_mut();
        let file = files.entry(mapping.path.clone()).or_insert_with(|| map(&self.place(mapping)));
        let skip = address - mapping.start;
        let at = usize::try_from(mapping.offset.checked_add(skip)?).ok()?;
        let rest = file.as_ref()?.get(at..).filter(|rest| !rest.is_empty())?;
        let size = rest.len().min(into.len()).min((mapping.end - address) as usize);
        into[..size].copy_from_slice(&rest[..size]);
        Some(size)
    }

    fn place(&self, mapping: &Mapping) -> PathBuf {
        let first = self.mappings.iter().find(|mapping| mapping.path.starts_with('/'));
        match &self.program {
            // The program is the file that is mapped lowest, or has the same name.
            Some(program)
                if first.is_some_and(|first| first.path == mapping.path)
                    || program.file_name() == Path::new(&mapping.path).file_name() =>
            {
                program.clone()
            }
            _ => PathBuf::from(&mapping.path),
        }
    }
}

/// Maps a plain file. The path comes from a core file: a device or a pipe that it names is not
/// opened.
fn map(path: &Path) -> Option<Mmap> {
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let file = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    // SAFETY: private and read-only. If another process shortens the file while it is read, this
    // program ends; it only reads.
    unsafe { Mmap::map(&file) }.ok()
}

impl Target for Core {
    fn read(&self, address: u64, into: &mut [u8]) -> Result<(), Fault> {
        let fault = Fault::Unreadable { address, bytes: into.len() };
        let mut done = 0;
        while done < into.len() {
            let at = address.checked_add(done as u64);
            match at.and_then(|at| self.piece(at, &mut into[done..])) {
                Some(size) if size > 0 => done += size,
                _ => return Err(fault),
            }
        }
        Ok(())
    }

    fn symbol(&self, name: &str, library: Option<&str>) -> Result<u64, Fault> {
        super::exported(self, name, library)
    }

    fn threads(&self) -> Result<Vec<u32>, Fault> {
        Ok(self.threads.iter().map(|(lwp, _)| *lwp).collect())
    }

    fn registers(&self, lwp: u32) -> Result<Registers, Fault> {
        let known = self.threads.iter().find(|(known, _)| *known == lwp);
        let known = known.map(|(_, registers)| *registers);
        known.ok_or_else(|| Fault::Unknown(format!("registers of thread {lwp}")))
    }
}

impl Space for Core {
    fn mappings(&self) -> &[Mapping] {
        &self.mappings
    }

    fn pid(&self) -> Option<u32> {
        self.pid
    }

    fn command(&self) -> Vec<String> {
        self.command.split_ascii_whitespace().map(str::to_owned).collect()
    }

    fn os(&self, lwp: u32) -> (String, Option<Os>) {
        let known = self.registers(lwp).ok();
        let state = match known {
            Some(registers) if calls::in_call(&registers).is_some() => "S",
            Some(_) => "R",
            None => return (String::new(), None),
        };
        (String::new(), Some(Os { state: state.to_owned(), ..Os::default() }))
    }

    fn kernel(&self) -> &dyn Kernel {
        &Unasked
    }

    fn file(&self, module: &Module) -> Option<String> {
        let mapping = Mapping { path: module.path.clone(), ..Mapping::default() };
        Some(self.place(&mapping).to_string_lossy().into_owned())
    }

    fn as_target(&self) -> &dyn Target {
        self
    }
}
