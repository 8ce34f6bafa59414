import type { Config } from "../../config.ts";
import { errorMessage } from "../../errors.ts";
import { type CheckResult, fail, ok } from "./check-result.ts";

/** Checks that the mail server can be reached and accepts the password. No mail is sent. */
export async function checkMail({ smtpUrl: server, mailFrom }: Config): Promise<readonly CheckResult[]> {
  if (server === undefined || mailFrom === undefined) return [];
  const { probeServer } = await import("../../delivery/smtp.ts");
  try {
    await probeServer(server);
    return [ok("mail", `${server.host} takes mails from ${mailFrom.address}`)];
  } catch (error) {
    const advice = "Until then invitations and resets need links that are handed over. Mails are retried.";
    return [fail("mail", errorMessage(error), advice)];
  }
}
