import type { FieldProblem } from '../../../domain/errors.ts';
import { PlacardError } from '../../../domain/errors.ts';
import { NANOS_PER_MICRO, parseMicros } from '../../../domain/money/money.ts';
import {
  HISTORY_COUNT_MAX,
  HISTORY_REVENUE_MAX,
  type ImportedHour,
} from '../../../domain/reporting/imported-history.ts';
import { chosen, keyOf } from '../../kernel/external-ids.ts';
import { report } from '../../kernel/field.ts';
import { type ExternalRow, findExternal } from '../../kernel/resource.sql.ts';
import type { InTransaction } from '../../kernel/write.ts';
import { findLineItemsOf, findUnitsByName, hourKey } from './history.sql.ts';

const HOUR_MS = 3_600_000;
const MICROS_PER_UNIT = 1_000_000n;
const COUNTS = ['requests', 'impressions', 'clicks', 'conversions'] as const;

type CountName = (typeof COUNTS)[number];
type Given<T> = T | null | undefined;

/** One row of `importHistory`. */
export interface HistoryInput extends Readonly<Partial<Record<CountName, Given<number>>>> {
  readonly hour: Date;
  readonly lineItemExternalId?: Given<string>;
  readonly creativeExternalId?: Given<string>;
  readonly adUnitName?: Given<string>;
  readonly revenue?: Given<string>;
}

interface Named {
  readonly lineItems: ReadonlyMap<string, readonly ExternalRow[]>;
  readonly creatives: ReadonlyMap<string, readonly ExternalRow[]>;
  readonly lineItemOf: ReadonlyMap<bigint, bigint>;
  readonly units: ReadonlyMap<string, bigint>;
}

/** The hours of the rows, in their order, with the ids of the objects that they name. Adds to the problems what is wrong with them. */
export async function readHistoryRows(
  inner: InTransaction,
  inputs: readonly HistoryInput[],
  problems: FieldProblem[],
): Promise<ImportedHour[]> {
  const named = await findNamed(inner, inputs);
  const thisHourMs = Math.floor(inner.nowMs() / HOUR_MS) * HOUR_MS;
  const seen = new Map<string, number>();
  return inputs.map((input, index) => {
    const path = `inputs.${index}`;
    const hour = readRow(input, named, { path, problems });
    if (hour.hourMs % HOUR_MS !== 0)
      report(problems, `${path}.hour`, 'not_multiple_of', 'Give the beginning of an hour of UTC.');
    if (hour.hourMs >= thisHourMs) report(problems, `${path}.hour`, 'in_future', 'Give an hour that is over.');
    const before = seen.get(hourKey(hour));
    if (before !== undefined && problems.length === 0)
      report(problems, path, 'duplicate', `The row inputs.${before} is of the same hour, objects and ad unit.`);
    seen.set(hourKey(hour), index);
    return hour;
  });
}

async function findNamed(inner: InTransaction, inputs: readonly HistoryInput[]): Promise<Named> {
  const { workspaceId } = inner.principal;
  const db = inner.transaction;
  const namesOf = (member: 'lineItemExternalId' | 'creativeExternalId' | 'adUnitName'): string[] => {
    const given = inputs.flatMap((input) => input[member] ?? []).map(keyOf);
    return [...new Set(given)].filter((name) => name !== '' && !name.includes('\0'));
  };
  const lineItems = await findExternal(db, workspaceId, 'line_items', namesOf('lineItemExternalId'));
  const creatives = await findExternal(db, workspaceId, 'creatives', namesOf('creativeExternalId'));
  const byId = (rows: readonly ExternalRow[]) => Map.groupBy(rows, (row) => row.external_id);
  return {
    lineItems: byId(lineItems),
    creatives: byId(creatives),
    lineItemOf: await findLineItemsOf(
      db,
      workspaceId,
      creatives.map(({ id }) => id),
    ),
    units: await findUnitsByName(db, workspaceId, namesOf('adUnitName')),
  };
}

interface At {
  readonly path: string;
  readonly problems: FieldProblem[];
}

function readRow(input: HistoryInput, named: Named, at: At): ImportedHour {
  const { path, problems } = at;
  const lineItemId = externalOf(input.lineItemExternalId, named.lineItems, {
    ...at,
    path: `${path}.lineItemExternalId`,
  });
  const creativeId = externalOf(input.creativeExternalId, named.creatives, {
    ...at,
    path: `${path}.creativeExternalId`,
  });
  const adUnitId = unitOf(input.adUnitName, named.units, { ...at, path: `${path}.adUnitName` });
  const hasLineItem = isGiven(input.lineItemExternalId);
  if (!hasLineItem && !isGiven(input.adUnitName))
    report(problems, `${path}.lineItemExternalId`, 'required', 'Name a line item, an ad unit, or both.');
  if (creativeId !== 0n && named.lineItemOf.get(creativeId) !== lineItemId)
    report(problems, `${path}.creativeExternalId`, 'other_line_item', 'The creative belongs to another line item.');
  const counts = readCounts(input, at);
  const { impressions, clicks, conversions } = counts;
  const revenueNanos = revenueOf(input.revenue, { ...at, path: `${path}.revenue` });
  if (!hasLineItem && (impressions > 0n || clicks > 0n || conversions > 0n || revenueNanos > 0n))
    report(problems, `${path}.lineItemExternalId`, 'required', 'An ad unit without a line item has requests alone.');
  return { hourMs: input.hour.getTime(), lineItemId, creativeId, adUnitId, ...counts, revenueNanos };
}

const isGiven = (name: Given<string>): name is string => name !== null && name !== undefined;

function externalOf(
  name: Given<string>,
  found: ReadonlyMap<string, readonly ExternalRow[]>,
  { path, problems }: At,
): bigint {
  if (!isGiven(name)) return 0n;
  const row = chosen(found.get(keyOf(name)) ?? [], path, problems);
  if (row === null) report(problems, path, 'unknown', 'There is no object with this external id.');
  return row?.id ?? 0n;
}

function unitOf(name: Given<string>, units: ReadonlyMap<string, bigint>, { path, problems }: At): bigint {
  if (!isGiven(name)) return 0n;
  const id = units.get(keyOf(name));
  if (id === undefined) report(problems, path, 'unknown', 'There is no ad unit with this name.');
  return id ?? 0n;
}

/** Every impression was requested: fewer requests than impressions, or none, mean as many. */
function readCounts(input: HistoryInput, { path, problems }: At): Record<CountName, bigint> {
  const counts = Object.fromEntries(
    COUNTS.map((name) => {
      const given = input[name] ?? 0;
      if (given < 0 || given > HISTORY_COUNT_MAX)
        report(problems, `${path}.${name}`, 'out_of_range', `Give 0 to ${HISTORY_COUNT_MAX}.`);
      return [name, BigInt(given)];
    }),
  ) as Record<CountName, bigint>;
  if (counts.requests < counts.impressions) counts.requests = counts.impressions;
  return counts;
}

function revenueOf(given: Given<string>, { path, problems }: At): bigint {
  if (!isGiven(given)) return 0n;
  try {
    const micros = parseMicros(given, path);
    if (micros >= 0n && micros <= HISTORY_REVENUE_MAX * MICROS_PER_UNIT) return micros * NANOS_PER_MICRO;
    report(problems, path, 'out_of_range', `Give 0 to ${HISTORY_REVENUE_MAX}.`);
  } catch (error) {
    if (!(error instanceof PlacardError)) throw error;
    report(problems, path, 'not_money', error.message);
  }
  return 0n;
}
