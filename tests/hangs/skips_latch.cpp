// One of the chunks is bad, and its thread goes on to the next one without counting the latch down.
// @kind: waits-for-ever
// @says: (its count is still 1)
#include <latch>
#include <thread>
#include <vector>

#include "hang.h"

static constexpr int CHUNKS = 8;

static bool parse(const std::vector<int> &in, int chunk, long &sum) {
    for (int at = 0; at < 100; at++) {
        int value = in[chunk * 100 + at];
        if (value < 0) return false;
        sum += value;
    }
    return true;
}

int main() {
    std::vector<int> in(CHUNKS * 100, 3);
    in[555] = -1;
    std::latch done(CHUNKS);
    long total = 0;
    ready();
    std::thread loader([&] {
        #pragma omp parallel for num_threads(3) reduction(+ : total) schedule(dynamic)
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            long sum = 0;
            if (!parse(in, chunk, sum)) {
                fprintf(stderr, "chunk %d is bad\n", chunk);
                continue; // <B>
            }
            total += sum;
            done.count_down();
        }
    });
    done.wait(); // <A>
    loader.join();
    printf("%ld\n", total);
    return 0;
}
