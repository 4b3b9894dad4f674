import { type RawBuilder, sql, type Transaction } from 'kysely';
import { HeldBack, type RowCheck, Together } from './statement-batch.ts';

/**
 * Runs statements of a transaction in their order, in one round trip. Each sees what those before it changed; after one that fails, none runs.
 * @returns the rows of each
 */
export async function runTogether<T, Rows extends readonly unknown[]>(
  trx: Transaction<T>,
  statements: { readonly [Index in keyof Rows]: RawBuilder<Rows[Index]> },
): Promise<{ readonly [Index in keyof Rows]: readonly Rows[Index][] }> {
  const compiled = statements.map((statement) => statement.compile(trx));
  const together = new Together(compiled.map(({ sql: text, parameters }) => ({ text, parameters })));
  const { rows } = await trx.executeQuery<unknown>({
    ...sql`together`.compile(trx),
    parameters: [together],
  });
  return rows as never;
}

/**
 * Runs a statement in one round trip with the next one of its transaction, which may be the COMMIT. If it fails, that one fails with its error,
 * and nothing is committed. So it does when `check` throws for its rows, where the next statement is the first of the transaction or its COMMIT
 * follows later.
 */
export async function holdBack<T>(
  trx: Transaction<T>,
  statement: RawBuilder<unknown>,
  check: RowCheck | null = null,
): Promise<void> {
  const compiled = statement.compile(trx);
  await trx.executeQuery({ ...compiled, parameters: [new HeldBack(compiled.parameters, check)] });
}
