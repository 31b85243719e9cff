int main(void) {
    int a = 1;
#pragma omp target map(tofrom: a)
    a += 1;
    return a == 2 ? 0 : 1;
}
