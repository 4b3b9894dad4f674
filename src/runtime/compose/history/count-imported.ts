import { readCatalog } from '../../../delivery/snapshot/compiled-networks.ts';
import { type ImportedSum, readImportedSums } from '../../../demo/imported-sums.olap.ts';
import type { Catalog } from '../../../domain/booking/snapshot.ts';
import {
  DAY_COUNTER_TTL_MS,
  dayCounterKey,
  LIFETIME_COUNTER_TTL_MS,
  lifetimeCounterKey,
} from '../../../domain/money/counter-key.ts';
import { localDaySpan } from '../../../domain/time/time-zone.ts';
import {
  addExpected,
  type ExpectedCounter,
  expectDeliveryCounters,
} from '../../../events/recovery/expected-counters.ts';
import type { HotStore } from '../../../storage/hot/hot-store.ts';
import type { Olap } from '../../../storage/olap/olap.ts';
import type { Sql } from '../../../storage/sql/postgres.ts';

/** Increments of one numbered addition. */
const PART = 200;
/** How long the hot store knows that an import was counted: far longer than a start that is repeated. */
const KNOWN_MS = 30 * 86_400_000;

/** Reads sums since an instant, by day of a time zone (null: as one sum). */
export type ReadSums = (of: { readonly timezone: string | null; readonly fromMs: number }) => Promise<ImportedSum[]>;

/** Where imported events and counters are. */
export interface ImportStores {
  readonly olap: Olap;
  readonly sql: Sql['db'];
  readonly hot: Pick<HotStore, 'addNumbered' | 'flushed'>;
}

/** One import: its name is never used again. */
export interface ImportedHistory {
  readonly id: string;
  /** The end of the history; null: now. */
  readonly atMs: number | null;
}

/**
 * Adds imported history to the delivery counters, once for each id: numbers that were added before a kill are not added again. Pacing,
 * goals and caps then begin with what reports show. @throws OlapError
 */
export async function countImported({ olap, sql, hot }: ImportStores, { id, atMs }: ImportedHistory): Promise<void> {
  const nowMs = atMs ?? Date.now();
  const catalog = await readCatalog(sql, nowMs);
  await addSums(hot, { readSums: readImportedSums(olap), catalog, nowMs, writer: `demo/${id}`, firstNumber: 1 });
}

/** Sums to add, and the name under which they are added once. */
interface SumsToAdd {
  readonly readSums: ReadSums;
  readonly catalog: Catalog;
  readonly nowMs: number;
  readonly writer: string;
  /** Of the first part of 200 increments; those of later parts follow. */
  readonly firstNumber: number;
}

/** Adds sums of events and of ads in responses to the delivery counters. */
export async function addSums(hot: ImportStores['hot'], sums: SumsToAdd): Promise<void> {
  const { readSums, catalog, nowMs, writer, firstNumber } = sums;
  const expected = await expectDeliveryCounters({ readSums, catalog, nowMs });
  await addServed(expected, { readSums, catalog, nowMs });
  const increments = [...expected]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, { value, ttlMs }]) => ({ key, by: value, ttlMs }));
  for (let at = 0; at < increments.length; at += PART)
    await hot.addNumbered({
      writer,
      number: firstNumber + at / PART,
      ttlMs: KNOWN_MS,
      increments: increments.slice(at, at + PART),
    });
  await hot.flushed();
}

/** Pacing compares what was delivered with the ads in responses, which delivery counts by line item. */
async function addServed(
  expected: Map<string, ExpectedCounter>,
  { readSums, catalog, nowMs }: Pick<SumsToAdd, 'readSums' | 'catalog' | 'nowMs'>,
): Promise<void> {
  const lifetime = await readSums({ timezone: null, fromMs: 0 });
  const zones = new Set(lifetime.map(({ workspaceId }) => catalog.findWorkspaceById(workspaceId)?.timezone ?? 'UTC'));
  const today = await Promise.all(
    [...zones].map((timezone) => readSums({ timezone, fromMs: localDaySpan(timezone, nowMs).startMs })),
  );
  for (const { workspaceId, lineItemId, served, day } of [...lifetime, ...today.flat()]) {
    const subject = { workspaceId, scope: 'li', id: lineItemId, kind: 'ans' } as const;
    const of =
      day === ''
        ? { key: lifetimeCounterKey(subject), ttlMs: LIFETIME_COUNTER_TTL_MS }
        : { key: dayCounterKey(subject, day), ttlMs: DAY_COUNTER_TTL_MS };
    addExpected(expected, { ...of, by: served });
  }
}
