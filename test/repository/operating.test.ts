import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type ServerProcess, startProcess } from "../wire/process.ts";
import { send } from "../wire/send.ts";
import { makeKey, type Server, startServer } from "../wire/server.ts";
import { freshEmbeddedStore, freshPostgresStore } from "../wire/stores.ts";

// Every metric must have a help text. Alerts, the dashboard and the operators' guide may name only metrics, labels, alerts and log
// lines that exist.

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));
const SRC = `${PROJECT}src/`;
const guide = await Bun.file(`${PROJECT}docs/guides/operate.md`).text();

type LabelsByMetric = ReadonlyMap<string, ReadonlySet<string>>;

/** Returns the labels of every metric, keyed by metric, from the text that `/metrics` serves. */
function parseMetrics(text: string): LabelsByMetric {
  const kinds = new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", kind = ""]) => [name, kind]),
  );
  const found = new Map([...kinds.keys()].map((name) => [name, new Set<string>()]));
  for (const [, sample = "", labels = ""] of text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const base = sample.replace(/_(bucket|sum|count)$/, "");
    const name = kinds.get(base) === "histogram" ? base : sample;
    for (const [, label = ""] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) found.get(name)?.add(label);
  }
  return found;
}

/** Returns the metrics that a PromQL expression names, and the labels that it uses to filter or group. */
function namesIn(expression: string): { metrics: string[]; labels: string[] } {
  const inBraces = [...expression.matchAll(/\{([^}]*)\}/g)].flatMap(([, inner = ""]) =>
    [...inner.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => label),
  );
  const grouped = [...expression.matchAll(/\b(?:by|on|without) \(([^)]*)\)/g)].flatMap(([, inner = ""]) =>
    inner
      .split(",")
      .map((label) => label.trim())
      .filter(Boolean),
  );
  const metrics = [...expression.matchAll(/\b((?:petstore|process)_\w+)/g)].map(([, name = ""]) => name);
  return { metrics, labels: [...inBraces, ...grouped] };
}

const alerts: { groups: { rules: { alert: string; expr: string; annotations: { summary: string } }[] }[] } =
  Bun.YAML.parse(await Bun.file(`${PROJECT}deploy/alerts.yml`).text()) as never;
const rules = alerts.groups.flatMap((group) => group.rules);
const dashboard: {
  panels: { title: string; targets?: { expr: string; legendFormat: string }[] }[];
  templating: { list: { query?: string }[] };
} = await Bun.file(`${PROJECT}deploy/grafana.json`).json();

const SECRET = `whsec_${"c2VjcmV0".repeat(4)}`;
let embedded: Server;
let shared: ServerProcess;
let live: LabelsByMetric;
let metricsText: string;
beforeAll(async () => {
  const store = await freshEmbeddedStore();
  embedded = await startServer({ store, env: { PETSTORE_BACKUP_DIR: `${store.dataDir}/backups` } });
  const secret = `${store.dataDir}/secret`;
  await Bun.write(secret, SECRET, { mode: 0o644 });
  const env = { PETSTORE_PROCESSES: "2", PETSTORE_MESSAGES_WEBHOOK_SECRET_FILE: secret };
  shared = await startProcess({ store: await freshPostgresStore(), env });
  const texts = await Promise.all([embedded, shared].map(useAndRead));
  metricsText = texts.join("\n");
  const all = new Map<string, Set<string>>();
  for (const [name, labels] of texts.flatMap((text) => [...parseMetrics(text)]))
    all.set(name, new Set([...(all.get(name) ?? []), ...labels]));
  live = all;
});
afterAll(async () => {
  await Promise.all([embedded.stop(), shared.stop()]);
});

/** Uses a server until every metric has a value, and then reads the metrics. */
async function useAndRead(server: Server): Promise<string> {
  const key = await makeKey(server.store);
  await send("POST", `${server.production}/pets`, { key, body: '{"name":"x","categoryId":1}' });
  for (let count = 0; count < 3; count++) await send("GET", `${server.production}/pets`, { key });
  await send("GET", `${server.production}/pets/1`, { key });
  await send("POST", `${server.messages}/messages`, { key, body: '{"message":"x"}' });
  for (;;) {
    const { body } = await send("GET", server.metrics);
    if (/petstore_deliveries_total\{source="messages"/.test(body)) return body;
  }
}

test("several processes warn once of a secret's file that others can read, without its content", () => {
  expect(shared.log().match(/"level":"warn".*\/secret, the file that \w+_SECRET_FILE names/g)).toHaveLength(
    1,
  );
  expect(shared.log()).not.toContain(SECRET);
});

describe("docs/guides/operate.md", () => {
  test("every metric has a help text that is a sentence", () => {
    const explained = [...metricsText.matchAll(/^# HELP (\w+) .*\w.*\.$/gm)].map(([, name = ""]) => name);
    expect([...new Set(explained)].sort()).toEqual([...live.keys()].sort());
  });

  const expressions = [
    ...rules.map(({ alert, expr }) => [alert, expr] as const),
    ...dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => [title, expr] as const),
    ),
    ...dashboard.templating.list.flatMap(({ query = "" }) =>
      query.includes("(") ? [["variable", query] as const] : [],
    ),
  ];
  test.each(expressions)("%s names only metrics and labels that exist: %s", (_title, expression) => {
    const { metrics, labels } = namesIn(expression);
    expect(metrics).not.toEqual([]);
    const known = new Set<string>();
    for (const written of metrics) {
      const base = live.has(written) ? written : written.replace(/_(bucket|sum|count)$/, "");
      expect([written, live.has(base)]).toEqual([written, true]);
      // The values of a histogram have names with a suffix, such as `_bucket`.
      expect([written, live.get(base)?.has("le") && written === base]).not.toEqual([written, true]);
      for (const label of live.get(base) ?? []) known.add(label);
    }
    expect(labels.filter((label) => !known.has(label))).toEqual([]);
  });

  test("every alert and legend uses only labels that its expression keeps", () => {
    const said = [
      ...rules.map(({ expr, annotations }) => [expr, annotations.summary] as const),
      ...dashboard.panels.flatMap(({ targets = [] }) =>
        targets.map(({ expr, legendFormat }) => [expr, legendFormat] as const),
      ),
    ];
    for (const [expr, text] of said) {
      const left = new Set(namesIn(expr).labels);
      if (left.size === 0)
        for (const name of namesIn(expr).metrics) for (const label of live.get(name) ?? []) left.add(label);
      for (const [, label = ""] of text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g))
        expect([text, left.has(label)]).toEqual([text, true]);
    }
  });

  test("the guide explains every alert, and no other", () => {
    const explained = [...guide.matchAll(/^\| (Petstore\w+(?:, Petstore\w+)*) \|/gm)].flatMap(
      ([, names = ""]) => names.split(", "),
    );
    expect(explained.sort()).toEqual(rules.map(({ alert }) => alert).sort());
  });

  test("the guide explains every log line", async () => {
    const said = new Set<string>();
    for (const path of new Bun.Glob("**/*.ts").scanSync({ cwd: SRC })) {
      if (path.endsWith(".test.ts")) continue;
      const text = await Bun.file(SRC + path).text();
      for (const [, message = ""] of text.matchAll(
        /\blog\.(?:info|warn|error)\(\s*(?:(?:\{[^}]*\}|\w+),\s*)?"([^"]+)"/g,
      ))
        said.add(message);
    }
    expect(said.size).toBeGreaterThan(10);
    expect([...said].filter((message) => !guide.includes(`\`${message}\``))).toEqual([]);
  });
});
