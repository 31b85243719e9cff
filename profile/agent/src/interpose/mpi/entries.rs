//! The functions with MPI's names: C's, and the names that Fortran's compilers make of them.
//!
//! What must hold: all arguments of a function are integers and addresses, and there are no more of
//! them than the stub passes on; the real function gets the same call.

use super::requests::Asks;
use super::{Entry, Kind, begins, ends};
use core::ffi::CStr;
use omphalos_profile_format::mpi;

const fn text(name: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(name.as_bytes()) {
        Ok(name) => name,
        Err(_) => c"",
    }
}

/// Defines one exported function. Its frame has the arguments in order where
/// [`Frame`](super::Frame) has them: six of registers, and further up those of the stack.
macro_rules! entry {
    ($call:literal, $kind:expr, $is_fortran:literal, $($part:expr),+) => {
        const _: () = {
            static ENTRY: Entry = Entry::new(
                mpi::number($call),
                text(concat!($($part,)+ "\0")),
                $kind,
                $is_fortran,
            );

            /// MPI's function of this name.
            ///
            /// # Safety
            /// As MPI's.
            #[unsafe(export_name = concat!($($part),+))]
            #[unsafe(naked)]
            unsafe extern "C" fn entry() {
                core::arch::naked_asm!(
                    ".cfi_startproc",
                    "push rbp",
                    ".cfi_def_cfa_offset 16",
                    ".cfi_offset rbp, -16",
                    "mov rbp, rsp",
                    ".cfi_def_cfa_register rbp",
                    "sub rsp, 64",
                    "mov [rbp - 64], rdi",
                    "mov [rbp - 56], rsi",
                    "mov [rbp - 48], rdx",
                    "mov [rbp - 40], rcx",
                    "mov [rbp - 32], r8",
                    "mov [rbp - 24], r9",
                    "lea rdi, [rip + {entry}]",
                    "lea rsi, [rbp - 64]",
                    "call {begins}",
                    "mov r11, rax",
                    // The words after the caller's address may be arguments.
                    "push qword ptr [rbp + 72]",
                    "push qword ptr [rbp + 64]",
                    "push qword ptr [rbp + 56]",
                    "push qword ptr [rbp + 48]",
                    "push qword ptr [rbp + 40]",
                    "push qword ptr [rbp + 32]",
                    "push qword ptr [rbp + 24]",
                    "push qword ptr [rbp + 16]",
                    "mov rdi, [rbp - 64]",
                    "mov rsi, [rbp - 56]",
                    "mov rdx, [rbp - 48]",
                    "mov rcx, [rbp - 40]",
                    "mov r8, [rbp - 32]",
                    "mov r9, [rbp - 24]",
                    "call r11",
                    "mov [rbp - 16], rax",
                    "lea rdi, [rip + {entry}]",
                    "lea rsi, [rbp - 64]",
                    "call {ends}",
                    "mov rax, [rbp - 16]",
                    "leave",
                    ".cfi_def_cfa rsp, 8",
                    "ret",
                    ".cfi_endproc",
                    entry = sym ENTRY,
                    begins = sym begins,
                    ends = sym ends,
                )
            }
        };
    };
}

/// Lists each function with its name, Fortran's spelling of the name, the end of the name that C's
/// form with large counts has if there is one (MPI 4.0, section 2.5.8), and the meaning of its
/// arguments. A large count is an argument in the place of a usual one.
macro_rules! entries {
    ($($name:literal $lower:literal $($large:literal)?: $kind:expr;)*) => {
        $(
            entry!($name, $kind, false, "MPI_", $name);
            $(entry!($name, $kind, false, "MPI_", $name, $large);)?
            entry!($name, $kind, true, "mpi_", $lower, "_");
            entry!($name, $kind, true, "mpi_", $lower, "__");
            entry!($name, $kind, true, "mpi_", $lower, "_f08_");
            entry!($name, $kind, true, "mpi_", $lower, "_f08ts_");
        )*
    };
}

const fn collective(communicator: usize) -> Kind {
    Kind::Collective { communicator, root: None }
}

const fn rooted(communicator: usize, root: usize) -> Kind {
    Kind::Collective { communicator, root: Some(root) }
}

