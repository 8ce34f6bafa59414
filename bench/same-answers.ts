import { ask, nextPath, type Reply, type Target } from "./request.ts";
import { NEW_PET } from "./work.ts";

/** A response; without a body where only the status has to agree. */
export interface ProbeAnswer {
  readonly probe: string;
  readonly status: number;
  readonly body?: unknown;
}

/** Sends every kind of request once to a fresh server. */
export async function probeAnswers(target: Target, unknownKey: string): Promise<readonly ProbeAnswer[]> {
  const get = (path: string) => ask(target, "GET", path);
  const create = (body: string, headers = {}) => ask(target, "POST", "/v1/pets", { body, headers });
  const first = await get("/v1/pets?limit=20");
  const second = await get(nextPath(first) ?? "/none");
  const once = { "Idempotency-Key": "probe" };
  const known = { "If-None-Match": first.headers.get("etag") ?? "none" };
  return [
    whole("first page", first),
    whole("second page", second),
    whole("third page", await get(nextPath(second) ?? "/none")),
    whole("page of 100", await get("/v1/pets?limit=100")),
    whole("page of a status", await get("/v1/pets?limit=5&status=sold")),
    whole("one animal", await get("/v1/pets/4242")),
    whole("one without status", await get("/v1/pets/4243")),
    whole("none", await get("/v1/pets/900000000")),
    whole("unknown key", await ask({ ...target, key: unknownKey }, "GET", "/v1/pets?limit=20")),
    whole("not modified", await ask(target, "GET", "/v1/pets?limit=20", { headers: known })),
    statusOf("limit too large", await get("/v1/pets?limit=101")),
    statusOf("no name", await create('{"categoryId":1}')),
    whole("new animal", await create(NEW_PET)),
    whole("new animal without status", await create('{"name":"Rex","categoryId":2}')),
    whole("new animal once", await create(NEW_PET, once)),
    whole("the same again", await create(NEW_PET, once)),
    statusOf("another with its key", await create('{"name":"Rex","categoryId":2}', once)),
  ];
}

function whole(probe: string, { status, body }: Reply): ProbeAnswer {
  return { probe, status, body: body === "" ? undefined : JSON.parse(body) };
}

function statusOf(probe: string, { status }: Reply): ProbeAnswer {
  return { probe, status };
}

/** The differences between a server's responses and petstore's, as sentences. */
export function differences(ours: readonly ProbeAnswer[], theirs: readonly ProbeAnswer[]): readonly string[] {
  return theirs.flatMap((their, index) => {
    const our = ours[index];
    if (Bun.deepEquals(our, their)) return [];
    return [
      `${their.probe}: ${summary(their)} where ours is ${our === undefined ? "missing" : summary(our)}`,
    ];
  });
}

function summary({ status, body }: ProbeAnswer): string {
  return `${status} ${JSON.stringify(body ?? "").slice(0, 100)}`;
}
