int main(void) {
#pragma omp error at(execution) severity(warning) message("heed")
    return 0;
}
