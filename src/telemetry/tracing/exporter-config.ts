/** The OTLP endpoint that spans are sent to. */
export interface ExporterConfig {
  /** OTLP over HTTP: `http://localhost:4318/v1/traces` */
  readonly url: string;
  /** May hold a secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** The `service.name` of all spans. */
  readonly serviceName: string;
}

/** Reads OpenTelemetry's own variables (specification, "OpenTelemetry Protocol Exporter"). */
export function readExporterConfig(
  environment: Readonly<Record<string, string | undefined>>,
): ExporterConfig | undefined {
  if (environment["OTEL_SDK_DISABLED"] === "true") return undefined;
  const base = environment["OTEL_EXPORTER_OTLP_ENDPOINT"];
  const url =
    environment["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"] || (base && `${base.replace(/\/+$/, "")}/v1/traces`);
  if (!url) return undefined;
  const headers =
    environment["OTEL_EXPORTER_OTLP_TRACES_HEADERS"] || environment["OTEL_EXPORTER_OTLP_HEADERS"] || "";
  return { url, headers: readHeaders(headers), serviceName: environment["OTEL_SERVICE_NAME"] || "petstore" };
}

/** `name=value,other=value`, the values percent-encoded as in W3C Baggage. */
function readHeaders(text: string): Readonly<Record<string, string>> {
  const pairs = text
    .split(",")
    .filter((pair) => pair.includes("="))
    .map((pair): [string, string] => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())];
    });
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
