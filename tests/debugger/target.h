/* What a small debugger looks at: a process that it stops, or a core file. */
#ifndef TARGET_H
#define TARGET_H

#include <stddef.h>
#include <stdint.h>

/* "live PID" stops the process; "core FILE" opens a core. Ends the program with a message if it
 * cannot. */
void target_open(const char *kind, const char *what);
/* Lets the process run on. */
void target_close(void);
/* 0 if all of it was read or written. */
int target_read(uint64_t address, void *into, size_t bytes);
int target_write(uint64_t address, const void *bytes, size_t count);
/* The address of an exported symbol in any mapped file; 0 for none. */
uint64_t target_symbol(const char *name);
/* The kernel's numbers of the threads, first that of the thread which began, the others rising;
 * returns how many there are. */
int target_threads(int *lwps, int room);
/* The text at an address, "" on failure; in a buffer that lasts until the next call. */
const char *target_text(uint64_t address);
/* How many bytes were read since the last question. */
uint64_t target_bytes(void);

#endif
