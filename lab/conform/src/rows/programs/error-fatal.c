#include <sys/wait.h>
__attribute__((noinline)) static void fail(void) {
#pragma omp error at(execution) severity(fatal) message("over")
}
int main(void) {
    int status;
    if (fork() == 0) {
        close(2);
        fail();
    }
    wait(&status);
    return 0;
}
