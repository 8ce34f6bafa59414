import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

// A passkey authenticator (WebAuthn Level 3 §6) in software. A test can make it differ from the standard.

interface Deviations {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  /** The flags in the authenticator data, such as `USER_PRESENT`. */
  readonly flags?: number;
  readonly signCount?: number;
}

interface Ceremony {
  readonly challenge: string;
  readonly rpId: string;
  readonly origin: string;
}

export interface SoftwareAuthenticator {
  readonly credentialId: string;
  create(ceremony: Ceremony, deviations?: Deviations): Readonly<Record<string, string>>;
  sign(ceremony: Ceremony, deviations?: Deviations): Readonly<Record<string, string>>;
}

export const USER_PRESENT = 1;
export const USER_VERIFIED = 4;
const HAS_CREDENTIAL = 64;

export function createSoftwareAuthenticator(): SoftwareAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  const credentialId = id.toString("base64url");
  let uses = 0;

  function authenticatorData({ rpId, flags, signCount }: Required<Deviations>): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(signCount);
    return Buffer.concat([createHash("sha256").update(rpId).digest(), Buffer.from([flags]), count]);
  }
  function filledIn(ceremony: Ceremony, deviations: Deviations): Required<Deviations> {
    return { flags: USER_PRESENT + USER_VERIFIED, signCount: ++uses, ...ceremony, ...deviations };
  }

  return {
    credentialId,
    create(ceremony, deviations = {}) {
      const settings = filledIn(ceremony, deviations);
      const cose = cborMap([
        [cborNumber(1), cborNumber(2)],
        [cborNumber(3), cborNumber(-7)],
        [cborNumber(-1), cborNumber(1)],
        [cborNumber(-2), cborBytes(Buffer.from(x, "base64url"))],
        [cborNumber(-3), cborBytes(Buffer.from(y, "base64url"))],
      ]);
      const data = Buffer.concat([
        authenticatorData({ ...settings, flags: settings.flags + HAS_CREDENTIAL }),
        Buffer.alloc(16),
        Buffer.from([0, id.length]),
        id,
        cose,
      ]);
      const attestation = cborMap([
        [cborText("fmt"), cborText("none")],
        [cborText("attStmt"), cborMap([])],
        [cborText("authData"), cborBytes(data)],
      ]);
      return {
        credentialId,
        clientDataJSON: clientData("webauthn.create", settings).toString("base64url"),
        attestationObject: attestation.toString("base64url"),
      };
    },
    sign(ceremony, deviations = {}) {
      const settings = filledIn(ceremony, deviations);
      const data = authenticatorData(settings);
      const client = clientData("webauthn.get", settings);
      const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
      return {
        credentialId,
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: sign("sha256", signed, privateKey).toString("base64url"),
      };
    },
  };
}

function clientData(type: string, { challenge, origin }: Required<Deviations>): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

// The functions below implement the parts of CBOR (RFC 8949 §3) that the passkey authenticator needs.

function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) + value]);
  return value < 256
    ? Buffer.from([(major << 5) + 24, value])
    : Buffer.from([(major << 5) + 25, value >> 8, value & 255]);
}

function cborNumber(value: number): Buffer {
  return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
}

function cborMap(entries: readonly (readonly [Buffer, Buffer])[]): Buffer {
  return Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
}
