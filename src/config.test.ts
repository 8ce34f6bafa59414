import { expect, test } from "bun:test";
import { loadConfig } from "./config.ts";

test("settings for scheduled backups are refused if they are invalid, misspelt or given with PostgreSQL", () => {
  const refused = (environment: Record<string, string>) => () => loadConfig({}, environment);
  const PETSTORE_BACKUP_DIR = "/backups";
  expect(refused({ PETSTORE_BACKUP_DIR, PETSTORE_DATABASE_URL: "postgres://127.0.0.1/x" })).toThrow(
    "pg_dump",
  );
  for (const PETSTORE_BACKUP_EVERY of ["0s", "1", "1w", "8d", "-1h", "1.5h"])
    expect(refused({ PETSTORE_BACKUP_EVERY })).toThrow(
      "PETSTORE_BACKUP_EVERY must be a duration of at most 7d, such as 15m, 1h or 1d.",
    );
  for (const PETSTORE_BACKUP_KEEP of ["0", "all", "100001"])
    expect(refused({ PETSTORE_BACKUP_KEEP })).toThrow(
      "PETSTORE_BACKUP_KEEP must be a number from 1 to 100000.",
    );
  expect(refused({ PETSTORE_BACKUPS_DIR: "/backups" })).toThrow("Did you mean PETSTORE_BACKUP_DIR");
  expect(loadConfig({ backupEvery: "90m" }, { PETSTORE_BACKUP_KEEP: "7" })).toMatchObject({
    backupDir: undefined,
    backupEvery: 90 * 60_000,
    backupKeep: 7,
  });
});

test("events are kept for 90 days unless a setting gives another period", () => {
  expect(loadConfig({}, {}).historyDays).toBe(90);
  expect(loadConfig({ historyDays: "0" }, { PETSTORE_HISTORY_DAYS: "7" }).historyDays).toBe(0);
  for (const PETSTORE_HISTORY_DAYS of ["-1", "1.5", "36501", "for ever"])
    expect(() => loadConfig({}, { PETSTORE_HISTORY_DAYS })).toThrow(
      "PETSTORE_HISTORY_DAYS must be a number of days from 0 to 36500.",
    );
});

test("a direct database address is refused without a pooler's address, or with a parameter that has no effect", () => {
  const refused = (environment: Record<string, string>) => () => loadConfig({}, environment);
  const PETSTORE_DATABASE_DIRECT_URL = "postgres://a/x";
  expect(refused({ PETSTORE_DATABASE_DIRECT_URL })).toThrow(
    "PETSTORE_DATABASE_DIRECT_URL needs PETSTORE_DATABASE_URL.",
  );
  expect(
    refused({
      PETSTORE_DATABASE_URL: "postgres://b/x",
      PETSTORE_DATABASE_DIRECT_URL: "postgres://a/x?connect_timeout=3",
    }),
  ).toThrow(
    "PETSTORE_DATABASE_DIRECT_URL has the parameter connect_timeout, which petstore does not support.",
  );
});

const NO_HOST =
  "must be an IP address or a name of this machine, such as 127.0.0.1 or ::1, without a port and without a zone.";
const NO_VERSION =
  "must be an http or https URL that consists of a host and the path /v1, such as https://pets.example.com/v1.";

test("a public address may end in slashes, and an IPv6 address may have brackets", () => {
  const urls = {
    PETSTORE_PRODUCTION_URL: "https://x.example/v1/",
    PETSTORE_STAGING_URL: "http://[::1]:8081/v1",
    PETSTORE_MESSAGES_URL: "https://X.example:443/",
  };
  expect(loadConfig({ host: "[::]" }, { ...urls, PETSTORE_METRICS_HOST: " ::1 " })).toMatchObject({
    ...{ host: "::", metricsHost: "::1" },
    productionUrl: "https://x.example/v1",
    stagingUrl: "http://[::1]:8081/v1",
    messagesUrl: "https://x.example",
  });
});

