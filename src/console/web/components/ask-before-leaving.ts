/** Makes the browser ask before the page is left, until the returned function is called. */
export function askBeforeLeaving(): () => void {
  const ask = (event: Event) => event.preventDefault();
  addEventListener("beforeunload", ask);
  return () => removeEventListener("beforeunload", ask);
}
