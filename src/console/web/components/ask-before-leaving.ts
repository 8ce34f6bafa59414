/** Makes the browser ask for confirmation before the person leaves the page. Returns a function that stops this. */
export function askBeforeLeaving(): () => void {
  const ask = (event: Event) => event.preventDefault();
  addEventListener("beforeunload", ask);
  return () => removeEventListener("beforeunload", ask);
}
