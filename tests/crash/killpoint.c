/* Run a command and kill all of it right before its N-th call that changes a folder.
 *
 *   killpoint FOLDER N LOG COMMAND [ARGUMENT...]
 *
 * Counts, over all processes and threads of the command, the system calls that would change
 * something below FOLDER; before the N-th is made, all of them get SIGKILL. N 0: none is killed.
 * LOG gets one line a call: its name and the path. Exit status: the command's, 137 when killed.
 *
 * The kernel stops a process at such a call (a seccomp filter, and ptrace), so nothing is missed
 * that goes round the C library. Needs Linux 5.3. Not seen: stores into shared memory maps.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* A call: which argument is the descriptor (of the file, or of the folder the path starts at),
 * which is the path, which holds flags of open; -1: none. Of two paths the new one counts. */
struct call { long number; const char *name; int descriptor, path, flags; };
#define CALL(name, descriptor, path, flags) { SYS_##name, #name, descriptor, path, flags }
static const struct call calls[] = {
#ifdef SYS_open /* not on newer architectures */
    CALL(open, -1, 0, 1), CALL(creat, -1, 0, -1), CALL(rename, -1, 1, -1), CALL(link, -1, 1, -1),
    CALL(symlink, -1, 1, -1), CALL(unlink, -1, 0, -1), CALL(mkdir, -1, 0, -1),
    CALL(rmdir, -1, 0, -1), CALL(chmod, -1, 0, -1), CALL(renameat, 2, 3, -1),
#endif
    CALL(openat, 0, 1, 2), CALL(openat2, 0, 1, -1), CALL(renameat2, 2, 3, -1),
    CALL(linkat, 2, 3, -1), CALL(symlinkat, 1, 2, -1), CALL(unlinkat, 0, 1, -1),
    CALL(mkdirat, 0, 1, -1), CALL(fchmodat, 0, 1, -1), CALL(fchmod, 0, -1, -1),
    CALL(truncate, -1, 0, -1), CALL(ftruncate, 0, -1, -1), CALL(fallocate, 0, -1, -1),
    CALL(write, 0, -1, -1), CALL(pwrite64, 0, -1, -1), CALL(writev, 0, -1, -1),
    CALL(pwritev, 0, -1, -1), CALL(pwritev2, 0, -1, -1), CALL(sendfile, 0, -1, -1),
    CALL(copy_file_range, 2, -1, -1),
};
enum { CALLS = sizeof calls / sizeof *calls };
#define CHANGES (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)

static void die(const char *what) { perror(what); exit(125); }

static void watch_calls(void)
{
    struct sock_filter code[2 + 3 * CALLS + 2], *to = code;
    *to++ = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                         offsetof(struct seccomp_data, nr));
    for (int i = 0; i < CALLS; i++) {
        unsigned number = calls[i].number;
        *to++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
        *to++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    }
    *to++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = { to - code, code };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, 2, &program))
        die("seccomp");
}

static void start(char **command)
{
    setsid();
    if (ptrace(PTRACE_TRACEME, 0, 0, 0)) die("ptrace");
    raise(SIGSTOP);
    watch_calls();
    execvp(*command, command);
    die(*command);
}

/* The absolute path that a call is about. */
static void path_of(pid_t pid, const struct call *call, const __u64 *given, char *path, size_t room)
{
    char name[64], text[4096] = "";
    if (call->path >= 0) {
        snprintf(name, sizeof name, "/proc/%d/mem", pid);
        int memory = open(name, O_RDONLY | O_CLOEXEC);
        if (pread(memory, text, sizeof text - 1, (off_t)given[call->path]) < 0) *text = 0;
        close(memory);
    }
    if (*text == '/') { snprintf(path, room, "%s", text); return; }
    int descriptor = call->descriptor < 0 ? AT_FDCWD : (int)given[call->descriptor];
    if (descriptor == AT_FDCWD) snprintf(name, sizeof name, "/proc/%d/cwd", pid);
    else snprintf(name, sizeof name, "/proc/%d/fd/%d", pid, descriptor);
    ssize_t length = readlink(name, path, room - 1), end = length < 0 ? 0 : length;
    path[end] = 0;
    if (*text) snprintf(path + end, room - end, "/%s", text);
}

/* Is this stop before a change below `folder`? Says so in the log. */
static int is_change(pid_t pid, const char *folder, FILE *log)
{
    struct __ptrace_syscall_info info;
    char path[8192];
    if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof info, &info) < 0) return 0;
    for (const struct call *call = calls; call < calls + CALLS; call++) {
        if (call->number != (long)info.seccomp.nr) continue;
        if (call->flags >= 0 && !(info.seccomp.args[call->flags] & CHANGES)) return 0;
        path_of(pid, call, (const __u64 *)info.seccomp.args, path, sizeof path);
        if (strncmp(path, folder, strlen(folder))) return 0;
        fprintf(log, "%s %s\n", call->name, path + strlen(folder));
        return 1;
    }
    return 0;
}

int main(int count, char **given)
{
    if (count < 5) { fputs("killpoint FOLDER N LOG COMMAND [ARGUMENT...]\n", stderr); return 2; }
    long last = atol(given[2]), number = 0;
    int status, code = 125;
    FILE *log = fopen(given[3], "we");
    if (!log) die(given[3]);
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* or the dead would count as running until init looks */
    pid_t first = fork(), pid;
    if (!first) start(given + 4);
    waitpid(first, &status, 0);
    long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEEXEC |
                   PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE;
    if (ptrace(PTRACE_SETOPTIONS, first, 0, options)) die("ptrace");
    ptrace(PTRACE_CONT, first, 0, 0);
    while ((pid = waitpid(-1, &status, __WALL)) > 0) {
        if (!WIFSTOPPED(status)) {
            if (pid == first) code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            continue;
        }
        int is_call = status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8);
        if (is_call && is_change(pid, given[1], log) && ++number == last) {
            fclose(log);
            kill(-first, SIGKILL);
            while ((pid = waitpid(-1, &status, __WALL)) > 0)
                if (WIFSTOPPED(status)) kill(pid, SIGKILL); /* it had left the group */
            return 137;
        }
        int signal = WSTOPSIG(status), is_event = status >> 16 || signal == SIGSTOP;
        ptrace(PTRACE_CONT, pid, 0, is_event ? 0 : signal);
    }
    fclose(log);
    return code;
}
