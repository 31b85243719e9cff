// A vector is mapped as the object that it is, and not its elements.
// @finds: missing-map v._M_impl._M_start
#include <cstdio>
#include <vector>

int main() {
    std::vector<int> v(50, 2);
    int sum = 0;
#pragma omp target map(to : v) map(tofrom : sum)
    for (int i = 0; i < 50; i++)
        sum += *(&v[0] + i); // @here
    std::printf("%d\n", sum);
}
