//! The places of this installation's libraries: relative to the program itself, so that the
//! installed tree can be copied anywhere.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The installed tree that this program belongs to.
pub struct Installation {
    lib: PathBuf,
}

impl Installation {
    /// Finds the tree from the place of the running program: `bin/omphalos` beside `lib/`.
    pub fn find() -> Result<Self, Failure> {
        let program = std::env::current_exe()
            .map_err(|error| Failure::ours(format!("cannot find my own place: {error}")))?;
        let lib = program.parent().and_then(Path::parent).map(|tree| tree.join("lib"));
        Ok(Self { lib: lib.unwrap_or_else(|| "/usr/local/lib".into()) })
    }

    /// The program itself.
    pub fn program(&self) -> PathBuf {
        self.lib.with_file_name("bin").join("omphalos")
    }

    /// The folder of the runtime and its other names.
    pub fn lib(&self) -> &Path {
        &self.lib
    }

    /// The folder with a library for each of the runtime's other names (`libgomp.so.1`, say). A
    /// link would not do: once the runtime is loaded, the loader counts a link to it as loaded too,
    /// even if nothing asked for that name.
    pub fn names(&self) -> PathBuf {
        self.lib.join("ldconfig")
    }

    /// The folder of `libomptarget.so`, with which programs of LLVM's compilers find the devices
    /// that the host plays.
    pub fn devices(&self) -> PathBuf {
        self.lib.join("omptarget")
    }

    /// Whether a file is in this installation's `lib`, as the runtime and its other names are.
    pub fn owns(&self, path: &Path) -> bool {
        let real = |path: &Path| path.canonicalize().ok();
        let ours = real(&self.lib);
        ours.is_some_and(|ours| real(path).is_some_and(|real| real.starts_with(ours)))
    }

    /// The path of the runtime.
    pub fn runtime_path(&self) -> PathBuf {
        self.lib.join("libomphalos.so")
    }

    /// The path of the agent.
    pub fn agent_path(&self) -> PathBuf {
        self.lib.join("omphalos/libomphalos_agent.so")
    }

    /// Returns the recorder of OMPT events, or the remedy if it is not there.
    pub fn recorder(&self) -> Result<PathBuf, Failure> {
        present(self.lib.join("omphalos/libomphalos_recorder.so"), "recorder of events")
    }

    /// Returns the folder of the tools' headers, or the remedy if they are not there.
    pub fn headers(&self) -> Result<PathBuf, Failure> {
        let folder = self.lib.parent().unwrap_or(&self.lib).join("include");
        present(folder.join("ompt-2013.h"), "header of OMPT of 2013").map(|_| folder)
    }

    /// Returns the runtime, or the remedy if it is not there.
    pub fn runtime(&self) -> Result<PathBuf, Failure> {
        present(self.runtime_path(), "runtime")
    }

    /// Returns the agent, or the remedy if it is not there.
    pub fn agent(&self) -> Result<PathBuf, Failure> {
        present(self.agent_path(), "profiling agent")
    }
}

fn present(path: PathBuf, what: &str) -> Result<PathBuf, Failure> {
    if path.is_file() {
        return Ok(path);
    }
    Err(Failure::ours(format!(
        "the {what} is not at {}: keep bin/ and lib/ of the installed tree together, or install \
         Omphalos anew",
        path.display()
    )))
}
