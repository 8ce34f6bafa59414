import { PROGRAM, readAddresses } from "../../wire/process.ts";
import { type Addresses, environment, type Store } from "../../wire/stores.ts";

export interface SoakedService extends Addresses {
  readonly pid: number;
  /** The warnings and errors in the service's log, except those about webhook deliveries that the receiver refuses. */
  readonly complaints: readonly string[];
  stop(): Promise<number>;
}

const COMPLAINT = /^\{"level":"(warn|error)"/;

/**
 * Starts the service as a process. Only the warnings and errors of its log are kept, because hours of the complete log would fill
 * the memory.
 */
export async function startService(
  store: Store,
  env: Readonly<Record<string, string>>,
): Promise<SoakedService> {
  const child = Bun.spawn([...PROGRAM.command, "serve"], {
    cwd: PROGRAM.cwd,
    env: { ...environment(store), ...env },
    stdout: "pipe",
    stderr: "inherit",
  });
  const complaints: string[] = [];
  const listening = Promise.withResolvers<Addresses>();
  readLog(child.stdout, listening.resolve, (line) => complaints.push(line)).then(() =>
    listening.reject(new Error("The service ended before it listened.")),
  );
  return {
    ...(await listening.promise),
    pid: child.pid,
    complaints,
    stop() {
      child.kill("SIGTERM");
      return child.exited;
    },
  };
}

async function readLog(
  output: ReadableStream<Uint8Array>,
  onListening: (addresses: Addresses) => void,
  onComplaint: (line: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let beginning: string | undefined = "";
  let rest = "";
  for await (const chunk of output) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (COMPLAINT.test(line) && !line.includes(" was not delivered")) onComplaint(line);
      if (beginning === undefined) continue;
      beginning += `${line}\n`;
      const addresses = readAddresses(beginning);
      if (addresses === undefined) continue;
      beginning = undefined;
      onListening(addresses);
    }
  }
}
