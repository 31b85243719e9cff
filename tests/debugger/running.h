/* A program that a debugger starts and runs from stop to stop. */
#ifndef RUNNING_H
#define RUNNING_H

#include <stdint.h>

/* Starts "PROGRAM ARGUMENT ..." and stops it at its first instruction, behind the constructors of
 * its libraries; target.h looks at it. Ends the program with a message if it cannot. */
void running_start(const char *command);
/* Puts a breakpoint at an address. */
void running_break(uint64_t address);

enum { RUNNING_ENDED, RUNNING_BREAK, RUNNING_ASKED };
struct stop {
  int why; /* the end; a breakpoint; the program's own SIGUSR1 */
  int lwp; /* the thread that stopped; of the end, the exit status */
  uint64_t address; /* of the breakpoint */
};
/* Lets all threads run until one of these; all of them stand still then. */
struct stop running_go(void);

#endif
