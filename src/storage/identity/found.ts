import { existsSync } from "node:fs";
import type { DatabaseName } from "../store-files.ts";
import type { Contents } from "./look.ts";
import type { PageOne } from "./page-one.ts";

/** Why a database file cannot be used as it is. */
export interface Fault {
  readonly name: DatabaseName;
  /** A sentence without its period, which begins with the file. */
  readonly message: string;
  /**
   * What accepting the loss does: a new file in its place (`new-file`), its log put aside (`new-log`), or the file used as it
   * is, which is older than the accounts' list says (`older`) or newer (`newer`). Nothing (`none`), where nothing is lost and
   * the message says what to do instead.
   */
  readonly remedy: "new-file" | "new-log" | "older" | "newer" | "none";
}

/** One database file as it was found. */
export interface Found {
  readonly name: DatabaseName;
  readonly file: string;
  /** With its log; undefined when nothing is there. */
  readonly page: PageOne | undefined;
  readonly contents: Contents | undefined;
  readonly fault: Fault | undefined;
}

/** What there is instead of a file. */
export function absence(file: string): string {
  return existsSync(file) ? "is empty (0 bytes)" : "is missing";
}
