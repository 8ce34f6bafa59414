// `npm run check`: format, lint, types, generated files, and the OpenAPI documents' own lint. Seconds, and no server.
interface Check {
  readonly title: string;
  readonly command: readonly string[];
  /** Checks the output of a command that exited with 0. */
  readonly accepts?: (output: string) => boolean;
}

const checks: readonly Check[] = [
  { title: "format and lint", command: [program("biome"), "check", "--error-on-warnings", "."] },
  { title: "types", command: [program("tsc")] },
  { title: "types of the pages", command: [program("tsc"), "--project", "tsconfig.web.json"] },
  { title: "types of the client", command: [program("tsc"), "--project", "client/tsconfig.json"] },
  { title: "document drift", command: [process.execPath, "scripts/openapi.ts", "--check"] },
  { title: "Postman drift", command: [process.execPath, "scripts/postman.ts", "--check"] },
  { title: "client types drift", command: [process.execPath, "scripts/client-types.ts", "--check"] },
  { title: "README drift", command: [process.execPath, "scripts/readme.ts", "--check"] },
  ...[
    "openapi/petstore.json",
    "openapi/staging.json",
    "openapi/messages.json",
    "openapi/petstore.arazzo.yaml",
  ].map((document) => ({
    title: document,
    command: [program("redocly"), "lint", document, "--format=json"],
    accepts: hasNoProblems,
  })),
];

const results = await Promise.all(checks.map(run));
if (results.includes(false)) process.exitCode = 1;

function program(name: string): string {
  return Bun.fileURLToPath(new URL(`../node_modules/.bin/${name}`, import.meta.url));
}

async function run({ title, command, accepts = () => true }: Check): Promise<boolean> {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const child = Bun.spawn([...command], { env, stdout: "pipe", stderr: "pipe" });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const isClean = code === 0 && accepts(output);
  console.log(`${isClean ? "ok  " : "FAIL"}  ${title}`);
  if (!isClean) console.log(output + errors);
  return isClean;
}

/** redocly exits with 0 on warnings; here a warning fails. */
function hasNoProblems(output: string): boolean {
  const { totals } = JSON.parse(output);
  return totals.errors === 0 && totals.warnings === 0 && totals.ignored === 0;
}
