import type { AdSize, CatalogInput, CatalogRow, SegmentRule } from '../api/bookings/catalog.ts';
import { type TargetingTree, toTargetingInput } from '../api/bookings/targeting.ts';
import { ApiProblem, problemOf } from '../api/transport/problem.ts';
import { ruleInputOf, ruleProblemsOf, textOfRule } from '../audience/rule-rows.ts';
import { say } from '../messages/say.ts';
import { ambiguityOf, exactOf, numberOf, typedText } from '../format/typed-numbers.ts';
import type { CatalogField, FieldKind } from './catalog-fields.ts';

/** What a person has typed, by the name of the field. */
export type FieldTexts = Readonly<Record<string, string>>;

/** The texts of an object; of a new one, all are empty. */
export function textsOf(fields: readonly CatalogField[], object: CatalogRow | null): FieldTexts {
  return Object.fromEntries(
    fields.map((field) => [field.name, object === null ? '' : textOf(field, Reflect.get(object, field.name))]),
  );
}

/** The text of one value, as a person types it. */
export function textOf({ kind, parts = [] }: Pick<CatalogField, 'kind' | 'parts'>, value: unknown): string {
  if (kind === 'group') return isNothing(value) ? '' : JSON.stringify(partTexts(parts, value));
  if (kind === 'rows')
    return isNothing(value) || (value as readonly unknown[]).length === 0
      ? ''
      : JSON.stringify((value as readonly unknown[]).map((one) => partTexts(parts, one)));
  if (kind === 'rule') return textOfRule(value as SegmentRule | null | undefined);
  if (kind === 'targeting') return value === null || value === undefined ? '' : JSON.stringify(value);
  if (value === null || value === undefined) return '';
  if (kind === 'days') return typedText(String(Math.round((Number(value) / DAY_SECONDS) * DAY_PARTS) / DAY_PARTS));
  if (kind === 'decimal') return typedText(String(value as string | number));
  if (typeof value !== 'object') return String(value as string | number | boolean);
  if (!Array.isArray(value)) return '';
  return value.map((one: unknown) => (isSize(one) ? `${one.width}x${one.height}` : String(one))).join(', ');
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined;
}

function partTexts(parts: readonly CatalogField[], value: unknown): FieldTexts {
  return Object.fromEntries(parts.map((part) => [part.name, textOf(part, Reflect.get(value as object, part.name))]));
}

/** The texts of the parts of a group; null: there is none. */
export function groupOf(text: string): FieldTexts | null {
  return text === '' ? null : (JSON.parse(text) as FieldTexts);
}

/** The texts of the parts of each row. */
export function rowsIn(text: string): readonly FieldTexts[] {
  return text === '' ? [] : (JSON.parse(text) as readonly FieldTexts[]);
}

/** Reads the parts of one group; undefined: one of them cannot be read. Empty parts are left out. */
function readParts(parts: readonly CatalogField[], texts: FieldTexts): Record<string, unknown> | undefined {
  const read: Record<string, unknown> = {};
  for (const part of parts) {
    const text = (texts[part.name] ?? '').trim();
    if (text === '' && part.isRequired !== true) continue;
    const value = readField(part, text);
    if (value === undefined) return undefined;
    read[part.name] = value;
  }
  return read;
}

const DAY_SECONDS = 86_400;
const DAYS_MAX = 999_999;
/** So fine that each second has a text of its own. */
const DAY_PARTS = 100_000;

function isSize(value: unknown): value is AdSize {
  return typeof value === 'object' && value !== null && 'width' in value && 'height' in value;
}

const SIZE = /^(\d{1,5})\s*[x×]\s*(\d{1,5})$/i;

