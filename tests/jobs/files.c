// Ranks write a file together and read it, each its own part and all at once.
#include "jobs.h"

enum { ROUNDS = 5, COUNT = 1 << 16 };
static double data[COUNT];

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = rank_of(MPI_COMM_WORLD);
    MPI_Offset own = (MPI_Offset)rank * sizeof data;
    MPI_File file;
    MPI_Request request;
    TIMED(MPI_File_open(MPI_COMM_WORLD, "together.data", MPI_MODE_CREATE | MPI_MODE_RDWR,
                        MPI_INFO_NULL, &file));
    for (int round = 0; round < ROUNDS; round++) {
        #pragma omp parallel num_threads(2)
        work(rank == 1 ? 8 : 2);
        TIMED(MPI_File_write_at_all(file, own, data, COUNT, MPI_DOUBLE, MPI_STATUS_IGNORE));
        TIMED(MPI_File_write_at(file, own, data, COUNT, MPI_DOUBLE, MPI_STATUS_IGNORE));
        TIMED(MPI_File_sync(file));
        TIMED(MPI_File_seek(file, own, MPI_SEEK_SET));
        TIMED(MPI_File_read(file, data, COUNT, MPI_DOUBLE, MPI_STATUS_IGNORE));
        TIMED(MPI_File_seek(file, own, MPI_SEEK_SET));
        TIMED(MPI_File_write(file, data, COUNT, MPI_DOUBLE, MPI_STATUS_IGNORE));
        TIMED(MPI_File_seek(file, own, MPI_SEEK_SET));
        TIMED(MPI_File_read_all(file, data, COUNT, MPI_DOUBLE, MPI_STATUS_IGNORE));
        TIMED(MPI_File_seek(file, own, MPI_SEEK_SET));
        TIMED(MPI_File_write_all(file, data, COUNT, MPI_DOUBLE, MPI_STATUS_IGNORE));
        TIMED(MPI_File_read_at_all(file, own, data, COUNT, MPI_DOUBLE, MPI_STATUS_IGNORE));
        TIMED(MPI_File_iread_at(file, own, data, COUNT, MPI_DOUBLE, &request));
        TIMED(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    TIMED(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
    for (int round = 0; round < ROUNDS; round++) {
        TIMED(MPI_File_write_shared(file, data, COUNT, MPI_DOUBLE, MPI_STATUS_IGNORE));
        TIMED(MPI_File_write_ordered(file, data, COUNT, MPI_DOUBLE, MPI_STATUS_IGNORE));
        TIMED(MPI_File_write_ordered_begin(file, data, COUNT, MPI_DOUBLE));
        TIMED(MPI_File_write_ordered_end(file, data, MPI_STATUS_IGNORE));
        TIMED(MPI_File_iwrite_shared(file, data, COUNT, MPI_DOUBLE, &request));
        TIMED(MPI_Wait(&request, MPI_STATUS_IGNORE));
        TIMED(MPI_File_seek_shared(file, 0, MPI_SEEK_SET));
        TIMED(MPI_File_read_shared(file, data, COUNT, MPI_DOUBLE, MPI_STATUS_IGNORE));
        TIMED(MPI_File_read_ordered(file, data, COUNT, MPI_DOUBLE, MPI_STATUS_IGNORE));
    }
    TIMED(MPI_File_close(&file));
    tell(rank);
    finish(rank);
}
