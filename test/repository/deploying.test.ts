import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import packageJson from "../../package.json" with { type: "json" };
import { SETTINGS } from "../../src/config.ts";
import {
  BODY_BYTES_DEFAULT,
  BODY_DISCARD_BYTES_MAX,
  CONNECTION_IDLE_SECONDS,
  DOCTOR_DEADLINE_MS,
  SHUTDOWN_DEADLINE_MS,
  SHUTDOWN_NOTICE_MS,
  WORKER_END_DEADLINE_MS,
} from "../../src/limits.ts";
import { freshEmbeddedStore, petstore } from "../wire/server.ts";

// What is handed to those who deploy the service agrees with the service. `npm run test:proxies` runs the proxies' part.

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => Bun.file(PROJECT + path).text();
const [dockerfile, compose, composePostgres, unit, nginx, caddy] = (await Promise.all(
  [
    "Dockerfile",
    "compose.yaml",
    "compose.postgres.yaml",
    "deploy/petstore.service",
    "deploy/nginx.conf",
    "deploy/Caddyfile",
  ].map(read),
)) as [string, string, string, string, string, string];
const guide = await read("docs/deploying.md");
const proxies = { nginx, caddy };

/** Every value that a pattern's group takes in a text; none is a mistake of the pattern. */
function all(text: string, pattern: RegExp): readonly string[] {
  const found = [...text.matchAll(pattern)].map(([, value = ""]) => value);
  expect([pattern.source, found.length > 0]).toEqual([pattern.source, true]);
  return found;
}

describe("every file for deployment", () => {
  const files = { dockerfile, compose, composePostgres, unit, nginx, caddy, guide };
  const known = new Set<string>(Object.values(SETTINGS).map(({ variable }) => variable));
  // Compose's own: it becomes part of PETSTORE_DATABASE_URL.
  known.add("PETSTORE_DATABASE_PASSWORD");

  test.each(Object.entries(files))("%s names only settings that there are", (_name, text) => {
    const named = [...new Set(all(text, /\b(PETSTORE_[A-Z_]*[A-Z])\b(?!_)/g))];
    expect(named.filter((variable) => !known.has(variable))).toEqual([]);
  });

  test("leads to the ports that are the service's own, and never to the one for metrics", () => {
    const { productionPort, stagingPort, messagesPort } = SETTINGS;
    const own = [productionPort, stagingPort, messagesPort].map(({ default: port }) => String(port));
    expect(all(dockerfile, /^EXPOSE (.*)$/gm)).toEqual([own.join(" ")]);
    expect(all(compose, /^ +- "127\.0\.0\.1:(\d+:\d+)"$/gm)).toEqual(own.map((port) => `${port}:${port}`));
    for (const text of Object.values(proxies)) expect(all(text, /127\.0\.0\.1:(\d+)/g)).toEqual(own);
  });

  test("gives a process that stops longer than the process gives itself", () => {
    const ownMs = Math.max(SHUTDOWN_NOTICE_MS + SHUTDOWN_DEADLINE_MS, WORKER_END_DEADLINE_MS);
    const given = [...all(compose, /stop_grace_period: (\d+)s/g), ...all(unit, /^TimeoutStopSec=(\d+)$/gm)];
    for (const seconds of given) expect(Number(seconds) * 1000).toBeGreaterThan(ownMs);
  });
});

