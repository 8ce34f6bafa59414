// The lower bound: `Bun.serve` returning constant bytes.
import { readFileSync } from "node:fs";
import type { Constant, Constants } from "../constants.ts";

const constants: Constants = JSON.parse(readFileSync(process.env["CONSTANTS"] ?? "", "utf8"));

function answer({ status, headers, body }: Constant): Response {
  return new Response(body, { status, headers });
}

function constantFor(url: string): Constant {
  if (url.includes("/pets/")) return constants.one;
  return url.endsWith("limit=100") ? constants.hundred : constants.page;
}

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env["PORT"]),
  development: false,
  async fetch(request) {
    if (request.method !== "POST") return answer(constantFor(request.url));
    await request.text();
    return answer(constants.created);
  },
});
