int main(void) {
    double a = 0, b = 0, c = 0;
#pragma omp parallel num_threads(2) reduction(+: a, b, c)
    {
        a += 1;
        b += 2;
        c += 3;
    }
    return a + b + c == 12 ? 0 : 1;
}
