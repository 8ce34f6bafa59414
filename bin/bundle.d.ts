export const PROJECT: string;
export const FOLDER: string;
export const BUNDLE_NAME: string;
export const INPUTS_NAME: string;
export function stateOf(path: string): string;
export const PACKED_FOLDER: string;
export function programFile(): string;
export function freshBundle(): string | undefined;
