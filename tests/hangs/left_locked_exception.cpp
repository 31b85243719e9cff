// A parser throws in the middle of a locked part; who catches that goes on without the unlock.
// @kind: barrier-in-cycle
// @says: if the call at
// @also: -O0
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "hang.h"

class Registry {
public:
    __attribute__((noinline)) void add(const std::string &name, const std::string &text) {
        mutex.lock(); // <A>
        int value = parse(text); // <B>
        values[name] = value;
        mutex.unlock();
    }

    std::size_t size() const { return values.size(); }

private:
    __attribute__((noinline)) static int parse(const std::string &text) {
        if (text.empty()) throw std::invalid_argument("no number");
        return std::atoi(text.c_str());
    }

    std::mutex mutex;
    std::map<std::string, int> values;
};

static Registry registry;

static std::vector<std::string> lines[2] = {{"1", "2", "3"}, {"4", "", "6"}};

int main() {
    std::atomic<int> bad{0};
    ready();
    #pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        // The first thread begins when the second one is through.
        if (me == 0) wait_for_all(2);
        for (const std::string &line : lines[me]) {
            try {
                registry.add("key" + line, line);
            } catch (const std::invalid_argument &) {
                bad++;
                break;
            }
        }
        if (me == 1) wait_for_all(2);
        #pragma omp barrier
        if (me == 0) printf("%zu values, %d bad\n", registry.size(), bad.load());
    }
    return 0;
}
