/* What a small debugger looks at: a process that it stops, or a core file. */
#ifndef TARGET_H
#define TARGET_H

#include <stddef.h>
#include <stdint.h>

/* "live PID" stops the process; "core FILE" opens a core; "run COMMAND" starts a program, which
 * running.h runs. Ends the program with a message if it cannot. */
void target_open(const char *kind, const char *what);
/* Looks at a process whose threads somebody else stops. */
void target_look(int pid);
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
/* A thread's registers, in the order of user_regs_struct; 0 if they are known. */
int target_registers(int lwp, uint64_t registers[27]);
/* What is mapped, a line each as in /proc/PID/maps; in a buffer that lasts. */
const char *target_maps(void);
/* From now on one word in so many that are read is another one, by chance, though the same each
 * time; none if `one_in` is 0. */
void target_damage(uint64_t seed, unsigned one_in);
/* How many bytes were read since the last question. */
uint64_t target_bytes(void);

#endif
