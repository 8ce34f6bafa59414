// Receives a webhook's deliveries, and refuses what the service has not signed.
// WEBHOOK_SECRET=whsec_… node receive-webhook.mjs PORT
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { verifyWebhook, WebhookVerificationError } from "@petstore/client";

const secret = process.env.WEBHOOK_SECRET ?? "";
const seen = new Set(); // Ids of the deliveries that were handled. A real receiver stores them permanently.

const server = createServer(async (request, response) => {
  try {
    const { type } = await verifyWebhook(request.headers, await buffer(request), secret);
    const delivery = request.headers["webhook-id"];
    if (!seen.has(delivery)) {
      seen.add(delivery);
      console.log(delivery, type);
    }
    response.writeHead(204).end();
  } catch (error) {
    const isForged = error instanceof WebhookVerificationError;
    response.writeHead(isForged ? 400 : 500).end();
    console.error(String(error));
  }
});

server.listen(Number(process.argv[2] ?? 9000), "localhost", () => {
  const address = server.address();
  if (typeof address === "object") console.log(`Listening on http://localhost:${address?.port}/`);
});
