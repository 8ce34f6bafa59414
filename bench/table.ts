import { type Cell, figuresOf, type Results, type ServerRecord } from "./result.ts";
import { median } from "./statistics.ts";
import type { Work } from "./work.ts";

/** Cores this busy are taken to be the limit of what was measured. */
const BUSY = 0.9;

type Cells = readonly string[];

/** Everything that was measured, as tables in Markdown. */
export function tablesOf(results: Results, works: readonly Work[]): string {
  return [...works.flatMap((work) => workTables(results, work)), serverTable(results), notes(results)].join(
    "\n\n",
  );
}

function workTables({ cells, servers }: Results, work: Work): readonly string[] {
  const ofWork = cells.filter((cell) => cell.work === work.name);
  return [...new Set(ofWork.map(({ connections }) => connections))].map((connections) => {
    const rows = servers.map((server) => {
      const cell = ofWork.find((one) => one.server === server.name && one.connections === connections);
      return rowOf(server, cell, reference(server, servers, ofWork, connections));
    });
    const head = ["server", "requests/s", "CPU µs/request", "p50 ms", "p99 ms", "× ours", "spread", "others"];
    return `${work.name}, ${clients(connections)}: ${work.title}\n\n${markdown([head, ...rows])}`;
  });
}

function clients(count: number): string {
  return count === 1 ? "1 client" : `${count} clients`;
}

/** Our own figures on the same engine. */
function reference(
  { engine }: ServerRecord,
  servers: readonly ServerRecord[],
  cells: readonly Cell[],
  connections: number,
): Cell | undefined {
  const ours = servers.find((server) => server.part === "ours" && server.engine === engine);
  return cells.find((cell) => cell.server === ours?.name && cell.connections === connections);
}

function rowOf(
  { name, absence, differences }: ServerRecord,
  cell: Cell | undefined,
  ours: Cell | undefined,
): Cells {
  const title = differences.length > 0 ? `${name} (answers differ)` : name;
  const nothing = ["", "", "", "", "", ""];
  if (absence !== undefined) return [title, "absent", ...nothing];
  if (cell === undefined) return [title, "n/a", ...nothing];
  if (cell.fault !== undefined || cell.rounds.length === 0) return [title, "FAILED", ...nothing];
  const { perSecond, cpuMicros, p50Millis, p99Millis, spread, otherLoad } = figuresOf(cell);
  const mark = isBeyondGenerator(cell) ? " *" : "";
  const ratio =
    ours === undefined || ours.rounds.length === 0 ? undefined : perSecond / figuresOf(ours).perSecond;
  return [
    title,
    `${Math.round(perSecond).toLocaleString("en")}${mark}`,
    cpuMicros.toFixed(1),
    p50Millis.toFixed(2),
    p99Millis.toFixed(2),
    ratio?.toFixed(2) ?? "",
    percent(spread),
    percent(otherLoad),
  ];
}

const BEYOND_GENERATOR =
  "* the load generator was the limit, not the server: the CPU column is what counts there.";

const NOISE =
  "spread: the difference of the rounds' largest and smallest requests/s. others: the share of a core that other programs used, and PostgreSQL where it is the database.";

function isBeyondGenerator(cell: Cell): boolean {
  const { serverLoad, generatorLoad } = figuresOf(cell);
  return generatorLoad > BUSY && serverLoad < BUSY;
}

function serverTable({ servers }: Results): string {
  const head = ["server", "first answer after ms", "MB at rest", "MB after load"];
  const rows = servers
    .filter(({ absence }) => absence === undefined)
    .map(({ name, startUpMs, idleBytes, loadedBytes }) => [
      name,
      median(startUpMs).toFixed(0),
      (median(idleBytes) / 1e6).toFixed(0),
      (median(loadedBytes) / 1e6).toFixed(0),
    ]);
  return `start-up and memory\n\n${markdown([head, ...rows])}`;
}

function notes({ servers, cells }: Results): string {
  const bare = cells.find(({ server, work, connections }) => {
    return server === "bare-bun" && work === "list-hot" && connections > 1;
  });
  return [
    ...servers.flatMap(({ name, absence }) =>
      absence === undefined ? [] : [`${name} is absent: ${absence}`],
    ),
    ...servers.flatMap(({ name, differences }) => differences.map((one) => `${name} differs: ${one}`)),
    ...cells.flatMap(({ server, work, fault }) =>
      fault === undefined ? [] : [`${server} failed at ${work}: ${fault.slice(0, 200)}`],
    ),
    ...(bare === undefined || bare.rounds.length === 0 ? [] : [ceiling(bare)]),
    otherLoad(cells.filter(({ server }) => servers.some(isEmbedded(server)))),
    NOISE,
    ...(cells.some(isBeyondGenerator) ? [BEYOND_GENERATOR] : []),
  ].join("\n");
}

function ceiling(bare: Cell): string {
  const { perSecond, serverLoad, generatorLoad } = figuresOf(bare);
  return `The load generator reaches ${Math.round(perSecond).toLocaleString("en")} requests/s against bare-bun, with ${percent(generatorLoad)} of its core and ${percent(serverLoad)} of the server's.`;
}

/** With an embedded database, all other CPU time is that of other programs. */
function isEmbedded(name: string): (server: ServerRecord) => boolean {
  return (server) => server.name === name && server.engine === "sqlite";
}

function otherLoad(cells: readonly Cell[]): string {
  const shares = cells.flatMap(({ rounds }) => rounds.map((one) => one.otherCpuMicros / one.wallMicros));
  return `Other programs used ${percent(median(shares))} of a core during the measurements (median), ${percent(Math.max(0, ...shares))} at most.`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Rows of cells as a Markdown table whose columns line up; the first column is text, the others are figures. */
export function markdown(rows: readonly Cells[]): string {
  const [head = [], ...body] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: Cells) =>
    `| ${row.map((text, at) => (at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0))).join(" | ")} |`;
  const rule = `|${widths.map((width, at) => (at === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return [line(head), rule, ...body.map(line)].join("\n");
}
