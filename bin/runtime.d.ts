type Variables = Readonly<Record<string, string | undefined>>;

export const RUNTIME_SETTINGS: Readonly<Record<string, string>>;
export function withRuntimeSettings(variables: Variables): Record<string, string | undefined>;
