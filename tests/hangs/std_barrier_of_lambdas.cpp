// A barrier for five threads is met by four: each ends in a jump into the library's wait, so that
// its own function is on no stack.
// @kind: waits-for-ever
// @says: (4 of the 5 arrivals that it expects have come)
// @also: -O0
#include <barrier>
#include <thread>
#include <vector>

#include "hang.h"

int main() {
    std::barrier all_started(5); // <B>
    std::vector<std::thread> threads;
    ready();
    for (int at = 0; at < 4; at++)
        threads.emplace_back([&] { all_started.arrive_and_wait(); }); // <A>
    for (std::thread &thread : threads) thread.join();
    return 0;
}
