// Intercepts the file calls that a process makes in one folder. It traces writes and syncs. On demand, it makes all calls of a kind
// fail, or only the n-th. test/extra/crash/disk.ts compiles this file inside the watched process.
#define _GNU_SOURCE
#include <stddef.h>

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long u64;

extern int *__errno_location(void);
extern long syscall(long number, ...);

struct iovec { const void *base; u64 length; };

// This code works only on x86-64 Linux. disk.ts refuses all other machines.
#define SYS_write 1
#define SYS_open 2
#define SYS_close 3
#define SYS_fstat 5
#define SYS_mmap 9
#define SYS_mprotect 10
#define SYS_pread64 17
#define SYS_pwrite64 18
#define SYS_writev 20
#define SYS_fcntl 72
#define SYS_fsync 74
#define SYS_fdatasync 75
#define SYS_ftruncate 77
#define SYS_getpid 39
#define SYS_kill 62
#define SYS_mkdir 83
#define SYS_rename 82
#define SYS_rmdir 84
#define SYS_unlink 87
#define SYS_readlink 89
#define SYS_mkdirat 258
#define SYS_unlinkat 263
#define SYS_renameat 264

#define O_ACCMODE 3
#define O_CREAT 0100
#define EIO 5
#define ENODEV 19
#define ENOSPC 28

// The bits of the control byte. disk-control.ts gives them names.
#define FAULT_FULL 1
#define FAULT_SYNC 2
#define FAULT_WRITE 8
#define FAULT_CHECKPOINT 16

// The other bytes of the control file say which call fails and on which files. disk-control.ts writes them.
#define COUNTED_READ 1
#define COUNTED_OPEN 2
#define COUNTED_LOCK 3
#define COUNTED_WRITE 4
#define COUNTED_SYNC 5
#define COUNTED_TRUNCATE 6
#define COUNTED_UNLINK 7
#define COUNTED_RENAME 9
#define COUNTED_MAP 10
// This kind stands for any call except a read or a lock. The process then gets the signal `error`, and the call continues.
#define COUNTED_ANY 8
#define F_GETLK 5
#define F_SETLKW 7
#define F_UNLCK 2
// `error` is the error number that the failing call sets. The value 0 stands for EIO.
struct counted { u8 faults, call, goes_on, error; u32 left, failed; char prefix[52]; };

#define DESCRIPTORS 4096
#define NAME_MAX 63

static char folder[1024];
static u64 folder_length;
static int trace;
static volatile u8 *control;
// The file's name in the folder, by descriptor. "." is the folder itself, and "" stands for anything else.
static char names[DESCRIPTORS][NAME_MAX + 1];

static int fail(int error) { *__errno_location() = error; return -1; }
static int fail_counted(void) { u8 error = ((volatile struct counted *)control)->error; return fail(error ? error : EIO); }

static u64 length_of(const char *text) { u64 n = 0; while (text[n]) n++; return n; }

static int ends_with(const char *name, const char *end) {
  u64 n = length_of(name), m = length_of(end);
  if (n < m) return 0;
  for (u64 i = 0; i < m; i++) if (name[n - m + i] != end[i]) return 0;
  return 1;
}

// Returns the path relative to the folder. "." is the folder itself, and "" stands for anything else.
static const char *any_name_of(const char *path) {
  for (u64 i = 0; i < folder_length; i++) if (path[i] != folder[i]) return "";
  if (path[folder_length] == 0) return ".";
  if (path[folder_length] != '/') return "";
  const char *name = path + folder_length + 1;
  return length_of(name) > NAME_MAX ? "" : name;
}

static const char *any_name_by(int fd) { return fd >= 0 && fd < DESCRIPTORS ? names[fd] : ""; }

// WAL indexes are left out, because SQLite rebuilds them after a crash.
static const char *unless_index(const char *name) { return ends_with(name, "-shm") ? "" : name; }
static const char *name_of(const char *path) { return unless_index(any_name_of(path)); }
static const char *name_by(int fd) { return unless_index(any_name_by(fd)); }

// Returns true if this call must fail: it is the chosen call, or a later one while `goes_on` is set.
static int is_failing(u8 call, const char *name) {
  volatile struct counted *counted = (volatile struct counted *)control;
  if (counted->call != call || *name == 0) return 0;
  for (u64 i = 0; counted->prefix[i]; i++) if (name[i] != counted->prefix[i]) return 0;
  if (counted->left > 1) { counted->left--; return 0; }
  if (counted->left == 0 && !counted->goes_on) return 0;
  counted->left = 0;
  counted->failed++;
  return 1;
}

