import { readFileSync } from "node:fs";

/**
 * True if this process runs in the terminal of a container whose log keeps all output (`docker run -t`, or `tty: true` in a compose
 * file). The terminal session of such a container was started by the container's first process, or from outside the container. In a
 * shell that a person opens on a machine, another program started the session. Always false on systems without Linux's `/proc`.
 */
export function isContainerTerminal(): boolean {
  const session = readStat("self")?.session;
  if (session === undefined) return false;
  // If the parent's process id is 0, the parent is outside the container, where processes have no id that is visible inside.
  return session <= 1 || readStat(String(session))?.parent === 0;
}

/** Reads the ids of a process's parent and session (proc_pid_stat(5)). Returns undefined if they cannot be read. */
function readStat(process: string): { readonly parent: number; readonly session: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${process}/stat`, "utf8");
    // In the file `stat`, the name of the program is in parentheses, and may itself contain spaces and parentheses.
    const [, parent, , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(parent), session: Number(session) };
  } catch {
    return undefined;
  }
}
