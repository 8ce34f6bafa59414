import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json";
import { protect } from "../protect.ts";
import { createSoftwareAuthenticator } from "../software-authenticator.ts";
import { openBrowserSession, PASSWORD, signUp } from "../wire/browser-session.ts";
import { startIdentityProvider } from "../wire/identity-provider.ts";
import { startMailServer } from "../wire/mail-server.ts";
import { expectPages } from "../wire/pages.ts";
import { outcomeOf, startProcess } from "../wire/process.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";

// Tests the bundle that `npm ci` makes, and when bin/petstore.js runs it instead of the source code.

const SOURCES = [
  "bin",
  "scripts",
  "src",
  "client",
  "exact-json",
  "docs/guides",
  "package.json",
  "tsconfig.json",
  "bunfig.toml",
];
const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));
let folder: string;
beforeEach(() => {
  copyProject();
  return () => rmSync(folder, { recursive: true });
});

/** Copies the project without its bundle. */
function copyProject(): void {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "petstore-bundle-")));
  for (const path of SOURCES) cpSync(join(PROJECT, path), join(folder, path), { recursive: true });
  linkPackages(join(PROJECT, "node_modules"), join(folder, "node_modules"));
}

/** Links the installed npm packages, and copies npm's list of them. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from))
    if (!name.startsWith(".")) symlinkSync(join(from, name), join(to, name));
  cpSync(join(from, ".package-lock.json"), join(to, ".package-lock.json"));
}

const run = (...command: readonly string[]) =>
  outcomeOf(Bun.spawn([...command], { cwd: folder, stdout: "pipe", stderr: "pipe" }));
const printVersion = async (): Promise<string> =>
  (await run("node", join(folder, "bin/petstore.js"), "--version")).out.trim();

async function makeBundle(): Promise<void> {
  expect(await run(process.execPath, "scripts/build-program.ts")).toEqual({ code: 0, out: "", err: "" });
}

const inBundle = (name: string): string => join(folder, "dist/program", name);

/** Creates a valid bundle that only prints `the bundle`. */
async function makeTellingBundle(): Promise<void> {
  await makeBundle();
  writeFileSync(inBundle("petstore.js"), 'console.log("the bundle")');
  const { stateOf, digestOf } = await import(join(folder, "bin/bundle.js"));
  for (const [list, readValue] of [["states.json", stateOf] as const, ["digests.json", digestOf] as const]) {
    const values = await Bun.file(inBundle(list)).json();
    const path = "dist/program/petstore.js";
    writeFileSync(inBundle(list), JSON.stringify({ ...values, [path]: readValue(path) }));
  }
}

/** Moves the project to a different folder. The bundle must still be valid there. */
function move(): void {
  const from = folder;
  folder = `${from}-moved`;
  renameSync(from, folder);
}

function replaceByCopy(): void {
  const from = folder;
  folder = `${from}-copy`;
  cpSync(from, folder, { recursive: true, verbatimSymlinks: true });
  rmSync(from, { recursive: true });
}

/** Changes one character of a comment or string in a file. The file keeps its size and its modification time. */
function edit(path: string, from: string, to: string): void {
  const file = join(folder, path);
  const { atime, mtime } = statSync(file);
  const text = readFileSync(file, "utf8");
  expect([text.includes(from), to.length]).toEqual([true, from.length]);
  writeFileSync(file, text.replace(from, to));
  utimesSync(file, atime, mtime);
}

test("without a bundle the sources run", async () => {
  expect(await printVersion()).toBe(version);
});

test("an install succeeds where no bundle can be written", async () => {
  writeFileSync(join(folder, "dist"), "");
  const { code, err } = await run(process.execPath, "scripts/build-program.ts");
  expect([code, err]).toEqual([
    0,
    expect.stringContaining("No bundle was made, and the sources run: EEXIST"),
  ]);
  expect(await printVersion()).toBe(version);
});

