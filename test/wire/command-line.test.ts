import { describe, expect, test } from "bun:test";
import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { petstore } from "./process.ts";
import { send } from "./send.ts";
import { onBothEngines } from "./server.ts";

const WITHOUT_DATABASE = {
  PETSTORE_DATABASE_URL: "",
  PETSTORE_DATABASE_DIRECT_URL: "",
  PETSTORE_DATABASE_REPLICAS: "",
};

onBothEngines(({ freshStore, useStore }) => {
  const server = useStore();

  const run = (...args: string[]) => petstore(server.store, args);
  const create = (environment: string, ...args: string[]) =>
    run("keys", "create", "--environment", environment, ...args);
  const listPets = (key: string) => send("GET", `${server.production}/pets`, { key });

  describe("petstore keys", () => {
    test("create prints only the bare key on standard output while the server runs", async () => {
      for (const [environment, prefix] of [
        ["production", "pet_live"],
        ["staging", "pet_test"],
      ] as const) {
        const { code, out, err } = await create(environment);
        expect(code).toBe(0);
        expect(out).toMatch(RegExp(`^${prefix}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}\n$`));
        const says = `, a read-write key for ${environment}, owned by operator@localhost. The key is not shown again.\n`;
        expect([err.slice(0, 28), err.slice(28)]).toEqual([
          expect.stringMatching(/^Created key_\w{16}$/),
          says,
        ]);
        expect((await send("GET", `${server[environment]}/pets`, { key: out.trim() })).status).toBe(200);
      }
    });

    test("create --json, list --json and revoke --json show the same key", async () => {
      const own = ["--name", "the till", "--access", "read", "--expires", "2999-01-01T00:00:00Z"];
      const created = JSON.parse((await create("production", "--json", ...own)).out);
      expect(created).toMatchObject({
        key: expect.stringMatching(/^pet_live_/),
        environment: "production",
        access: "read",
        name: "the till",
        account: "operator@localhost",
        expiresAt: "2999-01-01T00:00:00.000Z",
        revokedAt: null,
      });
      const { key, ...shown } = created;
      const listed = JSON.parse((await run("keys", "list", "--json")).out);
      expect(listed.find((one: { id: string }) => one.id === created.id)).toEqual(shown);
      const revoked = JSON.parse((await run("keys", "revoke", created.id, "--json")).out);
      expect(revoked.revokedAt).toMatch(/^\d{4}-/);
      expect((await listPets(key)).status).toBe(401);
      const again = JSON.parse((await run("keys", "revoke", created.id, "--json")).out);
      expect(again.revokedAt).toBe(revoked.revokedAt);
    });

    test("list is a table for people, and never shows a key", async () => {
      const { out: key } = await create("staging", "--name", "shelf");
      const { out } = await run("keys", "list", "--environment", "staging");
      expect(out.split("\n")[0]).toMatch(/^ID +KEY +ENVIRONMENT +ACCESS +NAME +ACCOUNT +STATE +LAST USED$/);
      expect(out).toMatch(
        /key_\w{16} +pet_test_\w{4}…\w{4} +staging +read-write +shelf +operator@localhost +valid +never/,
      );
      expect(out).not.toContain(key.trim());
      expect(out).not.toContain("production");
    });

    test("a key with an expiry says when it expires", async () => {
      expect((await create("production", "--expires", "30d", "--name", "short")).code).toBe(0);
      expect((await run("keys", "list")).out).toMatch(/short +operator@localhost +until \d{4}-\d\d-\d\d/);
    });

    test("a folder without a store is reported, because a key of a new store is valid in no other store", async () => {
      const elsewhere = await freshStore();
      const first = await petstore(elsewhere, ["keys", "create", "--environment", "production"]);
      const isEmbedded = !("PETSTORE_DATABASE_URL" in elsewhere.settings);
      if (isEmbedded) expect(first.err).toMatch(/^There was no store in .+, so a new one was created\. /);
      else expect(first.err).not.toContain("There was no store");
      const again = await petstore(elsewhere, ["keys", "list", "--environment", "staging"]);
      expect(again.err).toBe("There are no keys. Create one: petstore keys create --environment staging\n");
    });

    const staging = "keys create --environment staging";
    const wrong: [args: string, code: number, says: string][] = [
      [`${staging} --account nobody@example.com`, 1, "There is no account nobody@example.com."],
      [`${staging} --name=`, 2, "name must have 1 to 100 characters, without control characters"],
      [`${staging} --expires 2001-01-01T00:00:00Z`, 2, "must be in the future."],
      ["keys revoke key_unknown", 1, "There is no key key_unknown."],
      ["serve --prot 1", 2, "unknown option '--prot'"],
    ];
    for (const [args, code, says] of wrong) {
      test(`petstore ${args}: one clear line, exit code ${code}`, async () => {
        const { err, ...rest } = await run(...args.split(" "));
        expect(rest).toEqual({ code, out: "" });
        expect(err).toContain(says);
        expect(err.trim().split("\n")).toHaveLength(1);
      });
    }
  });

  describe("petstore accounts", () => {
    const createWith = (email: string, input: string) =>
      petstore(server.store, ["accounts", "create", email], { input });

    test("create reads the password from standard input; list shows the account", async () => {
      const created = await createWith("Ada@Example.com", "correct horse battery\n");
      expect(created).toEqual({
        code: 0,
        out: "",
        err: "Created the account ada@example.com with the role owner.\n",
      });
      expect((await run("accounts", "list")).out).toMatch(/ada@example\.com +owner +yes +\d{4}-\d\d-\d\d/);
      const listed = JSON.parse((await run("accounts", "list", "--json")).out);
      expect(listed[0]).toMatchObject({ email: "ada@example.com", role: "owner", canSignIn: true });
    });

    test("a key of an account works, and belongs to it", async () => {
      await createWith("grace@example.com", "correct horse battery");
      const { out } = await create("production", "--account", "GRACE@example.com");
      expect((await listPets(out.trim())).status).toBe(200);
      expect((await run("keys", "list", "--account", "grace@example.com")).out).toContain(
        "grace@example.com",
      );
    });

    const refused: [email: string, password: string, says: string][] = [
      ["ada@example.com", "correct horse battery", "email already belongs to an account."],
      ["not-an-address", "correct horse battery", "email must look like name@example.com"],
      ["short@example.com", "1234567", "password must have 8 to 1024 characters"],
      ["operator@localhost", "correct horse battery", "email is reserved for the local operator"],
    ];
    for (const [email, password, says] of refused) {
      test(`refuses ${email} with ${password.length} characters: ${says}`, async () => {
        const { code, err } = await createWith(email, password);
        expect(code).toBe(2);
        expect(err).toContain(says);
        expect(err).not.toContain(password);
      });
    }
  });

  describe("petstore serve", () => {
    test("refuses every port in use, in one line each, and leaves nothing half-started", async () => {
      const taken = (["production", "messages", "metrics"] as const).map((name) => ({
        name,
        port: new URL(server[name]).port,
      }));
      const flags = taken.flatMap(({ name, port }) => [`--${name}-port`, port]);
      const { code, out, err } = await petstore(await freshStore(), ["serve", ...flags]);
      expect(code).toBe(1);
      const lines = taken.map(
        ({ name, port }) =>
          `petstore: Port ${port}, for ${name}, is in use. Choose another port with --${name}-port, or 0 for any free port.\n`,
      );
      expect(err).toBe(lines.join(""));
      expect(out).not.toContain("listening");
    });

    test("refuses a host that is not this machine's in one line for all ports, which names the setting", async () => {
      // RFC 5737 reserves this address for documentation, so no machine has it.
      const { code, err } = await petstore(await freshStore(), ["serve", "--host", "192.0.2.1"]);
      expect([code, err]).toEqual([
        1,
        "petstore: Cannot listen on 192.0.2.1 (PETSTORE_HOST): it is not an address of this machine. " +
          "Use 127.0.0.1, 0.0.0.0 for all interfaces, or another address of this machine.\n",
      ]);
    });

    test("refuses all wrong settings at once, one line each, and a misspelt variable with the nearest name", async () => {
      const env = {
        PETSTORE_LOG: "loud",
        PETSTORE_RATELIMIT: "600/60s",
      };
      const serve = ["serve", "--metrics-port", "many"];
      const { code, out, err } = await petstore(await freshStore(), serve, { env });
      expect([code, out]).toEqual([2, ""]);
      expect(err.split("\n")).toEqual([
        "petstore: PETSTORE_RATELIMIT is not a setting of petstore. Did you mean PETSTORE_RATE_LIMIT? Rename or unset PETSTORE_RATELIMIT.",
        "petstore: --metrics-port must be a port from 0 to 65535.",
        "petstore: PETSTORE_LOG must be one of debug, info, warn, error, silent.",
        "",
      ]);
    });

    test("starts beside the variables of Kubernetes, of clients and of scripts", async () => {
      const env = {
        PETSTORE_PORT: "tcp://10.0.0.1:80",
        PETSTORE_METRICS_PORT: "tcp://10.0.0.1:8090",
        PETSTORE_SERVICE_HOST: "10.0.0.1",
        PETSTORE_SERVICE_PORT_HTTP: "80",
        PETSTORE_PORT_8080_TCP_ADDR: "10.0.0.1",
        PETSTORE_KEY: "pet_live_x",
        PETSTORE_URL: "nowhere",
        PETSTORE_HOST_FILE: "/run/x",
        PETSTORE_EMPTY: "",
      };
      const create = ["keys", "create", "--environment", "staging"];
      expect((await petstore(await freshStore(), create, { env })).code).toBe(0);
    });

    test("refuses a data folder that is a file, or in one, in plain words", async () => {
      const file = join(await mkdtemp(join(tmpdir(), "petstore-file-")), "file");
      await Bun.write(file, "mine");
      const env = WITHOUT_DATABASE;
      for (const [dataDir, reason] of [
        [file, "it is a file"],
        [join(file, "data"), "a part of its path is a file"],
      ] as const)
        expect(await petstore(server.store, ["serve", "--data-dir", dataDir], { env })).toMatchObject({
          code: 1,
          err: `petstore: The data folder ${dataDir} cannot be created: ${reason}. Choose another folder.\n`,
        });
      expect(await Bun.file(file).text()).toBe("mine");
    });

    test("a command that only reads does not create a store", async () => {
      const folder = await mkdtemp(join(tmpdir(), "petstore-empty-"));
      for (const command of [
        ["keys", "list"],
        ["accounts", "list"],
        ["keys", "revoke", "key_Zp0aB1cD2eF3gH4i"],
      ]) {
        const dataDir = join(folder, "data");
        const env = WITHOUT_DATABASE;
        expect(await petstore(server.store, [...command, "--data-dir", dataDir], { env })).toEqual({
          code: 1,
          out: "",
          err: `petstore: There is no store in ${dataDir}. Set --data-dir to the service's data folder, or start the service: petstore serve\n`,
        });
      }
      expect(await readdir(folder)).toEqual([]);
    });

    test("refuses a database that cannot be reached in one line, without its password", async () => {
      const env = { PETSTORE_DATABASE_URL: "postgres://clerk:hunter2@127.0.0.1:9/shop" };
      const { code, out, err } = await petstore(await freshStore(), ["serve"], { env });
      expect([code, out]).toEqual([1, ""]);
      expect(err).toStartWith("petstore: The database at 127.0.0.1:9 cannot be used: ");
      expect(err).not.toContain("hunter2");
      expect(err.trim().split("\n")).toHaveLength(1);
    });

    test("five programs can open a new data folder at the same time", async () => {
      const store = await freshStore();
      const made = await Promise.all(
        Array.from({ length: 5 }, () => petstore(store, ["keys", "create", "--environment", "production"])),
      );
      expect(made.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
      expect(JSON.parse((await petstore(store, ["keys", "list", "--json"])).out)).toHaveLength(5);
    });
  });
});
