import { browserStorage } from "./storage.ts";

const KEPT = "theme";

/** Returns the theme that was chosen in this browser: `light`, `dark`, or an empty string for the theme of the device. */
export function chosenTheme(): string {
  return browserStorage.getItem(KEPT) ?? "";
}

export function chooseTheme(theme: string): void {
  browserStorage.setItem(KEPT, theme);
  applyTheme();
}

export function applyTheme(): void {
  document.documentElement.dataset["theme"] = chosenTheme();
}
