import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { until } from "../until.ts";

interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The complete email as it was sent, with its headers and both parts. */
  readonly raw: string;
  /** The plain-text part of the email, decoded. */
  readonly text: string;
  /** The user who signed in to the mail server, or undefined if nobody did. */
  readonly user: unknown;
  readonly isTls: boolean;
}

/** Starts a real mail server that keeps the emails it receives. The options replace the server's defaults. */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    onData(stream, session, done) {
      let raw = "";
      stream.setEncoding("utf8");
      stream.on("data", (part: string) => {
        raw += part;
      });
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          raw,
          text: textOf(raw),
          user: session.user,
          isTls: session.secure,
        });
        done();
      });
    },
    ...options,
  });
  // Some tests hang up in the middle of an email, which causes errors that are ignored here.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return {
    mails,
    port,
    env: { PETSTORE_SMTP_URL: `smtp://127.0.0.1:${port}`, PETSTORE_MAIL_FROM: "petstore <pets@example.com>" },
    async received(count: number): Promise<readonly ReceivedMail[]> {
      await until(() => mails.length >= count);
      return mails;
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** Returns the plain-text part of an email, decoded (RFC 2045 §6.7). */
function textOf(raw: string): string {
  const [, encoding = "7bit", body = ""] =
    /Content-Type: text\/plain[^\r]*\r\n(?:Content-Transfer-Encoding: (\S+)\r\n)?\r\n(.*?)\r\n----/s.exec(
      raw,
    ) ?? [];
  if (encoding === "base64") return Buffer.from(body, "base64").toString();
  if (encoding !== "quoted-printable") return body;
  const bytes = body
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}

export function linkIn({ text }: Pick<ReceivedMail, "text">): {
  readonly link: string;
  readonly token: string;
} {
  const [link = "", token = ""] = /https?:\/\/\S+#(\S+)/.exec(text) ?? [];
  return { link, token };
}
