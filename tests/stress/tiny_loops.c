// As many loops of 64 additions as the first argument says.
#include <stdio.h>
#include <stdlib.h>

static double cells[64];

int main(int count, char **arguments)
{
    int loops = count > 1 ? atoi(arguments[1]) : 1000;
    #pragma omp parallel
    for (int step = 0; step < loops; step++) {
        #pragma omp for schedule(static)
        for (int i = 0; i < 64; i++)
            cells[i] = cells[i] * 0.5 + i;
    }
    puts(cells[3] > 0 ? "ok" : "wrong");
}
