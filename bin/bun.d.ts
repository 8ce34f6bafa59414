export function runBun(args: readonly string[]): void;
