import { version } from "../package.json" with { type: "json" };

interface ServerProcess {
  readonly versions?: Readonly<Partial<Record<"node" | "bun" | "deno", string>>> | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The `process` of Node, Bun and Deno. A page has none, or a bundler's imitation without versions and environment. */
function serverProcess(): ServerProcess | undefined {
  const { process }: { readonly process?: ServerProcess; readonly fetch: unknown } = globalThis;
  return process?.versions?.node === undefined ? undefined : process;
}

/** The value of an environment variable; undefined if it is empty, and in a page. */
export function readVariable(name: string): string | undefined {
  return serverProcess()?.env?.[name] || undefined;
}

/** The `User-Agent` header, `petstore-client/1.0.0 node/24.1.0`; empty in a page, whose browser sets its own. */
export function userAgent(): Record<string, string> {
  const { node, bun, deno } = serverProcess()?.versions ?? {};
  if (node === undefined) return {};
  // Bun and Deno have the version of the Node that they imitate, too.
  const runtime = bun !== undefined ? `bun/${bun}` : deno !== undefined ? `deno/${deno}` : `node/${node}`;
  return { "user-agent": `petstore-client/${version} ${runtime}` };
}
