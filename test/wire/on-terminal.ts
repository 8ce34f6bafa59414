import { PROGRAM, type Program } from "./process.ts";
import { environment, type Store } from "./stores.ts";

interface OnTerminal {
  readonly env?: Readonly<Record<string, string>>;
  readonly program?: Program;
  /**
   * A shell command that starts the service and can redirect its log. In this command, `"$@"` stands for the command line of the
   * service.
   */
  readonly shell?: string;
}

/** Starts the service on a terminal, and waits until its banner is printed. */
export async function serveOnTerminal(store: Store, options: OnTerminal = {}) {
  const { env, program = PROGRAM, shell = 'exec "$@"' } = options;
  const ready = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const decoder = new TextDecoder();
  let screen = "";
  const child = Bun.spawn(["bash", "-c", shell, "bash", ...program.command, "serve"], {
    cwd: program.cwd,
    env: { ...process.env, ...environment(store), ...env },
    terminal: {
      cols: 200,
      rows: 50,
      data(_terminal, bytes) {
        screen += decoder.decode(bytes, { stream: true });
        if (screen.includes("Stop with Ctrl-C.")) ready.resolve();
      },
      exit: () => closed.resolve(),
    },
  });
  const ended = child.exited.then((code) => {
    throw new Error(`It ended with ${code}: ${screen}`);
  });
  await Promise.race([ready.promise, ended]);
  return {
    pid: child.pid,
    screen: () => screen,
    /** Returns the address of a service from the banner on the terminal. */
    address: (name: string) => new RegExp(`${name} +(http://\\S+)`).exec(screen)?.[1] ?? "",
    exited: child.exited,
    /** Sends SIGTERM to the service. Resolves to its exit code, once all output has arrived. */
    async stop(): Promise<number> {
      child.kill("SIGTERM");
      const code = await child.exited;
      await closed.promise;
      return code;
    },
    kill: () => child.kill("SIGKILL"),
    /** Closes the terminal, as a person does by closing its window. Resolves to the exit code of the service. */
    async closeTerminal(): Promise<number> {
      child.terminal?.close();
      return child.exited;
    },
  };
}
