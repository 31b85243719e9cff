int main(void) {
#pragma omp parallel
    sink = 1;
    return 0;
}
