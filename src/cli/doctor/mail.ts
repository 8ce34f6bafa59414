import type { UnsentMail } from "../../accounts/mail/contract.ts";
import { listUnsentMails } from "../../accounts/mail/mails.ts";
import type { Config } from "../../config.ts";
import { errorMessage } from "../../errors.ts";
import { systemClock } from "../../platform/clock.ts";
import type { Query } from "../../storage/database.ts";
import { readRows } from "../../storage/open.ts";
import { pluralize } from "../terminal/pluralize.ts";
import { type CheckResult, fail, ok, warn } from "./check-result.ts";

/** Checks that the mail server can be reached and accepts the password, and that earlier emails were sent. Sends no email. */
export async function checkMail(config: Config): Promise<readonly CheckResult[]> {
  const { smtpUrl: server, mailFrom } = config;
  if (server === undefined || mailFrom === undefined) return [];
  const { probeServer } = await import("../../delivery/smtp.ts");
  const unsent = await checkUnsent(config);
  try {
    await probeServer(server);
    return [ok("mail", `${server.host} accepts emails from ${mailFrom.address}`), ...unsent];
  } catch (error) {
    const advice =
      "Until the mail server works, send people the links for invitations and new passwords yourself. petstore keeps trying to send its emails.";
    return [fail("mail", errorMessage(error), advice), ...unsent];
  }
}

async function checkUnsent(config: Config): Promise<readonly CheckResult[]> {
  const check = "emails not sent";
  let mails: readonly UnsentMail[];
  try {
    const query: Query = (wanted, values) => readRows("accounts", wanted, values, config);
    mails = await listUnsentMails({ query, now: systemClock.now() });
  } catch {
    // An unreadable store is not reported here, because the checks of the store say why it cannot be read.
    return [];
  }
  const failed = mails.filter(({ isRetried }) => !isRetried);
  const [latest] = failed;
  const retried = mails.length - failed.length;
  if (latest === undefined)
    return [ok(check, retried === 0 ? "none" : `${retried} failed for now and will be retried`)];
  return [
    warn(
      check,
      `${pluralize(failed.length, "email", "emails")} failed, the latest to ${latest.email}: ${latest.reason}`,
      "To see these emails and send them again, open People in the console, or run: petstore accounts mails",
    ),
  ];
}