describe("Dockerfile", () => {
  test("starts from a Node at an exact version that the project can be installed with", () => {
    const [version = ""] = all(dockerfile, /^FROM node:(\d+\.\d+\.\d+)-bookworm-slim AS build$/gm);
    expect(Bun.semver.satisfies(version, packageJson.engines.node)).toBe(true);
    expect(all(dockerfile, /^(FROM) /gm)).toHaveLength(2);
  });

  test("says what it is, under which licence, and what it runs as", () => {
    const labels = Object.fromEntries(
      [...dockerfile.matchAll(/opencontainers\.image\.(\w+)="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    );
    const { name, description, license } = packageJson;
    expect(labels).toEqual({ title: name, description, licenses: license });
    expect(all(dockerfile, /^USER (\d+):\d+$/gm)).not.toEqual(["0"]);
  });

  test("copies what is there, and .dockerignore lets through just that", async () => {
    const copied = all(dockerfile, /^COPY (?!--)(.*) \S+$/gm).flatMap((sources) => sources.split(" "));
    expect(copied.filter((path) => !existsSync(PROJECT + path))).toEqual([]);
    const whole = copied.filter((path) => !copied.some((folder) => path.startsWith(`${folder}/`)));
    const lets = all(await read(".dockerignore"), /^!(.*)$/gm);
    expect([...lets].sort()).toEqual(whole.sort());
  });

  test("has a health check that is a command of ours, without a shell, and gives it time to answer", async () => {
    const [command = ""] = all(dockerfile, /^HEALTHCHECK .*CMD (\[.*\])$/gm);
    const [program, ...args] = JSON.parse(command);
    expect(program).toBe("petstore");
    const { code, out } = await petstore(await freshEmbeddedStore(), [...args, "--help"]);
    expect([code, out.startsWith(`Usage: petstore ${args.join(" ")} `)]).toEqual([0, true]);
    expect(Number(all(dockerfile, /--timeout=(\d+)s/g)[0]) * 1000).toBeGreaterThan(DOCTOR_DEADLINE_MS);
  }, 120_000);
});

test("petstore.service starts a command of ours, and keeps its data where it tells it to", () => {
  expect(all(unit, /^ExecStart=(.*)$/gm)).toEqual(["/usr/local/bin/petstore serve"]);
  expect(guide).toContain(" /usr/local/bin/petstore\n");
  const [folder] = all(unit, /^StateDirectory=(\w+)$/gm);
  expect(all(unit, /^Environment=PETSTORE_DATA_DIR=(\S+)$/gm)).toEqual([`/var/lib/${folder}`]);
});

describe("the proxies' examples", () => {
  const seconds = (name: keyof typeof proxies, pattern: RegExp) => all(proxies[name], pattern).map(Number);

  test("let in what the service takes, and refuse by themselves only what it would hang up on", () => {
    const [kibibytes = 0] = seconds("nginx", /client_max_body_size (\d+)k;/g);
    const [megabytes = 0] = seconds("caddy", /max_size (\d+)MB/g);
    const [digits = 0] = seconds("caddy", /Content-Length \^\\d\{(\d+),\}\$/g);
    const limits = [kibibytes * 1024, megabytes * 1_000_000, 10 ** (digits - 1)];
    for (const bytes of limits) {
      expect(bytes).toBeGreaterThan(BODY_BYTES_DEFAULT);
      expect(bytes).toBeLessThanOrEqual(BODY_DISCARD_BYTES_MAX);
    }
    expect(nginx).toContain(`exceeds the ${limits[0]} byte limit.`);
    expect(caddy).toContain(`exceeds the ${limits[1]} byte limit.`);
  });

  test("let go of an idle connection before the service closes it", () => {
    const idle = [
      ...seconds("nginx", /^ +keepalive_timeout (\d+)s;/gm),
      ...seconds("caddy", /keepalive (\d+)s/g),
    ];
    expect(idle).toHaveLength(4);
    for (const value of idle) expect(value).toBeLessThan(CONNECTION_IDLE_SECONDS);
  });

  test("wait longer than the service does", () => {
    const waits = [
      ...seconds("nginx", /proxy_read_timeout (\d+)s;/g),
      ...seconds("caddy", /response_header_timeout (\d+)s/g),
    ];
    for (const value of waits) expect(value).toBeGreaterThan(CONNECTION_IDLE_SECONDS);
  });

  test("leave HSTS to the service, which would otherwise be sent twice", () => {
    for (const text of Object.values(proxies)) expect(text).not.toMatch(/^[^#]*Strict-Transport-Security/im);
  });
});
