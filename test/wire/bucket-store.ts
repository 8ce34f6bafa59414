import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "@20minutes/s3rver";

// Runs an S3 server behind a proxy that sees every request first and can make it fail. The server is s3rver. It cannot abort
// uploads, so the proxy answers requests to abort one. It also computes the signatures of list requests differently from Amazon S3,
// so it is told to accept every well-formed signature made with its key.

const BUCKET = "backups";
const SECRET = "S3RVER-very-secret";

/** Answers a request in place of the S3 server. If it returns undefined, the proxy passes the request on to the server. */
type Fault = (request: {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Uint8Array;
}) => Response | "cut" | undefined;

export async function startBucket() {
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: mkdtempSync(join(tmpdir(), "petstore-s3-")),
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  let fault: Fault = () => undefined;
  const begun = new Set<string>();
  const front = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    development: false,
    async fetch(request) {
      const { pathname: path, search, searchParams: query } = new URL(request.url);
      const { method } = request;
      const body = await request.bytes();
      const answer = fault({ method, path, query, body });
      if (answer instanceof Response) return answer;
      const upload = query.get("uploadId");
      if (method === "DELETE" && upload !== null) {
        begun.delete(upload);
        return new Response(null, { status: 204 });
      }
      const passed = await fetch(`http://127.0.0.1:${port}${path}${search}`, {
        method,
        headers: request.headers,
        decompress: false,
        ...(body.length > 0 && { body }),
      });
      const bytes = await passed.bytes();
      const id = /<UploadId>(\w+)</.exec(query.has("uploads") ? new TextDecoder().decode(bytes) : "")?.[1];
      if (id !== undefined) begun.add(id);
      if (method === "POST" && upload !== null) begun.delete(upload);
      if (answer === "cut") return new Response(cutOff(bytes), { headers: passed.headers });
      return new Response(method === "HEAD" ? null : bytes, passed);
    },
  });
  const env = {
    AWS_ACCESS_KEY_ID: "S3RVER",
    AWS_SECRET_ACCESS_KEY: SECRET,
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${front.port}`,
  };
  const client = new Bun.S3Client({
    accessKeyId: env.AWS_ACCESS_KEY_ID,
    secretAccessKey: SECRET,
    endpoint: `http://127.0.0.1:${port}`,
    bucket: BUCKET,
  });
  return {
    env,
    client,
    /** The identifiers of multipart uploads that were neither completed nor aborted. */
    unfinished: () => [...begun],
    failing(next: Fault) {
      fault = next;
    },
    healthy() {
      fault = () => undefined;
    },
    keys: async () => (await client.list())?.contents?.map(({ key }) => key) ?? [],
    async stop() {
      await front.stop(true);
      await server.close();
    },
  };
}

/** Returns a stream that breaks off in the middle of the bytes. */
function cutOff(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(bytes.subarray(0, bytes.length / 2));
      await Bun.sleep(50);
      controller.error(new Error("cut"));
    },
  });
}