const fn begins_collective(communicator: usize, request: usize) -> Kind {
    Kind::Begins { communicator, root: None, request }
}

const fn begins_rooted(communicator: usize, root: usize, request: usize) -> Kind {
    Kind::Begins { communicator, root: Some(root), request }
}

const fn window(communicator: usize, new: usize) -> Kind {
    Kind::CreatesWindow { communicator, new }
}

const fn creates(communicator: usize, new: usize) -> Kind {
    Kind::Creates { communicator, new }
}

// In all of these, the other process's rank is the fourth argument, and the tag the fifth.
const SEND: Kind = Kind::Message { parts: &[(3, 4, true)], communicator: 5, last: 6 };
const RECEIVE: Kind = Kind::Message { parts: &[(3, 4, false)], communicator: 5, last: 6 };
const STARTS_SEND: Kind = Kind::Starts { parts: &[(3, 4, true)], communicator: 5, last: 6 };
const STARTS_RECEIVE: Kind = Kind::Starts { parts: &[(3, 4, false)], communicator: 5, last: 6 };
const KEEPS_SEND: Kind = Kind::Keeps { part: (3, 4, true), communicator: 5, last: 6 };
const KEEPS_RECEIVE: Kind = Kind::Keeps { part: (3, 4, false), communicator: 5, last: 6 };
const EXCHANGE: Kind =
    Kind::Message { parts: &[(3, 4, true), (8, 9, false)], communicator: 10, last: 11 };
const REPLACE: Kind =
    Kind::Message { parts: &[(3, 4, true), (5, 6, false)], communicator: 7, last: 8 };

