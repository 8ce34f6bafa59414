export const ASSETS = "/docs/assets";
export const GUIDES_PATH = "/docs/guides";
export const FILES_PATH = "/docs/files";
export const SEARCH_INDEX = "/docs/search.json";
export const API_CATALOG = "/.well-known/api-catalog";

export interface Site {
  readonly own: string;
  readonly addressOf: (service: string) => string;
}
