int main(void) {
    omp_lock_t l;
    omp_init_lock(&l);
    int a = omp_test_lock(&l), b = omp_test_lock(&l);
    omp_unset_lock(&l);
    omp_destroy_lock(&l);
    return a && !b ? 0 : 1;
}
