int main(void) {
#pragma omp parallel
    sink = 1;
    return control(3, 7, 0);
}
