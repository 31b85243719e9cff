/* What a region wrote and nobody needs is overwritten by calls of the kernel, and the memory of a
 * function that is over by another's variables. Values have bytes that memory nobody wrote has. */
#include <stdio.h>
#include <unistd.h>

enum { COUNT = 600 };

static int ends[2];

static void send(int first)
{
    int values[COUNT];
    for (int i = 0; i < COUNT; i++) values[i] = first + i;
    if (write(ends[1], values, sizeof values) != sizeof values) printf("no write\n");
}

__attribute__((noinline)) static int fill_mapped(void)
{
    int values[COUNT], sum = 0;
    for (int i = 0; i < COUNT; i++) values[i] = 0;
#pragma omp target data map(to : values)
    {
#pragma omp target
        for (int i = 0; i < COUNT; i++) values[i] = -1 - i;
    }
    if (read(ends[0], values, sizeof values) != sizeof values) printf("no read\n");
    for (int i = 0; i < COUNT; i++) sum += values[i];
    return sum;
}

__attribute__((noinline)) static int leave_stale(void)
{
    int values[COUNT], sum = 0;
    for (int i = 0; i < COUNT; i++) values[i] = i;
#pragma omp target map(to : values) map(tofrom : sum)
    for (int i = 0; i < COUNT; i++) {
        values[i] = 165 + i * 256;
        sum += values[i] & 255;
    }
    return sum;
}

__attribute__((noinline)) static int use_again(void)
{
    char bytes[sizeof(int) * COUNT];
    int sum = 0, count = read(ends[0], bytes, sizeof bytes);
    for (int i = 0; i < count; i++) sum += bytes[i] != 0;
    return sum;
}

int main(void)
{
    int values[COUNT], good = 0;
    if (pipe(ends)) return 1;
    send(1);
    printf("%d\n", fill_mapped());
    send(1000);
    printf("%d\n", leave_stale());
    printf("%d\n", use_again());
#pragma omp target map(from : values)
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < COUNT; i++) values[i] = i;
    for (int i = 0; i < COUNT; i++) good += values[i] == i;
    printf("%d\n", good);
    return 0;
}
