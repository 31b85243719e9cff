/* A program whose file, functions and arguments would be markup, or steer a terminal, wherever a
   page did not take them for text. */
#include <stdio.h>

void one(double *at, int count) __asm__("\"<img src=x onerror=document.title=1>\"");
static double numbers[4096];

# 9 "/</script><script>document.title=1</script>\"'&amp;<b>.c"
__attribute__((noinline)) void one(double *at, int count)
{
    for (int i = 0; i < count; i++)
        at[i] = at[i] * 0.5 + 1;
}

int main(void)
{
    for (int step = 0; step < 3000; step++) {
#pragma omp parallel
        {
#pragma omp critical(named_so)
            one(numbers, 4096);
        }
    }
    printf("%g\n", numbers[0]);
    return 0;
}
