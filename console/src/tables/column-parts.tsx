import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { say } from '../messages/say.ts';
import type { DeskColumn } from './desk-columns.ts';

/** Shown where there is no value. */
export const none = '–';

/** A link to the page of a line item, campaign or creative. */
export function ObjectLink({
  to,
  id,
  name,
  isCell = false,
}: {
  readonly to: '/desk/line-items/$id' | '/desk/campaigns/$id' | '/desk/creatives/$id' | '/desk/library/$id';
  readonly id: string;
  readonly name: string;
  /** In a table with keys of its own, Enter opens the row. */
  readonly isCell?: boolean;
}) {
  return (
    <Anchor
      inherit
      underline={isCell ? 'hover' : 'always'}
      className={isCell ? 'desk-name' : undefined}
      title={name}
      renderRoot={(props) => (
        // A panel opens over the table that the address shows.
        <Link
          to={to}
          params={{ id }}
          search={isCell && to === '/desk/line-items/$id' ? true : {}}
          {...(isCell ? { tabIndex: -1 } : {})}
          {...props}
        />
      )}
    >
      <bdi>{name}</bdi>
    </Anchor>
  );
}

/** Forty characters of a name are whole at this width. */
const NAME_PX = 370;
/** A row that is one cell fits the smallest phone. */
export const COMPACT_PX = 200;

/** What columns of names share. */
export function nameColumn() {
  return { id: 'name', title: say('desk_column.name'), widthPx: NAME_PX, sortField: 'NAME' } as const;
}

/** Columns by their id. */
export function byId<Row>(columns: readonly DeskColumn<Row>[]): ReadonlyMap<string, DeskColumn<Row>> {
  return new Map(columns.map((column) => [column.id, column]));
}

/** A text that is cut where its cell ends, whole in its title. */
export function Cut({ text }: { readonly text: string }) {
  return (
    <span className="desk-cut" title={text}>
      <bdi>{text}</bdi>
    </span>
  );
}
