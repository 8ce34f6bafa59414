import packageLock from "../../package-lock.json" with { type: "json" };

/** An npm package in package-lock.json. */
interface Locked {
  readonly name?: string;
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
}

export interface ShippedPackage {
  /** The path from the project's folder, such as `node_modules/hono`. */
  readonly path: string;
  readonly name: string;
  readonly locked: Locked;
}

export const LOCKED: Readonly<Record<string, Locked>> = packageLock.packages;

/** The path of the package `bun` in package-lock.json. The program itself is in optional packages, one for each platform. */
export const RUNTIME = "node_modules/bun";

/** Returns the npm packages by other authors whose code may be in an executable. The runtime (Bun) is left out. */
export function shippedPackages(): readonly ShippedPackage[] {
  return Object.entries(LOCKED)
    .filter(([path, { link, dev, optional }]) => {
      const isOurs = path === "" || path === "client" || path === "exact-json" || link === true;
      return !isOurs && path !== RUNTIME && dev !== true && optional !== true;
    })
    .map(([path, locked]) => ({ path, name: path.replace(/^.*node_modules\//, ""), locked }));
}
