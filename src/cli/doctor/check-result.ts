export interface CheckResult {
  readonly check: string;
  readonly state: "ok" | "warn" | "fail";
  readonly message: string;
  readonly advice?: string;
}

export function ok(check: string, message: string): CheckResult {
  return { check, state: "ok", message };
}

export function warn(check: string, message: string, advice: string): CheckResult {
  return { check, state: "warn", message, advice };
}

export function fail(check: string, message: string, advice: string): CheckResult {
  return { check, state: "fail", message, advice };
}

export function lineOf({ check, state, message, advice }: CheckResult): string {
  const sentence = message.replace(/\.$/, "");
  return `${state.padEnd(4)}  ${check}: ${sentence}${advice === undefined ? "" : `. ${advice}`}`;
}
