import { dirname } from "node:path";
import { lockedPackage } from "./runtime.ts";
import { LOCKED, type Locked, RUNTIME, shippedPackages } from "./shipped-packages.ts";
import type { Target } from "./targets.ts";

/** The used members of a CycloneDX 1.6 (ECMA-424) component. */
export interface Component {
  readonly "bom-ref": string;
  readonly type: "application" | "library" | "platform";
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly (
    | { readonly license: { readonly id: string } }
    | { readonly expression: string }
  )[];
  readonly hashes?: readonly { readonly alg: "SHA-512"; readonly content: string }[];
}

export interface Sbom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  readonly [member: string]: unknown;
}

/** SBOM of the packages in the executables and of Bun for these targets. The same lockfile gives the same bytes. */
export function sbomOf(targets: readonly Target[]): Sbom {
  const runtimes = targets.map(({ runtimePackage }) =>
    component("platform", runtimePackage, { ...LOCKED[RUNTIME], ...lockedPackage(runtimePackage) }),
  );
  const bun = component("platform", "bun", LOCKED[RUNTIME]);
  const root = component("application", "petstore", LOCKED[""]);
  const client = component("library", "@petstore/client", LOCKED["client"]);
  const shipped = shippedPackages().map(({ path, name, locked }) => ({
    path,
    locked,
    component: component("library", name, locked),
  }));
  const refAt = new Map(shipped.map(({ path, component }) => [path, component["bom-ref"]]));
  const needs = (path: string, { dependencies = {} }: Locked) =>
    Object.keys(dependencies)
      .flatMap((name) => refAt.get(pathOf(name, path)) ?? [])
      .sort();
  return withComponents(
    {
      $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      version: 1,
      metadata: { component: root },
      dependencies: [
        {
          ref: root["bom-ref"],
          dependsOn: [bun["bom-ref"], client["bom-ref"], ...needs("", LOCKED[""] ?? {})].sort(),
        },
        { ref: bun["bom-ref"], dependsOn: runtimes.map((runtime) => runtime["bom-ref"]).sort() },
        ...shipped.map(({ path, locked, component }) => ({
          ref: component["bom-ref"],
          dependsOn: needs(path, locked),
        })),
      ],
      components: [],
    },
    [bun, client, ...runtimes, ...shipped.map(({ component }) => component)],
  );
}

/** Adds components, sorted by name. */
export function withComponents(sbom: Sbom, more: readonly Component[]): Sbom {
  const all = [...sbom.components, ...more];
  return { ...sbom, components: all.sort((one, other) => (one["bom-ref"] < other["bom-ref"] ? -1 : 1)) };
}

function component(type: Component["type"], name: string, locked: Locked = {}): Component {
  const { version, license, integrity } = locked;
  if (version === undefined || license === undefined)
    throw new Error(
      `package-lock.json has no version or no license of ${name}. An executable may not contain it.`,
    );
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const isExpression = / (OR|AND|WITH) /.test(license);
  return {
    "bom-ref": purl,
    type,
    name,
    version,
    purl,
    licenses: [isExpression ? { expression: license } : { license: { id: license } }],
    ...(integrity && {
      hashes: [
        { alg: "SHA-512", content: Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex") },
      ],
    }),
  };
}

/** Lockfile path of the package that `from` resolves by this name: the nearest folder that has it. */
function pathOf(name: string, from: string): string {
  const path = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
  return path in LOCKED || from === "" ? path : pathOf(name, parentOf(from));
}

function parentOf(path: string): string {
  const folder = dirname(path);
  return folder === "." || folder === "node_modules" ? "" : folder.replace(/\/node_modules(\/@[^/]+)?$/, "");
}
