/* Records held against callbacks: each event once, with the same figures, in times that nest. */
#include "tracer.h"
#include <stdlib.h>

static int order(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    if (x->source != y->source) return x->source < y->source ? -1 : 1;
    return x->what < y->what ? -1 : x->what > y->what;
}
static void same(const struct entry *callback, const struct entry *record)
{
    int differ = order(callback, record) || callback->target != record->target ||
                 callback->bytes != record->bytes || callback->destination != record->destination ||
                 callback->codeptr != record->codeptr || callback->from != record->from ||
                 callback->to != record->to;
    if (differ)
        fault("kind %d, id %lu: callback and record differ", record->kind,
              (unsigned long)record->id);
    int outside = callback->kind == TARGET_BEGIN ? record->begin < callback->begin
                  : callback->kind == TARGET_END
                      ? record->begin > callback->begin
                      : callback->device >= 0 &&
                            (record->begin < callback->begin || record->end > callback->end);
    if (callback->kind != MAP && outside)
        fault("kind %d, id %lu: other times", record->kind, (unsigned long)record->id);
}
static const struct entry *of_construct(int kind, uint64_t id)
{
    size_t low = 0, high = read_back.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        struct entry *at = &read_back.at[middle];
        if (at->kind < kind || (at->kind == kind && at->id < id)) low = middle + 1;
        else high = middle;
    }
    struct entry *at = &read_back.at[low];
    return low < read_back.count && at->kind == kind && at->id == id ? at : NULL;
}
/* Each record lies within its construct's. */
static void nests(void)
{
    for (size_t i = 0; i < read_back.count; i++) {
        struct entry *record = &read_back.at[i];
        if (!record->target || (record->kind != DATA_OP && record->kind != SUBMIT)) continue;
        const struct entry *begin = of_construct(TARGET_BEGIN, record->target);
        const struct entry *end = of_construct(TARGET_END, record->target);
        if (begin && begin->begin > record->begin) fault("an operation before its construct");
        if (end && end->begin < record->end) fault("an operation behind its construct");
    }
}
void compare(uint64_t lost)
{
    qsort(heard.at, heard.count, sizeof *heard.at, order);
    qsort(read_back.at, read_back.count, sizeof *read_back.at, order);
    int whole = !options.none && !options.stop && !options.pause && !options.silent && !lost;
    if (!options.stop && !options.pause && !options.silent && told != recorded + (long)lost)
        fault("%ld events, %ld records, %ld lost", told, recorded, (long)lost);
    if (whole && heard.count != read_back.count)
        fault("%zu callbacks, %zu records", heard.count, read_back.count);
    /* Of a trace that stopped there is a part. */
    for (size_t i = 0, j = 0; j < read_back.count && !options.silent; i++) {
        if (i == heard.count) {
            fault("a record of nothing");
            break;
        }
        if (order(&heard.at[i], &read_back.at[j]) == 0) same(&heard.at[i], &read_back.at[j++]);
        else if (whole) {
            fault("kind %d, id %lu: no record", heard.at[i].kind, (unsigned long)heard.at[i].id);
            break;
        }
    }
    nests();
}
