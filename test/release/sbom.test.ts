import { describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PARTS } from "../../scripts/build/executable.ts";
import { type Component, sbomOf } from "../../scripts/build/sbom.ts";
import { TARGETS } from "../../scripts/build/targets.ts";
import { PROJECT } from "../repository/documents.ts";
import { outcomeOf } from "../wire/process.ts";

// Tests the software bill of materials of the executables, which is in the format CycloneDX 1.5 (ECMA-424).

const sbom = await sbomOf(TARGETS);

/** Resolves to the folders of all npm packages whose code the bundler puts into an executable. */
async function bundledPackages(): Promise<readonly string[]> {
  const inputsOf = async (entry: string, target: "bun" | "browser") => {
    const { metafile } = await Bun.build({
      entrypoints: [entry],
      target,
      metafile: true,
      jsx: { runtime: "automatic", importSource: "preact", development: false },
    });
    return Object.keys(metafile?.inputs ?? {});
  };
  const inputs = await Promise.all([
    inputsOf(join(PROJECT, "src/main.ts"), "bun"),
    ...PARTS.map(async ({ source, isBundled }) => {
      const path = join(PROJECT, source);
      return isBundled ? inputsOf(path, "browser") : [path];
    }),
  ]);
  const folders = inputs
    .flat()
    .flatMap(
      (path) => /^(?:.*\/)?(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [],
    );
  return [...new Set(folders)];
}

const OURS = ["@petstore/client", "exact-json"];
const identity = ({ purl, version, licenses }: Component) => ({ purl, version, licenses });
const purlOf = (name: string, version: string) => `pkg:npm/${name.replace("@", "%40")}@${version}`;

describe("the SBOM of the executables", () => {
  test("lists every package in the executables, with its installed version and licence", async () => {
    const folders = await bundledPackages();
    expect(folders.length).toBeGreaterThan(12);
    const listed = sbom.components.map(identity);
    for (const folder of folders) {
      const { name, version, license } = await Bun.file(join(PROJECT, folder, "package.json")).json();
      expect(listed).toContainEqual({
        purl: purlOf(name, version),
        version,
        licenses: [{ license: { id: license } }],
      });
    }
  });

  test("has the runtime, and its program for each platform with the checksum of its package", () => {
    const names = ["bun", ...TARGETS.map(({ runtimePackage }) => runtimePackage)];
    const platforms = sbom.components.filter(({ name }) => /^(bun$|@oven\/)/.test(name));
    expect(platforms.map(({ name }) => name).sort()).toEqual(names.sort());
    for (const { version, hashes } of platforms)
      expect([version, hashes?.[0]]).toEqual([
        Bun.version,
        { alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) },
      ]);
  });

  test("lists each third-party package once, sorted by name, with a checksum and a licence", () => {
    const others = sbom.components.filter(
      ({ purl }) => !OURS.some((name) => purl.includes(name.replace("@", "%40"))),
    );
    for (const { name, purl, licenses, hashes } of others)
      expect([name, purl, licenses?.length, hashes?.length]).toEqual([
        name,
        expect.stringMatching(/^pkg:npm\/(%40[\w-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/),
        1,
        1,
      ]);
    const refs = sbom.components.map((component) => component["bom-ref"]);
    expect(refs).toEqual([...new Set(refs)].sort());
  });

  test("is the same text every time: no time, no random number, no name of a folder", async () => {
    const text = JSON.stringify(sbom);
    expect(JSON.stringify(await sbomOf(TARGETS))).toBe(text);
    expect(Object.keys(sbom.metadata)).toEqual(["component"]);
    expect(sbom.metadata.component.name).toBe("petstore");
    expect(Object.keys(sbom).sort()).toEqual(
      ["$schema", "bomFormat", "components", "dependencies", "metadata", "specVersion", "version"].sort(),
    );
  });

  test("states dependencies by references that exist", () => {
    const { dependencies, metadata } = sbom;
    const refs = new Set([metadata.component, ...sbom.components].map((component) => component["bom-ref"]));
    for (const { ref, dependsOn } of dependencies)
      expect([ref, [ref, ...dependsOn].filter((one) => !refs.has(one))]).toEqual([ref, []]);
    const needed = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn));
    expect(sbom.components.filter((component) => !needed.has(component["bom-ref"]))).toEqual([]);
  });
});

test("the image's SBOM also lists the Debian packages of its libraries", async () => {
  const [library = ""] = /\/\S*libc\.so\.6/.exec(await Bun.$`ldd ${process.execPath}`.text()) ?? [];
  const file = join(mkdtempSync(join(tmpdir(), "petstore-sbom-")), "petstore.cdx.json");
  await Bun.write(file, JSON.stringify(sbom));
  const script = [process.execPath, join(PROJECT, "scripts/image-sbom.ts"), file, library];
  const { code, out } = await outcomeOf(Bun.spawn(script, { stdout: "pipe", stderr: "pipe" }));
  const components: Component[] = JSON.parse(out).components;
  const added = components.filter(({ purl }) => purl.startsWith("pkg:deb/"));
  expect([code, components.length, added.map(({ name }) => name)]).toEqual([
    0,
    sbom.components.length + 1,
    ["libc6"],
  ]);
  expect(added[0]?.purl).toMatch(/^pkg:deb\/[a-z]+\/libc6@[^?]+\?arch=[a-z0-9]+&distro=[a-z]+-[\d.]+$/);
});
