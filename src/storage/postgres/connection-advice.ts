/**
 * Connection errors that the operator can prevent with a setting. Each has a pattern for the error's code or message, and the
 * advice.
 */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /\b53300\b|no more connections allowed/,
    "Lower PETSTORE_DATABASE_CONNECTIONS (the maximum number of connections of each process, 32 by default), or raise the server's limit. With several processes, petstore serve opens one more connection",
  ],
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY)/,
    "Set sslrootcert in the address to a file with the certificate of the authority that signed the server's certificate",
  ],
  [
    /ERR_TLS_CERT_ALTNAME_INVALID/,
    "In the address, use a host name that the server's certificate contains, or set sslmode=verify-ca to accept any name",
  ],
  [
    /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/,
    "Install a certificate that is valid now on the server, and check the clocks of both machines",
  ],
  [
    /ERR_POSTGRES_TLS_NOT_AVAILABLE/,
    "Set ssl = on in the server's configuration. To allow unencrypted connections instead, set sslmode=prefer in the address",
  ],
  [
    /no pg_hba\.conf entry.*no encryption/,
    "Set sslmode=require or verify-full in the address. If the server refuses the connection from PgBouncer, set server_tls_sslmode in the configuration of PgBouncer instead",
  ],
  [
    /no pg_hba\.conf entry.*SSL encryption/,
    "Add an entry for TLS to the server's pg_hba.conf. To connect without encryption instead, set sslmode=disable in the address",
  ],
  [
    /valid client certificate|certificate authentication failed/,
    "In the database's address, set sslcert to this user's certificate file, and sslkey to the key file",
  ],
  [
    /permission denied for database/,
    "Grant this user CREATE on the database, or let an administrator create the four schemas for this user (docs/guides/managed-database). If the schemas exist, check PETSTORE_DATABASE_SCHEMA_PREFIX",
  ],
  [
    /\b28P01\b|password authentication failed/,
    "Set this user's password in the address, or in PGPASSWORD. A password file (PGPASSFILE) is not read",
  ],
  [
    /\b42501\b/,
    "Grant this user USAGE on the schema, and rights on all its tables and sequences (docs/guides/scale)",
  ],
  [/caFile|CA file/, "Set sslrootcert in the address to a readable PEM file"],
  [
    /certFile|keyFile|KEY_VALUES_MISMATCH|ERR_BORINGSSL/,
    "Set sslcert and sslkey in the address to readable PEM files that belong together. The key must not have a password",
  ],
  [
    /ERR_POSTGRES_CHANNEL_BINDING|channel binding/,
    "Set channel_binding=prefer in the address, and sslmode=verify-full, which still verifies the server",
  ],
];

/** Returns advice on how to prevent a connection error, such as `Set …`, or undefined if no setting would help. */
export function connectionAdvice(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const codes = ["code" in error ? error.code : "", "errno" in error ? error.errno : ""];
  const text = `${codes.join(" ")} ${error.message}`;
  return ADVICE.find(([pattern]) => pattern.test(text))?.[1];
}
