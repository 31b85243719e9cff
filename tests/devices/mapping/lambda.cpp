// A function object holds a pointer that nobody maps.
// @finds: missing-map add.to
#include <cstdio>
#include <cstdlib>

struct Add {
    int *to;
    int amount;
    void operator()(int i) const { to[i] += amount; } // @here
};

int main() {
    int *values = static_cast<int *>(std::calloc(100, sizeof(int)));
    Add add{values, 3};
#pragma omp target map(to : add)
    for (int i = 0; i < 100; i++)
        add(i);
    std::printf("%d\n", values[3]);
    std::free(values);
    return 0;
}
