import { describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RUNTIME_SETTINGS, withRuntimeSettings } from "../../bin/runtime.js";
import packageJson from "../../package.json" with { type: "json" };
import { addressOf } from "../../scripts/release/publication.ts";
import { BODY_BYTES_DEFAULT, SECRETS, SETTINGS } from "../../src/config/settings.ts";
import { BODY_DISCARD_BYTES_MAX } from "../../src/http/body.ts";
import { DOCTOR_DEADLINE_MS } from "../../src/limits.ts";
import { CONNECTION_IDLE_SECONDS, SHUTDOWN_DEADLINE_MS } from "../../src/server/listener.ts";
import { CHILD_GRACE_MS } from "../../src/server/own-command.ts";
import { SHUTDOWN_NOTICE_MS } from "../../src/server/serve.ts";
import { WORKER_END_DEADLINE_MS } from "../../src/server/worker-pool.ts";
import { petstore } from "../wire/process.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";

// The Dockerfile, compose files, systemd units and proxy settings must agree with the service. `npm run lab -- proxies` runs the
// proxies.

const PROJECT = Bun.fileURLToPath(new URL("../../", import.meta.url));
const read = (path: string) => Bun.file(PROJECT + path).text();
const [dockerfile, compose, composePostgres, unit, backupUnit, timer, nginx, caddy] = (await Promise.all(
  [
    "Dockerfile",
    "compose.yaml",
    "compose.postgres.yaml",
    "deploy/petstore.service",
    "deploy/petstore-backup.service",
    "deploy/petstore-backup.timer",
    "deploy/nginx.conf",
    "deploy/Caddyfile",
  ].map(read),
)) as [string, string, string, string, string, string, string, string];
const guide = await read("docs/guides/run.md");
const envExample = await read(".env.example");
const proxies = { nginx, caddy };

/** Returns the texts that the pattern's group matches. Fails if there are none. */
function all(text: string, pattern: RegExp): readonly string[] {
  const found = [...text.matchAll(pattern)].map(([, value = ""]) => value);
  expect([pattern.source, found.length > 0]).toEqual([pattern.source, true]);
  return found;
}

describe("every file for deployment", () => {
  const files = { dockerfile, compose, composePostgres, unit, backupUnit, nginx, caddy, envExample, guide };
  const known = new Set<string>(Object.values(SETTINGS).map(({ variable }) => variable));
  // PETSTORE_DATABASE_PASSWORD exists only in compose files, which insert it into PETSTORE_DATABASE_URL.
  known.add("PETSTORE_DATABASE_PASSWORD");
  for (const secret of SECRETS) known.add(`${secret}_FILE`);

  test.each(Object.entries(files))("%s names only settings that exist", (_name, text) => {
    const named = [...new Set(all(text, /\b(PETSTORE_[A-Z_]*[A-Z])\b(?!_)/g))];
    expect(named.filter((variable) => !known.has(variable))).toEqual([]);
  });

  test("publishes the service's ports, and never the metrics port", () => {
    const { productionPort, stagingPort, messagesPort } = SETTINGS;
    const own = [productionPort, stagingPort, messagesPort].map(({ default: port }) => String(port));
    expect(all(dockerfile, /^EXPOSE (.*)$/gm)).toEqual([own.join(" ")]);
    expect(all(compose, /^ +- "127\.0\.0\.1:(\d+:\d+)"$/gm)).toEqual(own.map((port) => `${port}:${port}`));
    for (const text of Object.values(proxies)) expect(all(text, /127\.0\.0\.1:(\d+)/g)).toEqual(own);
  });

  test("that starts the service passes the launcher's settings to the runtime, unless the operator has set them", () => {
    for (const [name, value] of Object.entries(RUNTIME_SETTINGS)) {
      const assigned = (text: string) => all(text, new RegExp(`\\b${name}=(\\S+)`, "g"));
      expect([name, assigned(dockerfile), assigned(unit)]).toEqual([name, [value], [value]]);
      expect([name, assigned(compose)]).toEqual([name, [`\${${name}:-${value}}`]]);
      expect([withRuntimeSettings({ [name]: "7" })[name], withRuntimeSettings({ [name]: "" })[name]]).toEqual(
        ["7", value],
      );
    }
    // If a setting is both in a systemd unit and in the unit's environment file, the one in the file wins.
    expect(unit.indexOf("EnvironmentFile=")).toBeGreaterThan(unit.lastIndexOf("Environment="));
  });

  test("gives a stopping process more time than its own deadline", () => {
    const ownMs = Math.max(
      SHUTDOWN_NOTICE_MS + SHUTDOWN_DEADLINE_MS + CHILD_GRACE_MS,
      WORKER_END_DEADLINE_MS,
    );
    const given = [...all(compose, /stop_grace_period: (\d+)s/g), ...all(unit, /^TimeoutStopSec=(\d+)$/gm)];
    for (const seconds of given) expect(Number(seconds) * 1000).toBeGreaterThan(ownMs);
  });
});

