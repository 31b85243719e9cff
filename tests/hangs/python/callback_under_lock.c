// The program calls the library with a lock of Python's taken that each callback wants.
// @kind: waits-for-ever
// @says: for a lock of Python's (threading.Lock and its kin)
double work(double (*callback)(double)) {
    double sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    sum += callback(1); // <A>
    return sum;
}
