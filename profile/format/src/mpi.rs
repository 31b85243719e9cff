//! The facts about MPI that writer and reader share: the names of its functions, by number, and the
//! collective calls that have a record of their own.

/// The functions of MPI whose calls are timed. A record stores a place in this list instead of a
/// name: names are only ever added at its end.
pub const CALLS: &[&str] = &[
    "Init", "Init_thread", "Finalize", "Send", "Bsend", "Ssend", "Rsend", "Recv", "Mrecv",
    "Sendrecv", "Sendrecv_replace", "Probe", "Mprobe", "Isend", "Ibsend", "Issend", "Irsend",
    "Irecv", "Imrecv", "Iprobe", "Improbe", "Wait", "Waitall", "Waitany", "Waitsome", "Test",
    "Testall", "Testany", "Testsome", "Start", "Startall", "Barrier", "Bcast", "Gather", "Gatherv",
    "Scatter", "Scatterv", "Allgather", "Allgatherv", "Alltoall", "Alltoallv", "Alltoallw",
    "Reduce", "Allreduce", "Reduce_scatter", "Reduce_scatter_block", "Scan", "Exscan", "Ibarrier",
    "Ibcast", "Igather", "Igatherv", "Iscatter", "Iscatterv", "Iallgather", "Iallgatherv",
    "Ialltoall", "Ialltoallv", "Ialltoallw", "Ireduce", "Iallreduce", "Ireduce_scatter",
    "Ireduce_scatter_block", "Iscan", "Iexscan", "Neighbor_allgather", "Neighbor_allgatherv",
    "Neighbor_alltoall", "Neighbor_alltoallv", "Neighbor_alltoallw", "Comm_dup", "Comm_split",
    "Comm_create", "Comm_split_type", "Cart_create", "Comm_free", "Comm_spawn", "Put", "Get",
    "Accumulate", "Get_accumulate", "Fetch_and_op", "Compare_and_swap", "Win_create",
    "Win_allocate", "Win_fence", "Win_free", "Win_lock", "Win_lock_all", "Win_unlock",
    "Win_unlock_all", "Win_flush", "Win_flush_all", "Win_flush_local", "Win_post", "Win_start",
    "Win_complete", "Win_wait", "File_open", "File_close", "File_read", "File_read_all",
    "File_read_at", "File_read_at_all", "File_write", "File_write_all", "File_write_at",
    "File_write_at_all", "File_sync", "Send_init", "Bsend_init", "Ssend_init", "Rsend_init",
    "Recv_init", "Request_free", "Cancel", "Isendrecv", "Isendrecv_replace", "Psend_init",
    "Precv_init", "Pready", "Pready_list", "Pready_range", "Parrived", "Buffer_attach",
    "Buffer_detach", "Pack", "Unpack", "Reduce_local", "Ineighbor_allgather",
    "Ineighbor_allgatherv", "Ineighbor_alltoall", "Ineighbor_alltoallv", "Ineighbor_alltoallw",
    "Comm_idup", "Comm_dup_with_info", "Comm_create_group", "Comm_disconnect",
    "Comm_spawn_multiple", "Comm_accept", "Comm_connect", "Cart_sub", "Graph_create",
    "Dist_graph_create", "Dist_graph_create_adjacent", "Intercomm_create", "Intercomm_merge",
    "Rput", "Rget", "Raccumulate", "Rget_accumulate", "Win_allocate_shared", "Win_create_dynamic",
    "Win_test", "Win_sync", "Win_flush_local_all", "File_iread", "File_iwrite", "File_iread_at",
    "File_iwrite_at", "File_iread_all", "File_iwrite_all", "File_iread_at_all",
    "File_iwrite_at_all", "File_read_shared", "File_write_shared", "File_read_ordered",
    "File_write_ordered", "File_seek", "File_set_view", "File_set_size", "File_preallocate",
    "File_read_all_begin", "File_read_all_end", "File_write_all_begin", "File_write_all_end",
    "File_read_at_all_begin", "File_read_at_all_end", "File_write_at_all_begin",
    "File_write_at_all_end", "Barrier_init", "Bcast_init", "Gather_init", "Gatherv_init",
    "Scatter_init", "Scatterv_init", "Allgather_init", "Allgatherv_init", "Alltoall_init",
    "Alltoallv_init", "Alltoallw_init", "Reduce_init", "Allreduce_init", "Reduce_scatter_init",
    "Reduce_scatter_block_init", "Scan_init", "Exscan_init", "Neighbor_allgather_init",
    "Neighbor_allgatherv_init", "Neighbor_alltoall_init", "Neighbor_alltoallv_init",
    "Neighbor_alltoallw_init", "File_iread_shared", "File_iwrite_shared", "File_seek_shared",
    "File_get_position_shared", "File_read_ordered_begin", "File_read_ordered_end",
    "File_write_ordered_begin", "File_write_ordered_end",
];

/// Returns the place in [`CALLS`] of a function, whose name is without `MPI_`.
pub const fn number(name: &str) -> Option<u32> {
    let mut at = 0;
    while at < CALLS.len() {
        if is_same(CALLS[at].as_bytes(), name.as_bytes()) {
            return Some(at as u32);
        }
        at += 1;
    }
    None
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// How many collective calls of one communicator each have a record; then as many in each further
/// doubling.
const MEETINGS: u64 = 4096;

/// Returns the step between the recorded collective calls of a communicator around this number: a
/// call has a record if the step divides its number. All processes of the communicator choose
/// alike, without communication.
pub const fn step(sequence: u64) -> u64 {
    match sequence / MEETINGS {
        0 => 1,
        times => 1 << times.ilog2(),
    }
}

/// How many messages of one channel each have a record; then as many in each further doubling.
const MESSAGES: u64 = 256;

/// As [`step`], for the messages of one channel.
pub const fn message_step(sequence: u64) -> u64 {
    match sequence / MESSAGES {
        0 => 1,
        times => 1 << times.ilog2(),
    }
}

/// Whether the message with this number has a record.
pub const fn has_message_record(sequence: u64) -> bool {
    sequence.is_multiple_of(message_step(sequence))
}

/// Whether the collective call with this number has a record.
pub const fn has_record(sequence: u64) -> bool {
    sequence.is_multiple_of(step(sequence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_numbers() {
        for (at, name) in CALLS.iter().enumerate() {
            assert_eq!(number(name), Some(at as u32));
        }
        assert_eq!(number("Wtime"), None);
    }

    #[test]
    fn records_of_meetings_are_few() {
        let kept = |until: u64| (0..until).filter(|number| has_record(*number)).count() as u64;
        assert_eq!(kept(MEETINGS), MEETINGS);
        for doublings in 1..8 {
            let all = MEETINGS << doublings;
            assert_eq!(kept(all), MEETINGS * (doublings + 1));
            let stood_for: u64 = (0..all).filter(|number| has_record(*number)).map(step).sum();
            assert_eq!(stood_for, all);
        }
    }
}
