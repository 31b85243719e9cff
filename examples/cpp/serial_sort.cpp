// Disease: serial time in the library's code. One thread sorts between parallel sweeps, and the
// time is in what the compiler made of the library's headers.
// Expected in the report: "serial time", at the marked line of the program's own source.
#include <algorithm>
#include <cstdio>
#include <vector>

enum { CELLS = 400000, STEPS = 20 };

static void scatter(std::vector<unsigned> &cells, unsigned step)
{
#pragma omp parallel for schedule(static)
    for (unsigned i = 0; i < CELLS; i++)
        cells[i] = (i + step) * 2654435761u;
}

static void order(std::vector<unsigned> &cells)
{
    std::sort(cells.begin(), cells.end()); // disease: serial-time
}

int main()
{
    std::vector<unsigned> cells(CELLS);
    unsigned sum = 0;
    for (unsigned step = 0; step < STEPS; step++) {
        scatter(cells, step);
        order(cells);
        sum ^= cells[CELLS / 3];
    }
    std::printf("%u\n", sum);
}
