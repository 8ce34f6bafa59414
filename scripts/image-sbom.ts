// Prints the software bill of materials (SBOM) of the container image. It consists of the executable's SBOM and the Debian packages
// that contain these libraries.
// usage: node bin/bun.js scripts/image-sbom.ts dist/petstore.cdx.json /lib/x86_64-linux-gnu/libc.so.6 …
import { basename } from "node:path";
import { type Component, type Sbom, withComponents } from "./build/sbom.ts";

const [file = "", ...libraries] = Bun.argv.slice(2);
const sbom: Sbom = await Bun.file(file).json();
const system = await Bun.file("/etc/os-release").text();
const owners = await Promise.all(libraries.map(packageOf));
const packages = await Promise.all([...new Set(owners)].map(debianComponent));
console.log(JSON.stringify(withComponents(sbom, packages), null, 2));

/**
 * Finds the Debian package that contains a library. Searches only for the file's name, because in some Debian releases the
 * library's folder is a symbolic link.
 */
async function packageOf(library: string): Promise<string> {
  const found = await Bun.$`dpkg-query --search ${`*/${basename(library)}`}`.text();
  return found.split(":")[0] ?? "";
}

async function debianComponent(name: string): Promise<Component> {
  const [, version = ""] = (await Bun.$`dpkg-query --show ${name}`.text()).trim().split("\t");
  const architecture = (await Bun.$`dpkg --print-architecture`.text()).trim();
  const [id, release] = ["ID", "VERSION_ID"].map(
    (key) => new RegExp(`^${key}="?([^"\\n]*)`, "m").exec(system)?.[1],
  );
  const purl = `pkg:deb/${id}/${name}@${encodeURIComponent(version)}?arch=${architecture}&distro=${id}-${release}`;
  return { "bom-ref": purl, type: "library", name, version, purl };
}
