// Disease: loops too small. The threads share a loop of 256 additions and meet behind it, again
// and again: the barrier takes longer than the work.
// Expected in the report: "loops too small", the region at the marked line.
#include <stdio.h>

enum { CELLS = 256, STEPS = 400000 };

static double cells[CELLS];

int main(void) {
#pragma omp parallel // disease: tiny-loops
    for (int step = 0; step < STEPS; step++) {
#pragma omp for schedule(static)
        for (int i = 0; i < CELLS; i++) cells[i] = cells[i] * 0.5 + i;
    }
    double sum = 0;
    for (int i = 0; i < CELLS; i++) sum += cells[i];
    printf("%.0f\n", sum);
    return 0;
}
