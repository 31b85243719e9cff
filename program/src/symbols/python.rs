//! Places in Python code: in a recorded stack, their addresses are unlike those of machine code
//! ([`omphalos_profile_format::python`]).

use std::path::Path;
use std::rc::Rc;

use omphalos_profile_format::{PythonCode, python};

use super::functions::Function;
use super::{Role, Symbols};
use crate::maps::HashMap;
use crate::visible::visible;

/// All code that a process recorded.
pub type Codes = HashMap<u32, Code>;

/// One function's code, or a module's.
#[derive(Clone, Debug)]
pub struct Code {
    file: Rc<str>,
    name: Rc<str>,
    version: u32,
    first_line: u32,
    lines: Box<[u8]>,
}

impl Code {
    /// Makes it from the record.
    pub fn new(record: &PythonCode<'_>) -> Code {
        Code {
            file: visible(&python_text(record.file, record.file_width)).into(),
            name: visible(&python_text(record.name, record.name_width)).into(),
            version: record.version,
            first_line: record.first_line,
            lines: record.lines.into(),
        }
    }

    /// The place of an instruction, by its number in the code.
    pub fn place(&self, unit: u64) -> PythonPlace {
        let line = omphalos_python::line(self.version, &self.lines, self.first_line, unit);
        PythonPlace {
            file: self.file.clone(),
            name: self.name.clone(),
            line: line.unwrap_or(self.first_line),
            is_r: self.version == omphalos_python::OF_R,
        }
    }
}

/// A place in code of Python's.
#[derive(Clone, Debug)]
pub struct PythonPlace {
    /// The file, as the interpreter names it.
    pub file: Rc<str>,
    /// The function with its scopes; `<module>` is a file's own code.
    pub name: Rc<str>,
    /// The line; 0: not known, as may be the case for a function of R's.
    pub line: u32,
    /// It is R code.
    pub is_r: bool,
}

impl PythonPlace {
    /// Whether it is code of the interpreter itself that finds and loads modules.
    pub fn is_of_imports(&self) -> bool {
        self.file.starts_with("<frozen importlib") || &*self.file == "<frozen zipimport>"
    }

    /// Whether it is code of the interpreter itself that begins a program (`python -m`).
    pub fn is_of_start(&self) -> bool {
        &*self.file == "<frozen runpy>"
    }

    /// The module whose own code this is, by its name in `import`: the folders around its file that
    /// are packages belong to the name.
    pub fn module(&self) -> Option<String> {
        if &*self.name != "<module>" {
            return None;
        }
        let path = Path::new(&*self.file).with_extension("");
        let mut folder = path.parent();
        let mut names = vec![path.file_name()?.to_str()?];
        while let Some(package) = folder.filter(|folder| folder.join("__init__.py").is_file()) {
            names.push(package.file_name()?.to_str()?);
            folder = package.parent();
        }
        if names[0] == "__init__" && names.len() > 1 {
            names.remove(0);
        }
        names.reverse();
        Some(names.join("."))
    }

    /// The text for a frame that calls others.
    pub fn call(&self) -> String {
        let file = self.file.rsplit('/').next().unwrap_or(&self.file);
        match self.line {
            0 if self.is_r => self.name.to_string(),
            line => format!("{file}:{line} in {}", self.name),
        }
    }
}

impl Symbols {
    /// Takes the records of a process's code. The process began in the folder `from`.
    pub fn set_python(&mut self, codes: Codes, from: &Path) {
        self.python = codes;
        for code in self.python.values_mut() {
            let path = from.join(&*code.file);
            if Path::new(&*code.file).is_relative() && path.is_file() {
                code.file = path.to_string_lossy().into();
            }
        }
    }

    /// The place in Python code that an address of a stack stands for; `None` for any other
    /// address. For code without a record, nothing is known.
    pub fn python(&self, pc: u64) -> Option<PythonPlace> {
        let (code, unit) = python::parts(pc)?;
        let unknown =
            || PythonPlace { file: "?".into(), name: "Python code".into(), line: 0, is_r: false };
        let place = self.python.get(&code).map(|code| code.place(unit));
        Some(place.unwrap_or_else(unknown))
    }

    /// Whether a frame of machine code only executes Python code, or makes calls for it: the
    /// interpreter, its `ctypes`, and the library with which that makes calls. The same for R code.
    pub fn is_of_python(&self, pc: u64, is_r: bool) -> bool {
        if is_r {
            return self.interpreter(pc) == Some("<R interpreter>");
        }
        const BRIDGES: [&str; 3] = ["_ctypes.", "libffi", "_cffi_backend."];
        let is_bridge = |file: &str| BRIDGES.iter().any(|begin| file.starts_with(begin));
        self.interpreter(pc) == Some("<Python interpreter>")
            || self.module(pc).is_some_and(|module| is_bridge(&module.short))
    }
}

/// A place as a function with its line.
pub(super) fn function(place: PythonPlace) -> Function {
    Function {
        role: Role::User,
        shown: place.name,
        named: true,
        file: Some(place.file).filter(|file| !file.is_empty()),
        line: place.line,
        near: place.line,
        start: None,
    }
}

/// A string of the interpreter's. `width`: the bytes of a letter; 0 for UTF-8.
pub fn python_text(bytes: &[u8], width: u32) -> String {
    let letter = |number: u32| char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER);
    match width {
        0 => String::from_utf8_lossy(bytes).into_owned(),
        2 => {
            let (letters, _) = bytes.as_chunks::<2>();
            letters.iter().map(|two| letter(u32::from(u16::from_le_bytes(*two)))).collect()
        }
        4 => {
            let (letters, _) = bytes.as_chunks::<4>();
            letters.iter().map(|four| letter(u32::from_le_bytes(*four))).collect()
        }
        _ => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_any_width() {
        assert_eq!(
            python_text("träin".chars().map(|c| c as u8).collect::<Vec<u8>>().as_slice(), 1),
            "träin"
        );
        let two: Vec<u8> = "λx".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(python_text(&two, 2), "λx");
        let four: Vec<u8> = "🐍".chars().flat_map(|c| (c as u32).to_le_bytes()).collect();
        assert_eq!(python_text(&four, 4), "🐍");
    }

    #[test]
    fn a_module_has_the_name_of_its_import() {
        let folder = std::env::temp_dir().join(format!("omphalos-imports-{}", std::process::id()));
        let within = |name: &str| folder.join(name).to_string_lossy().into_owned();
        std::fs::create_dir_all(within("numpy/linalg")).expect("folders");
        for package in ["numpy/__init__.py", "numpy/linalg/__init__.py"] {
            std::fs::write(within(package), "").expect("a file");
        }
        for (file, name) in [
            ("numpy/linalg/__init__.py", "numpy.linalg"),
            ("numpy/linalg/lapack.py", "numpy.linalg.lapack"),
            ("train.py", "train"),
        ] {
            let (file, name_of_code) = (within(file).into(), "<module>".into());
            let place = PythonPlace { file, name: name_of_code, line: 1, is_r: false };
            assert_eq!(place.module().as_deref(), Some(name));
        }
        let _ = std::fs::remove_dir_all(&folder);
        let own = PythonPlace {
            file: "/a/train.py".into(),
            name: "Model.fit".into(),
            line: 42,
            is_r: false,
        };
        assert_eq!(own.module(), None);
        assert_eq!(own.call(), "train.py:42 in Model.fit");
        let of_r = PythonPlace { line: 0, is_r: true, ..own };
        assert_eq!(of_r.call(), "Model.fit");
    }
}
