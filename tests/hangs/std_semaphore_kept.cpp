// Who leaves early keeps its turn.
// @kind: waits-for-ever
// @says: has a way past the post at std_semaphore_kept.cpp:14: it leaves at
// @also: -O0
#include "hang.h"

#include <semaphore>

static std::counting_semaphore<4> turns(2);

static int work(int number) {
    turns.acquire(); // <A>
    if (number % 3 == 1) return 0;
    turns.release(); // <B>
    return number;
}

int main() {
    int sum = 0;
    ready();
    #pragma omp parallel for num_threads(3) reduction(+ : sum)
    for (int i = 0; i < 30; i++) sum += work(i);
    return sum;
}
