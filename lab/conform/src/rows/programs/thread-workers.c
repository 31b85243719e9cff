int main(void) {
#pragma omp parallel num_threads(4)
    sink = 1;
    return 0;
}
