import { describe, expect, test } from "bun:test";
import { sendRaw } from "./send.ts";
import { onBothEngines } from "./server.ts";

onBothEngines(({ useStore }) => {
  const server = useStore();

  describe("6. bodies", () => {
    test("408 request_timeout for a body that stops half way", async () => {
      const raw = await sendRaw(
        server.production,
        `POST /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.key}\r\nContent-Type: application/json\r\n` +
          'Content-Length: 50\r\n\r\n{"name":',
      );
      expect(raw).toStartWith("HTTP/1.1 408 ");
      expect(raw).toContain(
        '{"code":"request_timeout","message":"The body did not arrive within 10 seconds.","status":408}',
      );
    });
  });
});
