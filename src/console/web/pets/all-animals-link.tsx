export function AllAnimalsLink() {
  return (
    <a href="/animals" rel="up">
      All animals
    </a>
  );
}