test("the service and its pages work from the bundle as from the sources, even if the project has moved", async () => {
  await makeBundle();
  for (const name of readdirSync(inBundle("")))
    expect([name, readFileSync(inBundle(name)).includes(folder)]).toEqual([name, false]);
  move();
  const store = await freshEmbeddedStore();
  const server = await startProcess({
    store,
    program: { command: ["node", join(folder, "bin/petstore.js")], cwd: tmpdir() },
  });
  try {
    await expectPages(new URL(server.production).origin);
  } finally {
    expect(await server.stop()).toBe(0);
  }
});

test("packages that are loaded when they are needed lie beside the bundle, and work there", async () => {
  await makeBundle();
  const program = readFileSync(inBundle("petstore.js"), "utf8");
  for (const name of ["nodemailer", "openid-client", "@simplewebauthn/server", "@zxcvbn-ts/language-common"])
    expect(program).not.toContain(`// node_modules/${name}/`);
  move();
  const [mail, provider] = await Promise.all([startMailServer(), startIdentityProvider([])]);
  const server = await startProcess({
    store: await freshEmbeddedStore(),
    env: {
      ...mail.env,
      ...provider.env,
      PETSTORE_SIGN_UP: "open",
      PETSTORE_TRUSTED_PROXIES: "127.0.0.1,::1",
    },
    program: { command: ["node", join(folder, "bin/petstore.js")], cwd: tmpdir() },
  });
  // When `npm ci` replaces the bundle while the service runs, a script is missing for a moment. A request then fails, but the next
  // one finds the script.
  const list = inBundle("zxcvbn-ts-language-common.js");
  renameSync(list, `${list}.away`);
  const early = { email: "early@example.com", password: PASSWORD };
  expect((await openBrowserSession(server).call("POST /accounts", early)).status).toBe(500);
  renameSync(`${list}.away`, list);
  const ada = await signUp(server, "ada@example.com");
  await ada.call("POST /password-reset/request", { email: "ada@example.com" });
  const [reset] = await mail.received(1);
  expect(reset?.to).toEqual(["ada@example.com"]);
  const challenge = await ada.call("POST /account/passkeys/challenge", { password: PASSWORD });
  const { origin } = new URL(server.production);
  const device = createSoftwareAuthenticator().create({ ...challenge.json, origin });
  const added = await ada.call("POST /account/passkeys", { name: "a device", ...device });
  expect(added.status).toBe(201);
  const departure = await ada.call("POST /session/provider/departure");
  expect(departure.json.url).toStartWith(`${provider.issuer}/auth?`);
  expect(await server.stop()).toBe(0);
  await Promise.all([mail.stop(), provider.stop()]);
});

test("doctor says what runs, and why the sources run", async () => {
  const program = async () => {
    const { out } = await run(
      "node",
      "bin/petstore.js",
      "doctor",
      "--json",
      "--data-dir",
      join(folder, "data"),
    );
    return JSON.parse(out).find(({ check }: { check: string }) => check === "program");
  };
  const sources = (reason: string) => ({
    check: "program",
    state: "warn",
    message: `petstore runs from its sources, which start more slowly than a bundle: ${reason}`,
    advice: "Run: npm run prepare",
  });
  expect(await program()).toEqual(sources("there is no bundle"));
  await makeBundle();
  expect(await program()).toEqual({
    check: "program",
    state: "ok",
    message: "petstore runs from the bundle that was built from this source checkout",
  });
  edit("src/limits.ts", "// ", "//-");
  expect(await program()).toEqual(sources("src/limits.ts was changed or removed after the bundle was made"));
});

