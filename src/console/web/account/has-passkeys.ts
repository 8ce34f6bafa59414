/** True at https addresses and at localhost, where browsers have passkeys. */
export const hasPasskeys = "PublicKeyCredential" in window;
