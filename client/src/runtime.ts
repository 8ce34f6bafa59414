import { version } from "../package.json" with { type: "json" };

interface ServerProcess {
  readonly versions?: Readonly<Partial<Record<"node" | "bun" | "deno", string>>> | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/**
 * The `process` of Node, Bun and Deno. A web page has no `process`, or only a bundler's imitation without versions and environment.
 */
function serverProcess(): ServerProcess | undefined {
  const { process }: { readonly process?: ServerProcess; readonly fetch: unknown } = globalThis;
  return process?.versions?.node === undefined ? undefined : process;
}

/** The value of an environment variable; undefined if it is empty, and in a web page. */
export function readVariable(name: string): string | undefined {
  return serverProcess()?.env?.[name] || undefined;
}

/** The header `User-Agent: petstore-client/1.0.0 node/24.1.0`. A web page gets none, because the browser sets its own. */
export function userAgent(): Record<string, string> {
  const { node, bun, deno } = serverProcess()?.versions ?? {};
  if (node === undefined) return {};
  // Bun and Deno also report the version of Node that they are compatible with.
  const runtime = bun !== undefined ? `bun/${bun}` : deno !== undefined ? `deno/${deno}` : `node/${node}`;
  return { "user-agent": `petstore-client/${version} ${runtime}` };
}
