// A static variable's initialiser begins a region, and a member of it wants the variable.
// @kind: barrier-in-cycle
// @says: waits for the initialiser of the static variable 'table
// @also: -O0
#include "hang.h"

struct Table {
    int size = 0;
    Table();
};

static Table &table() {
    static Table table; // <A>
    return table;
}

Table::Table() {
    ready();
    #pragma omp parallel num_threads(2) // <B>
    {
        if (omp_get_thread_num()) size += table().size; // <A>
    } // <B>
}

int main() { return table().size; }
