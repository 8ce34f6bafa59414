import { send } from "./send.ts";
import type { Server } from "./server.ts";

export const PUBLIC_ORIGIN = "https://shop.example";

/** Creates a browser that keeps all cookies of the production console. */
export function openJar(server: Pick<Server, "production">, address = "203.0.113.9") {
  const { origin } = new URL(server.production);
  const cookies = new Map<string, string>();
  return {
    cookies,
    async call(request: string, body?: unknown) {
      const [method = "", path = ""] = request.split(" ");
      const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
      const reply = await send(method, `${origin}/console/api${path}`, {
        headers: {
          Origin: PUBLIC_ORIGIN,
          "X-Forwarded-For": address,
          ...(cookie !== "" && { Cookie: cookie }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const [name = "", value = ""] = reply.headers.get("set-cookie")?.split(";", 1)[0]?.split("=") ?? [];
      if (name !== "") cookies.set(name, value);
      return reply;
    },
  };
}
export type Jar = ReturnType<typeof openJar>;
