/** The services of one store, by the names that commands and settings know them by. */
export const SERVICE_NAMES = ["production", "staging", "messages"] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];
