import { LOCKED, RUNTIME, shippedPackages } from "./shipped-packages.ts";
import type { Target } from "./targets.ts";

/** The members of a CycloneDX component (ECMA-424) that these scripts use. */
export interface Component {
  readonly "bom-ref": string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly unknown[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

export interface Sbom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  readonly [member: string]: unknown;
}

/**
 * Returns npm's software bill of materials (SBOM) for package-lock.json, reduced to the packages in the executables and to Bun for
 * their platforms. The same lockfile always gives an identical result.
 */
export async function sbomOf(targets: readonly Target[]): Promise<Sbom> {
  const npm = ["npm", "sbom", "--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=application"];
  const { serialNumber: _, ...sbom }: Sbom = await Bun.$`${npm}`.cwd(PROJECT).json();
  const { component } = sbom.metadata;
  // `--omit=dev` cannot be used, because it would also omit packages that a development package needs, such as zod.
  const shipped = new Set([
    component["bom-ref"],
    ...["client", "exact-json"].map((path) => `${LOCKED[path]?.name}@${LOCKED[path]?.version}`),
    ...[RUNTIME, ...targets.map(({ runtimePackage }) => `node_modules/${runtimePackage}`)].map(refAt),
    ...shippedPackages().map(({ path }) => refAt(path)),
  ]);
  const dependencies = sbom.dependencies
    .filter(({ ref }) => shipped.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => shipped.has(one)) }));
  // npm names the root component after the current folder, and adds the time. Both are replaced, so that the result is always
  // identical.
  const metadata = { component: { ...component, name: "petstore" } };
  const components = sbom.components.filter((one) => shipped.has(one["bom-ref"]));
  for (const { name, licenses = [] } of components)
    if (licenses.length === 0)
      throw new Error(`package-lock.json has no license of ${name}. An executable may not contain it.`);
  return withComponents({ ...sbom, metadata, dependencies, components: [] }, components);
}

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));

/** Returns the identifier that npm's SBOM uses for an entry of package-lock.json. */
function refAt(path: string): string {
  return `${path.replace(/^.*node_modules\//, "")}@${LOCKED[path]?.version}`;
}

/** Adds components to a software bill of materials, and sorts all components by name. */
export function withComponents(sbom: Sbom, more: readonly Component[]): Sbom {
  const all = [...sbom.components, ...more];
  return { ...sbom, components: all.sort((one, other) => (one["bom-ref"] < other["bom-ref"] ? -1 : 1)) };
}
