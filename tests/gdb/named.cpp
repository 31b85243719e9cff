// An argument whose printer fails in gdb: clang leaves out what std::string is made of.
#include <cstdio>
#include <string>

static int call(int n, const std::string &who) {
    return n + (int)who.size(); /* here */
}

int main() {
    int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += call(3, "caller");
    printf("%d\n", sum);
    return 0;
}
