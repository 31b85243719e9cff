// A vector that is mapped takes other memory: its header frees what it had.
// @finds: freed-while-mapped data
#include <cstdio>
#include <vector>

int main() {
    std::vector<int> numbers(1000, 1);
    int *data = numbers.data();
#pragma omp target enter data map(to : data[0 : 1000])
    numbers.resize(4000, 2); /* @here */
#pragma omp target exit data map(delete : data[0 : 1000])
    std::printf("%zu\n", numbers.size());
    return 0;
}
