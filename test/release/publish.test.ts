import { afterAll, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROJECT } from "../repository/documents.ts";
import { outcomeOf } from "../wire/process.ts";

// Runs the last steps of the release workflow. `gh` and `docker` are replaced with programs that only record how they were called.

const folder = realpathSync(mkdtempSync(join(tmpdir(), "petstore-publish-")));
afterAll(() => rmSync(folder, { recursive: true }));
const calls = join(folder, "calls");

/** Creates a fake program on the PATH. It records its arguments and its input. */
function fake(name: string, then = "") {
  mkdirSync(join(folder, "bin"), { recursive: true });
  const path = join(folder, "bin", name);
  writeFileSync(path, `#!/bin/sh\n{ echo "${name} $*"; cat; } >> ${calls}\n${then}\n`);
  chmodSync(path, 0o755);
}

async function run(script: string) {
  writeFileSync(calls, "");
  const env = {
    PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
    GITHUB_ACTOR: "ann",
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_REF_NAME: "v1.10.0",
    GITHUB_REPOSITORY: "Acme/Petstore",
    GH_TOKEN: "secret",
  };
  const command = ["node", join(PROJECT, "scripts/release", script)];
  const stdio = { stdin: null, stdout: "pipe", stderr: "pipe" } as const;
  const { code, err } = await outcomeOf(Bun.spawn(command, { cwd: folder, env, ...stdio }));
  return { code, err, calls: readFileSync(calls, "utf8").trim().split("\n") };
}

test("the release page has every file of dist/, and the notes as its text", async () => {
  mkdirSync(join(folder, "dist"));
  for (const name of ["SHA256SUMS", "notes.md", "petstore-1.10.0-linux-x64.tar.gz"])
    writeFileSync(join(folder, "dist", name), "");
  fake("gh");
  const page = "--verify-tag --title petstore 1.10.0 --notes-file dist/notes.md";
  expect(await run("publish.js")).toEqual({
    code: 0,
    err: "",
    calls: [`gh release create v1.10.0 ${page} dist/SHA256SUMS dist/petstore-1.10.0-linux-x64.tar.gz`],
  });
  fake("gh", "exit 4");
  expect(await run("publish.js")).toMatchObject({ code: 4 });
});

test("the image is pushed under a lower-case name, with the token on standard input, and its digest is passed on", async () => {
  const digest = `sha256:${"0a".repeat(32)}`;
  const image = "ghcr.io/acme/petstore";
  fake("docker", `[ "$2" != inspect ] || echo '["elsewhere/petstore@sha256:1","${image}@${digest}"]'`);
  expect(await run("push-image.js")).toEqual({
    code: 0,
    err: "",
    calls: [
      `docker tag petstore ${image}:1.10.0`,
      "docker login ghcr.io --username ann --password-stdin",
      `secretdocker push ${image}:1.10.0`,
      `docker image inspect --format {{json .RepoDigests}} ${image}:1.10.0`,
    ],
  });
  expect(readFileSync(join(folder, "output"), "utf8")).toBe(`name=${image}\ndigest=${digest}\n`);
});
