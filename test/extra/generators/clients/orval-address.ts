/** Where the client made by orval sends its requests: its setting `baseUrl` names this. */
export const address = { base: "" };
