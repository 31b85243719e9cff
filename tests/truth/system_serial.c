// The program runs other programs between its regions, by system and by popen.
#include "truth.h"

int main(void)
{
    double begin = now(), called = 0, piped = 0, work = 0;
    for (int step = 0; step < 4; step++) {
        double from = now();
        if (system("sleep 0.04"))
            return 1;
        called += now() - from;
        from = now();
        FILE *pipe = popen("sleep 0.03; echo done", "r");
        char line[80];
        while (pipe && fgets(line, sizeof line, pipe))
            ;
        if (!pipe || pclose(pipe))
            return 1;
        piped += now() - from;
        #pragma omp parallel num_threads(2) reduction(+ : work) // mark: region
        work += burn(0.050);
    }
    truth("work@region", work);
    truth("blocked_serial", called + piped);
    truth("elapsed", now() - begin);
}
