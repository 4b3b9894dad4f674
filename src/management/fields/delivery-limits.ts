import type { FieldProblem } from '../../domain/errors.ts';
import { FREQUENCY_WINDOWS } from '../../domain/frequency/frequency-cap.ts';
import type { DeliveryCaps } from '../../domain/booking/line-item.ts';
import type { FrequencyCap } from '../../domain/frequency/frequency-cap.ts';
import { frequencyEveryMax } from '../../domain/frequency/frequency-key.ts';
import { formatMicros } from '../../domain/money/money.ts';
import { builder } from '../kernel/builder.ts';
import { moneyTwin } from '../kernel/money-type.ts';
import { columnField, type Field, report } from '../kernel/field.ts';
import { checkMoney, checkNumber } from '../kernel/scalar-fields.ts';
import { FrequencyEventRef, FrequencyPerRef, FrequencyWindowRef } from './enumerations.ts';

/** Most frequency caps on one object. */
const FREQUENCY_CAPS_MAX = 20;
const COUNT_MAX = 2_147_483_647;

/** The largest lengths of each window, such as `1000 (MINUTE, HOUR, DAY), 260 (WEEK)`. */
const EVERY_MAX_TEXT = [...Map.groupBy(FREQUENCY_WINDOWS, frequencyEveryMax)]
  .map(([max, windows]) => `${max} (${windows.join(', ')})`)
  .join(', ');

const countCaps = ['impressionsPerDay', 'impressionsLifetime', 'clicksPerDay', 'clicksLifetime'] as const;
const moneyCaps = { spendPerDay: 'spendMicrosPerDay', spendLifetime: 'spendMicrosLifetime' } as const;

const descriptions = {
  impressionsPerDay: 'Impressions a day.',
  impressionsLifetime: 'Impressions in all.',
  clicksPerDay: 'Clicks a day.',
  clicksLifetime: 'Clicks in all.',
  spendPerDay: 'Money a day.',
  spendLifetime: 'Money in all.',
} as const;

