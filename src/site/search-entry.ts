/** A search result: a page, or a heading in a page, with the text below it. */
export interface SearchEntry {
  readonly kind: string;
  readonly label: string;
  readonly href: string;
  readonly text: string;
  /** More terms that people may search for when they need this entry. */
  readonly synonyms?: string | undefined;
}
