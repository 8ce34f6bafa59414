/** Text as HTML, in an element or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** The little Markdown of our own descriptions: code, and paragraphs are the caller's. Not for text from clients. */
export function renderMarkdown(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}
