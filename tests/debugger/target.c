/* See target.h. A live process is read through /proc/PID/mem while ptrace holds its threads; a core
 * is read from the file's segments, and where these leave out what stands in a mapped file, from
 * that. */
#define _GNU_SOURCE
#include "target.h"

#include "running.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/procfs.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct piece {
  uint64_t from, to, offset; /* addresses, and where they begin in the file */
  int fd;
};
struct file {
  char path[512];
  uint64_t base; /* where its first byte is mapped */
};

static int pid, memory = -1, ntids, tids[4096];
static int first_tid; /* the process's own number: that of the thread which began */
static struct piece pieces[8192];
static int npieces;
static struct file files[512];
static int nfiles;
static uint64_t bytes_read;
static uint64_t statuses[4096][28]; /* of a core: a thread's number and its registers */
static char maps_text[1 << 20];
static size_t maps_length;

static void fail(const char *what) {
  fprintf(stderr, "debugger: %s: %s\n", what, strerror(errno));
  exit(2);
}

/* A line of the maps, while there is room. */
__attribute__((format(printf, 1, 2))) static void add_line(const char *format, ...) {
  va_list words;
  va_start(words, format);
  int length = vsnprintf(maps_text + maps_length, sizeof maps_text - maps_length, format, words);
  va_end(words);
  if (length > 0 && maps_length + length < sizeof maps_text) maps_length += length;
  maps_text[maps_length] = 0;
}

static void add_file(const char *path, uint64_t base) {
  for (int i = 0; i < nfiles; i++)
    if (!strcmp(files[i].path, path)) return;
  if (nfiles < 512 && path[0] == '/') {
    snprintf(files[nfiles].path, sizeof files[0].path, "%s", path);
    files[nfiles++].base = base;
  }
}

/* The thread that began comes first, even if the kernel's numbers began anew after it. */
static int by_number(const void *a, const void *b) {
  int left = *(const int *)a, right = *(const int *)b;
  return (right == first_tid) - (left == first_tid) ?: left - right;
}

static void open_live(const char *what) {
  char path[300];
  pid = first_tid = atoi(what);
  /* Threads may begin while others are stopped: until none is new. */
  for (int found = 1; found;) {
    found = 0;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *dir = opendir(path);
    if (!dir) fail(path);
    for (struct dirent *entry; (entry = readdir(dir));) {
      int tid = atoi(entry->d_name), known = tid <= 0;
      for (int i = 0; i < ntids; i++) known |= tids[i] == tid;
      if (known || ntids == 4096) continue;
      if (ptrace(PTRACE_SEIZE, tid, 0, 0) || ptrace(PTRACE_INTERRUPT, tid, 0, 0)) {
        if (errno == ESRCH) continue;
        fail("ptrace");
      }
      int status;
      if (waitpid(tid, &status, __WALL) != tid) fail("waitpid");
      tids[ntids++] = tid;
      found = 1;
    }
    closedir(dir);
  }
  qsort(tids, ntids, sizeof tids[0], by_number);
  target_look(pid);
}

void target_look(int process) {
  char path[300];
  if (memory >= 0) close(memory);
  pid = process;
  nfiles = 0;
  maps_length = 0;
  snprintf(path, sizeof path, "/proc/%d/mem", pid);
  if ((memory = open(path, O_RDWR)) < 0 && (memory = open(path, O_RDONLY)) < 0) fail(path);
  snprintf(path, sizeof path, "/proc/%d/maps", pid);
  FILE *maps = fopen(path, "r");
  if (!maps) fail(path);
  char line[1024], name[512];
  while (fgets(line, sizeof line, maps)) {
    add_line("%s", line);
    unsigned long from, to, offset;
    name[0] = 0;
    if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %511s", &from, &to, &offset, name) >= 3 &&
        offset == 0)
      add_file(name, from);
  }
  fclose(maps);
}

static void add_piece(uint64_t from, uint64_t to, uint64_t offset, int fd) {
  if (npieces < 8192 && from < to) pieces[npieces++] = (struct piece){from, to, offset, fd};
}

