// The barrier of sections stands behind the call of a method that is inlined there: it is not the
// method's.
// @kind: condition-not-signalled
// @also: -O2
#include "hang.h"

#include <condition_variable>
#include <mutex>

struct Stage {
    std::mutex mutex;
    std::condition_variable filled;
    double item = 0;
    void put(double value) {
        item = value;
        item *= 2; // <never>
    }
    double take() {
        std::unique_lock<std::mutex> own(mutex);
        filled.wait(own); // <A>
        return item;
    }
};

int main() {
    Stage stage;
    double out = 0;
    ready();
    #pragma omp parallel num_threads(3)
    {
        #pragma omp sections // <B>
        {
            #pragma omp section
            {
                usleep(1000);
                stage.put(3.5);
            }
            #pragma omp section
            out = stage.take();
        } // <B>
    }
    return out > 0;
}
