import type { MailText } from "../accounts/mail/texts.ts";
import { errorMessage } from "../errors.ts";
import { DELIVERY_TIMEOUT_MS } from "../limits.ts";
import type { MailAddress, SmtpServer } from "../platform/smtp-url.ts";
import { DeliveryError } from "./destination.ts";
import type { Answer } from "./source.ts";

interface Mail extends MailText {
  readonly id: string;
  readonly to: string;
}

/** Sends an email. @throws DeliveryError if the mail server cannot be used */
export async function sendMail(
  server: SmtpServer,
  from: MailAddress,
  { id, to, ...text }: Mail,
  stop: AbortSignal,
): Promise<Answer> {
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const message = await new MailComposer({
    from,
    // The recipient is passed as an object, because a string would be parsed and could name several recipients.
    to: { name: "", address: to },
    messageId: `<${id}@${from.address.split("@").at(-1)}>`,
    // Tells mail programs not to send automatic replies (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
    ...text,
  })
    .compile()
    .build();
  return withServer(server, stop, async ({ step, connection }) => {
    const answer = await step<unknown>((done) =>
      connection.send({ from: from.address, to: [to] }, message, done),
    ).then(
      () => ({ outcome: "delivered", status: 250 }) as const,
      (error: unknown) => answerOf(error),
    );
    connection.quit();
    return answer;
  });
}

/** Signs in to a mail server without sending anything. @throws DeliveryError */
export function probeServer(server: SmtpServer): Promise<void> {
  return withServer(server, new AbortController().signal, async ({ connection }) => connection.quit());
}

interface SmtpError {
  readonly responseCode?: number;
  readonly command?: string;
}

/**
 * Converts an SMTP error to an outcome. If the server permanently refuses the recipient or the content, the email is not tried
 * again (RFC 5321 §4.2.1). If the server refuses this client, the email will be tried again.
 */
function answerOf(error: unknown): Answer {
  const { responseCode: status, command = "" }: SmtpError = Object(error);
  if (status === undefined) throw new DeliveryError(`The email was not sent: ${errorMessage(error)}`);
  const isFinal = status >= 500 && ["RCPT TO", "DATA"].includes(command);
  return { outcome: isFinal ? "gone" : "refused", status };
}

type Step = <Result>(begin: (done: (error: Error | null, result: Result) => void) => void) => Promise<Result>;

/**
 * Connects to a mail server, signs in, and passes the connection to a callback. All of this must happen within the timeout of one
 * delivery attempt.
 */
async function withServer<Result>(
  { host, port, isTls, login }: SmtpServer,
  stop: AbortSignal,
  use: (session: { step: Step; connection: Connection }) => Promise<Result>,
): Promise<Result> {
  const { default: SMTPConnection } = await import("nodemailer/lib/smtp-connection");
  const connection = new SMTPConnection({
    ...{ host, port, secure: isTls },
    // Without a password, TLS is not required. A mail server on the same machine often does not support it.
    requireTLS: login !== undefined,
    connectionTimeout: DELIVERY_TIMEOUT_MS,
    greetingTimeout: DELIVERY_TIMEOUT_MS,
    dnsTimeout: DELIVERY_TIMEOUT_MS,
    socketTimeout: DELIVERY_TIMEOUT_MS,
    tls: { minVersion: "TLSv1.2" },
  });
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  connection.on("error", failed.reject);
  const signal = AbortSignal.any([stop, AbortSignal.timeout(DELIVERY_TIMEOUT_MS)]);
  const end = () => {
    connection.close();
    failed.reject(
      new DeliveryError(`The mail server did not answer within ${DELIVERY_TIMEOUT_MS / 1_000} s.`),
    );
  };
  signal.addEventListener("abort", end, { once: true });
  const step: Step = (begin) =>
    Promise.race([
      failed.promise,
      new Promise<never>((resolve, reject) =>
        begin((error, result) => (error ? reject(error) : resolve(result as never))),
      ),
    ]);
  try {
    await step<void>((done) => connection.connect((error) => done(error ?? null))).catch(notReached);
    if (login !== undefined) await step<unknown>((done) => connection.login(login, done)).catch(notSignedIn);
    return await use({ step, connection });
  } finally {
    signal.removeEventListener("abort", end);
    connection.close();
  }
}

type Connection = InstanceType<typeof import("nodemailer/lib/smtp-connection").default>;

function notReached(error: unknown): never {
  if (error instanceof DeliveryError) throw error;
  throw new DeliveryError(`The mail server could not be reached: ${errorMessage(error)}`);
}

// The message does not contain the server's own text, because that text may repeat what was sent to the server.
function notSignedIn(error: unknown): never {
  if (error instanceof DeliveryError) throw error;
  const { responseCode }: SmtpError = Object(error);
  throw new DeliveryError(
    `The mail server refused the user name or the password (${responseCode ?? "no answer"}).`,
  );
}
