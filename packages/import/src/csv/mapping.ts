import { z } from 'zod';
import { ImportError } from '../plan/import-error.ts';

/** How a cell is read. `key` names another row of the files, `keys` several, separated by `;` or `|`. */
export type CellForm = 'text' | 'key' | 'keys' | 'time' | 'count' | 'amount' | 'sizes' | 'list';

/** A field that a mapping can fill. */
interface FieldRow {
  readonly form: CellForm;
  readonly required?: true;
}

const REQUIRED_KEY = { form: 'key', required: true } as const;
const NAME = { form: 'text', required: true } as const;
const FLIGHT = { status: { form: 'text' }, start: { form: 'time' }, end: { form: 'time' } } as const;

/** Every field of every kind of file. docs/moving-with-csv.md has the same table. */
export const FIELDS = {
  sites: { id: REQUIRED_KEY, name: NAME, domain: { form: 'text', required: true } },
  adUnits: { id: REQUIRED_KEY, name: NAME, site: REQUIRED_KEY, sizes: { form: 'sizes' }, notes: { form: 'text' } },
  advertisers: { id: REQUIRED_KEY, name: NAME, notes: { form: 'text' } },
  campaigns: { id: REQUIRED_KEY, name: NAME, advertiser: REQUIRED_KEY, ...FLIGHT, notes: { form: 'text' } },
  lineItems: {
    id: REQUIRED_KEY,
    name: NAME,
    campaign: REQUIRED_KEY,
    ...FLIGHT,
    type: NAME,
    level: { form: 'count' },
    goal: { form: 'count' },
    goalKind: { form: 'text' },
    goalPeriod: { form: 'text' },
    pacing: { form: 'text' },
    sharePercent: { form: 'amount' },
    pricingModel: { form: 'text' },
    price: { form: 'amount' },
    adUnits: { form: 'keys' },
    countries: { form: 'list' },
  },
  creatives: {
    id: REQUIRED_KEY,
    name: NAME,
    lineItem: REQUIRED_KEY,
    size: { form: 'sizes', required: true },
    clickUrl: NAME,
    image: { form: 'text' },
    html: { form: 'text' },
    weight: { form: 'count' },
    status: { form: 'text' },
  },
  history: {
    time: { form: 'time', required: true },
    lineItem: { form: 'key' },
    creative: { form: 'key' },
    adUnit: { form: 'key' },
    requests: { form: 'count' },
    impressions: { form: 'count' },
    clicks: { form: 'count' },
    conversions: { form: 'count' },
    revenue: { form: 'amount' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, FieldRow>>>>;

/** A kind of file. */
export type FileKind = keyof typeof FIELDS;
export const FILE_KINDS = Object.keys(FIELDS) as FileKind[];

/** The words of Placard, by field. A mapping translates the words of the other ad server to these words. */
export const WORDS = {
  status: ['DRAFT', 'ACTIVE', 'PAUSED', 'COMPLETED'],
  type: ['SPONSORSHIP', 'STANDARD', 'PRICE', 'HOUSE'],
  pricingModel: ['CPM', 'VCPM', 'CPC', 'CPA', 'CPCV', 'FLAT'],
  goalKind: ['IMPRESSIONS', 'VIEWABLE_IMPRESSIONS', 'CLICKS', 'CONVERSIONS'],
  goalPeriod: ['LIFETIME', 'DAY'],
  pacing: ['EVEN', 'FRONT_LOADED', 'ASAP'],
} as const;

/** A field whose texts are words of Placard. */
export type WordField = keyof typeof WORDS;

const text = z.string().min(1).max(500);
const fileSchema = z.strictObject({
  path: text,
  /** Cells separated by; absent: found by the parser. */
  delimiter: z.string().length(1).optional(),
  /** Names of columns by field. */
  columns: z.record(z.string(), text).default({}),
  /** Values of fields that no column has. */
  constants: z.record(z.string(), text).default({}),
});
const mappingSchema = z.strictObject({
  source: z.string().regex(/^[a-z][a-z0-9-]{0,29}$/, 'use 1 to 30 small letters, digits and hyphens'),
  timezone: z.string().refine(isTimezone, 'use a name such as Europe/Berlin').default('UTC'),
  dateOrder: z.enum(['YMD', 'DMY', 'MDY']).default('YMD'),
  decimalComma: z.boolean().default(false),
  /** By field: what a text of the files is here. */
  words: z
    .partialRecord(z.enum(Object.keys(WORDS) as [WordField, ...WordField[]]), z.record(z.string(), z.string()))
    .default({}),
  files: z.partialRecord(z.enum(FILE_KINDS as [FileKind, ...FileKind[]]), fileSchema),
});

/** How the files of another ad server are read. */
export type Mapping = z.infer<typeof mappingSchema>;
/** One file of a mapping. */
export type MappedFile = z.infer<typeof fileSchema>;

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Reads a mapping. @throws ImportError that names each mistake by its path */
export function readMapping(json: string): Mapping {
  let given: unknown;
  try {
    given = JSON.parse(json);
  } catch (error) {
    throw new ImportError(`The mapping is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const read = mappingSchema.safeParse(given);
  if (!read.success)
    throw new ImportError(
      read.error.issues.map(({ path, message }) => `mapping ${path.join('.')}: ${message}`).join('\n'),
    );
  const mistakes = [
    ...FILE_KINDS.flatMap((kind) => mistakesOf(kind, read.data.files[kind])),
    ...wordMistakes(read.data),
  ];
  if (mistakes.length > 0) throw new ImportError(mistakes.join('\n'));
  return read.data;
}

function wordMistakes({ words }: Mapping): string[] {
  return (Object.keys(WORDS) as WordField[]).flatMap((field) => {
    const allowed: readonly string[] = WORDS[field];
    const wrong = Object.entries(words[field] ?? {}).filter(([, word]) => !allowed.includes(word));
    return wrong.map(([text, word]) => `mapping words.${field}.${text}: "${word}" is not one of ${allowed.join(', ')}`);
  });
}

function mistakesOf(kind: FileKind, file: MappedFile | undefined): string[] {
  if (file === undefined) return [];
  const fields: Readonly<Record<string, FieldRow>> = FIELDS[kind];
  const given = [...Object.keys(file.columns), ...Object.keys(file.constants)];
  const unknown = given.filter((field) => fields[field] === undefined);
  const missing = Object.entries(fields).flatMap(([field, row]) =>
    row.required === true && !given.includes(field) ? [field] : [],
  );
  return [
    ...unknown.map(
      (field) => `mapping files.${kind}.columns.${field}: there is no such field; ${Object.keys(fields).join(', ')}`,
    ),
    ...missing.map((field) => `mapping files.${kind}.columns: "${field}" is missing`),
  ];
}
