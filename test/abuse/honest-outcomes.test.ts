import { beforeAll, expect, test } from "bun:test";
import { BEHIND_PROXY, openBrowserSession, PASSWORD, usePerson } from "../wire/browser-session.ts";
import { onBothEngines } from "../wire/server.ts";
import {
  cutsOf,
  FOLLOWING,
  FRAMINGS,
  type FramingTarget,
  findContradictions,
  firstStatus,
  withLength,
} from "./framings.ts";
import { openRawConnection } from "./raw-http.ts";
import { storedNames } from "./stored-names.ts";

onBothEngines(({ useStore }) => {
  const server = useStore({ env: BEHIND_PROXY });
  const person = usePerson(server, "ada@example.com");
  let target: FramingTarget;
  beforeAll(async () => {
    target = {
      lines: head("POST", "/v1/pets"),
      open: (bytes) => openRawConnection(server.production, bytes),
      storedNames: names,
    };
  });

  const head = (method: string, path: string, lines = "") =>
    `${method} ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.key}\r\nContent-Type: application/json\r\n${lines}`;

  const names = async () => new Set(await storedNames(server.production, server.key));

  for (const framing of FRAMINGS) {
    test(`the first status agrees with the store wherever the bytes are divided: ${framing.given}`, async () => {
      const isEmbedded = server.store.settings["PETSTORE_DATABASE_URL"] === undefined;
      // On PostgreSQL, the service does not see bytes after the body in time if they come in a separate TCP segment (decision 21).
      const cuts = cutsOf(framing, target, isEmbedded ? "whole" : "body");
      expect(await findContradictions(target, framing, [...Array(10).fill(0), ...cuts])).toEqual([]);
    });
  }

  interface Write {
    /** The address that the requests are sent to. By default, it is the address of production. */
    readonly address?: string;
    readonly lines: string;
    readonly body?: unknown;
    isDone(): Promise<boolean>;
  }
  const addPet = async () => {
    const body = '{"name":"x","categoryId":1,"status":"available"}';
    return (await server.add("/pets", body)) as number;
  };
  const petNow = async (id: number) => {
    const reply = await server.get(`/pets?id=${id}`);
    return reply.json[0];
  };
  const fromPage = (path: string, cookie = "") => {
    const { origin } = new URL(server.production);
    return `POST /console/api${path} HTTP/1.1\r\nHost: ${new URL(origin).host}\r\nOrigin: ${origin}\r\nCookie: ${cookie}\r\nContent-Type: application/json\r\n`;
  };
  async function change(lines = ""): Promise<Write> {
    const id = await addPet();
    return {
      lines: head("PATCH", `/v1/pets/${id}`, lines),
      body: { name: "changed" },
      isDone: async () => (await petNow(id)).name === "changed",
    };
  }
  const WRITES: Readonly<Record<string, () => Promise<Write>>> = {
    async "a create with an Idempotency-Key"() {
      const name = crypto.randomUUID();
      return {
        lines: head("POST", "/v1/pets", `Idempotency-Key: ${name}\r\n`),
        body: { name, categoryId: 1 },
        isDone: async () => (await names()).has(name),
      };
    },
    "a change": () => change(),
    "a change with If-Match": () => change("If-Match: *\r\n"),
    async "a removal"() {
      const id = await addPet();
      return {
        lines: head("DELETE", `/v1/pets/${id}`),
        isDone: async () => (await petNow(id)) === undefined,
      };
    },
    async "an order"() {
      const petId = await addPet();
      return {
        lines: head("POST", "/v1/store/orders", `Idempotency-Key: ${petId}\r\n`),
        body: { petId },
        isDone: async () => (await petNow(petId)).status === "pending",
      };
    },
    async "a message"() {
      const message = crypto.randomUUID();
      return {
        address: server.messages,
        lines: head("POST", "/messages"),
        body: { message },
        isDone: async () => (await person.call("GET /messages?limit=100")).body.includes(message),
      };
    },
    async "a sign-up"() {
      const email = `${crypto.randomUUID()}@example.com`;
      const isDone = async () => {
        const browser = openBrowserSession(server);
        return (await browser.call("POST /session", { email, password: PASSWORD })).status === 201;
      };
      return {
        lines: fromPage("/accounts"),
        body: { email, password: PASSWORD },
        isDone,
      };
    },
    async "an animal added in the console"() {
      const name = crypto.randomUUID();
      return {
        lines: fromPage("/pets", person.cookie()),
        body: { name, categoryId: 1 },
        isDone: async () => (await names()).has(name),
      };
    },
  };
  for (const [given, prepare] of Object.entries(WRITES)) {
    test(`${given} is not executed if the bytes after it are not a request`, async () => {
      for (const rest of ["", FOLLOWING["what is no request"], FOLLOWING["a request"]]) {
        const { address = server.production, lines, body, isDone } = await prepare();
        const bytes = body === undefined ? `${lines}\r\n` : withLength(lines, JSON.stringify(body));
        const status = await firstStatus({ open: (text) => openRawConnection(address, text) }, [
          bytes + rest,
        ]);
        expect({ rest, isDone: await isDone(), isAcknowledged: (status ?? 400) < 300 }).toEqual({
          rest,
          isDone: rest === "",
          isAcknowledged: rest === "",
        });
      }
    });
  }
});
