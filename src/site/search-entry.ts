/** A heading of the pages, or a page, with the text below it. */
export interface SearchEntry {
  readonly kind: string;
  readonly label: string;
  readonly href: string;
  readonly text: string;
  /** Further terms with which readers search for it. */
  readonly synonyms?: string | undefined;
}
