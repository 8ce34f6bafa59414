import { version } from "../package.json" with { type: "json" };

interface ServerProcess {
  readonly versions?: Readonly<Partial<Record<"node" | "bun" | "deno", string>>> | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/**
 * Returns the `process` object of Node, Bun or Deno. A web page has no such object, or only a bundler's imitation without
 * versions.
 */
function serverProcess(): ServerProcess | undefined {
  const { process }: { readonly process?: ServerProcess; readonly fetch: unknown } = globalThis;
  return process?.versions?.node === undefined ? undefined : process;
}

/** Returns the value of an environment variable; undefined if it is empty or not set, and always undefined in a web page. */
export function readVariable(name: string): string | undefined {
  return serverProcess()?.env?.[name] || undefined;
}

/**
 * Returns the header `User-Agent: petstore-client/1.0.0 node/24.1.0`. A web page gets no header, because the browser sets its own.
 */
export function userAgent(): Record<string, string> {
  const { node, bun, deno } = serverProcess()?.versions ?? {};
  if (node === undefined) return {};
  // Bun and Deno are checked first, because they also report a version of Node.
  const runtime = bun !== undefined ? `bun/${bun}` : deno !== undefined ? `deno/${deno}` : `node/${node}`;
  return { "user-agent": `petstore-client/${version} ${runtime}` };
}
