import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../package.json";
import { writeArchive } from "../../scripts/build/archive.ts";
import { buildExecutable } from "../../scripts/build/executable.ts";
import { licenceTexts } from "../../scripts/build/licences.ts";
import { hostTarget, TARGETS } from "../../scripts/build/targets.ts";
import { fencesIn, PROJECT } from "../repository/documents.ts";
import { outcomeOf, startProcess } from "../wire/process.ts";
import { send } from "../wire/send.ts";

// Follows docs/guides/run.md with the archive for this machine, as if it had been downloaded. Also checks the archive for Windows.

const target = hostTarget() ?? expect.unreachable();
const folder = realpathSync(mkdtempSync(join(tmpdir(), "petstore-archive-")));
const licences = join(folder, "LICENSES.txt");
afterAll(() => rmSync(folder, { recursive: true }));
beforeAll(async () => {
  writeFileSync(licences, await licenceTexts());
});

const shell = (text: string, cwd = folder) =>
  outcomeOf(Bun.spawn(["sh", "-ec", text], { cwd, stdout: "pipe", stderr: "pipe" }));

test("what was downloaded is verified, unpacked and run by the guide's lines", async () => {
  const executable = join(folder, "petstore");
  await buildExecutable(target, executable);
  const name = await writeArchive(target, { version, executable, licences, into: folder });
  expect(name).toBe(`petstore-${version}-${target.name}.tar.gz`);
  await shell(`sha256sum ${name} > SHA256SUMS; echo "0000  another-archive.tar.gz" >> SHA256SUMS`);

  const fences = fencesIn(await Bun.file(`${PROJECT}docs/guides/run.md`).text());
  const [verify = "", run = "", makeKey = "", invite = "", ...others] = fences
    .filter(({ language, notRun }) => language === "sh" && notRun === undefined)
    .map(({ text }) => text.replaceAll("VERSION-linux-x64", `${version}-${target.name}`));
  expect(others).toEqual([]);
  expect(await shell(verify)).toEqual({ code: 0, out: `${name}: OK\n`, err: expect.any(String) });
  const unpacked = name.replace(".tar.gz", "");
  expect((await shell(`ls ${unpacked}`)).out.split("\n")).toEqual(
    expect.arrayContaining(["LICENSE", "LICENSES.txt", "README.md", "petstore"]),
  );
  expect((await shell(`cat ${unpacked}/README.md`)).out).toContain(run);

  const [path = "", serve = ""] = run.split(/(?=petstore serve)/);
  expect(serve).toBe("petstore serve\n");
  expect(await shell(`${path}petstore --version`)).toEqual({ code: 0, out: `${version}\n`, err: "" });
  const cwd = join(folder, unpacked);
  const program = { command: [join(cwd, "petstore")], cwd };
  const server = await startProcess({ store: { dataDir: join(cwd, "data"), settings: {} }, program });
  const { code, out: key } = await shell(path + makeKey);
  expect(code).toBe(0);
  expect((await shell(path + invite)).out).toMatch(/^http\S+\/invitation#\S+\n$/);
  const listed = await send("GET", `${server.production}/pets`, { key: key.trim() });
  expect(listed).toMatchObject({ status: 200, body: "[]" });
  expect(await server.stop()).toBe(0);

  const damaged = await shell(`echo x >> ${name}; ${verify}`);
  expect([damaged.code, damaged.out]).toEqual([1, `${name}: FAILED\n`]);
});

describe("the smoke test of the release workflow", () => {
  const dist = join(folder, "dist");
  const smoke = (environment: string, ...args: readonly string[]) =>
    shell(`${environment} node ${PROJECT}scripts/release/smoke.js ${args.join(" ")}`);
  const passed = [
    expect.stringMatching(/^started: \d+\.\d+\.\d+, staging at http:/),
    "demo: a key",
    'first call: {"id":26,"name":"Fluffy","categoryId":9007199254740993}',
    "stopped",
    "",
  ];

  test("verifies the archive, starts it, fills staging and adds an animal", async () => {
    mkdirSync(dist);
    const executable = join(folder, "petstore");
    const name = await writeArchive(target, { version, executable, licences, into: dist });
    await shell("sha256sum petstore-* > SHA256SUMS", dist);
    const { code, out } = await smoke("", "archive", target.name);
    expect([code, out.split("\n")]).toEqual([0, passed]);
    await shell(`echo x >> ${name}`, dist);
    const damaged = await smoke("", "archive", target.name);
    expect([damaged.code, damaged.out]).toEqual([1, ""]);
    expect(damaged.err).toContain(`Error: dist/SHA256SUMS has another checksum for ${name}.`);
  });

  test("does the same with an image, for which the executable stands in here", async () => {
    const docker = `#!/bin/sh\n[ $1 = exec ] && shift 3 || set -- serve\nexec ${join(folder, "petstore")} "$@"\n`;
    mkdirSync(join(folder, "bin"));
    writeFileSync(join(folder, "bin/docker"), docker, { mode: 0o755 });
    const { code, out } = await smoke(`PATH=${join(folder, "bin")}:$PATH`, "image", "petstore");
    expect([code, out.split("\n")]).toEqual([0, passed]);
  });
});

const WINDOWS = TARGETS.find(({ name }) => name === "windows-x64") ?? expect.unreachable();

test.each([target, WINDOWS])(
  "the archive of $name has the same bytes each time, with its own names in it",
  async (one) => {
    const executable = join(folder, "small");
    writeFileSync(executable, "x".repeat(100_000), { mode: 0o755 });
    const archive = async () => {
      const into = mkdtempSync(join(folder, "made-"));
      const path = join(into, await writeArchive(one, { version, executable, licences, into }));
      return { path, bytes: await Bun.file(path).bytes() };
    };
    const [first, second] = [await archive(), await archive()];
    expect(Bun.deepEquals(first.bytes, second.bytes)).toBe(true);
    const [unpack, program] = first.path.endsWith(".zip")
      ? ["python3 -m zipfile -e", "petstore.exe"]
      : ["tar -xzf", "petstore"];
    const where = one === WINDOWS ? "." : "";
    const { code, err } = await shell(
      `mkdir u-${one.name}; cd u-${one.name}; ${unpack} ${first.path} ${where}`,
    );
    expect([code, err]).toEqual([0, ""]);
    const unpacked = join(folder, `u-${one.name}`, `petstore-${version}-${one.name}`);
    expect(await Bun.file(join(unpacked, program)).text()).toBe("x".repeat(100_000));
    expect(await Bun.file(join(unpacked, "README.md")).text()).toContain(
      `cd petstore-${version}-${one.name}\n`,
    );
  },
);
