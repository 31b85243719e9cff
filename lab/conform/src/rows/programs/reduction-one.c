int main(void) {
    int a = 0;
#pragma omp parallel num_threads(2) reduction(+: a)
    a += 1;
    return a == 2 ? 0 : 1;
}
