// Receives the deliveries of a webhook on the server at the given port. Each delivery is answered only when a GET request arrives,
// and each GET request only when a delivery arrives, so the load program sets the pace.
import { receiverOf } from "../request.ts";

const [server = "", key = ""] = process.argv.slice(2);
type Waiting = (() => void)[];
const [deliveries, requests]: readonly [Waiting, Waiting] = [[], []];
const { url } = Bun.serve({
  hostname: "127.0.0.1",
  port: receiverOf(Number(server)),
  idleTimeout: 0,
  async fetch({ method }) {
    const [own, others] = method === "POST" ? [deliveries, requests] : [requests, deliveries];
    const other = others.shift();
    if (other) other();
    else await new Promise<void>((resolve) => own.push(resolve));
    return new Response("");
  },
});
const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
const init = { method: "POST", headers, body: JSON.stringify({ url }) };
const { ok } = await fetch(`http://127.0.0.1:${server}/v1/webhooks`, init);
if (ok) process.stdout.write("ready\n");
