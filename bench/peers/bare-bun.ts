// A server with the least possible work, for comparison: a `Bun.serve` that only returns bytes that it has fetched from petstore in
// advance.
const { PORT, SUBJECT, KEY } = process.env;
/** Headers that `Bun.serve` adds to each response by itself. */
const OF_THE_RUNTIME = ["date", "content-length"];

async function constantOf(path: string, body?: string) {
  const response = await fetch(`http://127.0.0.1:${SUBJECT}/v1/pets${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { Authorization: `Bearer ${KEY}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body }),
  });
  const headers = [...response.headers].filter(([name]) => !OF_THE_RUNTIME.includes(name));
  return { body: await response.text(), status: response.status, headers: Object.fromEntries(headers) };
}

const page = await constantOf("?limit=20");
const one = await constantOf("/4242");
const created = await constantOf("", '{"name":"Fluffy","categoryId":1,"status":"available"}');

function answer({ body, status, headers }: typeof page): Response {
  return new Response(body, { status, headers });
}

Bun.serve({
  hostname: "127.0.0.1",
  port: Number(PORT),
  development: false,
  async fetch(request) {
    if (request.method !== "POST") return answer(request.url.includes("/pets/") ? one : page);
    await request.text();
    return answer(created);
  },
});
