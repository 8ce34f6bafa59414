/** Errors of a connection that settings can mend: code or message, and what to do. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /\b53300\b|no more connections allowed/,
    "Set PETSTORE_DATABASE_CONNECTIONS to fewer, or let the server have more: each process takes up to that many (32 by default), and each petstore serve of several processes one more",
  ],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY)/,
    "Set sslrootcert in the address to a file with the certificate of the authority that signed the server's",
  ],
  [
    /ERR_TLS_CERT_ALTNAME_INVALID/,
    "Set the host in the address to a name that the server's certificate has, or sslmode=verify-ca to accept any name",
  ],
  [/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/, "Set another certificate at the server, and check both clocks"],
  [
    /ERR_POSTGRES_TLS_NOT_AVAILABLE/,
    "Set ssl = on at the server, or sslmode=prefer in the address to allow clear text",
  ],
  [/no pg_hba\.conf entry.*no encryption/, "Set sslmode=require or verify-full in the address"],
  [
    /no pg_hba\.conf entry.*SSL encryption/,
    "Set an entry for TLS in pg_hba.conf there, or sslmode=disable in the address if clear text is meant",
  ],
  [
    /valid client certificate|certificate authentication failed/,
    "Set sslcert and sslkey in the address to the files of this user's certificate and key",
  ],
  [/caFile|CA file/, "Set sslrootcert in the address to a readable file in PEM"],
  [
    /certFile|keyFile|KEY_VALUES_MISMATCH|ERR_BORINGSSL/,
    "Set sslcert and sslkey in the address to a readable pair of files in PEM, the key without a password",
  ],
  [
    /ERR_POSTGRES_CHANNEL_BINDING|channel binding/,
    "Set channel_binding=prefer in the address, and sslmode=verify-full to know the server all the same",
  ],
];

/** Advice on a connection's error, beginning with `Set`; undefined if no setting causes it. */
export function connectionAdvice(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const codes = ["code" in error ? error.code : "", "errno" in error ? error.errno : ""];
  const text = `${codes.join(" ")} ${error.message}`;
  return ADVICE.find(([pattern]) => pattern.test(text))?.[1];
}
