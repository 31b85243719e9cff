/* The C library clears and copies the end of a block by one wide instruction with a mask: what the
 * mask leaves out is not used, though it may lie outside of what is mapped. */
#include <stdio.h>
#include <string.h>

struct Part {
    int *pointer, count;
    double number;
    int tail[4];
};

int main(void) {
    struct Part part = {NULL, 4, 2.5, {1, 2, 3, 4}}, copy;
    char text[100];
    int length = sizeof part, sum = 0;
#pragma omp target map(from : copy) map(tofrom : part) map(to : length)
    {
        memcpy(&copy, &part, length);
        memset(&part, 0, length);
    }
    for (int bytes = 1; bytes < 100; bytes++) {
#pragma omp target map(from : text[0 : bytes])
        memset(text, bytes, bytes);
        sum += text[0] + text[bytes - 1];
    }
    printf("%d %d %g %d\n", sum, part.count, copy.number, copy.tail[3]);
}
