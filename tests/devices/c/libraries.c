// Functions of the C library work on what is mapped.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    char text[] = "some text with words", copy[64], *found = NULL;
    int numbers[33], order = 0, where = -1;
    size_t length = 0;
    memset(copy, 'x', sizeof copy);
    for (int i = 0; i < 33; i++)
        numbers[i] = i * 7 % 33;
#pragma omp target map(to : text) map(tofrom : copy) map(from : length, order, where) \
    map(tofrom : numbers)
    {
        length = strlen(text);
        strcpy(copy, text);
        strcat(copy, " and more");
        order = strcmp(copy, text) > 0;
        char *found = strchr(text, 'w');
        where = found ? (int)(found - text) : -1;
        qsort(numbers, 33, sizeof *numbers, compare);
        memmove(copy + 1, copy, strlen(copy));
    }
    (void)found;
    printf("%zu %d %d %.30s %d %d\n", length, order, where, copy, numbers[0], numbers[32]);
    return 0;
}
