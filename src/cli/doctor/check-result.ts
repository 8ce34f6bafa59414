import { explainFileError } from "../../platform/file-errors.ts";

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

/** Runs checks that read files. If the current user has no permission to read a file, the result of the check says so. */
export async function checkFiles(
  check: string,
  run: () => Promise<readonly CheckResult[]>,
): Promise<readonly CheckResult[]> {
  try {
    return await run();
  } catch (error) {
    const explained = explainFileError(error);
    if (explained === undefined) throw error;
    const { path, failed, reason, remedy } = explained;
    const advice = remedy || "Check the disk that holds this folder, or choose another folder.";
    return [fail(check, `${path} cannot be ${failed}: ${reason}`, advice)];
  }
}

export function lineOf({ check, state, message, advice }: CheckResult): string {
  const sentence = message.replace(/\.$/, "");
  return `${state.padEnd(4)}  ${check}: ${sentence}${advice === undefined ? "" : `. ${advice}`}`;
}
