import type { ComponentChildren, VNode } from "preact";
import { useEffect } from "preact/hooks";
import type { Page } from "../request.ts";
import { navigate, route, withQuery } from "../router.ts";
import type { Loaded } from "../use-load.ts";
import { ListDialog, openDialog } from "./dialog.tsx";
import { Empty } from "./empty.tsx";
import { useKeepFocus } from "./keep-focus.ts";
import { preload } from "./lazy.tsx";
import { ListTable } from "./list-table.tsx";
import { Loading } from "./loading.tsx";
import { NewItems, Paging } from "./paged-list.tsx";
import { Screen } from "./screen.tsx";

interface Identified {
  readonly id: unknown;
}

interface Creation {
  readonly label: string;
  readonly dialog: VNode;
  /** The query parameter that makes the page open its dialog immediately. */
  readonly parameter?: string;
}

interface ListScreenProps<Row extends Identified>
  extends Omit<Parameters<typeof ListTable<Row>>[0], "label" | "rows" | "gone"> {
  readonly what: string;
  readonly loaded: Loaded<Page<Row>>;
  /** The text that is shown instead of an empty list: `No orders yet.` */
  readonly empty: string;
  /** The purpose of the list. It is shown while the list is empty. */
  readonly hint: ComponentChildren;
  readonly title: string;
  /** The title of the parent list. The parent list contains the link to this list. */
  readonly within?: string;
  /**
   * The button at the top right, and the dialog that the button opens. False, or left out, if the person may not create anything
   * here.
   */
  readonly create?: Creation | false;
  /** Called after a dialog has changed something. If it is left out, the list is read again. */
  readonly onFinished?: () => Promise<void>;
  readonly also?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function ListScreen<Row extends Identified>(props: ListScreenProps<Row>) {
  const { title, within = "", create, also, children, what, loaded, empty, hint, ...rest } = props;
  const { onFinished = loaded.reload, ...table } = rest;
  const place = useKeepFocus<HTMLDivElement>("h1");
  const { parameter = "" } = create || {};
  const isAsked = route.value.query.has(parameter);
  useEffect(() => {
    if (create && isAsked) openDialog(create.dialog);
  }, [isAsked]);
  useEffect(() => {
    // The dialog's code is loaded in advance, so that the person can begin to type immediately after pressing the button.
    if (create && loaded.value !== undefined) preload(create.dialog);
  }, [loaded.value === undefined]);
  function finish() {
    if (isAsked) navigate(withQuery({ [parameter]: "" }), { replace: true, keepFocus: true });
    void onFinished();
  }
  const isEmpty = loaded.value?.items.length === 0;
  const createButton = create && (
    <button type="button" onClick={() => openDialog(create.dialog)}>
      {create.label}
    </button>
  );
  const actions = (create || also) && (
    <div class="row-actions">
      {also}
      {!isEmpty && createButton}
    </div>
  );
  return (
    <Screen title={title} within={within} actions={actions}>
      {children}
      <Loading loaded={loaded} what={`the ${what}`}>
        {({ items, news, next }) => (
          <div {...place}>
            <NewItems news={news} show={loaded.reload} />
            {items.length === 0 ? (
              <Empty title={empty}>
                <p>{hint}</p>
                {createButton && <div class="actions">{createButton}</div>}
              </Empty>
            ) : (
              <ListTable {...table} label={what} rows={items} gone={news?.gone} />
            )}
            <Paging next={next} what={what} />
          </div>
        )}
      </Loading>
      <ListDialog onFinished={finish} />
    </Screen>
  );
}
