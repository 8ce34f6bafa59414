/** True if the browser supports passkeys here: only over HTTPS and on localhost. */
export const hasPasskeys = "PublicKeyCredential" in window;
