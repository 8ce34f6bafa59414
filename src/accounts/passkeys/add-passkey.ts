import type { Context } from "../../context.ts";
import type { Input } from "../../contract/operation.ts";
import { invalidMember, ServiceError } from "../../errors.ts";
import { randomBase62 } from "../../platform/random.ts";
import { sha256 } from "../../platform/sha256.ts";
import { change } from "../audit/audited.ts";
import { checkPassword, type PasswordCheck, wrongPassword } from "../check-password.ts";
import { requireSession } from "../sessions/require-session.ts";
import { base64url, beginChallenge, endChallenge } from "./challenge.ts";
import type { PasskeyCreation, passkeyOperations } from "./contract.ts";
import { relyingPartyOf } from "./relying-party.ts";
import { insertPasskey, type Passkey, selectPasskeys } from "./store.ts";
import { ALGORITHMS, verifyAttestation } from "./verify.ts";

const PASSKEYS_MAX = 20; // of one account; one more is refused

const ID_LENGTH = 16;

/**
 * Asks for the password first: a session that was left open must not become a way in that stays.
 *
 * @throws ServiceError (from the verb) `invalid_body` for a wrong password or one passkey too many; `forbidden`,
 *   `rate_limited`, `unavailable`
 */
export function createBeginPasskey(check: PasswordCheck) {
  return async function beginPasskey(
    ctx: Context,
    { body }: Input<typeof passkeyOperations.beginPasskey>,
  ): Promise<PasskeyCreation> {
    const browser = requireSession(ctx);
    const { accountId, email, accountCreatedAt, sessionId } = browser;
    const { id: rpId } = relyingPartyOf(browser);
    const secret = await checkPassword(check, ctx, { email, password: body.password, browser });
    if (secret === undefined) throw wrongPassword("password");
    const passkeys = await ctx.query(selectPasskeys, [accountId]);
    if (passkeys.length >= PASSKEYS_MAX)
      throw invalidMember("name", `is one too many: an account has at most ${PASSKEYS_MAX} passkeys`);
    return {
      challenge: await beginChallenge(check.accounts.run, ctx.randomBytes, sessionId, ctx.now),
      rpId,
      // Another store at localhost may have an account of the same number: devices replace passkeys by this.
      userId: base64url(sha256(`${email} ${accountCreatedAt}`)),
      userName: email,
      algorithms: ALGORITHMS,
      excluded: passkeys.map(({ credentialId }) => credentialId),
    };
  };
}

/** @throws ServiceError (from the verb) `invalid_body` when the device's answer is not one to this session's challenge */
export function createAddPasskey({ accounts }: PasswordCheck) {
  return async function addPasskey(
    ctx: Context,
    { body }: Input<typeof passkeyOperations.addPasskey>,
  ): Promise<Passkey> {
    const browser = requireSession(ctx);
    const { accountId, email, sessionId } = browser;
    const party = relyingPartyOf(browser);
    const challenge = await endChallenge(accounts, [sessionId], ctx.now);
    if (challenge === undefined) throw notMade("its challenge has expired or was answered already");
    const made = await verifyAttestation(body, challenge, party);
    if (made === undefined) throw notMade("the device's answer is not one to this page");
    return accounts.write(async (query) => {
      const { credentialId, publicKey, signCount } = made;
      const id = `psk_${randomBase62(ctx.randomBytes, ID_LENGTH)}`;
      const [passkey] = await change(
        { ...ctx, query },
        insertPasskey,
        [id, accountId, credentialId, publicKey, signCount, party.id, body.name.trim(), ctx.now],
        () => ({ subject: email, detail: body.name.trim() }),
      );
      if (passkey === undefined) throw notMade("the device has it already");
      return passkey;
    });
  };
}

function notMade(reason: string): ServiceError {
  return new ServiceError("invalid_body", `The passkey was not added: ${reason}. Add it again.`);
}
