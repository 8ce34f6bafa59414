import { existsSync } from "node:fs";
import { join } from "node:path";

/** A platform for which an executable is built. */
export interface Target {
  /** The name of the platform, which is part of the executable's name. */
  readonly name: string;
  readonly compileTarget: Bun.Build.CompileTarget;
  /** The npm package that contains Bun for this platform. */
  readonly runtimePackage: string;
  /** The path of Bun in its npm package. */
  readonly runtimePath: string;
}

export const TARGETS: readonly Target[] = [
  target("linux-x64", "bun-linux-x64", "bun-linux-x64"),
  target("linux-arm64", "bun-linux-arm64", "bun-linux-aarch64"),
  target("linux-x64-musl", "bun-linux-x64-musl", "bun-linux-x64-musl"),
  target("linux-arm64-musl", "bun-linux-arm64-musl", "bun-linux-aarch64-musl"),
  target("macos-x64", "bun-darwin-x64", "bun-darwin-x64"),
  target("macos-arm64", "bun-darwin-arm64", "bun-darwin-aarch64"),
  target("windows-x64", "bun-windows-x64", "bun-windows-x64"),
];

function target(name: string, compileTarget: Bun.Build.CompileTarget, runtime: string): Target {
  const program = isWindows({ name }) ? "bun.exe" : "bun";
  return {
    name,
    compileTarget,
    runtimePackage: `@oven/${runtime}`,
    runtimePath: join("package", "bin", program),
  };
}

export function isWindows({ name }: Pick<Target, "name">): boolean {
  return name.startsWith("windows-");
}

const SYSTEMS: Readonly<Record<string, string>> = { linux: "linux", darwin: "macos", win32: "windows" };

/** Returns the platform of this machine, or undefined if there is no executable for it. */
export function hostTarget(): Target | undefined {
  // Alpine uses the C library musl instead of glibc. A Bun that was built for one of them does not run on a system with the other.
  const libc = existsSync("/etc/alpine-release") ? "-musl" : "";
  return TARGETS.find(({ name }) => name === `${SYSTEMS[process.platform]}-${process.arch}${libc}`);
}

export function executableName(version: string, target: Target): string {
  return `petstore-${version}-${target.name}${isWindows(target) ? ".exe" : ""}`;
}
