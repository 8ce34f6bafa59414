// Modules that several screens share, in the first chunk with the frame. Otherwise every set of screens that share a module has a chunk of its
// own: the list of animals then waits for 20 of them, and they are a tenth larger than when they are compressed together.
import "./categories/category-combobox.tsx";
import "./categories/category-names.ts";
import "./categories/known-categories.ts";
import "./components/action-button.tsx";
import "./components/badge.tsx";
import "./components/columns.tsx";
import "./components/empty.tsx";
import "./components/list-table.tsx";
import "./components/menu.tsx";
import "./components/paged-list.tsx";
import "./components/row-keys.ts";
import "./components/status-filter.tsx";
import "./components/timestamp.tsx";
import "./events/actor-words.ts";
import "./files/export-button.tsx";
import "./overview/counts.ts";
import "./pets/pet-search.tsx";
import "./pets/pet-status.tsx";
import "./pets/selection.ts";
