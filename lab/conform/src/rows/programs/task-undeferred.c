int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        {
#pragma omp task if(0)
            sink = 1;
        }
    }
    return 0;
}
