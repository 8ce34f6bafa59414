// Pins the actions of the workflows by commit, and the images by digest, in the project in the current folder. Needs the network.
import { parseArgs } from "node:util";
import { ACTION, findUnpinned, IMAGE, pinnedFiles } from "./pins.ts";

/** Manifest types that list an image's platforms; otherwise a registry answers with one platform's digest. */
const INDEXES =
  "application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json";

const { values } = parseArgs({
  options: { registry: { type: "string", default: "https://registry-1.docker.io" } },
});
const project = process.cwd();
const unpinned = await findUnpinned(project);
const pins = new Map(await Promise.all(unpinned.map(async (one) => [one, await pinOf(one)] as const)));
for (const path of pinnedFiles(project)) {
  const text = await Bun.file(path).text();
  const pinned = [ACTION, IMAGE].reduce(
    (all, pattern) => all.replaceAll(pattern, (one) => pins.get(one) ?? one),
    text,
  );
  if (pinned !== text) await Bun.write(path, pinned);
  console.log(`${path}: ${pinned === text ? "unchanged" : "pinned"}`);
}

/** The reference with a commit or a digest. An action keeps its tag as a comment, which Dependabot updates. */
async function pinOf(reference: string): Promise<string> {
  const [action = "", tag] = reference.split("@");
  if (tag === undefined) return `${reference}@${await digestOf(reference)}`;
  return `${action}@${await commitOf(action, tag)} # ${tag}`;
}

async function commitOf(action: string, tag: string): Promise<string> {
  const [owner, name] = action.split("/");
  const ref = `refs/tags/${tag}`;
  // An annotated tag has a second line, `refs/tags/v4^{}`, with the commit.
  const listed = await Bun.$`git ls-remote https://github.com/${owner}/${name} ${ref} ${`${ref}^{}`}`.text();
  const commit = listed.trim().split("\n").at(-1)?.split("\t")[0] ?? "";
  if (!/^[0-9a-f]{40}$/.test(commit)) throw new Error(`${action} has no tag ${tag}.`);
  return commit;
}

async function digestOf(image: string): Promise<string> {
  const [name = "", tag = "latest"] = image.split(":");
  const url = `${values.registry}/v2/${name.includes("/") ? name : `library/${name}`}/manifests/${tag}`;
  const ask = (headers: Record<string, string>) =>
    fetch(url, { method: "HEAD", headers: { Accept: INDEXES, ...headers } });
  let answer = await ask({});
  const challenge = answer.headers.get("WWW-Authenticate");
  if (answer.status === 401 && challenge !== null)
    answer = await ask({ Authorization: `Bearer ${await anonymousToken(challenge)}` });
  const digest = answer.headers.get("Docker-Content-Digest") ?? "";
  if (!/^sha256:[0-9a-f]{64}$/.test(digest))
    throw new Error(`${url} answered ${answer.status} without a digest.`);
  return digest;
}

/** @param challenge `Bearer realm="https://…",service="…",scope="…"` (RFC 6750 §3) */
async function anonymousToken(challenge: string): Promise<string> {
  const { realm, ...query } = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [key, value]),
  );
  const answer = await fetch(`${realm}?${new URLSearchParams(query)}`);
  return String(Object(await answer.json()).token);
}
