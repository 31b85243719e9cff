int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp critical(name)
        sink = 1;
    }
    return 0;
}
