import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SQL } from "bun";
import { checkDatabaseServer } from "../../src/cli/doctor/database-server.ts";
import { loadConfig } from "../../src/config.ts";
import { readServerTime } from "../../src/storage/inspected-server.ts";
import { send } from "../wire/send.ts";
import { makeKey, type Server, startServer } from "../wire/server.ts";
import { type PostgresServer, startPostgres, UNPRIVILEGED } from "./server.ts";

// Tests TLS to a PostgreSQL server whose certificate authority is not installed on any machine. The server's certificate is for
// localhost. The tests connect to 0.0.0.0, which the service does not treat as loopback.

const FILES = fileURLToPath(new URL("../tls/", import.meta.url));
const AUTHORITY = `sslrootcert=${FILES}database-authority.pem`;
const CLIENT = `sslcert=${FILES}database-client.pem&sslkey=${FILES}database-client.key.pem`;

/**
 * PostgreSQL's rules for who may connect. Ada has a certificate, Ben has a password, and both must use TLS. Only the superuser may
 * connect without TLS.
 */
const ACCESS = `hostssl all ada all cert
hostssl all ben all scram-sha-256
host all postgres all trust`;

let folder: string;
let offering: PostgresServer;
let plain: PostgresServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "petstore-tls-"));
  chmodSync(folder, 0o755);
  cpSync(FILES, folder, { recursive: true });
  const key = join(folder, "database-server.key.pem");
  chmodSync(key, 0o600);
  if (process.getuid?.() === 0) chownSync(key, UNPRIVILEGED, UNPRIVILEGED);
  writeFileSync(join(folder, "access.conf"), ACCESS);
  const settings = [
    "ssl=on",
    `ssl_cert_file=${join(folder, "database-server.pem")}`,
    `ssl_key_file=${key}`,
    `ssl_ca_file=${join(folder, "database-authority.pem")}`,
    `hba_file=${join(folder, "access.conf")}`,
  ];
  [offering, plain] = await Promise.all([startPostgres({ settings }), startPostgres()]);
  const admin = new SQL(offering.url, { max: 1 });
  await admin.unsafe("CREATE ROLE ada LOGIN; CREATE ROLE ben LOGIN PASSWORD 'secret'").simple();
  await admin.unsafe("CREATE DATABASE shop OWNER ada");
  await admin.close();
});
afterAll(async () => {
  await Promise.all([offering.remove(), plain.remove()]);
  rmSync(folder, { recursive: true });
});

const at = (server: PostgresServer, user: string, parameters = "", host = "localhost") =>
  `postgres://${user}@${host}:${server.port}/postgres?${parameters}`;

/** Connects in the same way as the service. Returns "connected", or the error message without the address. */
async function connect(url: string): Promise<string> {
  try {
    await readServerTime(url);
    return "connected";
  } catch (error) {
    return String(error).replace(/^.*cannot be used: /, "");
  }
}

/** Returns what `petstore doctor` says about the encryption of connections to this database. */
async function judged(url: string) {
  const checks = await checkDatabaseServer(loadConfig({}, { PETSTORE_DATABASE_URL: url }));
  return checks
    .filter(({ check }) => check === "encryption")
    .map(({ state, message }) => `${state} ${message}`);
}

test("a service with an authority, a certificate and its key uses TLS under its name for every session", async () => {
  const url = at(offering, "ada", `${AUTHORITY}&${CLIENT}`).replace("/postgres?", "/shop?");
  const store = { dataDir: "", settings: { PETSTORE_DATABASE_URL: url } };
  const server: Server = await startServer({ store });
  const key = await makeKey(store);
  const body = '{"name":"Rex","categoryId":1}';
  expect((await send("POST", `${server.production}/pets`, { key, body })).status).toBe(201);
  const admin = new SQL(offering.url, { max: 1 });
  const sessions = await admin`SELECT DISTINCT ssl, client_dn, application_name FROM pg_stat_ssl
    JOIN pg_stat_activity USING (pid) WHERE datname = 'shop'`;
  expect([...sessions]).toEqual([{ ssl: true, client_dn: "/CN=ada", application_name: "petstore" }]);
  await admin.close();
  await server.stop();
});

