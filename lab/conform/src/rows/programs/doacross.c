int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp for ordered(1) schedule(static, 1)
        for (int i = 0; i < 4; i++) {
#pragma omp ordered depend(sink: i - 1)
            sink = i;
#pragma omp ordered depend(source)
        }
    }
    return 0;
}
