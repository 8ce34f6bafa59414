/** Address to which the client made by orval sends its requests. orval's setting `baseUrl` names this variable. */
export const address = { base: "" };
