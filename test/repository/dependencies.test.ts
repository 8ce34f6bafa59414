import { describe, expect, test } from "bun:test";
import benchPackage from "../../bench/package.json" with { type: "json" };
import packageJson from "../../package.json" with { type: "json" };
import packageLock from "../../package-lock.json" with { type: "json" };
import generatorsPackage from "../generators/package.json" with { type: "json" };
import toolsPackage from "../tools/package.json" with { type: "json" };

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));

interface Locked {
  readonly license?: string;
  readonly dev?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
}

const locked = Object.entries<Locked>(packageLock.packages)
  .filter(([path, { link }]) => path.startsWith("node_modules/") && link !== true)
  .map(([path, entry]) => ({ name: path.replace(/^.*node_modules\//, ""), ...entry }));

const PERMISSIVE = [
  "MIT",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "BlueOak-1.0.0",
  "CC0-1.0",
];
/** Asks that changes of its own files be published; what only tests use is not given to anybody. */
const FOR_TESTS = [...PERMISSIVE, "MPL-2.0"];

/** Whether an SPDX expression can be met with these licences. */
function isMetBy(licences: readonly string[], expression = "none"): boolean {
  const choices = expression.replaceAll(/[()]/g, "").split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((one) => licences.includes(one)));
}

describe("dependencies", () => {
  test("are at exact versions, in every list", () => {
    const lists = [
      packageJson.dependencies,
      packageJson.devDependencies,
      benchPackage.dependencies,
      benchPackage.optionalDependencies,
      generatorsPackage.dependencies,
      toolsPackage.dependencies,
    ];
    for (const [name, version] of lists.flatMap((list) => Object.entries(list)))
      expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+(-[\w.]+)?$/)]);
  });

  test("are in the lockfile with a checksum, and without the address they came from", () => {
    expect(locked.length).toBeGreaterThan(50);
    expect(
      locked.filter(({ integrity }) => !integrity?.startsWith("sha512-")).map(({ name }) => name),
    ).toEqual([]);
    expect(locked.filter(({ resolved }) => resolved !== undefined).map(({ name }) => name)).toEqual([]);
  });

  test("are under a permissive licence, those that are shipped", () => {
    const shipped = locked.filter(({ dev, license }) => dev !== true && !isMetBy(PERMISSIVE, license));
    expect(shipped.map(({ name, license }) => [name, license])).toEqual([]);
    const others = locked.filter(({ license }) => !isMetBy(FOR_TESTS, license));
    expect(others.map(({ name, license }) => [name, license])).toEqual([]);
  });

  test("run a script of theirs at the install where that is named, and nowhere else", () => {
    const allowed = Object.entries(packageJson.allowScripts).filter(([, isAllowed]) => isAllowed);
    expect(allowed).toEqual([["bun", true]]);
  });
});

describe("npm run audit", () => {
  /** A registry that knows of these holes. */
  function startRegistry(advisories: Record<string, unknown>) {
    const asked: string[] = [];
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        const { pathname } = new URL(request.url);
        if (!pathname.endsWith("/advisories/bulk"))
          return Response.json({ name: pathname.slice(1), versions: {} });
        const bytes = new Uint8Array(await request.arrayBuffer());
        const isZipped = request.headers.get("content-encoding") === "gzip";
        asked.push(
          ...Object.keys(JSON.parse(new TextDecoder().decode(isZipped ? Bun.gunzipSync(bytes) : bytes))),
        );
        return Response.json(advisories);
      },
    });
    return { asked, url: server.url.href, stop: () => server.stop(true) };
  }

  async function audit(registry: string): Promise<{ code: number; out: string }> {
    const child = Bun.spawn([process.execPath, "scripts/audit.ts"], {
      cwd: PROJECT,
      env: { ...process.env, npm_config_registry: registry, npm_config_fetch_retries: "0" },
      stdout: "pipe",
    });
    const out = await new Response(child.stdout).text();
    return { code: await child.exited, out };
  }

  test("is clean where nothing is known, and has asked for everything that is installed", async () => {
    const registry = startRegistry({});
    expect(await audit(registry.url)).toEqual({
      code: 0,
      out: "audited: 0 packages with known vulnerabilities\n",
    });
    expect(registry.asked).toContain("hono");
    expect(registry.asked).toContain("playwright-core");
    await registry.stop();
  }, 120_000);

  test("fails where a hole is known, and names it", async () => {
    const hole = {
      id: 1,
      url: "https://x.example/1",
      title: "A hole",
      severity: "low",
      vulnerable_versions: "*",
    };
    const registry = startRegistry({ hono: [hole] });
    const { code, out } = await audit(registry.url);
    expect([code, out]).toEqual([1, "low: hono: A hole\naudited: 1 packages with known vulnerabilities\n"]);
    await registry.stop();
  }, 120_000);

  test("fails nothing where the registry cannot be asked, and does not pass that off as clean", async () => {
    const registry = startRegistry({});
    await registry.stop();
    const { code, out } = await audit(registry.url);
    expect([code, out]).toEqual([0, "NOT AUDITED: the registry could not be asked (no answer).\n"]);
  }, 120_000);
});