describe("a bundle", () => {
  let built: string;
  beforeAll(async () => {
    copyProject();
    built = folder;
    await makeTellingBundle();
    return () => rmSync(built, { recursive: true });
  });
  beforeEach(async () => {
    cpSync(join(built, "dist"), join(folder, "dist"), { recursive: true });
    expect(await printVersion()).toBe("the bundle");
  });

  test("runs while nothing has changed", async () => {
    expect(await printVersion()).toBe("the bundle");
  });

  test.each([
    ["src/limits.ts", "// ", "//-"],
    ["package.json", "A pet store", "A pet storf"],
    ["node_modules/.package-lock.json", '"name": "petstore"', '"name": "petstorf"'],
  ])("does not run once %s has other contents of the same size and time", async (path, from, to) => {
    edit(path, from, to);
    expect(await printVersion()).toBe(version);
  });

  test.each(["petstore.js", "petstore.js.jsc"])(
    "does not run once its %s is empty, as after a power failure, or gone",
    async (name) => {
      const file = join(folder, "dist/program", name);
      writeFileSync(file, "");
      expect(await printVersion()).toBe(version);
      rmSync(file);
      expect(await printVersion()).toBe(version);
    },
  );

  test("does not run once a source or the list of packages is removed", async () => {
    rmSync(join(folder, "node_modules/.package-lock.json"));
    expect(await printVersion()).toBe(version);
  });

  test.each([
    ["has moved", move],
    ["is a copy", replaceByCopy],
    ["has files of new times", () => utimesSync(join(folder, "src/limits.ts"), 0, 0)],
  ])("runs if the project %s, and compares contents only once", async (_, change) => {
    change();
    expect(await printVersion()).toBe("the bundle");
    rmSync(inBundle("digests.json"));
    expect(await printVersion()).toBe("the bundle");
    edit("src/limits.ts", "// ", "//-");
    expect(await printVersion()).toBe(version);
  });

  test("does not run in a copy whose source or bundle was edited before the first start there", async () => {
    replaceByCopy();
    edit("src/limits.ts", "// ", "//-");
    expect(await printVersion()).toBe(version);
    edit("src/limits.ts", "//-", "// ");
    expect(await printVersion()).toBe("the bundle");
    edit("dist/program/petstore.js", "the", "teh");
    expect(await printVersion()).toBe(version);
  });

  test("runs in every one of several parallel first starts of a copy", async () => {
    replaceByCopy();
    const files = readdirSync(inBundle(""));
    expect(await Promise.all(Array.from({ length: 6 }, printVersion))).toEqual(Array(6).fill("the bundle"));
    expect(readdirSync(inBundle(""))).toEqual(files);
    rmSync(inBundle("digests.json"));
    expect(await printVersion()).toBe("the bundle");
  });

  test("runs in a copy that cannot be written to", async () => {
    replaceByCopy();
    const files = readdirSync(inBundle(""));
    protect(inBundle(""), true);
    const versions = [await printVersion(), await printVersion()];
    protect(inBundle(""), false);
    expect([versions, readdirSync(inBundle(""))]).toEqual([["the bundle", "the bundle"], files]);
  });

  test("is compared again after a start that found a source modified at that moment", async () => {
    const states = readFileSync(inBundle("states.json"), "utf8");
    // The preloaded file changes the modification time of a source file after the program has started.
    const command = ["--preload", join(import.meta.dir, "touch-source.ts"), "bin/petstore.js", "--version"];
    expect((await run(process.execPath, ...command)).out.trim()).toBe("the bundle");
    expect(readFileSync(inBundle("states.json"), "utf8")).toBe(states);
    rmSync(inBundle("digests.json"));
    expect(await printVersion()).toBe(version);
  });

  test("is removed by a build that finds a source modified at that moment", async () => {
    // The preloaded file changes a source file after the build has started.
    const preload = ["--preload", join(import.meta.dir, "touch-source.ts")];
    const { code, err } = await run(process.execPath, ...preload, "scripts/build-program.ts");
    expect([code, err]).toEqual([
      0,
      "No bundle was made, and the sources run: src/limits.ts has changed meanwhile.\n",
    ]);
    expect(await printVersion()).toBe(version);
  });
});
