import { VERSION } from "./version.ts";

interface ServerProcess {
  readonly versions?: { readonly node?: string | undefined; readonly bun?: string | undefined } | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The `process` of Node and Bun. A page has none, or a bundler's imitation without versions and without an environment. */
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
  const { bun, node } = serverProcess()?.versions ?? {};
  if (node === undefined) return {};
  return { "user-agent": `petstore-client/${VERSION} ${bun === undefined ? `node/${node}` : `bun/${bun}`}` };
}
