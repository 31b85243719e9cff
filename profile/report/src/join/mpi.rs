//! The names of MPI's functions.

/// Returns `MPI_Barrier` for that name, for `PMPI_Barrier`, and for Fortran's names of it; `None`
/// if the function is not MPI's.
pub(crate) fn name(function: &str) -> Option<String> {
    if let Some(call) = function.strip_prefix('P').unwrap_or(function).strip_prefix("MPI_") {
        let is_call = call.starts_with(|c: char| c.is_ascii_uppercase());
        return is_call.then(|| format!("MPI_{call}"));
    }
    let fortran = function.strip_prefix('p').unwrap_or(function);
    let fortran = fortran.strip_prefix("mpi_")?.trim_end_matches('_');
    let fortran = ["_f08ts", "_f08", "_f"].iter().find_map(|end| fortran.strip_suffix(end));
    let call = fortran.or_else(|| function.strip_prefix("mpi_")?.strip_suffix('_'))?;
    let call = call.trim_end_matches('_');
    let mut letters = call.chars();
    Some(format!("MPI_{}{}", letters.next()?.to_uppercase(), letters.as_str()))
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn calls_are_known_by_their_names() {
        for barrier in
            ["MPI_Barrier", "PMPI_Barrier", "mpi_barrier_", "pmpi_barrier_f", "mpi_barrier__"]
        {
            assert_eq!(name(barrier).as_deref(), Some("MPI_Barrier"), "{barrier}");
        }
        for other in ["main", "MPI_", "mpi_io", "ompi_coll_base", "MPIR_Wait", "mpi_barrier"] {
            assert_eq!(name(other), None, "{other}");
        }
    }
}
