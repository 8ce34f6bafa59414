type Kept = Pick<Storage, "getItem" | "setItem" | "removeItem" | "clear">;

/**
 * Returns the browser's storage. If the browser blocks site data, returns a replacement that lasts only until the person leaves
 * the page.
 */
function openStorage(open: () => Storage): Kept {
  try {
    return open();
  } catch {
    const kept = new Map<string, string>();
    return {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
      clear: () => kept.clear(),
    };
  }
}

export const browserStorage = openStorage(() => localStorage);
export const tabStorage = openStorage(() => sessionStorage);