static void signal_if_due(const char *name) {
  volatile struct counted *counted = (volatile struct counted *)control;
  if (counted->call != COUNTED_ANY || counted->left == 0 || *name == 0) return;
  if (--counted->left > 0) return;
  counted->failed++;
  syscall(SYS_kill, syscall(SYS_getpid), counted->error);
}

// Writes one record: the operation, the length of the name, 2 unused bytes, the length of the data, the offset, the name, and the
// data.
static void note(char operation, const char *name, u64 offset, const void *bytes, u32 length) {
  u8 head[16] = { 0 };
  u32 name_length = length_of(name);
  head[0] = operation;
  head[1] = name_length;
  *(u32 *)(head + 4) = length;
  *(u64 *)(head + 8) = offset;
  struct iovec parts[3] = { { head, 16 }, { name, name_length }, { bytes, length } };
  int before = *__errno_location();
  if (trace >= 0) syscall(SYS_writev, trace, parts, 3);
  *__errno_location() = before;
}

static u64 size_of(int fd) {
  u64 stat[32] = { 0 };
  syscall(SYS_fstat, fd, stat);
  return stat[6];
}

int disk_open(const char *path, int flags, int mode) {
  const char *any_name = any_name_of(path), *name = unless_index(any_name);
  signal_if_due(any_name);
  if (is_failing(COUNTED_OPEN, any_name)) return fail_counted();
  int writes = (flags & O_ACCMODE) != 0 || (flags & O_CREAT) != 0;
  int fd = syscall(SYS_open, path, flags, mode);
  if (fd < 0 || fd >= DESCRIPTORS) return fd;
  u64 length = length_of(any_name);
  for (u64 i = 0; i <= length; i++) names[fd][i] = any_name[i];
  if (*name && writes) note('C', name, 0, "", 0);
  return fd;
}

int disk_close(int fd) {
  if (fd >= 0 && fd < DESCRIPTORS) names[fd][0] = 0;
  return syscall(SYS_close, fd);
}

long disk_pread(int fd, void *bytes, u64 length, u64 offset) {
  if (is_failing(COUNTED_READ, any_name_by(fd))) return fail_counted();
  return syscall(SYS_pread64, fd, bytes, length, offset);
}

// Unlocking is not counted, because no file system refuses it.
int disk_fcntl(int fd, int command, long argument) {
  int locks = command >= F_GETLK && command <= F_SETLKW && *(short *)argument != F_UNLCK;
  if (locks && is_failing(COUNTED_LOCK, any_name_by(fd))) return fail_counted();
  return syscall(SYS_fcntl, fd, command, argument);
}

