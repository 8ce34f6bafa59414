import type { Config } from "./config.ts";
import type { DocumentServer } from "./contract/openapi.ts";

/** Where the documents say that the services are found. */

export function petstoreServers(config: Config): readonly DocumentServer[] {
  return [
    {
      url: config.productionUrl ?? `http://localhost:${config.productionPort}/v1`,
      description: "Production",
    },
    { url: config.stagingUrl ?? `http://localhost:${config.stagingPort}/v1`, description: "Staging" },
  ];
}

export function messagesServers(config: Config): readonly DocumentServer[] {
  return [{ url: config.messagesUrl ?? `http://localhost:${config.messagesPort}`, description: "Messages" }];
}
