// A process forks while something is mapped; parent and child go on with what is theirs.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int a[100], status = 0, sum = 0;
    for (int i = 0; i < 100; i++)
        a[i] = i;
    printf("begin\n");
    fflush(stdout);
#pragma omp target enter data map(to : a)
    pid_t child = fork();
    if (child == 0) {
        int own = 0;
        for (int i = 0; i < 100; i++)
            own += a[i];
        _exit(own == 4950 ? 3 : 4);
    }
    waitpid(child, &status, 0);
#pragma omp target map(tofrom : sum)
    for (int i = 0; i < 100; i++)
        sum += a[i];
#pragma omp target exit data map(from : a)
    int third = system("exit 5");
    printf("%d %d %d\n", WEXITSTATUS(status), WEXITSTATUS(third), sum);
    return 0;
}
