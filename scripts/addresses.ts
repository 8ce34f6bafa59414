// Copies the project's address from `repository` in package.json to every other place that contains it: `homepage`, `bugs`, the
// client's package, and the label of the container image. With --check, it changes nothing, and fails if one of them differs.
import { writeOrCheck } from "./generated-file.ts";
import { type Addresses, addressOf } from "./release/publication.ts";

const { repository }: Addresses = await Bun.file(file("package.json")).json();
const address = addressOf({ repository });
const bugs = `${address}/issues`;

await writePackage("package.json", { repository, homepage: `${address}#readme`, bugs });
await writePackage("client/package.json", {
  repository: { ...repository, directory: "client" },
  homepage: `${address}/tree/main/client#readme`,
  bugs,
});
const dockerfile = await Bun.file(file("Dockerfile")).text();
await writeOrCheck("Dockerfile", dockerfile.replace(/(?<=image\.source=")[^"]*/, address));

async function writePackage(path: string, fields: Addresses): Promise<void> {
  const own: object = await Bun.file(file(path)).json();
  await writeOrCheck(path, `${JSON.stringify({ ...own, ...fields }, null, 2)}\n`);
}

function file(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}
