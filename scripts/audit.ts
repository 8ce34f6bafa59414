// Fails if npm's registry lists a vulnerability in an installed package. If the registry cannot be reached, prints NOT AUDITED, and
// does not fail.
const npm = Bun.spawn(["npm", "audit", "--json", "--loglevel=silent"], { stdout: "pipe", stderr: "ignore" });
const [output] = await Promise.all([new Response(npm.stdout).text(), npm.exited]);
const report = readReport(output);

if (report.vulnerabilities === undefined) {
  console.log(
    `NOT AUDITED: the registry could not be asked (${report.statusCode ?? report.error?.code ?? "no answer"}).`,
  );
} else {
  const found = Object.values(report.vulnerabilities);
  for (const { name, severity, via } of found) {
    const titles = via.map((one) => (typeof one === "string" ? `through ${one}` : one.title));
    console.log(`${severity}: ${name}: ${titles.join("; ")}`);
  }
  console.log(`audited: ${found.length} packages with known vulnerabilities`);
  process.exitCode = found.length === 0 ? 0 : 1;
}

/** The output of `npm audit --json`, which is either a report or an error. */
interface Report {
  readonly vulnerabilities?: Readonly<Record<string, Vulnerability>>;
  readonly statusCode?: number;
  readonly error?: { readonly code?: string };
}

interface Vulnerability {
  readonly name: string;
  readonly severity: string;
  readonly via: readonly (string | { readonly title: string })[];
}

function readReport(text: string): Report {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
