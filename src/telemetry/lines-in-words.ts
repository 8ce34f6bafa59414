interface Line extends Readonly<Record<string, unknown>> {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
}

/** Terminal codes for colours: "Select Graphic Rendition" (ECMA-48 §8.3.117). */
const SGR = { faint: 2, red: 31, green: 32, yellow: 33 } as const;

/**
 * Creates a function that turns JSON log lines into text that is easy to read: `12:00:00 production POST /v1/pets 201 3 ms key_…`
 */
export function formatInWords(isColourless: boolean): (lines: string | Uint8Array) => string {
  const paint: Paint = (colour, text) => (isColourless ? text : `\x1b[${SGR[colour]}m${text}\x1b[0m`);
  return (lines) =>
    (typeof lines === "string" ? lines : Buffer.from(lines).toString())
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => `${lineInWords(JSON.parse(line), paint)}\n`)
      .join("");
}

type Paint = (colour: keyof typeof SGR, text: string) => string;

function lineInWords(line: Line, paint: Paint): string {
  // People at a terminal expect local time. In a log file, times are in UTC.
  const time = paint("faint", new Date(line.time).toTimeString().slice(0, 8));
  return `${time} ${line.msg === "request" ? requestInWords(line, paint) : eventInWords(line, paint)}`;
}

function requestInWords(line: Line, paint: Paint): string {
  const { service, method, path, status, code, durationMs, keyId, requestId } = line;
  const number = Number(status);
  const colour = number >= 500 ? "red" : number >= 400 ? "yellow" : "green";
  // A server error shows the request's identifier, which the client has received in `X-Request-Id`.
  const id = number >= 500 ? `request ${requestId}` : undefined;
  const took = `${Math.round(Number(durationMs) * 10) / 10} ms`;
  const words = [service, method, path, paint(colour, String(status)), code, took, keyId, id];
  return words.filter((word) => word !== undefined).join(" ");
}

function eventInWords({ level, time: _, msg, err, ...members }: Line, paint: Paint): string {
  const words = Object.entries(members).map(([name, value]) => `${name}=${shown(value)}`);
  const severity = level === "info" ? [] : [paint(level === "error" ? "red" : "yellow", level)];
  return [...severity, shown(msg), ...words].join(" ") + faultInWords(err);
}

/** Formats the stack of an error, with its lines indented below the log line. The stack begins with the error's message. */
function faultInWords(err: unknown): string {
  if (typeof err !== "object" || err === null) return "";
  const { message, stack }: { readonly message?: unknown; readonly stack?: unknown } = err;
  const lines = String(stack ?? message).split("\n");
  return lines.map((line) => `\n    ${shown(line.trim())}`).join("");
}

/** Formats the value of a log field. Text without control characters stays unchanged, and other values are formatted as JSON. */
function shown(value: unknown): string {
  return typeof value === "string" && !/\p{Cc}/u.test(value) ? value : JSON.stringify(value);
}
