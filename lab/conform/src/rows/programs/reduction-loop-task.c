int main(void) {
    int a = 0;
#pragma omp parallel num_threads(2)
#pragma omp for reduction(task, +: a)
    for (int i = 0; i < 4; i++) {
#pragma omp task in_reduction(+: a)
        a += 1;
    }
    return a == 4 ? 0 : 1;
}
