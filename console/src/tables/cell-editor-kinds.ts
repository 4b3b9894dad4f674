import { decimalOf } from '../format/typed-numbers.ts';
import { instantOf, wallTimeOf } from '../format/wall-time.ts';
import { say } from '../messages/say.ts';
import type { DeliveryStatus } from '../api/bookings/desk-list.ts';
import type { CellChange, CellEditor } from './cell-editor.tsx';

/** Whether an object can be changed: an archived one is restored first. */
export function isLiving({ status }: { readonly status: string }): boolean {
  return status !== 'ARCHIVED';
}

/** A change of one field. */
export function changeOf(name: string, after: unknown, before: unknown): CellChange {
  return { input: { [name]: after }, undo: { [name]: before } };
}

/** Edits names. */
export function nameEditor<Row extends { readonly name: string; readonly status: string }>(): CellEditor<Row> {
  return {
    kind: 'text',
    isOpen: isLiving,
    read: ({ name }) => name,
    change: ({ name }, text) => changeOf('name', text.trim(), name),
  };
}

/** Statuses that a person can choose in a cell. */
const STATUS_CHOICES = ['DRAFT', 'RESERVED', 'ACTIVE', 'PAUSED', 'COMPLETED', 'ARCHIVED'] as const;

/** Edits the status of booked objects. */
export function statusEditor<Row extends { readonly status: DeliveryStatus }>(): CellEditor<Row> {
  return {
    kind: 'select',
    isOpen: isLiving,
    choices: () => STATUS_CHOICES.map((value) => [value, say(`status.${value}`)] as const),
    read: ({ status }) => status,
    change: ({ status }, text) => changeOf('status', text, status),
  };
}

type Flight = 'startsAt' | 'endsAt';

/** Edits the start or the end of a flight, as clocks of a time zone show it; an empty one is open. */
export function instantEditor<Name extends Flight, Row extends { readonly [Key in Name]: string | null }>(
  name: Name,
  zoneOf: (row: Row) => string | undefined,
): CellEditor<Row & { readonly status: string }> {
  return {
    kind: 'datetime-local',
    isOpen: isLiving,
    fault: () => say('booking.fault_time'),
    read: (row) => {
      const iso: string | null = row[name];
      return iso === null ? '' : wallTimeOf(Date.parse(iso), zoneOf(row) ?? 'UTC').slice(0, 16);
    },
    change: (row, text) => {
      if (text === '') return changeOf(name, null, row[name]);
      const atMs = instantOf(text, zoneOf(row) ?? 'UTC');
      return atMs === null ? null : changeOf(name, new Date(atMs).toISOString(), row[name]);
    },
  };
}

/** Reads an amount of money; an empty text is none. @returns undefined when it cannot be read */
export function moneyOf(text: string): string | null | undefined {
  return text.trim() === '' ? null : (decimalOf(text) ?? undefined);
}
