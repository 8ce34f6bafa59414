import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";
import type { ProgramNotices } from "./program-notices.tsx";

export interface DeprecatedOperation {
  readonly operation: string;
  /** `GET /pets/{petId}` */
  readonly path: string;
  readonly sunset: string;
  readonly callers: readonly {
    readonly keyId: string;
    readonly keyName: string;
    readonly calls: number;
    readonly lastCalledAt: string;
  }[];
  /** Calls with API keys of other accounts. */
  readonly otherCalls: number;
}

export interface Notices extends ProgramNotices {
  readonly deprecated: readonly DeprecatedOperation[];
}

/** What needs a developer's attention. */
export function useNotices() {
  return useLoad((signal) => call<Notices>("GET", "/developers", { signal }));
}
