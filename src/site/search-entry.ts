/** A search result: a page, or a heading in a page, with the text below it. */
export interface SearchEntry {
  readonly kind: string;
  readonly label: string;
  readonly href: string;
  readonly text: string;
  /** Further words that people may type to find this entry. */
  readonly synonyms?: string | undefined;
}
