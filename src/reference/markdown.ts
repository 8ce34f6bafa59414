/** The little Markdown of our own descriptions. Not for text from clients. */
export function renderMarkdown(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}
