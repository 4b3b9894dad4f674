import { z } from 'zod';
import { nodeCall } from '../../storage/sql/node-call.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import * as own from './stored-events.olap.ts';
import type { RowEvent } from './stored-events.olap.ts';

/** Ids in one call through a core. */
const IDS_MAX = 1_000;

const readStoredPart = nodeCall(
  'events.stored',
  z.tuple([z.array(z.strictObject({ id: z.string().max(200), time: z.string().max(40) })).max(IDS_MAX)]),
  (olap: Olap, events: readonly RowEvent[]) => own.readStoredIds(olap, events),
);

/** As `readStoredIds` of stored-events.olap.ts, also through a core. @throws OlapError */
export async function readStoredIds(olap: Olap, events: readonly RowEvent[]): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  for (let start = 0; start < events.length; start += IDS_MAX)
    for (const id of await readStoredPart(olap, events.slice(start, start + IDS_MAX))) stored.add(id);
  return stored;
}

/** As `countInsertsSince` of stored-events.olap.ts, also through a core. @throws OlapError */
export const countInsertsSince = nodeCall(
  'events.insertsSince',
  z.tuple([z.number().int().nonnegative()]),
  (olap: Olap, fromMs: number) => own.countInsertsSince(olap, fromMs),
);

/** What a shipper reads in the analytics store. */
export const SHIPPING_CALLS = [readStoredPart, countInsertsSince] as const;
