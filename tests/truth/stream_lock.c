// Two threads write into one stream: they wait for its lock inside of the C library, mostly too
// briefly for a sample.
#include "truth.h"

#define LINES 150000

int main(void)
{
    FILE *stream = fopen("/dev/null", "w");
    double begin = now();
    #pragma omp parallel for num_threads(2) // mark: region
    for (int line = 0; line < LINES; line++)
        fprintf(stream, "%d %.17g\n", line, line * 0.1); // disease: hot-mutex
    fclose(stream);
    truth("elapsed", now() - begin);
}
