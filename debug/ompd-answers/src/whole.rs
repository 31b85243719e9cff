//! Questions about the whole process.

use crate::{Answer, Held, Kind};

impl Held {
    /// The version of OpenMP, as `_OPENMP` has it.
    pub fn openmp(&self) -> Answer<i64> {
        Ok(self.of(Kind::Space)?.space.runtime().openmp()?)
    }

    /// The runtime's name and version.
    pub fn runtime_name(&self) -> String {
        self.space.runtime().version().to_owned()
    }

    /// The settings of the process, each as `NAME=VALUE`, by the names of the environment.
    pub fn control_variables(&self) -> Answer<Vec<String>> {
        let runtime = self.of(Kind::Space)?.space.runtime();
        // The runtime reads the values from the target one by one, and leaves out those that it
        // cannot read.
        Ok(runtime.control_variables())
    }
}
