// Python calls the library and keeps its interpreter lock; the members call back into Python.
// @kind: barrier-in-cycle
// @says: waits for Python's interpreter lock (the GIL), which thread 0 holds
double work(double (*callback)(double)) {
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(3) // <A>
    for (int i = 0; i < 300; i++) sum += callback(i); // <B>
    return sum;
}
