// A std::thread reads the next input while main waits for it.
#include "truth.h"
#include <thread>

int main()
{
    double begin = now(), work = 0, waited = 0;
    for (int step = 0; step < 10; step++) {
        std::thread reader([] { burn(0.030); });
        double asked = now();
        reader.join(); // disease: blocked anywhere
        waited += now() - asked;
        #pragma omp parallel num_threads(2) reduction(+ : work) // mark: region
        work += burn(0.012);
    }
    truth("work@region", work);
    truth("blocked_serial", waited);
    truth("elapsed", now() - begin);
}
