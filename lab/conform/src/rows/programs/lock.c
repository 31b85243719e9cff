int main(void) {
    omp_lock_t l;
    omp_init_lock(&l);
    for (volatile int i = 0; i < 3; i++) {
        omp_set_lock(&l);
        sink = 1;
        omp_unset_lock(&l);
    }
    omp_destroy_lock(&l);
    return 0;
}
