// A std::thread that uses no OpenMP works beside the program's regions: it is nobody's serial time.
#include "truth.h"
#include <thread>

int main()
{
    double begin = now(), serial = 0, work = 0;
    std::thread beside([] {
        for (int i = 0; i < 50; i++) {
            burn(0.001);
            std::this_thread::sleep_for(std::chrono::milliseconds(9));
        }
    });
    for (int step = 0; step < 20; step++) {
        serial += burn(0.005);
        #pragma omp parallel num_threads(2) reduction(+ : work) // mark: region
        work += burn(0.030);
    }
    beside.join();
    truth("serial", serial);
    truth("work@region", work);
    truth("elapsed", now() - begin);
}
