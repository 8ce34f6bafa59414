/** On a page that the list leads to. */
export function AllAnimalsLink() {
  return (
    <a href="/animals" rel="up">
      All animals
    </a>
  );
}
