export const ASSETS = "/docs/assets";
export const GUIDES_PATH = "/docs/guides";
/** Path of the files that guides link to. */
export const FILES_PATH = "/docs/files";
export const API_CATALOG = "/.well-known/api-catalog";

/** The service whose pages are served. */
export interface Site {
  readonly own: string;
  /** Base address of a service. */
  readonly addressOf: (service: string) => string;
}
