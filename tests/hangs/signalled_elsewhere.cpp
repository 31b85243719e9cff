// The code that signals is named too: it came by before anybody waited.
// @kind: condition-not-signalled
// @says: The code signals condition variables at signalled_elsewhere.cpp:20.
#include "hang.h"

#include <condition_variable>
#include <mutex>

struct Stage {
    std::mutex mutex;
    std::condition_variable filled;
    double item = 0;

    double take() {
        std::unique_lock<std::mutex> own(mutex);
        filled.wait(own); // <A>
        return item;
    }
    void put(double value) {
        item = value, filled.notify_one(); // <B>
    }
};

static double pass(Stage &stage) {
    stage.put(1);
    return stage.take();
}

int main() {
    Stage stage;
    double out = 0;
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : out)
    {
        #pragma omp single
        out += pass(stage);
    }
    return out > 0;
}
