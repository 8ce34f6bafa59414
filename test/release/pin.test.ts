import { afterAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findUnpinned, pinnedFiles } from "../../scripts/release/pins.ts";
import { PROJECT } from "../repository/documents.ts";
import { outcomeOf } from "../wire/process.ts";

// `npm run lab -- pin`, on this project's own workflows and Dockerfile: GitHub is a folder of repositories, and Docker Hub a
// server on loopback.

const folder = realpathSync(mkdtempSync(join(tmpdir(), "petstore-pin-")));
afterAll(() => rmSync(folder, { recursive: true }));

const DIGEST = `sha256:${"0a".repeat(32)}`;
const TOKEN = "anonymous";

/** Starts a registry that wants a token for each repository, as Docker Hub does. */
function startRegistry() {
  const asked: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname, searchParams, origin } = new URL(request.url);
      if (pathname === "/token")
        return Response.json({
          token: `${TOKEN} ${searchParams.get("service")} ${searchParams.get("scope")}`,
        });
      const [, repository = "", tag] = /^\/v2\/(.*)\/manifests\/(.*)$/.exec(pathname) ?? [];
      const scope = `repository:${repository}:pull`;
      if (request.headers.get("Authorization") !== `Bearer ${TOKEN} hub ${scope}`)
        return new Response(null, {
          status: 401,
          headers: { "WWW-Authenticate": `Bearer realm="${origin}/token",service="hub",scope="${scope}"` },
        });
      asked.push(`${repository}:${tag}`);
      const isList = request.headers.get("Accept")?.includes("application/vnd.oci.image.index.v1+json");
      return new Response(null, { headers: isList ? { "Docker-Content-Digest": DIGEST } : {} });
    },
  });
  return { asked, url: server.url.origin, stop: () => server.stop(true) };
}

/** Makes a repository with one commit and a tag. @returns the commit */
async function publishAction(name: string, tag: string): Promise<string> {
  const path = join(folder, "github", name);
  mkdirSync(path, { recursive: true });
  const git = "git -c user.name=Test -c user.email=test@example.com";
  // An annotated tag is an object of its own, whose hash is not the commit's.
  const annotated = name.endsWith("checkout") ? "--annotate --message Tag" : "";
  await Bun.$`sh -ec ${`git init --quiet && ${git} commit --quiet --allow-empty --message ${name} && ${git} tag ${annotated} ${tag}`}`.cwd(
    path,
  );
  return (await Bun.$`git rev-parse HEAD`.cwd(path).text()).trim();
}

function pin(cwd: string, registry: string) {
  const env = {
    ...process.env,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `url.file://${folder}/github/.insteadOf`,
    GIT_CONFIG_VALUE_0: "https://github.com/",
  };
  const command = [process.execPath, join(PROJECT, "scripts/release/pin.ts"), "--registry", registry];
  return outcomeOf(Bun.spawn(command, { cwd, env, stdout: "pipe", stderr: "pipe" }));
}

/** Copies the project's workflows and Dockerfile, as they were before they were pinned. @returns their paths */
function copyUnpinned(project: string): readonly string[] {
  for (const path of ["Dockerfile", ".github/workflows"])
    cpSync(join(PROJECT, path), join(project, path), { recursive: true });
  for (const path of pinnedFiles(project).map((name) => join(project, name))) {
    const text = readFileSync(path, "utf8");
    const tags = text.replaceAll(/@[0-9a-f]{40} # (\S+)/g, "@$1").replaceAll(/@sha256:[0-9a-f]{64}/g, "");
    writeFileSync(path, tags);
  }
  return pinnedFiles(project);
}

test("every action gets the commit of its tag, every image its digest, and the rest of the files stays", async () => {
  const project = join(folder, "project");
  const paths = copyUnpinned(project);
  expect(paths).toEqual(["Dockerfile", ".github/workflows/ci.yml", ".github/workflows/release.yml"]);
  const read = () => paths.map((path) => readFileSync(join(project, path), "utf8")).join("");
  let expected = read();
  const references = await findUnpinned(project);
  for (const action of references.filter((reference) => reference.startsWith("actions/"))) {
    const [name = "", tag = ""] = action.split("@");
    expected = expected.replaceAll(action, `${name}@${await publishAction(name, tag)} # ${tag}`);
  }
  const images = references.filter((reference) => reference.startsWith("node:"));
  expect(images.length).toBeGreaterThan(1);
  for (const image of images) expected = expected.replaceAll(image, `${image}@${DIGEST}`);

  const registry = startRegistry();
  const printed = paths.map((path) => `${path}: pinned\n`).join("");
  expect(await pin(project, registry.url)).toEqual({ code: 0, out: printed, err: "" });
  expect(registry.asked.sort()).toEqual(images.map((image) => `library/${image}`).sort());
  expect(read()).toBe(expected);
  expect(await findUnpinned(project)).toEqual([]);
  const again = printed.replaceAll("pinned", "unchanged");
  expect(await pin(project, registry.url)).toEqual({ code: 0, out: again, err: "" });
  await registry.stop();
});

test("an action without that tag stops it, with the tag's name", async () => {
  const project = join(folder, "moved");
  await publishAction("actions/cache", "v1");
  mkdirSync(join(project, ".github/workflows"), { recursive: true });
  writeFileSync(join(project, "Dockerfile"), "FROM scratch\n");
  writeFileSync(join(project, ".github/workflows/ci.yml"), "      - uses: actions/cache@v2\n");
  const { code, err } = await pin(project, "http://127.0.0.1:9");
  expect([code, err]).toEqual([1, expect.stringContaining("actions/cache has no tag v2.")]);
});
