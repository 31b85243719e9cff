// The program calls the library with a lock of Python's taken that each callback wants.
// @kind: lock-taken-twice
// @says: which it holds already (by the `with` that it is in at call.py:
double work(double (*callback)(double)) {
    double sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += callback(1); // <A>
    return sum;
}