test("libpq's variables are used for parameters that the address lacks", async () => {
  const variables = {
    PETSTORE_DATABASE_URL: at(offering, "ada"),
    PGSSLROOTCERT: `${FILES}database-authority.pem`,
    PGSSLCERT: `${FILES}database-client.pem`,
    PGSSLKEY: `${FILES}database-client.key.pem`,
  };
  expect(await connect(loadConfig({}, variables).databaseUrl ?? "")).toBe("connected");
});

test("each sslmode verifies exactly what its name says", async () => {
  const root = (mode: string, host: string) =>
    connect(at(offering, "postgres", `sslmode=${mode}&${AUTHORITY}`, host));
  expect(await root("verify-full", "localhost")).toBe("connected");
  expect(await root("verify-full", "0.0.0.0")).toContain("sslmode=verify-ca");
  expect(await root("verify-ca", "0.0.0.0")).toBe("connected");
  expect(await root("require", "0.0.0.0")).toBe("connected");
  const unknown = "self signed certificate in certificate chain. Set sslrootcert in the address";
  expect(await connect(at(offering, "postgres", "sslmode=verify-full"))).toStartWith(unknown);
  expect(await connect(at(offering, "postgres", "sslrootcert=system"))).toStartWith(unknown);
});

test("channel_binding=require binds the password to the connection, or refuses the server", async () => {
  const bound = "sslmode=require&channel_binding=require";
  expect(await connect(at(offering, "ben:secret", bound))).toBe("connected");
  expect(await connect(at(offering, "postgres", bound))).toContain("Set channel_binding=prefer");
  expect(await connect(at(plain, "postgres", "channel_binding=require"))).toContain(
    "Server does not support SSL",
  );
});

test("errors name the parameter that helps", async () => {
  expect(await connect(at(offering, "ben:secret"))).toContain("no encryption. Set sslmode=require");
  expect(await connect(at(offering, "ben:wrong", "sslmode=require"))).toContain(
    "Set this user's password in the address, or in PGPASSWORD",
  );
  expect(await connect(at(plain, "postgres", "sslmode=require"))).toContain(
    "Set ssl = on in the server's configuration. To allow unencrypted connections instead, set sslmode=prefer",
  );
  expect(await connect(at(offering, "ada", "sslmode=require"))).toContain(
    "In the database's address, set sslcert",
  );
  expect(await connect(at(offering, "ada", "sslrootcert=/nowhere"))).toContain(
    "Set sslrootcert in the address to a readable PEM file",
  );
  expect(await connect(at(offering, "ada", CLIENT.replace("client.key", "server.key")))).toContain(
    "Set sslcert and sslkey",
  );
});

test("without sslmode, TLS is used if the server offers it, except on loopback; petstore doctor says which applies", async () => {
  const shown = ({ port }: PostgresServer, host: string) => `connections to ${host}:${port} use`;
  expect(await judged(at(offering, "postgres", "", "0.0.0.0"))).toEqual([
    `warn ${shown(offering, "0.0.0.0")} unverified TLS: the server's certificate is not checked, so another server could pretend to be this one`,
  ]);
  expect(await judged(at(plain, "postgres", "", "0.0.0.0"))).toEqual([
    `warn ${shown(plain, "0.0.0.0")} clear text: the connection is not encrypted, so anybody who can read the network traffic sees the password and the data`,
  ]);
  expect(await judged(at(offering, "postgres"))).toEqual([`ok ${shown(offering, "localhost")} clear text`]);
  expect(await judged(at(offering, "postgres", `${AUTHORITY}&sslmode=require`, "0.0.0.0"))).toEqual([
    `ok ${shown(offering, "0.0.0.0")} verified TLS`,
  ]);
  // Ben may connect only with TLS, so this proves that TLS was used.
  expect(await connect(at(offering, "ben:secret", "", "0.0.0.0"))).toBe("connected");
});

test("a failed handshake never falls back to clear text", async () => {
  const packets: string[] = [];
  const SSL_REQUEST = "0000000804d2162f";
  const server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket, data) {
        const packet = data.toString("hex");
        packets.push(packet === SSL_REQUEST ? "asks for TLS" : packet.slice(0, 4));
        socket.write(packet === SSL_REQUEST ? "S" : "no handshake");
      },
    },
  });
  expect(await connect(`postgres://ben:secret@0.0.0.0:${server.port}/postgres`)).not.toBe("connected");
  server.stop(true);
  // The bytes 16 03 begin a TLS record with a handshake.
  expect([...new Set(packets)]).toEqual(["asks for TLS", "1603"]);
});
