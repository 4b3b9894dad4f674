import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isMessageKey, type MessageKey, say } from '../messages/say.ts';
import type { AppSearch } from '../session/app-search.ts';
import type { DeskColumn } from '../tables/desk-columns.ts';

/** The text of a cell without a value. */
export const NONE = '–';

type ColumnId = Extract<MessageKey, `catalog_column.${string}`> extends `catalog_column.${infer Id}` ? Id : never;

/** A column that is drawn by a function. */
export function drawn<Row>(id: ColumnId, widthPx: number, render: (row: Row) => ReactNode): DeskColumn<Row> {
  const meaning = `catalog_column_text.${id}`;
  return {
    id,
    title: say(`catalog_column.${id}`),
    ...(isMessageKey(meaning) ? { description: say(meaning) } : {}),
    widthPx,
    render,
  };
}

/** A column of texts, cut where they are too long. */
export function text<Row>(id: ColumnId, widthPx: number, read: (row: Row) => string): DeskColumn<Row> {
  return drawn(id, widthPx, (row) => <Cut text={read(row)} />);
}

/** A column of numbers. */
export function number<Row>(id: ColumnId, widthPx: number, read: (row: Row) => string): DeskColumn<Row> {
  return { ...drawn<Row>(id, widthPx, read), isNumber: true };
}

/** Opens the side panel of an object. In the table, Enter opens the row. */
export function OpenLink({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <Anchor
      inherit
      underline="hover"
      className="desk-name"
      title={name}
      renderRoot={(props) => (
        <Link
          to="."
          search={(previous: AppSearch) => ({ ...previous, open: id })}
          resetScroll={false}
          tabIndex={-1}
          {...props}
        />
      )}
    >
      <bdi>{name}</bdi>
    </Anchor>
  );
}

function Cut({ text: shown }: { readonly text: string }) {
  return (
    <span className="desk-cut" title={shown}>
      <bdi>{shown === '' ? NONE : shown}</bdi>
    </span>
  );
}

/** A size in words. */
export function sizeOf(width: number, height: number): string {
  return width === 0 ? say('creative_size.any') : `${width} × ${height}`;
}

const DAY_SECONDS = 86_400;

/** Seconds in days, in words. */
export function inDays(seconds: number): string {
  const count = Math.round((seconds / DAY_SECONDS) * 10) / 10;
  return say('days.count', { count });
}
