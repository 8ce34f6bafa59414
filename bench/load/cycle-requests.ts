import { NUMBER_MARK, type RequestTemplate } from "./job.ts";

/** A request ready to send. */
export interface PreparedRequest {
  readonly bytes: Buffer;
  readonly status: number;
  /** Index of NUMBER_MARK, or -1. */
  readonly numberAt: number;
}

let lastNumber = 0;

/** Returns the requests in a cycle, with a new number in each that has NUMBER_MARK. */
export function cycleRequests(requests: readonly RequestTemplate[]): () => PreparedRequest {
  const prepared = requests.map(({ text, status }) => ({
    bytes: Buffer.from(text),
    status,
    numberAt: text.indexOf(NUMBER_MARK),
  }));
  let at = 0;
  return () => {
    const request = prepared[at];
    if (request === undefined) throw new Error("The job has no requests.");
    at = at + 1 === prepared.length ? 0 : at + 1;
    if (request.numberAt >= 0) writeNumber(request.bytes, request.numberAt, ++lastNumber);
    return request;
  };
}

function writeNumber(bytes: Buffer, start: number, value: number): void {
  let left = value;
  for (let at = start + NUMBER_MARK.length - 1; at >= start; at--) {
    bytes[at] = 0x30 + (left % 10);
    left = Math.floor(left / 10);
  }
}
