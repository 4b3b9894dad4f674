import type { AdSize, CatalogInput, CatalogRow, SegmentRule } from '../api/catalog.ts';
import { ApiProblem } from '../api/problem.ts';
import { ruleInputOf, ruleProblemsOf, textOfRule } from '../audience/rule-rows.ts';
import { say } from '../messages/say.ts';
import type { CatalogField, FieldKind } from './catalog-kinds.tsx';

/** What a person has typed, by the name of the field. */
export type FieldTexts = Readonly<Record<string, string>>;

/** The texts of an object; of a new one, all are empty. */
export function textsOf(fields: readonly CatalogField[], object: CatalogRow | null): FieldTexts {
  return Object.fromEntries(
    fields.map(({ name, kind }) => {
      const value: unknown = object === null ? null : Reflect.get(object, name);
      return [name, kind === 'rule' ? textOfRule(value as SegmentRule | null | undefined) : textOf(value)];
    }),
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (!Array.isArray(value)) return '';
  return value.map((one: unknown) => (isSize(one) ? `${one.width}x${one.height}` : String(one))).join(', ');
}

function isSize(value: unknown): value is AdSize {
  return typeof value === 'object' && value !== null && 'width' in value && 'height' in value;
}

const WHOLE = /^-?\d{1,15}$/;
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
    const value = readField(kind, text, field.isRequired === true);
    if (value === undefined) {
      problems.push({ path: field.name, code: 'invalid', message: say(`catalog_field.${kind}`) });
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

/** undefined: it cannot be read. */
function readField(kind: Exclude<FieldKind, 'rule'>, text: string, isRequired: boolean): unknown {
  switch (kind) {
    case 'text':
      return text;
    case 'site':
    case 'decimal':
      if (text === '') return isRequired ? undefined : null;
      return text.replace(',', '.');
    case 'integer':
      return WHOLE.test(text) ? Number(text) : undefined;
    case 'list':
      return partsOf(text);
    case 'sizes': {
      const sizes = partsOf(text).map((part) => SIZE.exec(part));
      if (sizes.includes(null)) return undefined;
      return sizes.map((size) => ({ width: Number(size?.[1]), height: Number(size?.[2]) }));
    }
  }
}

function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** What is wrong with a field: a fault of the field itself, or of one of its members. */
export function problemOf(error: unknown, name: string): string | null {
  if (!(error instanceof ApiProblem)) return null;
  return error.fields.find(({ path }) => path.split(/[.[\]]/).includes(name))?.message ?? null;
}

/** How many faults the form shows at its fields. */
export function countShown(error: unknown, fields: readonly CatalogField[]): number {
  return fields.reduce((sum, { name, kind }) => {
    if (kind === 'rule') return sum + ruleProblemsOf(error).count;
    return problemOf(error, name) === null ? sum : sum + 1;
  }, 0);
}
