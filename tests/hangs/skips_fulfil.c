// A transfer that fails ends without fulfilling the event of its task.
// @kind: event-not-fulfilled
// @says: has a way past
// @stock-says: may wait for a detached task whose event is not fulfilled
// @also: -O0
#include "hang.h"

struct transfer {
    int size;
    int status;
    omp_event_handle_t event;
};

static struct transfer transfers[4] = {{10, 0, 0}, {20, 0, 0}, {-1, 0, 0}, {40, 0, 0}};
static int failures;

__attribute__((noinline)) static void complete(struct transfer *transfer) {
    if (transfer->size < 0) {
        failures++;
        transfer->status = -1;
        return; // <B>
    }
    transfer->status = 1;
    omp_fulfill_event(transfer->event);
}

int main(void) {
    int good = 0;
    ready();
    #pragma omp parallel num_threads(2)
    #pragma omp single
    {
        for (int at = 0; at < 4; at++) {
            omp_event_handle_t event;
            #pragma omp task detach(event) firstprivate(at)
            {
                transfers[at].event = event;
                complete(&transfers[at]);
            }
        }
        #pragma omp taskwait // <A>
        for (int at = 0; at < 4; at++) good += transfers[at].status == 1;
    }
    printf("%d good, %d bad\n", good, failures);
    return 0;
}