const DeliveryCapsRef = builder.objectRef<Partial<DeliveryCaps>>('DeliveryCaps').implement({
  description: "Hard limits; null = none. A day is a day of the object's time zone.",
  fields: (t) => ({
    ...Object.fromEntries(
      countCaps.map((name) => [
        name,
        t.int({
          nullable: true,
          description: descriptions[name],
          resolve: (caps: Partial<DeliveryCaps>) => caps[name] ?? null,
        }),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(moneyCaps).map(([name, stored]) => [
        name,
        t.field({
          type: 'Decimal',
          nullable: true,
          description: descriptions[name as keyof typeof moneyCaps],
          resolve: (caps: Partial<DeliveryCaps>) => amountOf(caps[stored]),
        }),
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(moneyCaps).map(([name, stored]) => [
        `${name}Money`,
        t.field(
          moneyTwin<Partial<DeliveryCaps>>(descriptions[name as keyof typeof moneyCaps], (caps) =>
            amountOf(caps[stored]),
          ),
        ),
      ]),
    ),
  }),
});

function amountOf(micros: number | null | undefined): string | null {
  return micros === null || micros === undefined ? null : formatMicros(BigInt(micros));
}

/** The input of `deliveryCapsField`. */
export const DeliveryCapsInput = builder.inputType('DeliveryCapsInput', {
  description: 'Hard limits. The whole set is replaced: an absent or null limit is removed.',
  fields: (t) => ({
    ...Object.fromEntries(countCaps.map((name) => [name, t.int({ description: descriptions[name] })])),
    ...Object.fromEntries(
      Object.entries(moneyCaps).map(([name]) => [
        name,
        t.field({ type: 'Decimal', description: descriptions[name as keyof typeof moneyCaps] }),
      ]),
    ),
  }),
});

/** The hard limits of a campaign or line item, as one field. */
export function deliveryCapsField(): Field {
  return columnField(
    { name: 'caps', description: 'Hard limits per day and in total.' },
    {
      input: DeliveryCapsInput,
      output: DeliveryCapsRef,
      initial: {},
      check: checkCaps,
      isJson: true,
      asInput: capsAsInput,
    },
  );
}

function capsAsInput(stored: unknown): Record<string, unknown> {
  const caps = stored as Partial<DeliveryCaps>;
  const counts = countCaps.map((name) => [name, caps[name] ?? null] as const);
  const money = Object.entries(moneyCaps).map(([name, column]) => {
    const micros = caps[column] ?? null;
    return [name, micros === null ? null : formatMicros(BigInt(micros))] as const;
  });
  return Object.fromEntries([...counts, ...money].filter(([, cap]) => cap !== null));
}

/** Hard limits as they are stored; faults are added to `problems`. */
export function checkCaps(value: unknown, path: string, problems: FieldProblem[]): Partial<DeliveryCaps> {
  const given = value as Readonly<Record<string, unknown>>;
  const caps: Record<string, number> = {};
  for (const name of countCaps) {
    const cap = given[name];
    if (cap !== null && cap !== undefined)
      caps[name] = checkNumber(cap, `${path}.${name}`, { min: 1, max: COUNT_MAX }, problems);
  }
  for (const [name, column] of Object.entries(moneyCaps)) {
    const cap = given[name];
    if (cap === null || cap === undefined) continue;
    const micros = checkMoney(cap, `${path}.${name}`, problems);
    if (micros === 0n)
      report(problems, `${path}.${name}`, 'out_of_range', 'Give more than 0, or leave it out for no limit.');
    caps[column] = Number(micros);
  }
  return caps;
}

export const FrequencyCapRef = builder.objectRef<FrequencyCap>('FrequencyCap').implement({
  description: 'At most `count` events per user within a window of `every` units.',
  fields: (t) => ({
    event: t.field({ type: FrequencyEventRef, description: 'What is counted.', resolve: (cap) => cap.event }),
    count: t.exposeInt('count', { description: 'How many at most.' }),
    window: t.field({ type: FrequencyWindowRef, description: 'Unit of the window.', resolve: (cap) => cap.window }),
    every: t.exposeInt('every', { description: 'How many units the window is long.' }),
    per: t.field({
      type: FrequencyPerRef,
      description: 'Whose events it counts.',
      resolve: ({ per }) => per ?? 'USER',
    }),
  }),
});

/** The input of `frequencyCapsField`. */
export const FrequencyCapInput = builder.inputType('FrequencyCapInput', {
  description: 'At most `count` events per user within a window of `every` units.',
  fields: (t) => ({
    event: t.field({
      type: FrequencyEventRef,
      defaultValue: 'IMPRESSIONS',
      description: 'What is counted; default IMPRESSIONS.',
    }),
    count: t.int({ required: true, description: 'How many at most, 1…100000.' }),
    window: t.field({ type: FrequencyWindowRef, required: true, description: 'Unit of the window.' }),
    every: t.int({
      defaultValue: 1,
      description: `How many units the window is long, at least 1, and at most ${EVERY_MAX_TEXT}; default 1.`,
    }),
    per: t.field({ type: FrequencyPerRef, defaultValue: 'USER', description: 'Whose events it counts; default USER.' }),
  }),
});

/** Limits per user, as one field. The strictest applies. */
export function frequencyCapsField(): Field {
  return columnField(
    { name: 'frequencyCaps', description: `Limits per user; the strictest applies. At most ${FREQUENCY_CAPS_MAX}.` },
    {
      input: [FrequencyCapInput],
      output: [FrequencyCapRef],
      initial: [],
      check: checkFrequencyCaps,
      isJson: true,
    },
  );
}

/** Limits per user as they are stored; faults are added to `problems`. */
export function checkFrequencyCaps(value: unknown, path: string, problems: FieldProblem[]): FrequencyCap[] {
  const given = value as readonly FrequencyCap[];
  if (given.length > FREQUENCY_CAPS_MAX) report(problems, path, 'too_many', `Give at most ${FREQUENCY_CAPS_MAX} caps.`);
  return given.slice(0, FREQUENCY_CAPS_MAX).map((cap, index) => {
    const at = `${path}.${index}`;
    const window = cap.window;
    const every = cap.every ?? 1;
    return {
      event: cap.event ?? 'IMPRESSIONS',
      count: checkNumber(cap.count, `${at}.count`, { min: 1, max: 100_000 }, problems),
      window,
      every: checkNumber(every, `${at}.every`, { min: 1, max: frequencyEveryMax(window) }, problems),
      ...(cap.per === 'HOUSEHOLD' ? { per: cap.per } : {}),
    };
  });
}
