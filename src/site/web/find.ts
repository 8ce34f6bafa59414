/** Returns the element with this id. @throws Error if the page has no such element */
export function find<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`This page has no element with the id ${id}.`);
  return element;
}
