// These imports put the modules that several screens share into the first chunk. Without them, the bundler makes a separate chunk
// for every set of screens that share a module. The list of animals would then wait for 20 chunks, which together are a tenth
// larger than the single chunk.
import "./categories/category-combobox.tsx";
import "./categories/category-names.ts";
import "./categories/known-categories.ts";
import "./components/action-button.tsx";
import "./components/empty.tsx";
import "./components/lazy-dialog.tsx";
import "./components/list-table.tsx";
import "./components/menu.tsx";
import "./components/paged-list.tsx";
import "./components/row-keys.ts";
import "./components/status-filter.tsx";
import "./components/timestamp.tsx";
import "./events/actor-words.ts";
import "./events/use-counts.ts";
import "./files/export-button.tsx";
import "./overview/counts.ts";
import "./pets/pet-search.tsx";
import "./pets/pet-status.tsx";
import "./pets/selection.ts";
