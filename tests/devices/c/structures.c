// Structures: whole, by members, with pointers that are attached, inside arrays, twice over.
#include <stdio.h>
#include <stdlib.h>

struct vector { int length; double scale; int *items; };
struct pair { struct vector left; char gap[100]; struct vector right; int tail; };

static struct vector make(int length) {
    struct vector made = {length, 0.5, malloc(length * sizeof(int))};
    for (int i = 0; i < length; i++) made.items[i] = i + length;
    return made;
}

static int sum(const struct vector *vector) {
    int sum = 0;
    for (int i = 0; i < vector->length; i++) sum += vector->items[i];
    return sum;
}

int main(void) {
    struct vector v = make(6);
    int *items = v.items;
#pragma omp target map(tofrom : v) map(tofrom : v.items[0 : v.length])
    {
        for (int i = 0; i < v.length; i++) v.items[i] *= 3;
        v.scale *= 4;
    }
    printf("%d %g %d\n", sum(&v), v.scale, v.items == items);

    struct pair pair = {make(3), "gap", make(4), 5};
#pragma omp target map(tofrom : pair.tail, pair.right.length)
    pair.tail += pair.right.length--;
    printf("%d %d %s\n", pair.tail, pair.right.length, pair.gap);
#pragma omp target enter data map(to : pair) map(to : pair.left.items[0 : 3])
#pragma omp target map(alloc : pair)
    for (int i = 0; i < 3; i++) pair.left.items[i] += pair.left.length;
#pragma omp target update from(pair.left.items[0 : 3])
    printf("%d\n", sum(&pair.left));
#pragma omp target exit data map(delete : pair.left.items[0 : 3]) map(delete : pair)

    struct vector *heap = malloc(sizeof *heap);
    *heap = make(5);
#pragma omp target enter data map(to : heap[0 : 1])
#pragma omp target enter data map(to : heap->items[0 : 5])
#pragma omp target
    heap->items[4] = heap->length * 100;
#pragma omp target exit data map(from : heap->items[0 : 5])
#pragma omp target exit data map(delete : heap[0 : 1])
    printf("%d\n", sum(heap));

    struct vector list[3] = {make(1), make(2), make(3)};
#pragma omp target map(tofrom : list[1].length, list[1].scale)
    list[1].scale = ++list[1].length;
    printf("%d %g\n", list[1].length, list[1].scale);
    free(list[0].items), free(list[1].items), free(list[2].items);
    free(heap->items), free(heap), free(v.items), free(pair.left.items), free(pair.right.items);
    return 0;
}
