int main(void) {
#pragma omp parallel if(sink)
    sink = 1;
    return 0;
}
