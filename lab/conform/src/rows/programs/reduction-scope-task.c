int main(void) {
    int a = 0;
#pragma omp parallel num_threads(2)
#pragma omp scope reduction(task, +: a)
    {
#pragma omp task in_reduction(+: a)
        a += 1;
    }
    return a == 2 ? 0 : 1;
}