// File systems that cannot share mapped memory answer ENODEV.
void *disk_mmap(void *address, u64 length, int protection, int flags, int fd, u64 offset) {
  if (is_failing(COUNTED_MAP, any_name_by(fd))) return (void *)(long)fail(ENODEV);
  return (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
}

long disk_pwrite(int fd, const void *bytes, u64 length, u64 offset) {
  const char *any_name = any_name_by(fd), *name = unless_index(any_name);
  signal_if_due(any_name);
  if (*any_name && (*control & FAULT_FULL) && offset + length > size_of(fd)) return fail(ENOSPC);
  if (*name) {
    if (*control & FAULT_WRITE) return fail(EIO);
    if (is_failing(COUNTED_WRITE, name)) return fail_counted();
    note('W', name, offset, bytes, length);
  }
  return syscall(SYS_pwrite64, fd, bytes, length, offset);
}

int disk_ftruncate(int fd, u64 size) {
  const char *name = name_by(fd);
  signal_if_due(name);
  if (*name && is_failing(COUNTED_TRUNCATE, name)) return fail_counted();
  if (*name) note('T', name, size, "", 0);
  return syscall(SYS_ftruncate, fd, size);
}

// Finds the name of a file that Bun itself has opened. Bun opens files by direct kernel calls, which are not intercepted.
static const char *name_in_kernel(int fd) {
  static char path[2048];
  char link[32] = "/proc/self/fd/";
  int digits = 0, at = 14;
  for (int rest = fd; rest > 0 || digits == 0; rest /= 10) digits++;
  for (int place = digits - 1, rest = fd; place >= 0; place--, rest /= 10) link[at + place] = '0' + rest % 10;
  link[at + digits] = 0;
  long length = syscall(SYS_readlink, link, path, sizeof(path) - 1);
  if (length < 0) return "";
  path[length] = 0;
  return name_of(path);
}

// A sync is traced only after it has succeeded. If the process ended during the sync, it was never acknowledged.
static int synced(int number, int fd) {
  const char *name = name_by(fd);
  if (*name == 0) name = name_in_kernel(fd);
  signal_if_due(name);
  if (*name && (*control & FAULT_SYNC)) return fail(EIO);
  if (*name && is_failing(COUNTED_SYNC, name)) return fail_counted();
  if (*name && (*control & FAULT_CHECKPOINT) && !ends_with(name, "-wal")) return fail(EIO);
  int result = syscall(number, fd);
  if (*name && result == 0) note('S', name, 0, "", 0);
  return result;
}

int disk_fsync(int fd) { return synced(SYS_fsync, fd); }
int disk_fdatasync(int fd) { return synced(SYS_fdatasync, fd); }

int disk_unlink(const char *path) {
  const char *any_name = any_name_of(path), *name = unless_index(any_name);
  signal_if_due(any_name);
  if (is_failing(COUNTED_UNLINK, any_name)) return fail_counted();
  if (*name) note('U', name, 0, "", 0);
  return syscall(SYS_unlink, path);
}

// SQLite does not make these calls. They are counted, but not traced.
int disk_rename(const char *from, const char *to) {
  signal_if_due(any_name_of(from));
  if (is_failing(COUNTED_RENAME, any_name_of(from))) return fail_counted();
  return syscall(SYS_rename, from, to);
}

int disk_renameat(int from_folder, const char *from, int to_folder, const char *to) {
  signal_if_due(any_name_of(from));
  if (is_failing(COUNTED_RENAME, any_name_of(from))) return fail_counted();
  return syscall(SYS_renameat, from_folder, from, to_folder, to);
}

int disk_mkdir(const char *path, int mode) {
  signal_if_due(any_name_of(path));
  return syscall(SYS_mkdir, path, mode);
}

int disk_mkdirat(int parent, const char *path, int mode) {
  signal_if_due(any_name_of(path));
  return syscall(SYS_mkdirat, parent, path, mode);
}

int disk_rmdir(const char *path) {
  signal_if_due(any_name_of(path));
  return syscall(SYS_rmdir, path);
}

int disk_unlinkat(int parent, const char *path, int flags) {
  signal_if_due(any_name_of(path));
  return syscall(SYS_unlinkat, parent, path, flags);
}

void begin(const char *path, int trace_descriptor, u8 *control_byte) {
  folder_length = length_of(path);
  for (u64 i = 0; i <= folder_length; i++) folder[i] = path[i];
  trace = trace_descriptor;
  control = control_byte;
}

static void *replacement(int call) {
  switch (call) {
    case 0: return disk_open;
    case 1: return disk_close;
    case 2: return disk_pwrite;
    case 3: return disk_ftruncate;
    case 4: return disk_fsync;
    case 5: return disk_fdatasync;
    case 6: return disk_unlink;
    case 7: return disk_pread;
    case 8: return disk_fcntl;
    case 9: return disk_rename;
    case 10: return disk_renameat;
    case 11: return disk_mkdir;
    case 12: return disk_mkdirat;
    case 13: return disk_rmdir;
    case 14: return disk_unlinkat;
    case 15: return disk_mmap;
  }
  return 0;
}

// Bun links some of SQLite's calls to Bun's own functions, so the loader fills no slots for them. They are in SQLite's table of
// system calls (`aSyscall` in os_unix.c, whose entries are a name, a function and a default), from 4 entries before pread to 13
// entries after it.
u64 slot_near(u64 slot_of_pread, const char *wanted) {
  if (slot_of_pread == 0) return 0;
  for (u64 slot = slot_of_pread - 4 * 24; slot <= slot_of_pread + 13 * 24; slot += 24) {
    const char *name = *(const char **)(slot - 8);
    if (length_of(name) == length_of(wanted) && ends_with(name, wanted)) return slot;
  }
  return 0;
}

// Replaces the C library's function in the slot at this address with ours.
int redirect(u64 slot, int call) {
  u64 page = slot & ~4095UL;
  if (syscall(SYS_mprotect, page, slot + 8 - page > 4096 ? 8192 : 4096, 3) != 0) return -1;
  *(void **)slot = replacement(call);
  return 0;
}