test("compose.yaml passes on every setting and every secret's file, except what the image and its ports fix", () => {
  const { services } = Bun.YAML.parse(compose) as Compose;
  const passed = services.petstore.environment.filter((name) => name.startsWith("PETSTORE_"));
  const settable = Object.values(SETTINGS)
    .map(({ variable }) => variable)
    .filter((variable) => !variable.endsWith("_PORT") && !dockerfile.includes(`${variable}=`));
  expect([...passed].sort()).toEqual([...settable, ...SECRETS.map((name) => `${name}_FILE`)].sort());
});

interface Compose {
  readonly services: { readonly petstore: { readonly environment: readonly string[] } };
}

test("compose.postgres.yaml has several processes, a primary that waits for the standby by its name, and both in the address", async () => {
  const { services } = Bun.YAML.parse(composePostgres) as {
    readonly services: Record<string, { readonly volumes: string[]; readonly command: string[] }>;
  };
  const [hosts = ""] = all(
    composePostgres,
    /DATABASE_URL=postgres:\/\/.+@(\S+)\/petstore\?target_session_attrs=read-write/g,
  );
  expect(hosts.split(",")).toEqual(Object.keys(services).filter((name) => name !== "petstore"));
  expect(
    Number(all(composePostgres, /PETSTORE_PROCESSES=\$\{PETSTORE_PROCESSES:-(\d+)\}/g)[0]),
  ).toBeGreaterThan(1);
  const script = await read("deploy/allow-standby.sh");
  expect(services["database"]?.volumes.join()).toContain(
    "./deploy/allow-standby.sh:/docker-entrypoint-initdb.d/",
  );
  const [standby = ""] = all(script, /^synchronous_standby_names = 'FIRST 1 \((\w+)\)'$/gm);
  expect(services["standby"]?.command.join()).toContain(`cluster_name=${standby}\n`);
});

test("every container has limits of memory and processes, with room for each serving process", () => {
  type Limits = { readonly mem_limit: string; readonly pids_limit: number };
  const [own, others] = [compose, composePostgres].map(
    (text) => (Bun.YAML.parse(text) as { services: Record<string, Limits> }).services,
  );
  const processes = Number(all(composePostgres, /PETSTORE_PROCESSES:-(\d+)\}/g)[0]);
  for (const [name, limits] of [...Object.entries(own ?? {}), ...Object.entries(others ?? {})]) {
    const { mem_limit, pids_limit } = { ...own?.[name], ...limits };
    expect([name, /^[1-9]\d*g$/.test(mem_limit), pids_limit >= 128]).toEqual([name, true, true]);
  }
  expect(Number.parseInt(others?.["petstore"]?.mem_limit ?? "", 10)).toBeGreaterThanOrEqual(processes);
});

