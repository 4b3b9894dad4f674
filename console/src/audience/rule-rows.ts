import type { SegmentRule, SegmentRuleInput } from '../api/bookings/catalog.ts';
import { ApiProblem } from '../api/transport/problem.ts';

/** What a condition tests: a key-value of a request, or an activity that was recorded. */
export const RULE_KINDS = ['keyValue', 'activity'] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

/** One condition of a rule, as it is edited. */
export interface RuleRow {
  readonly kind: RuleKind;
  /** Of `keyValue`. */
  readonly key: string;
  /** Of `keyValue`; none: any value. */
  readonly values: readonly string[];
  /** Of `activity`; empty: none is chosen yet. */
  readonly activityId: string;
  /** Of `activity`; empty: every event. */
  readonly event: string;
}

/** A condition as a new one begins. */
export const NEW_RULE_ROW: RuleRow = { kind: 'keyValue', key: '', values: [], activityId: '', event: '' };

/** Most conditions of one rule, as the API has it. */
export const RULE_ROWS_MAX = 50;

/** The text of the form's field: empty for no rule, else its rows. The same rule always has the same text. */
export function textOfRule(rule: SegmentRule | null | undefined): string {
  if (rule === null || rule === undefined) return '';
  return textOfRows(
    rule.any.map(({ keyValue, activity }) => ({
      kind: activity === null ? 'keyValue' : 'activity',
      key: keyValue?.key ?? '',
      values: keyValue?.values ?? [],
      activityId: activity?.activityId ?? '',
      event: activity?.event ?? '',
    })),
  );
}

/** The text of rows. A row says only what its kind has. */
export function textOfRows(rows: readonly RuleRow[]): string {
  return JSON.stringify(
    rows.map(({ kind, key, values, activityId, event }) =>
      kind === 'keyValue' ? { ...NEW_RULE_ROW, key, values } : { ...NEW_RULE_ROW, kind, activityId, event },
    ),
  );
}

/** The rows of a text; null: there is no rule. */
export function rowsOfText(text: string): readonly RuleRow[] | null {
  return text === '' ? null : (JSON.parse(text) as RuleRow[]);
}

/** The rule as the API takes it; null: uploads only. The API says what is wrong with conditions that are not complete. */
export function ruleInputOf(text: string): SegmentRuleInput | null {
  const rows = rowsOfText(text);
  if (rows === null) return null;
  return {
    any: rows.map(({ kind, key, values, activityId, event }) =>
      kind === 'keyValue'
        ? { keyValue: { key: key.trim(), values } }
        : { activity: { activityId, ...(event.trim() === '' ? {} : { event: event.trim() }) } },
    ),
  };
}

/** What is wrong with one condition, by its field. */
export type RowProblems = Readonly<Partial<Record<'key' | 'values' | 'activityId' | 'event', string>>>;

/** What is wrong with a rule. */
export interface RuleProblems {
  /** Of the rule as a whole. */
  readonly rule: string | null;
  readonly rows: ReadonlyMap<number, RowProblems>;
  /** How many faults there are. */
  readonly count: number;
}

const PATH =
  /(?:^|\.)rule(?![a-zA-Z])(?:\.any(?:[.[](\d+)\]?(?:\.(?:keyValue|activity)\.(key|values|activityId|event)\b)?)?)?/;

/** The faults of a rule in a response, at the rows and fields that they are about. */
export function ruleProblemsOf(error: unknown): RuleProblems {
  const rows = new Map<number, RowProblems>();
  let rule: string | null = null;
  let count = 0;
  for (const { path, message } of error instanceof ApiProblem ? error.fields : []) {
    const match = PATH.exec(path);
    if (match === null) continue;
    count += 1;
    const [, at, field] = match;
    if (at === undefined || field === undefined) rule ??= message;
    else rows.set(Number(at), { [field]: message, ...rows.get(Number(at)) });
  }
  return { rule, rows, count };
}