entries! {
    "Init" "init": Kind::Init;
    "Init_thread" "init_thread": Kind::InitThread;
    "Finalize" "finalize": Kind::Finalize;
    "Send" "send" "_c": SEND;
    "Bsend" "bsend" "_c": SEND;
    "Ssend" "ssend" "_c": SEND;
    "Rsend" "rsend" "_c": SEND;
    "Recv" "recv" "_c": RECEIVE;
    "Mrecv" "mrecv" "_c": Kind::Plain;
    "Sendrecv" "sendrecv" "_c": EXCHANGE;
    "Sendrecv_replace" "sendrecv_replace" "_c": REPLACE;
    "Probe" "probe": Kind::Plain;
    "Mprobe" "mprobe": Kind::Plain;
    "Isend" "isend" "_c": STARTS_SEND;
    "Ibsend" "ibsend" "_c": STARTS_SEND;
    "Issend" "issend" "_c": STARTS_SEND;
    "Irsend" "irsend" "_c": STARTS_SEND;
    "Irecv" "irecv" "_c": STARTS_RECEIVE;
    "Imrecv" "imrecv" "_c": Kind::Plain;
    "Iprobe" "iprobe": Kind::Plain;
    "Improbe" "improbe": Kind::Plain;
    "Wait" "wait": Kind::Asks(Asks::WAIT);
    "Waitall" "waitall": Kind::Asks(Asks::WAIT_ALL);
    "Waitany" "waitany": Kind::Asks(Asks::WAIT_ANY);
    "Waitsome" "waitsome": Kind::Asks(Asks::WAIT_SOME);
    "Test" "test": Kind::Asks(Asks::TEST);
    "Testall" "testall": Kind::Asks(Asks::TEST_ALL);
    "Testany" "testany": Kind::Asks(Asks::TEST_ANY);
    "Testsome" "testsome": Kind::Asks(Asks::TEST_SOME);
    "Start" "start": Kind::Start;
    "Startall" "startall": Kind::StartAll;
    "Barrier" "barrier": collective(0);
    "Bcast" "bcast" "_c": rooted(4, 3);
    "Gather" "gather" "_c": rooted(7, 6);
    "Gatherv" "gatherv" "_c": rooted(8, 7);
    "Scatter" "scatter" "_c": rooted(7, 6);
    "Scatterv" "scatterv" "_c": rooted(8, 7);
    "Allgather" "allgather" "_c": collective(6);
    "Allgatherv" "allgatherv" "_c": collective(7);
    "Alltoall" "alltoall" "_c": collective(6);
    "Alltoallv" "alltoallv" "_c": collective(8);
    "Alltoallw" "alltoallw" "_c": collective(8);
    "Reduce" "reduce" "_c": rooted(6, 5);
    "Allreduce" "allreduce" "_c": collective(5);
    "Reduce_scatter" "reduce_scatter" "_c": collective(5);
    "Reduce_scatter_block" "reduce_scatter_block" "_c": collective(5);
    "Scan" "scan" "_c": collective(5);
    "Exscan" "exscan" "_c": collective(5);
    "Ibarrier" "ibarrier": begins_collective(0, 1);
    "Ibcast" "ibcast" "_c": begins_rooted(4, 3, 5);
    "Igather" "igather" "_c": begins_rooted(7, 6, 8);
    "Igatherv" "igatherv" "_c": begins_rooted(8, 7, 9);
    "Iscatter" "iscatter" "_c": begins_rooted(7, 6, 8);
    "Iscatterv" "iscatterv" "_c": begins_rooted(8, 7, 9);
    "Iallgather" "iallgather" "_c": begins_collective(6, 7);
    "Iallgatherv" "iallgatherv" "_c": begins_collective(7, 8);
    "Ialltoall" "ialltoall" "_c": begins_collective(6, 7);
    "Ialltoallv" "ialltoallv" "_c": begins_collective(8, 9);
    "Ialltoallw" "ialltoallw" "_c": begins_collective(8, 9);
    "Ireduce" "ireduce" "_c": begins_rooted(6, 5, 7);
    "Iallreduce" "iallreduce" "_c": begins_collective(5, 6);
    "Ireduce_scatter" "ireduce_scatter" "_c": begins_collective(5, 6);
    "Ireduce_scatter_block" "ireduce_scatter_block" "_c": begins_collective(5, 6);
    "Iscan" "iscan" "_c": begins_collective(5, 6);
    "Iexscan" "iexscan" "_c": begins_collective(5, 6);
    "Neighbor_allgather" "neighbor_allgather" "_c": Kind::Plain;
    "Neighbor_allgatherv" "neighbor_allgatherv" "_c": Kind::Plain;
    "Neighbor_alltoall" "neighbor_alltoall" "_c": Kind::Plain;
    "Neighbor_alltoallv" "neighbor_alltoallv" "_c": Kind::Plain;
    "Neighbor_alltoallw" "neighbor_alltoallw" "_c": Kind::Plain;
    "Comm_dup" "comm_dup": creates(0, 1);
    "Comm_split" "comm_split": creates(0, 3);
    "Comm_create" "comm_create": creates(0, 2);
    "Comm_split_type" "comm_split_type": creates(0, 4);
    "Cart_create" "cart_create": creates(0, 5);
    "Comm_free" "comm_free": Kind::Frees;
    "Comm_spawn" "comm_spawn": Kind::Plain;
    "Put" "put" "_c": Kind::Plain;
    "Get" "get" "_c": Kind::Plain;
    "Accumulate" "accumulate" "_c": Kind::Plain;
    "Get_accumulate" "get_accumulate" "_c": Kind::Plain;
    "Fetch_and_op" "fetch_and_op": Kind::Plain;
    "Compare_and_swap" "compare_and_swap": Kind::Plain;
    "Win_create" "win_create" "_c": window(4, 5);
    "Win_allocate" "win_allocate" "_c": window(3, 5);
    "Win_fence" "win_fence": Kind::Fence;
    "Win_free" "win_free": Kind::FreesWindow;
    "Win_lock" "win_lock": Kind::Lock { target: Some((0, 1)), window: 3 };
    "Win_lock_all" "win_lock_all": Kind::Lock { target: None, window: 1 };
    "Win_unlock" "win_unlock": Kind::Unlock { target: Some(0), window: 1 };
    "Win_unlock_all" "win_unlock_all": Kind::Unlock { target: None, window: 0 };
    "Win_flush" "win_flush": Kind::Completes { target: Some(0), window: 1 };
    "Win_flush_all" "win_flush_all": Kind::Completes { target: None, window: 0 };
    "Win_flush_local" "win_flush_local": Kind::Completes { target: Some(0), window: 1 };
    "Win_post" "win_post": Kind::Plain;
    "Win_start" "win_start": Kind::Plain;
    "Win_complete" "win_complete": Kind::Plain;
    "Win_wait" "win_wait": Kind::Plain;
    "File_open" "file_open": Kind::Plain;
    "File_close" "file_close": Kind::Plain;
    "File_read" "file_read" "_c": Kind::Plain;
    "File_read_all" "file_read_all" "_c": Kind::Plain;
    "File_read_at" "file_read_at" "_c": Kind::Plain;
    "File_read_at_all" "file_read_at_all" "_c": Kind::Plain;
    "File_write" "file_write" "_c": Kind::Plain;
    "File_write_all" "file_write_all" "_c": Kind::Plain;
    "File_write_at" "file_write_at" "_c": Kind::Plain;
    "File_write_at_all" "file_write_at_all" "_c": Kind::Plain;
    "File_sync" "file_sync": Kind::Plain;
    "Send_init" "send_init" "_c": KEEPS_SEND;
    "Bsend_init" "bsend_init" "_c": KEEPS_SEND;
    "Ssend_init" "ssend_init" "_c": KEEPS_SEND;
    "Rsend_init" "rsend_init" "_c": KEEPS_SEND;
    "Recv_init" "recv_init" "_c": KEEPS_RECEIVE;
    "Request_free" "request_free": Kind::Releases;
    "Cancel" "cancel": Kind::Plain;
    "Isendrecv" "isendrecv" "_c": Kind::Plain;
    "Isendrecv_replace" "isendrecv_replace" "_c": Kind::Plain;
    "Psend_init" "psend_init": Kind::Plain;
    "Precv_init" "precv_init": Kind::Plain;
    "Pready" "pready": Kind::Plain;
    "Pready_list" "pready_list": Kind::Plain;
    "Pready_range" "pready_range": Kind::Plain;
    "Parrived" "parrived": Kind::Plain;
    "Buffer_attach" "buffer_attach" "_c": Kind::Plain;
    "Buffer_detach" "buffer_detach" "_c": Kind::Plain;
    "Pack" "pack" "_c": Kind::Plain;
    "Unpack" "unpack" "_c": Kind::Plain;
    "Reduce_local" "reduce_local" "_c": Kind::Plain;
    "Ineighbor_allgather" "ineighbor_allgather" "_c": Kind::Plain;
    "Ineighbor_allgatherv" "ineighbor_allgatherv" "_c": Kind::Plain;
    "Ineighbor_alltoall" "ineighbor_alltoall" "_c": Kind::Plain;
    "Ineighbor_alltoallv" "ineighbor_alltoallv" "_c": Kind::Plain;
    "Ineighbor_alltoallw" "ineighbor_alltoallw" "_c": Kind::Plain;
    "Comm_idup" "comm_idup": Kind::Plain;
    "Comm_dup_with_info" "comm_dup_with_info": creates(0, 2);
    "Comm_create_group" "comm_create_group": Kind::Plain;
    "Comm_disconnect" "comm_disconnect": Kind::Frees;
    "Comm_spawn_multiple" "comm_spawn_multiple": Kind::Plain;
    "Comm_accept" "comm_accept": Kind::Plain;
    "Comm_connect" "comm_connect": Kind::Plain;
    "Cart_sub" "cart_sub": creates(0, 2);
    "Graph_create" "graph_create": creates(0, 5);
    "Dist_graph_create" "dist_graph_create": creates(0, 8);
    "Dist_graph_create_adjacent" "dist_graph_create_adjacent": creates(0, 9);
    "Intercomm_create" "intercomm_create": Kind::Plain;
    "Intercomm_merge" "intercomm_merge": Kind::Plain;
    "Rput" "rput" "_c": Kind::Plain;
    "Rget" "rget" "_c": Kind::Plain;
    "Raccumulate" "raccumulate" "_c": Kind::Plain;
    "Rget_accumulate" "rget_accumulate" "_c": Kind::Plain;
    "Win_allocate_shared" "win_allocate_shared" "_c": window(3, 5);
    "Win_create_dynamic" "win_create_dynamic": window(1, 2);
    "Win_test" "win_test": Kind::Plain;
    "Win_sync" "win_sync": Kind::Plain;
    "Win_flush_local_all" "win_flush_local_all": Kind::Completes { target: None, window: 0 };
    "File_iread" "file_iread" "_c": Kind::Plain;
    "File_iwrite" "file_iwrite" "_c": Kind::Plain;
    "File_iread_at" "file_iread_at" "_c": Kind::Plain;
    "File_iwrite_at" "file_iwrite_at" "_c": Kind::Plain;
    "File_iread_all" "file_iread_all" "_c": Kind::Plain;
    "File_iwrite_all" "file_iwrite_all" "_c": Kind::Plain;
    "File_iread_at_all" "file_iread_at_all" "_c": Kind::Plain;
    "File_iwrite_at_all" "file_iwrite_at_all" "_c": Kind::Plain;
    "File_read_shared" "file_read_shared" "_c": Kind::Plain;
    "File_write_shared" "file_write_shared" "_c": Kind::Plain;
    "File_read_ordered" "file_read_ordered" "_c": Kind::Plain;
    "File_write_ordered" "file_write_ordered" "_c": Kind::Plain;
    "File_seek" "file_seek": Kind::Plain;
    "File_set_view" "file_set_view": Kind::Plain;
    "File_set_size" "file_set_size": Kind::Plain;
    "File_preallocate" "file_preallocate": Kind::Plain;
    "File_read_all_begin" "file_read_all_begin" "_c": Kind::Plain;
    "File_read_all_end" "file_read_all_end": Kind::Plain;
    "File_write_all_begin" "file_write_all_begin" "_c": Kind::Plain;
    "File_write_all_end" "file_write_all_end": Kind::Plain;
    "File_read_at_all_begin" "file_read_at_all_begin" "_c": Kind::Plain;
    "File_read_at_all_end" "file_read_at_all_end": Kind::Plain;
    "File_write_at_all_begin" "file_write_at_all_begin" "_c": Kind::Plain;
    "File_write_at_all_end" "file_write_at_all_end": Kind::Plain;
    "Barrier_init" "barrier_init": Kind::Plain;
    "Bcast_init" "bcast_init" "_c": Kind::Plain;
    "Gather_init" "gather_init" "_c": Kind::Plain;
    "Gatherv_init" "gatherv_init" "_c": Kind::Plain;
    "Scatter_init" "scatter_init" "_c": Kind::Plain;
    "Scatterv_init" "scatterv_init" "_c": Kind::Plain;
    "Allgather_init" "allgather_init" "_c": Kind::Plain;
    "Allgatherv_init" "allgatherv_init" "_c": Kind::Plain;
    "Alltoall_init" "alltoall_init" "_c": Kind::Plain;
    "Alltoallv_init" "alltoallv_init" "_c": Kind::Plain;
    "Alltoallw_init" "alltoallw_init" "_c": Kind::Plain;
    "Reduce_init" "reduce_init" "_c": Kind::Plain;
    "Allreduce_init" "allreduce_init" "_c": Kind::Plain;
    "Reduce_scatter_init" "reduce_scatter_init" "_c": Kind::Plain;
    "Reduce_scatter_block_init" "reduce_scatter_block_init" "_c": Kind::Plain;
    "Scan_init" "scan_init" "_c": Kind::Plain;
    "Exscan_init" "exscan_init" "_c": Kind::Plain;
    "Neighbor_allgather_init" "neighbor_allgather_init" "_c": Kind::Plain;
    "Neighbor_allgatherv_init" "neighbor_allgatherv_init" "_c": Kind::Plain;
    "Neighbor_alltoall_init" "neighbor_alltoall_init" "_c": Kind::Plain;
    "Neighbor_alltoallv_init" "neighbor_alltoallv_init" "_c": Kind::Plain;
    "Neighbor_alltoallw_init" "neighbor_alltoallw_init" "_c": Kind::Plain;
    "File_iread_shared" "file_iread_shared" "_c": Kind::Plain;
    "File_iwrite_shared" "file_iwrite_shared" "_c": Kind::Plain;
    "File_seek_shared" "file_seek_shared": Kind::Plain;
    "File_get_position_shared" "file_get_position_shared": Kind::Plain;
    "File_read_ordered_begin" "file_read_ordered_begin" "_c": Kind::Plain;
    "File_read_ordered_end" "file_read_ordered_end": Kind::Plain;
    "File_write_ordered_begin" "file_write_ordered_begin" "_c": Kind::Plain;
    "File_write_ordered_end" "file_write_ordered_end": Kind::Plain;
}
