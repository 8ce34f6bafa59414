import type { KeyView } from "../../../keys/contract.ts";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";

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

export interface Notices {
  readonly expiringKeys: readonly KeyView[];
  readonly deprecated: readonly DeprecatedOperation[];
}

/** What needs a developer's attention. */
export function useNotices() {
  return useLoad((signal) => call<Notices>("GET", "/developers", { signal }));
}
