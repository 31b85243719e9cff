// A message that nobody sends (a stand-in for MPI's library).
// @kind: message-not-sent
#include "hang.h"

#include <poll.h>

int __attribute__((noinline)) MPI_Recv(int from) {
    struct pollfd none = {.fd = -1};
    return poll(&none, 1, -1) + from;
}

int main(void) {
    int sum = 0;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        #pragma omp master
        {
            sum += MPI_Recv(1); // <A>
            sum++;
        }
        #pragma omp barrier // <B>
        sum++;
    }
    return sum;
}
