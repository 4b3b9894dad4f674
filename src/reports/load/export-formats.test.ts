import { tableFromIPC } from 'apache-arrow';
import fc from 'fast-check';
import { readXlsx } from 'hucre/xlsx';
import { parquetReadObjects } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import { exportColumn } from './export-columns.ts';
import type { ExportColumn } from './export-columns.ts';
import { EXPORT_FORMS, exportFormatOf } from './export-formats.ts';
import type { ExportFormat } from './export-formats.ts';
import type { RowValue } from './row-format.ts';
import { runsOf } from '../../../test/support/longer-runs.ts';

const column = (key: string, type: 'string' | 'number' | 'boolean' | 'time', storeType: string): ExportColumn =>
  exportColumn({ key, alias: key, type, nulls: 'nullable', bareKey: null }, storeType);

const COLUMNS = [
  column('text', 'string', 'LowCardinality(Nullable(String))'),
  column('yes', 'boolean', 'Bool'),
  column('time', 'time', 'DateTime64(3)'),
  column('count', 'number', 'UInt64'),
  column('money', 'number', 'Nullable(Decimal(38, 9))'),
  column('rate', 'number', 'Nullable(Float64)'),
];

/** A row as the store's values go out. */
const values = fc.tuple(
  fc.option(
    fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom('=1+2', '<a>&', '\u0000', '\uD800', ' x ')),
  ),
  fc.option(fc.boolean()),
  fc.option(
    fc
      .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 23)),
  ),
  fc.option(fc.bigInt({ min: -(2n ** 63n - 1n), max: 2n ** 63n - 1n }).map(String)),
  fc.option(fc.tuple(fc.bigInt({ min: -(10n ** 28n), max: 10n ** 28n }), fc.nat(999_999_999)).map(toDecimal)),
  fc.option(
    fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }).map(String), fc.constantFrom('nan', 'inf', '-inf')),
  ),
);

function toDecimal([whole, nanos]: [bigint, number]): string {
  const digits = String(nanos).padStart(9, '0').replace(/0+$/, '');
  return digits === '' ? String(whole) : `${whole}.${digits}`;
}

async function bytesOf(format: ExportFormat, rows: readonly (readonly RowValue[])[]): Promise<Uint8Array> {
  const write = await EXPORT_FORMS[format].load();
  const pieces: Uint8Array[] = [];
  for await (const piece of write(COLUMNS, slicesOf(rows))) pieces.push(Buffer.from(piece));
  return new Uint8Array(Buffer.concat(pieces));
}

async function* slicesOf(rows: readonly (readonly RowValue[])[]): AsyncGenerator<readonly (readonly RowValue[])[]> {
  for (let at = 0; at < rows.length; at += 3) yield rows.slice(at, at + 3);
}

/** Texts have no lone surrogates once they are bytes. */
const wellFormed = (value: RowValue): RowValue => (typeof value === 'string' ? value.toWellFormed() : value);
const unscaledOf = (value: RowValue | undefined): bigint | null => {
  if (typeof value !== 'string') return null;
  const [whole = '', digits = ''] = value.split('.');
  return BigInt(whole + digits.padEnd(9, '0'));
};
const finite = (value: RowValue | undefined): number | null =>
  typeof value === 'string' && Number.isFinite(Number(value)) ? Number(value) : null;
const msOf = (value: RowValue | undefined): number | null =>
  typeof value === 'string' ? Date.parse(`${value}Z`) : null;

