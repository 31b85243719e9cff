// Members take turns with the interpreter, and get on.
// @kind: none
double work(double (*callback)(double)) {
    double sum = 0;
    for (int round = 0; round < 1000000; round++) {
#pragma omp parallel for reduction(+ : sum) num_threads(3)
        for (int i = 0; i < 30; i++) sum += callback(i);
    }
    return sum;
}