test.each([
  ["PETSTORE_STAGING_PORT", "65536", "must be a port from 0 to 65535."],
  ["PETSTORE_HOST", "fe80::1%lo", NO_HOST],
  ["PETSTORE_HOST", "127.0.0.1:8080", NO_HOST],
  ["PETSTORE_METRICS_HOST", "http://localhost", NO_HOST],
  ["PETSTORE_PRODUCTION_URL", "https://x.example/", NO_VERSION],
  ["PETSTORE_PRODUCTION_URL", "https://x.example/shop/v1", NO_VERSION],
  ["PETSTORE_PRODUCTION_URL", "https://:pass@x.example/v1", NO_VERSION],
  ["PETSTORE_STAGING_URL", "https://x.example/?/v1", NO_VERSION],
  ["PETSTORE_STAGING_URL", "https://x.example/v1/v1", NO_VERSION],
  [
    "PETSTORE_MESSAGES_URL",
    "https://x.example/messages",
    "must be an http or https URL that has no path, such as https://pets.example.com.",
  ],
  ["PETSTORE_RATE_LIMIT", "600", "must be requests/seconds, such as 600/60s."],
  ["PETSTORE_MAX_BODY_BYTES", "0", "must be a number of bytes from 1 to 16777216."],
  ["PETSTORE_LOG", "loud", "must be one of debug, info, warn, error, silent."],
  ["PETSTORE_SIGN_UP", "maybe", "must be invite, open or closed."],
  ["PETSTORE_PROCESSES", "0", "must be a number from 1 to 64."],
  ["PETSTORE_DATABASE_URL", "mysql://x/y", "must be a postgres:// address."],
  [
    "PETSTORE_DATABASE_URL",
    "postgres://a,b/x?target_session_attrs=any",
    "has target_session_attrs=any, but target_session_attrs must be one of read-write.",
  ],
  ["PETSTORE_DATABASE_DIRECT_URL", "mysql://x/y", "must be a postgres:// address."],
  ["PETSTORE_MESSAGES_WEBHOOK", "ftp://x", "must be an http or https URL."],
  [
    "PETSTORE_MESSAGES_WEBHOOK",
    "http://ada:secret@[::ffff:10.0.0.1]/hook",
    "has the private address [::ffff:a00:1]. To deliver there, set PETSTORE_MESSAGES_WEBHOOK_PRIVATE=allow.",
  ],
  ["PETSTORE_MESSAGES_WEBHOOK_PRIVATE", "yes", "must be refuse or allow."],
  ["PETSTORE_MESSAGES_WEBHOOK_SECRET", "hunter2", "must be whsec_ followed by 24 to 64 bytes in base64."],
])("%s=%s is refused: it %s", (variable, value, says) => {
  expect(() => loadConfig({}, { [variable]: value })).toThrow(`${variable} ${says}`);
});

test("a setting with an invalid value is not also reported as missing", () => {
  const variables = {
    PETSTORE_OIDC_ISSUER: "ftp://login.example",
    PETSTORE_OIDC_CLIENT_ID: "id",
    PETSTORE_OIDC_CLIENT_SECRET: "secret",
    PETSTORE_PRODUCTION_URL: "shop.example",
    PETSTORE_HOST: "0.0.0.0",
  };
  const refusal = (() => {
    try {
      return loadConfig({}, variables, ["production"]);
    } catch (error) {
      return String(error);
    }
  })();
  expect(refusal).toContain("PETSTORE_OIDC_ISSUER must be");
  expect(refusal).toContain("PETSTORE_PRODUCTION_URL must be");
  expect(refusal).not.toContain("is missing");
});

test("PORT is the port of the only service, on all interfaces, unless a setting says otherwise", () => {
  const PORT = "5000";
  const { productionPort, stagingPort, host } = loadConfig({}, { PORT }, ["production"]);
  expect({ productionPort, stagingPort, host }).toEqual({
    productionPort: 5000,
    stagingPort: 8081,
    host: "0.0.0.0",
  });
  const settings = { PORT, PETSTORE_STAGING_PORT: "9000", PETSTORE_HOST: "127.0.0.1" };
  expect(loadConfig({}, settings, ["staging"])).toMatchObject({ stagingPort: 9000, host: "127.0.0.1" });
  expect(() => loadConfig({}, { PORT: "tcp://10.0.0.1:80" }, ["production"])).toThrow(
    "PORT must be a port from 0 to 65535.",
  );
});

test("PORT is ignored with a log line if several services are served, and silently by other commands", () => {
  const services = ["production", "staging", "messages"] as const;
  const { productionPort, host, warnings } = loadConfig({}, { PORT: "5000" }, services);
  expect({ productionPort, host }).toEqual({ productionPort: 8080, host: "127.0.0.1" });
  expect(warnings).toEqual([expect.stringContaining("petstore serve production")]);
  expect(loadConfig({}, { PORT: "5000" }).warnings).toEqual([]);
});
