int main(void) {
    omp_nest_lock_t l;
    omp_init_nest_lock(&l);
    omp_set_nest_lock(&l);
    omp_set_nest_lock(&l);
    omp_unset_nest_lock(&l);
    omp_unset_nest_lock(&l);
    omp_destroy_nest_lock(&l);
    return 0;
}
