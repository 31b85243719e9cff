//! Says what a thread in an MPI function waits for, and what to ask about the other processes.

/// Functions that every process of a communicator (a window, a file) calls, by the beginnings of
/// their names.
const COLLECTIVE: [&str; 20] = [
    "Allgather", "Allreduce", "Alltoall", "Barrier", "Bcast", "Cart_create", "Comm_create",
    "Comm_dup", "Comm_split", "Exscan", "File_close", "File_open", "Finalize", "Gather", "Init",
    "Neighbor_", "Reduce", "Scan", "Scatter", "Win_",
];

/// The functions that take the lock of a window, by the beginning of their names.
const LOCKS_WINDOW: &str = "Win_lock";

/// Whether a function takes the lock of a window of memory that ranks share.
pub fn locks_window(function: &str) -> bool {
    let name = function.trim_start_matches('P').strip_prefix("MPI_");
    name.is_some_and(|name| name.starts_with(LOCKS_WINDOW))
}

/// Whether every rank of a communicator calls a function.
pub fn is_collective(function: &str) -> bool {
    let name = function.trim_start_matches('P').trim_start_matches("MPI_");
    let is_of_some = ["Win_lock", "Win_unlock", "Win_flush"].iter().any(|of| name.starts_with(of));
    !is_of_some && COLLECTIVE.iter().any(|beginning| name.starts_with(beginning))
}

/// Whether a function asks whether a message has come, or an operation has ended, and does not
/// wait.
pub fn is_question(function: &str) -> bool {
    let name = function.trim_start_matches('P').strip_prefix("MPI_");
    const ASK: [&str; 6] = ["Test", "Testall", "Testany", "Testsome", "Iprobe", "Improbe"];
    name.is_some_and(|name| ASK.contains(&name))
}

/// Whether a function waits until a message is received, and receives none itself.
pub fn only_sends(function: &str) -> bool {
    let name = function.trim_start_matches('P').strip_prefix("MPI_");
    name.is_some_and(|name| ["Send", "Ssend", "Rsend"].contains(&name))
}

/// Operations with a root, by the beginnings of their names.
const ROOTED: [&str; 4] = ["Bcast", "Gather", "Reduce", "Scatter"];

/// The begin of the words about such an operation's root: "root 1 of its communicator".
pub const ROOT: &str = "root ";

/// The missing thing, and the question about the other processes of the job.
pub fn of(function: &str) -> (&'static str, &'static str) {
    let name = function.trim_start_matches('P').trim_start_matches("MPI_");
    // One rank alone locks the window of another one, and sends and fetches there.
    if name.starts_with(LOCKS_WINDOW) {
        return (
            "another rank has a lock of that window and has not given it back (MPI_Win_unlock)",
            "which one took the lock of the window, and left it taken?",
        );
    }
    if ["Win_unlock", "Win_flush"].iter().any(|beginning| name.starts_with(beginning)) {
        return (
            "its operations on the window do not end",
            "which one took the lock of the window, and left it taken?",
        );
    }
    let is_rooted = ROOTED.iter().any(|beginning| name.starts_with(beginning));
    if is_rooted && !name.starts_with("Reduce_scatter") {
        return (
            "not all processes that take part have come to it with the same root",
            "which one stands elsewhere, in another such operation, or names another root?",
        );
    }
    if is_collective(function) {
        return (
            "not all processes that take part have come to it",
            "which one stands elsewhere, or in another such operation?",
        );
    }
    match name {
        "Send" | "Ssend" | "Rsend" => (
            "the message that it sends is not received",
            "is there one that receives it, with this tag, from this rank?",
        ),
        "Wait" | "Waitall" | "Waitany" | "Waitsome" | "Test" | "Testall" | "Testany"
        | "Testsome" => (
            "the operations that it waits for do not end",
            "is there one that sends or receives what they are for, with their tags?",
        ),
        _ => (
            "the message that it waits for has not come",
            "is there one that sends it, with this tag, to this rank?",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn each_kind_of_function_has_its_question() {
        let missing = |function| of(function).0;
        for collective in ["MPI_Barrier", "PMPI_Bcast", "MPI_Reduce_scatter", "MPI_Win_fence"] {
            assert!(missing(collective).contains("not all processes"), "{collective}");
        }
        assert!(missing("MPI_Win_lock").contains("MPI_Win_unlock"));
        assert!(missing("PMPI_Ssend").contains("sends"));
        assert!(missing("MPI_Sendrecv").contains("has not come"));
        assert!(missing("MPI_Recv").contains("has not come"));
        assert!(missing("MPI_Waitall").contains("do not end"));
    }
}
