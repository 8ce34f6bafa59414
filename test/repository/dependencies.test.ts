import { describe, expect, test } from "bun:test";
import benchPackage from "../../bench/package.json" with { type: "json" };
import packageJson from "../../package.json" with { type: "json" };
import packageLock from "../../package-lock.json" with { type: "json" };
import generatorsPackage from "../extra/generators/package.json" with { type: "json" };

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));

interface Locked {
  readonly license?: string;
  readonly dev?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
}

const locked = Object.entries<Locked>(packageLock.packages)
  .filter(([path, { link }]) => path.includes("node_modules/") && link !== true)
  .map(([path, entry]) => ({ name: path.replace(/^.*node_modules\//, ""), ...entry }));

const PERMISSIVE = [
  "MIT",
  "MIT-0",
  "ISC",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "0BSD",
  "BlueOak-1.0.0",
  "CC0-1.0",
];
/**
 * Licences that are accepted for npm packages that are not distributed. MPL-2.0 requires changed files to be published, the
 * Unlicense waives copyright, and OFL-1.1 is for fonts.
 */
const FOR_TESTS = [...PERMISSIVE, "MPL-2.0", "Unlicense", "OFL-1.1"];

/** The licences of npm packages for tests that the lockfile does not state. They are stated in the packages' own files. */
const IN_FILES: Readonly<Record<string, string>> = {
  busboy: "MIT",
  "humanize-number": "MIT",
  only: "MIT",
  streamsearch: "MIT",
};

/** Returns true if the accepted licences satisfy a licence expression (SPDX). */
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
    ];
    for (const [name, version] of lists.flatMap((list) => Object.entries(list)))
      expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+(-[\w.]+)?$/)]);
  });

  test("are in the lockfile with a checksum and without a registry address", () => {
    expect(locked.length).toBeGreaterThan(50);
    expect(
      locked.filter(({ integrity }) => !integrity?.startsWith("sha512-")).map(({ name }) => name),
    ).toEqual([]);
    expect(locked.filter(({ resolved }) => resolved !== undefined).map(({ name }) => name)).toEqual([]);
  });

  test("have a permissive licence if they are shipped", () => {
    const shipped = locked.filter(({ dev, license }) => dev !== true && !isMetBy(PERMISSIVE, license));
    expect(shipped.map(({ name, license }) => [name, license])).toEqual([]);
    const others = locked.filter(({ name, license }) => !isMetBy(FOR_TESTS, license ?? IN_FILES[name]));
    expect(others.map(({ name, license }) => [name, license])).toEqual([]);
  });

  test("run an install script only where allowScripts names them", () => {
    const allowed = Object.entries(packageJson.allowScripts).filter(([, isAllowed]) => isAllowed);
    expect(allowed).toEqual([["bun", true]]);
  });

  test("send no telemetry when they are installed", () => {
    expect(locked.filter(({ name }) => name.startsWith("@scarf/"))).toEqual([]);
  });
});

describe("npm run lab -- audit", () => {
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

  const hole = {
    id: 1,
    url: "https://x.example/1",
    title: "A hole",
    severity: "low",
    vulnerable_versions: "*",
  };
  test.each([
    ["0 without advisories", {}, 0, "audited: 0 packages with known vulnerabilities\n"],
    [
      "1 with an advisory, which it names",
      { hono: [hole] },
      1,
      "low: hono: A hole\naudited: 1 packages with known vulnerabilities\n",
    ],
  ])("asks for every installed package, and exits %s", async (_, advisories, code, out) => {
    const registry = startRegistry(advisories);
    expect(await audit(registry.url)).toEqual({ code, out });
    expect(registry.asked).toEqual(expect.arrayContaining(["hono", "playwright-core"]));
    await registry.stop();
  });

  test("exits 0 when the registry is unreachable, and says that it was not audited", async () => {
    const registry = startRegistry({});
    await registry.stop();
    const { code, out } = await audit(registry.url);
    expect([code, out]).toEqual([0, "NOT AUDITED: the registry could not be asked (no answer).\n"]);
  });
});