test("nothing leaves a core dump, which would contain keys, and every service is restarted whenever it ends", () => {
  for (const text of [unit, backupUnit]) expect(all(text, /^LimitCORE=(.*)$/gm)).toEqual(["0"]);
  expect(all(unit, /^Restart=(.*)$/gm)).toEqual(["always"]);
  type Container = { readonly ulimits: object; readonly restart: string };
  for (const text of [compose, composePostgres]) {
    const { services } = Bun.YAML.parse(text) as { services: Record<string, Container> };
    for (const [name, { ulimits, restart }] of Object.entries(services)) {
      // The service `petstore` in compose.postgres.yaml only extends the one in compose.yaml.
      if (name === "petstore" && text === composePostgres) continue;
      expect([name, ulimits, restart]).toEqual([name, { core: 0 }, "unless-stopped"]);
    }
  }
});

describe("Dockerfile", () => {
  test("builds on an exact Node version that package.json allows", () => {
    const [version = ""] = all(
      dockerfile,
      /^FROM node:(\d+\.\d+\.\d+)-bookworm-slim(?:@sha256:[0-9a-f]{64})? AS build$/gm,
    );
    expect(Bun.semver.satisfies(version, packageJson.engines.node)).toBe(true);
    expect(all(dockerfile, /^(FROM) /gm)).toHaveLength(2);
  });

  test("labels name, description, licence and source, and does not run as root", () => {
    const labels = Object.fromEntries(
      [...dockerfile.matchAll(/opencontainers\.image\.(\w+)="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    );
    const { name, description, license } = packageJson;
    const source = addressOf(packageJson);
    expect(labels).toEqual({ title: name, description, licenses: license, source });
    expect(all(dockerfile, /^USER (\d+):\d+$/gm)).not.toEqual(["0"]);
  });

  test("has its home, where petstore demo stores a login, in the one folder that a read-only container can write", () => {
    const [home = ""] = all(dockerfile, /^ +HOME=(\S+)/gm);
    expect(compose).toContain(`tmpfs: ${home}\n`);
  });

  test("copies files that exist, and .dockerignore includes exactly those", async () => {
    const copied = all(dockerfile, /^COPY (?!--)(.*) \S+$/gm).flatMap((sources) => sources.split(" "));
    expect(copied.filter((path) => !existsSync(PROJECT + path))).toEqual([]);
    const whole = copied.filter((path) => !copied.some((folder) => path.startsWith(`${folder}/`)));
    const lets = all(await read(".dockerignore"), /^!(.*)$/gm);
    expect([...lets].sort()).toEqual(whole.sort());
  });

  test("its health check runs a petstore command without a shell, with a longer timeout than the command's", async () => {
    const [command = ""] = all(dockerfile, /^HEALTHCHECK .*CMD (\[.*\])$/gm);
    const [program, ...args] = JSON.parse(command);
    expect(program).toBe("petstore");
    const { code, out } = await petstore(await freshEmbeddedStore(), [...args, "--help"]);
    expect([code, out.startsWith(`Usage: petstore ${args.join(" ")} `)]).toEqual([0, true]);
    expect(Number(all(dockerfile, /--timeout=(\d+)s/g)[0]) * 1000).toBeGreaterThan(DOCTOR_DEADLINE_MS);
  });
});

test("the development container has a Node version that package.json allows, and forwards the service's ports", async () => {
  const { image, postCreateCommand, forwardPorts } = JSON.parse(
    await read(".devcontainer/devcontainer.json"),
  );
  const [version = ""] = all(image, /javascript-node:(\d+)$/g);
  expect(Bun.semver.satisfies(`${version}.999.0`, packageJson.engines.node)).toBe(true);
  expect(postCreateCommand).toBe("npm ci");
  const { productionPort, stagingPort, messagesPort, metricsPort } = SETTINGS;
  const ports = [productionPort, stagingPort, messagesPort, metricsPort];
  expect(forwardPorts.map(String)).toEqual(ports.map(({ default: port }) => port));
});

test("petstore.service starts a petstore command, with its data in the state directory", () => {
  expect(all(unit, /^ExecStart=(.*)$/gm)).toEqual(["/usr/local/bin/petstore serve"]);
  expect(guide).toContain(" /usr/local/bin/petstore\n");
  const [folder] = all(unit, /^StateDirectory=(\w+)$/gm);
  expect(all(unit, /^Environment=PETSTORE_DATA_DIR=(\S+)$/gm)).toEqual([`/var/lib/${folder}`]);
});

test("the unit, and the guide's one for each service, are valid", async () => {
  const [sed = ""] = all(guide, /^(sed .*) > \/etc\/systemd\/system\/petstore@\.service$/gm);
  const template = Bun.spawnSync(["sh", "-c", sed], { cwd: `${PROJECT}deploy` }).stdout.toString();
  expect(all(template, /^ExecStart=(.*)$/gm)).toEqual(["/usr/local/bin/petstore serve %i"]);
  expect(all(unit, /^(StartLimitIntervalSec=0|RestartSteps|RestartMaxDelaySec)\b/gm)).toHaveLength(3);
  if (Bun.which("systemd-analyze") === null) return;
  const folder = mkdtempSync(join(tmpdir(), "petstore-units-"));
  const path = join(folder, "petstore@.service");
  await Bun.write(path, template.replace("/usr/local/bin/petstore", process.execPath));
  const { stderr } = Bun.spawnSync(["systemd-analyze", "verify", "--man=no", path]);
  rmSync(folder, { recursive: true });
  // systemd before version 254 does not know RestartSteps and RestartMaxDelaySec, and warns about them.
  const said = stderr.toString().split("\n");
  expect(said.filter((line) => !/'Restart(Steps|MaxDelaySec)'|^$/.test(line))).toEqual([]);
});

test("petstore-backup.timer starts a backup command that exists, as the user of the service and on its data", async () => {
  const [command = ""] = all(backupUnit, /^ExecStart=\/usr\/local\/bin\/petstore (.*)$/gm);
  const [folder = ""] = all(unit, /^Environment=PETSTORE_DATA_DIR=(\S+)$/gm);
  expect(all(backupUnit, /^Environment=PETSTORE_DATA_DIR=(\S+)$/gm)).toEqual([folder]);
  const store = await freshEmbeddedStore();
  await petstore(store, ["migrate"]);
  const here = command.replace(folder, store.dataDir).split(" ");
  expect(await petstore(store, here)).toMatchObject({ code: 0, err: expect.stringContaining("Backed up") });
  expect([all(backupUnit, /^User=(\w+)$/gm), all(backupUnit, /^StateDirectory=(\w+)$/gm)]).toEqual([
    ["petstore"],
    all(unit, /^StateDirectory=(\w+)$/gm) as string[],
  ]);
  expect(timer).toMatch(/^OnCalendar=hourly$/m);
  for (const file of ["petstore-backup.service", "petstore-backup.timer"])
    expect(guide).toContain(`deploy/${file}`);
});

describe("the proxies' examples", () => {
  const seconds = (name: keyof typeof proxies, pattern: RegExp) => all(proxies[name], pattern).map(Number);

  test("accept what the service accepts, and refuse only requests on which it would close the connection", () => {
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

  test("close an idle connection before the service does", () => {
    const idle = [
      ...seconds("nginx", /^ +keepalive_timeout (\d+)s;/gm),
      ...seconds("caddy", /keepalive (\d+)s/g),
    ];
    expect(idle).toHaveLength(4);
    for (const value of idle) expect(value).toBeLessThan(CONNECTION_IDLE_SECONDS);
  });

  test("have longer timeouts than the service", () => {
    const waits = [
      ...seconds("nginx", /proxy_read_timeout (\d+)s;/g),
      ...seconds("caddy", /response_header_timeout (\d+)s/g),
    ];
    for (const value of waits) expect(value).toBeGreaterThan(CONNECTION_IDLE_SECONDS);
  });

  test("do not set HSTS, which the service sends", () => {
    for (const text of Object.values(proxies)) expect(text).not.toMatch(/^[^#]*Strict-Transport-Security/im);
  });
});
