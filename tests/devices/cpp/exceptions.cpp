// Exceptions in regions, and of the host in data regions that were begun by hand.
#include <cstdio>
#include <stdexcept>
#include <string>

static int thrown(int *a, int n) {
    int caught = 0;
#pragma omp target map(tofrom : a[0 : n], caught)
    for (int i = 0; i < n; i++) {
        try {
            if (i % 3 == 0)
                throw a[i];
            a[i] += 1;
        } catch (int value) {
            a[i] = -value;
            caught++;
        }
    }
    return caught;
}

int main() {
    int a[10];
    for (int i = 0; i < 10; i++)
        a[i] = i;
    int caught = thrown(a, 10);
#pragma omp target enter data map(to : a)
    try {
#pragma omp target
        a[1] = 50;
        throw std::runtime_error("given up");
    } catch (const std::exception &error) {
#pragma omp target exit data map(from : a)
        std::printf("%s\n", error.what());
    }
    std::printf("%d %d %d\n", caught, a[1], a[9]);
    return 0;
}
