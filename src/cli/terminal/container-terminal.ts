import { readFileSync } from "node:fs";

/**
 * True if this process's terminal belongs to a container that keeps everything printed there in its log (`docker run -t`, or `tty:
 * true` in a compose file). The terminal session of such a container is started by the container's first process or from outside
 * the container. The session of a shell that a person has opened on this machine is started by another program on this machine.
 * Always false on systems without Linux's `/proc`.
 */
export function isContainerTerminal(): boolean {
  const session = readStat("self")?.session;
  if (session === undefined) return false;
  // A parent with the number 0 is a process outside the container. Such a process has no number inside the container.
  return session <= 1 || readStat(String(session))?.parent === 0;
}

/** A process's parent and session (proc_pid_stat(5)); undefined if they cannot be read. */
function readStat(process: string): { readonly parent: number; readonly session: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${process}/stat`, "utf8");
    // The program's name, in parentheses, may itself contain spaces and parentheses.
    const [, parent, , session] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(parent), session: Number(session) };
  } catch {
    return undefined;
  }
}
