/** True over HTTPS and on localhost: elsewhere browsers have no passkeys. */
export const hasPasskeys = "PublicKeyCredential" in window;
