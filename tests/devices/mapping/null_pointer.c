/* A kernel that faults.
 * @finds: kernel-fault - */
int main(void) {
    long at = 16;
#pragma omp target map(to : at)
    *(volatile int *)at = 1; /* @here */
    return 0;
}
