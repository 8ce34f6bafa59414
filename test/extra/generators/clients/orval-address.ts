/** The address to which orval's client sends its requests. orval's `baseUrl` setting names this variable. */
export const address = { base: "" };
