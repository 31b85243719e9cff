// One member writes a request to a stream, flushes only requests of one kind, and waits for the
// answer; the other one waits for the request.
// @kind: cycle
// @says: written to it and not flushed (fflush)
// @stock: cycle
#include "hang.h"

#include <sys/socket.h>

__attribute__((noinline)) static int ask(FILE *out, FILE *in, char kind) {
    fputc(kind, out);
    if (kind == 'a') fflush(out); // <A>
    return fgetc(in);
}

__attribute__((noinline)) static int answer(FILE *out, FILE *in) {
    int count = 0;
    for (int kind; (kind = fgetc(in)) != EOF && kind != 'q'; count++) { // <B>
        fputc(kind + 1, out);
        fflush(out);
    }
    return count;
}

int main(void) {
    int ends[2], sum = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
    FILE *in[2], *out[2];
    for (int at = 0; at < 2; at++) {
        in[at] = fdopen(ends[at], "r");
        out[at] = fdopen(dup(ends[at]), "w");
    }
    ready();
    #pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        if (omp_get_thread_num() == 0) {
            for (int i = 0; i < 4; i++) sum += ask(out[0], in[0], 'a');
            sum += ask(out[0], in[0], 'b');
        } else {
            sum += answer(out[1], in[1]);
        }
    }
    return sum;
}
