/** What to do with an empty store, until it has an animal. */
export function FirstSteps() {
  return (
    <section class="card first-steps" aria-labelledby="first-steps-heading">
      <h2 id="first-steps-heading">First steps</h2>
      <p>Your store is empty. Add the first animal: a name and a category are enough.</p>
      <p>
        <a href="/animals/new" class="button">
          Add the first animal
        </a>
      </p>
      <p class="muted">
        A program can add them, too: it needs an <a href="/keys">API key</a>.
      </p>
    </section>
  );
}
