export const ASSETS = "/docs/assets";
export const API_CATALOG = "/.well-known/api-catalog";

/** The service whose pages are served. */
export interface Site {
  readonly own: string;
  /** The base address of a service. */
  readonly addressOf: (service: string) => string;
}
