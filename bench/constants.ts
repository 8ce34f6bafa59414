import { ask, type Reply, type Target } from "./request.ts";
import { NEW_PET } from "./work.ts";

/** A response of petstore, recorded for bare-bun. */
export interface Constant {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Constants {
  readonly page: Constant;
  readonly hundred: Constant;
  readonly one: Constant;
  readonly created: Constant;
}

export async function recordConstants(ours: Target): Promise<Constants> {
  return {
    page: constantOf(await ask(ours, "GET", "/v1/pets?limit=20")),
    hundred: constantOf(await ask(ours, "GET", "/v1/pets?limit=100")),
    one: constantOf(await ask(ours, "GET", "/v1/pets/4242")),
    created: constantOf(await ask(ours, "POST", "/v1/pets", { body: NEW_PET })),
  };
}

/** `Bun.serve` adds these by itself. */
const OF_THE_RUNTIME = ["date", "content-length"];

function constantOf({ status, headers, body }: Reply): Constant {
  const kept = [...headers].filter(([name]) => !OF_THE_RUNTIME.includes(name));
  return { status, headers: Object.fromEntries(kept), body };
}
