// A member of the swarm that has converged leaves, without a word to the barrier (arrive_and_drop):
// the others wait for it. The compiler moves a part of the barrier's code out of the loop.
// @kind: waits-for-ever
// @says: evolve has a way past the barrier at
// @stock: waits-for-ever
#include <barrier>
#include <vector>

#include "hang.h"

struct Swarm {
    std::vector<double> at;
    double best = 1e9;
};

static void step(Swarm &swarm, double goal) {
    for (double &each : swarm.at) {
        each += 0.3 * (goal - each);
        double cost = each > goal ? each - goal : goal - each;
        if (cost < swarm.best) swarm.best = cost;
    }
}

void __attribute__((noinline))
evolve(Swarm &swarm, std::barrier<> &sync, std::vector<double> &best, int me) {
    for (int generation = 0; generation < 400; ++generation) {
        step(swarm, best[me] + me);
        if (swarm.best < 0.05)
            return; // <B>
        sync.arrive_and_wait(); // <A>
    }
}

int main() {
    std::barrier<> sync(3);
    std::vector<double> best(3, 1.0);
    ready();
    #pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
        Swarm swarm{std::vector<double>(10, me == 0 ? 1.0 : 1e12)};
        evolve(swarm, sync, best, me);
    }
    return 0;
}
