import { ask, nextPath, type Target } from "./request.ts";

/** Follows a server's `Link` headers and returns the paths. */
export async function followPages(
  target: Target,
  count: number,
  first = "/v1/pets?limit=20",
): Promise<string[]> {
  const paths = [first];
  while (paths.length < count) {
    const next = nextPath(await ask(target, "GET", paths.at(-1) ?? first));
    if (next === undefined) break;
    paths.push(next);
  }
  return paths;
}