/* NT_FILE: count, page size, then from, to and page of each mapping, then the names. */
static void files_of_core(const char *note, size_t size) {
  const uint64_t *words = (const uint64_t *)note;
  uint64_t count = words[0], page = words[1];
  if (size < 16 + count * 24) return;
  const char *name = note + 16 + count * 24, *end = note + size;
  for (uint64_t i = 0; i < count && name < end; i++, name += strlen(name) + 1) {
    uint64_t from = words[2 + 3 * i], to = words[3 + 3 * i], offset = words[4 + 3 * i] * page;
    if (offset == 0) add_file(name, from);
    add_line("%lx-%lx r-xp %08lx 00:00 0 %s\n", from, to, offset, name);
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) add_piece(from, to, offset, fd);
  }
}

static void open_core(const char *what) {
  int fd = open(what, O_RDONLY);
  struct stat stat;
  if (fd < 0 || fstat(fd, &stat)) fail(what);
  const char *core = mmap(0, stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  const Elf64_Ehdr *elf = (const Elf64_Ehdr *)core;
  if (core == MAP_FAILED || memcmp(core, ELFMAG, SELFMAG) || elf->e_type != ET_CORE)
    fail("no core file");
  const Elf64_Phdr *segments = (const Elf64_Phdr *)(core + elf->e_phoff);
  /* What the core holds comes first; mapped files fill in the rest. */
  for (int i = 0; i < elf->e_phnum; i++)
    if (segments[i].p_type == PT_LOAD)
      add_piece(segments[i].p_vaddr, segments[i].p_vaddr + segments[i].p_filesz,
                segments[i].p_offset, fd);
  for (int i = 0; i < elf->e_phnum; i++) {
    if (segments[i].p_type != PT_NOTE) continue;
    const char *at = core + segments[i].p_offset, *end = at + segments[i].p_filesz;
    while (at + sizeof(Elf64_Nhdr) < end) {
      const Elf64_Nhdr *note = (const Elf64_Nhdr *)at;
      const char *data = at + sizeof *note + (note->n_namesz + 3) / 4 * 4;
      if (note->n_type == NT_PRSTATUS && ntids < 4096) {
        const struct elf_prstatus *status = (const struct elf_prstatus *)data;
        statuses[ntids][0] = status->pr_pid;
        memcpy(&statuses[ntids][1], status->pr_reg, sizeof status->pr_reg);
        tids[ntids++] = status->pr_pid;
      }
      if (note->n_type == NT_PRPSINFO) first_tid = ((const struct elf_prpsinfo *)data)->pr_pid;
      if (note->n_type == NT_FILE) files_of_core(data, note->n_descsz);
      at = data + (note->n_descsz + 3) / 4 * 4;
    }
  }
  qsort(tids, ntids, sizeof tids[0], by_number);
}

void target_open(const char *kind, const char *what) {
  if (!strcmp(kind, "live"))
    open_live(what);
  else if (!strcmp(kind, "run"))
    running_start(what);
  else
    open_core(what);
}

void target_close(void) {
  for (int i = 0; pid && i < ntids; i++) ptrace(PTRACE_DETACH, tids[i], 0, 0);
  if (memory >= 0) close(memory);
}

static uint64_t damage_seed;
static unsigned damage_one_in;

void target_damage(uint64_t seed, unsigned one_in) {
  damage_seed = seed * 0x9e3779b97f4a7c15u + 1;
  damage_one_in = one_in;
}

static uint64_t mixed(uint64_t word) {
  word = (word ^ damage_seed) * 0xbf58476d1ce4e5b9u;
  word = (word ^ word >> 29) * 0x94d049bb133111ebu;
  return word ^ word >> 32;
}

/* What stands in a word instead: bits, small and great numbers, or a pointer seen elsewhere. */
static uint64_t damaged(uint64_t chance, uint64_t word) {
  static uint64_t pointers[64];
  if (word >> 40 == 0x7f || word >> 40 == 0x55) pointers[word >> 4 & 63] = word;
  switch (chance & 7) {
  case 0: return word ^ 1ull << (chance >> 8 & 63);
  case 1: return chance;
  case 2: return 0;
  case 3: return ~0ull >> (chance >> 8 & 63);
  case 4: return chance >> 8 & 0xff;
  case 5: return word + (chance >> 8 & 0xff) - 128;
  default: return pointers[chance >> 8 & 63];
  }
}

static void damage(uint64_t address, unsigned char *bytes, size_t count) {
  for (uint64_t word = address & -8; damage_one_in && word < address + count; word += 8) {
    uint64_t chance = mixed(word), value = 0;
    if (chance % damage_one_in) continue;
    uint64_t from = word > address ? word : address;
    uint64_t to = word + 8 < address + count ? word + 8 : address + count;
    unsigned char *part = (unsigned char *)&value + (from - word);
    memcpy(part, bytes + (from - address), to - from);
    value = damaged(mixed(chance), value);
    memcpy(bytes + (from - address), part, to - from);
  }
}

static int read_all(uint64_t address, void *into, size_t bytes);

int target_read(uint64_t address, void *into, size_t bytes) {
  bytes_read += bytes;
  if (read_all(address, into, bytes)) return 1;
  damage(address, into, bytes);
  return 0;
}

static int read_all(uint64_t address, void *into, size_t bytes) {
  if (pid) return pread(memory, into, bytes, address) != (ssize_t)bytes;
  while (bytes) {
    size_t step = 0;
    for (int i = 0; i < npieces && !step; i++) {
      const struct piece *piece = &pieces[i];
      if (address < piece->from || address >= piece->to) continue;
      size_t most = piece->to - address < bytes ? piece->to - address : bytes;
      ssize_t got = pread(piece->fd, into, most, piece->offset + (address - piece->from));
      if (got > 0) step = got;
    }
    if (!step) return 1;
    into = (char *)into + step;
    address += step;
    bytes -= step;
  }
  return 0;
}

int target_write(uint64_t address, const void *bytes, size_t count) {
  return !pid || pwrite(memory, bytes, count, address) != (ssize_t)count;
}

static uint64_t symbol_in(const struct file *file, const char *name) {
  uint64_t found = 0;
  struct stat stat;
  int fd = open(file->path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &stat) || stat.st_size < (off_t)sizeof(Elf64_Ehdr)) {
    if (fd >= 0) close(fd);
    return 0;
  }
  const char *image = mmap(0, stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (image == MAP_FAILED) return 0;
  const Elf64_Ehdr *elf = (const Elf64_Ehdr *)image;
  if (!memcmp(image, ELFMAG, SELFMAG) && elf->e_ident[EI_CLASS] == ELFCLASS64 && elf->e_shoff) {
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(image + elf->e_shoff);
    for (int i = 0; i < elf->e_shnum && !found; i++) {
      if (sections[i].sh_type != SHT_DYNSYM) continue;
      const Elf64_Sym *symbols = (const Elf64_Sym *)(image + sections[i].sh_offset);
      const char *names = image + sections[sections[i].sh_link].sh_offset;
      for (size_t s = 1; s < sections[i].sh_size / sizeof *symbols && !found; s++)
        if (symbols[s].st_shndx != SHN_UNDEF && !strcmp(names + symbols[s].st_name, name))
          found = symbols[s].st_value + (elf->e_type == ET_DYN ? file->base : 0);
    }
  }
  munmap((void *)image, stat.st_size);
  return found;
}

uint64_t target_symbol(const char *name) {
  for (int i = 0; i < nfiles; i++) {
    uint64_t found = symbol_in(&files[i], name);
    if (found) return found;
  }
  return 0;
}

int target_threads(int *lwps, int room) {
  for (int i = 0; i < ntids && i < room; i++) lwps[i] = tids[i];
  return ntids < room ? ntids : room;
}

int target_registers(int lwp, uint64_t registers[27]) {
  if (pid) return ptrace(PTRACE_GETREGS, lwp, 0, registers) != 0;
  for (int i = 0; i < ntids; i++)
    if (statuses[i][0] == (uint64_t)lwp)
      return memcpy(registers, &statuses[i][1], 27 * 8) == NULL;
  return 1;
}

const char *target_maps(void) { return maps_text; }

const char *target_text(uint64_t address) {
  static char text[4096];
  for (size_t i = 0; i + 1 < sizeof text; i++) {
    if (target_read(address + i, &text[i], 1)) return "";
    if (!text[i]) return text;
  }
  text[sizeof text - 1] = 0;
  return text;
}

uint64_t target_bytes(void) {
  uint64_t bytes = bytes_read;
  bytes_read = 0;
  return bytes;
}
