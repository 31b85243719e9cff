int main(void) {
    omp_lock_t l;
    omp_init_lock_with_hint(&l, omp_lock_hint_contended);
    omp_set_lock(&l);
    omp_unset_lock(&l);
    omp_destroy_lock(&l);
    return 0;
}