/** The input that the texts make, of the fields that differ; or the fields that cannot be read. */
export function inputOf(fields: readonly CatalogField[], texts: FieldTexts, before: FieldTexts): CatalogInput {
  const problems: { path: string; code: string; message: string }[] = [];
  const entries = fields.flatMap((field) => {
    const text = (texts[field.name] ?? '').trim();
    // A required text is sent empty, so that the server says at once all that is wrong.
    if (text === (before[field.name] ?? '') && !(field.isRequired === true && text === '')) return [];
    const { kind } = field;
    // The API says what is wrong with a rule.
    if (kind === 'rule') return [[field.name, ruleInputOf(text)] as const];
    const value = readField(field, text);
    if (value === undefined) {
      problems.push({ path: field.name, code: 'invalid', message: faultOf(field, text) });
      return [];
    }
    return [[field.name, value] as const];
  });
  if (problems.length > 0)
    throw new ApiProblem({
      code: 'bad_request',
      message: say('catalog_field.invalid'),
      status: 0,
      fields: problems,
    });
  return Object.fromEntries(entries);
}

/** Reads one text. @returns undefined when it cannot be read */
export function readField(field: CatalogField, text: string): unknown {
  const { kind, isRequired, choices, parts = [] } = field;
  if (text === '' && field.isOptional === true) return null;
  switch (kind) {
    case 'text':
      return text;
    case 'object':
      if (text === '') return isRequired === true ? undefined : null;
      return text;
    case 'decimal':
      if (text === '') return isRequired === true ? undefined : null;
      return exactOf(text, false) ?? undefined;
    case 'integer':
      return integerOf(text);
    case 'days': {
      const days = numberOf(text);
      return days === null || days < 0 || days > DAYS_MAX ? undefined : Math.round(days * DAY_SECONDS);
    }
    case 'choice':
      return choices?.some(([value]) => value === text) === true ? text : undefined;
    case 'flag':
      return text === 'true' || text === 'false' ? text === 'true' : undefined;
    case 'rule':
      return ruleInputOf(text);
    case 'group': {
      const texts = groupOf(text);
      return texts === null ? null : readParts(parts, texts);
    }
    case 'rows': {
      const rows = rowsIn(text).map((texts) => readParts(parts, texts));
      return rows.includes(undefined) ? undefined : rows;
    }
    case 'list':
    case 'objects':
    case 'members':
      return partsOf(text);
    case 'many':
      return partsOf(text).filter((part) => choices?.some(([value]) => value === part) === true);
    case 'targeting':
      return text === '' ? undefined : toTargetingInput(JSON.parse(text) as TargetingTree);
    case 'sizes': {
      const sizes = partsOf(text).map((part) => SIZE.exec(part));
      if (sizes.includes(null)) return undefined;
      return sizes.map((size) => ({ width: Number(size?.[1]), height: Number(size?.[2]) }));
    }
  }
}

function integerOf(text: string): number | undefined {
  const value = exactOf(text, true);
  return value !== null && Number.isSafeInteger(Number(value)) ? Number(value) : undefined;
}

/** Why a text cannot be read: it has two meanings, or it is not what the field takes. */
export function faultOf({ kind }: Pick<CatalogField, 'kind'>, text: string): string {
  const ambiguity = isNumeric(kind) ? ambiguityOf(text, kind === 'integer') : null;
  return ambiguity ?? say(`catalog_field.${kind}`);
}

/** Whether a field of a kind holds a number. */
export function isNumeric(kind: FieldKind): boolean {
  return kind === 'decimal' || kind === 'integer' || kind === 'days';
}

function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** How many faults the form shows at its fields. */
export function countShown(error: unknown, fields: readonly CatalogField[]): number {
  return fields.reduce((sum, { name, kind }) => {
    if (kind === 'rule') return sum + ruleProblemsOf(error).count;
    return problemOf(error, name) === null ? sum : sum + 1;
  }, 0);
}

/** What a person has typed stays; the rest follows the new version. */
export function mergeTyped(
  name: string,
  { texts, before, now }: { readonly texts: FieldTexts; readonly before: FieldTexts; readonly now: FieldTexts },
): string {
  const typed = texts[name] ?? '';
  return typed === (before[name] ?? '') ? (now[name] ?? '') : typed;
}