describe('the forms of a whole result', () => {
  test('Arrow holds every value exactly', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(values, { maxLength: 20 }), async (rows) => {
        const table = tableFromIPC(await bytesOf('arrow', rows));
        expect(table.numRows).toBe(rows.length);
        for (const [at, row] of rows.entries()) {
          const read = (name: string): unknown => table.getChild(name)?.get(at);
          expect(read('text')).toBe(wellFormed(row[0]));
          expect(read('yes')).toBe(row[1]);
          expect(read('time')).toBe(msOf(row[2]));
          expect(read('count')).toBe(row[3] === null ? null : BigInt(row[3]));
          expect(bigintOf(read('money') as Uint32Array | null)).toBe(unscaledOf(row[4]));
          expect(read('rate')).toBe(finite(row[5]));
        }
      }),
      { numRuns: runsOf(60) },
    );
  });

  test('Parquet holds every value exactly', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(values, { maxLength: 20 }), async (rows) => {
        const { buffer } = await bytesOf('parquet', rows);
        const read = await parquetReadObjects({ file: buffer as ArrayBuffer });
        expect(read).toHaveLength(rows.length);
        for (const [at, row] of rows.entries()) {
          const { text, yes, time, count, money, rate } = read[at] as Record<string, unknown>;
          expect([text, yes, count, rate]).toEqual([
            wellFormed(row[0]),
            row[1],
            row[3] === null ? null : BigInt(row[3]),
            finite(row[5]),
          ]);
          expect(time === null ? null : Number(time)).toBe(msOf(row[2]));
          // The test's library reads decimals as doubles.
          if (row[4] === null) expect(money).toBeNull();
          else expect(money).toBeCloseTo(Number(row[4]), -Math.max(0, String(row[4]).length - 14));
        }
      }),
      { numRuns: runsOf(60) },
    );
  });

  test('XLSX holds texts as texts, times as times, and whole numbers of more than 15 digits as texts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(values, { maxLength: 10 }), async (rows) => {
        const { sheets } = await readXlsx(await bytesOf('xlsx', rows));
        const [header, ...read] = sheets[0]?.rows ?? [];
        expect(header).toEqual(COLUMNS.map(({ name }) => name));
        for (const [at, row] of rows.entries()) {
          const [, yes = null, time = null, count = null, money = null] = read[at] ?? [];
          expect(yes).toBe(row[1]);
          expect(time === null ? null : (time as Date).getTime()).toBe(msOf(row[2]));
          expect(count === null ? null : String(count)).toBe(row[3] === null ? null : String(row[3]));
          expect(money === null ? null : Number(money)).toBe(row[4] === null ? null : Number(row[4]));
        }
      }),
      { numRuns: runsOf(40) },
    );
    const kept = await readXlsx(
      await bytesOf('xlsx', [['=HYPERLINK("x")', true, null, '9007199254740993', '0.5', '1']]),
    );
    expect(kept.sheets[0]?.rows[1]).toEqual(['=HYPERLINK("x")', true, null, '9007199254740993', 0.5, 1]);
    const odd = await readXlsx(await bytesOf('xlsx', [['a\u0000\uD800<&>\n', null, null, null, null, null]]));
    expect(odd.sheets[0]?.rows[1]?.[0]).toBe('a\uFFFD\uFFFD<&>\n');
  });

  test('a number that does not fit breaks the result off rather than changing it', async () => {
    for (const format of ['arrow', 'parquet'] as const)
      for (const [count, money] of [
        [String(2n ** 63n), '1'],
        ['1', `${10n ** 30n}`],
        ['1', '0.1234567891'],
      ] as const)
        await expect(bytesOf(format, [['x', true, null, count, money, null]])).rejects.toThrow('The store gave');
  });

  test.each(Object.keys(EXPORT_FORMS) as ExportFormat[])(
    'a source that fails ends a result as %s, and a result that nobody reads to its end ends its source',
    async (format) => {
      const write = await EXPORT_FORMS[format].load();
      let ended = 0;
      async function* source(isBroken: boolean): AsyncGenerator<readonly (readonly RowValue[])[]> {
        try {
          for (let at = 0; at < 30_000; at += 1) yield [['text', true, null, '1', '0.5', String(at)]];
          if (isBroken) throw new Error('The store ended');
        } finally {
          ended += 1;
        }
      }
      const broken = async () => {
        for await (const piece of write(COLUMNS, source(true))) expect(piece.length).toBeGreaterThan(0);
      };
      await expect(broken()).rejects.toThrow('The store ended');
      const left = write(COLUMNS, source(false));
      await left.next();
      await left.next();
      await left.return(undefined);
      await expect.poll(() => ended).toBe(2);
    },
  );

  test('any Accept header gets a form, JSON, or a refusal', () => {
    const item = fc.constantFrom(
      'text/csv',
      '*/*',
      'application/*',
      'application/json;q=0.1',
      ';q=',
      'a/b;q=2',
      '',
      '"',
      ',',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(item).map((items) => items.join(',')),
        ),
        (accept) => {
          expect([null, 'none', ...Object.keys(EXPORT_FORMS)]).toContain(exportFormatOf(accept));
        },
      ),
    );
  });
});

function bigintOf(words: Uint32Array | null): bigint | null {
  if (words === null) return null;
  const number = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
  return BigInt.asIntN(128, number);
}
