int main(void) {
    void *p = omp_target_alloc(64, omp_get_initial_device());
    omp_target_free(p, omp_get_initial_device());
    return p ? 0 : 1;
}
