// Tries a release as a new user would: verifies and unpacks an archive of dist/, or runs an image; starts the service, fills staging
// with `petstore demo`, and adds an animal with the demo's key. It runs on every platform's runner, so it needs only Node.
// usage: node scripts/release/smoke.js archive linux-x64
//        node scripts/release/smoke.js image petstore
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const CONTAINER = "petstore-smoke";
/** An integer above 2^53. If it were stored as a floating-point number, its last digit would change. */
const CATEGORY = "9007199254740993";
const FREE_PORTS = Object.fromEntries(
  ["PRODUCTION", "STAGING", "MESSAGES", "METRICS"].map((name) => [`PETSTORE_${name}_PORT`, "0"]),
);

const [kind, name = ""] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "petstore-smoke-"));
// `petstore demo` stores its login in XDG_CONFIG_HOME.
const options = { cwd: folder, env: { ...process.env, ...FREE_PORTS, XDG_CONFIG_HOME: folder } };
const { serve, cli } = kind === "image" ? fromImage(name) : fromArchive(name);

const [program, ...args] = serve;
const service = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
const ended = new Promise((resolve) => service.on("exit", (code) => resolve(code)));
try {
  const { staging, messages } = await addressesOf(service);
  // Reads and discards the output. Otherwise the pipe would become full and block the service.
  service.stdout.resume();
  console.log(`started: ${run([...cli, "--version"])}, staging at ${staging}`);
  const ports = ["--staging-port", new URL(staging).port, "--messages-port", new URL(messages).port];
  const key = run([...cli, "demo", ...ports]);
  console.log("demo: a key");
  console.log(`first call: ${await addAnimal(staging, key)}`);
} finally {
  service.kill("SIGTERM");
}
const code = await ended;
// Windows has no SIGTERM. There, the service ends at once, with another exit code than 0.
if (code !== 0 && process.platform !== "win32") throw new Error(`The service ended with code ${code}.`);
console.log("stopped");
rmSync(folder, { recursive: true, maxRetries: 5 });

/** Unpacks an archive. @returns the command that starts the service, and the command that runs all other petstore commands */
function fromArchive(target) {
  const archive = readdirSync("dist").find((file) =>
    file.split(/\.(?:tar\.gz|zip)$/)[0].endsWith(`-${target}`),
  );
  if (archive === undefined) throw new Error(`dist has no archive for ${target}.`);
  const sum = createHash("sha256")
    .update(readFileSync(join("dist", archive)))
    .digest("hex");
  if (!readFileSync("dist/SHA256SUMS", "utf8").split("\n").includes(`${sum}  ${archive}`))
    throw new Error(`dist/SHA256SUMS has another checksum for ${archive}.`);
  const isWindows = archive.endsWith(".zip");
  // Windows' own tar can unpack zip files. The tar of Git cannot, and may be first in PATH.
  const tar = isWindows ? join(process.env.SystemRoot, "System32", "tar.exe") : "tar";
  run([tar, isWindows ? "-xf" : "-xzf", join(process.cwd(), "dist", archive)]);
  const unpacked = archive.replace(/\.(tar\.gz|zip)$/, "");
  const petstore = join(folder, unpacked, isWindows ? "petstore.exe" : "petstore");
  return { serve: [petstore, "serve"], cli: [petstore] };
}

/**
 * Returns two commands for a container image: one that starts the service, with the restrictions in docs/guides/run.md, and one
 * that runs all other petstore commands.
 */
function fromImage(image) {
  const restrictions = ["--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL"];
  const own = ["--rm", "--name", CONTAINER, "--publish", "127.0.0.1:8081:8081", ...restrictions];
  return { serve: ["docker", "run", ...own, image], cli: ["docker", "exec", CONTAINER, "petstore"] };
}

/** Runs a program. @returns its standard output */
function run([program, ...args]) {
  const { status, stdout, error } = spawnSync(program, args, {
    ...options,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(" ")} ended with code ${status}.`);
  return stdout.trim();
}

/** Reads the addresses of the services from the log, which contains a JSON line for each port. */
async function addressesOf({ stdout }) {
  const found = {};
  for await (const line of createInterface({ input: stdout })) {
    const { msg, service, address } = JSON.parse(line);
    if (msg === "listening") found[service] = address;
    if (found.staging && found.messages) return found;
  }
  throw new Error("The service ended before it listened.");
}

async function addAnimal(staging, key) {
  const answer = await fetch(`${staging}/pets`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: `{"name":"Fluffy","categoryId":${CATEGORY}}`,
  });
  const body = await answer.text();
  if (answer.status !== 201 || !body.includes(`"categoryId":${CATEGORY}`))
    throw new Error(`Adding an animal answered ${answer.status}: ${body}`);
  return body;
}
