/** The address that orval's client sends its requests to. orval's `baseUrl` setting names this variable. */
export const address = { base: "" };
