import packageLock from "../../package-lock.json" with { type: "json" };

/** An entry of the lockfile, by its path. */
export interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

export interface ShippedPackage {
  /** Below the project's root, such as `node_modules/hono`. */
  readonly path: string;
  readonly name: string;
  readonly locked: Locked;
}

export const LOCKED: Readonly<Record<string, Locked>> = packageLock.packages;

/** Bun's program; the packages with one for each platform are optional. */
export const RUNTIME = "node_modules/bun";

/** The packages of others that an executable may have code of; the runtime is not among them. */
export function shippedPackages(): readonly ShippedPackage[] {
  return Object.entries(LOCKED)
    .filter(([path, { link, dev, optional }]) => {
      const isOurs = path === "" || path === "client" || path === "exact-json" || link === true;
      return !isOurs && path !== RUNTIME && dev !== true && optional !== true;
    })
    .map(([path, locked]) => ({ path, name: path.replace(/^.*node_modules\//, ""), locked }));
}
