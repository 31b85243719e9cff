// Producer and consumer, each of which waits for the other to begin.
// @kind: waits-for-ever
// @says: the std::counting_semaphore 'room'
// @never: system call
// @also: -O0
#include "hang.h"

#include <semaphore>

static std::counting_semaphore<8> room(0), items(0);

static void produce() {
    room.acquire(); // <A>
    items.release();
}

static void consume() {
    items.acquire();
    room.release();
}

int main() {
    ready();
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        for (int i = 0; i < 10; i++) produce(); // <A>
        #pragma omp section
        for (int i = 0; i < 10; i++) consume();
    }
}
