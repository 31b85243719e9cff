/* A structure with a text: a library function reads it in the region.
 * @finds: missing-map s.text */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
    char *text;
    size_t length;
};

int main(void) {
    struct record s = {strdup("what is to be counted, with some length"), 0};
#pragma omp target map(tofrom : s)
    s.length = strlen(s.text); /* @here */
    printf("%zu\n", s.length);
    free(s.text);
    return 0;
}
