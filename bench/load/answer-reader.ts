const END_OF_HEAD = "\r\n\r\n";
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Creates a reader that splits the bytes from a server into HTTP responses. The reader is called with each piece of data, and
 * returns the status when a response is complete, or else 0. It relies on Content-Length, so it treats a response with chunked
 * encoding as a fault.
 */
export function createAnswerReader(): (chunk: Buffer) => number {
  let unfinished = NOTHING;
  let status = 0;
  let left = 0;
  return (chunk) => {
    if (left > 0) left -= chunk.length;
    else {
      const bytes = unfinished.length === 0 ? chunk : Buffer.concat([unfinished, chunk]);
      const end = bytes.indexOf(END_OF_HEAD);
      unfinished = end < 0 ? bytes : NOTHING;
      if (end < 0) return 0;
      const head = bytes.toString("latin1", 0, end);
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
      if (length === undefined) throw new Error(`A response has no Content-Length: ${head}`);
      status = Number(head.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length));
      left = Number(length) - (bytes.length - end - END_OF_HEAD.length);
    }
    if (left < 0) throw new Error("The server sent more bytes than it announced.");
    return left === 0 ? status : 0;
  };
}
