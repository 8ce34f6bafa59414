import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sendRaw } from "./send.ts";
import { makeKey, onBothEngines, type Server } from "./server.ts";

onBothEngines(({ startServer }) => {
  let server: Server;
  let key: string;
  beforeAll(async () => {
    server = await startServer();
    key = await makeKey(server.store);
  });
  afterAll(() => server.stop());

  describe("6. bodies", () => {
    test("408 request_timeout for a body that stops half way", async () => {
      const raw = await sendRaw(
        server.production,
        `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
          'Content-Length: 50\r\n\r\n{"name":',
      );
      expect(raw).toStartWith("HTTP/1.1 408 ");
      expect(raw).toContain(
        '{"code":"request_timeout","message":"The body did not arrive within 10 seconds.","status":408}',
      );
    }, 600_000);
  });
});
