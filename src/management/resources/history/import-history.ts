import { requirePermission } from '../../../access/permissions/permissions.ts';
import { PlacardError } from '../../../domain/errors.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { formatNanos } from '../../../domain/money/money.ts';
import {
  firstImportedMs,
  HISTORY_DAYS_MAX,
  HISTORY_ROWS_MAX,
  HISTORY_SOURCE_LENGTH_MAX,
  HISTORY_WORKSPACE_ROWS_MAX,
  type ImportedHour,
} from '../../../domain/reporting/imported-history.ts';
import { builder } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { validationFailed } from '../../kernel/drafts.ts';
import { report } from '../../kernel/field.ts';
import { PayloadRef, type Refusable } from '../../kernel/interfaces.ts';
import { moneyTwin } from '../../kernel/money-type.ts';
import { checkText } from '../../kernel/scalar-fields.ts';
import { changeAll, queryableOf } from '../../kernel/transactions.sql.ts';
import { withUserErrors } from '../../kernel/user-errors.ts';
import type { InTransaction } from '../../kernel/write.ts';
import { type HistoryInput, readHistoryRows } from './history-rows.ts';
import { loadHistoryLoading } from './history-loading.ts';
import {
  countImportedRows,
  findImported,
  hourKey,
  lockImports,
  readRetentionDays,
  type SourceSums,
  storeImport,
  sumSources,
} from './history.sql.ts';

/** Sources that `importedHistory` lists. */
const SOURCES_MAX = 100;

interface Imported extends Refusable {
  readonly added: number;
  readonly unchanged: number;
  readonly differing: readonly number[];
  readonly tooOld: readonly number[];
  readonly firstHour: Date | null;
  readonly validatedOnly: boolean;
}

const HourInput = builder.inputType('HistoryHourInput', {
  description: 'What another ad server delivered in one hour, of one line item, creative and ad unit.',
  fields: (t) => ({
    hour: t.field({ type: 'DateTime', required: true, description: 'Beginning of an hour of UTC that is over.' }),
    lineItemExternalId: t.string({
      description: 'External id of the line item; absent: requests of the ad unit that no line item served.',
    }),
    creativeExternalId: t.string({ description: 'External id of a creative of the line item; absent: not known.' }),
    adUnitName: t.string({ description: 'Name of the ad unit; absent: not known.' }),
    requests: t.field({ type: 'Long', description: 'Requests; at least as many as impressions are counted.' }),
    impressions: t.field({ type: 'Long', description: 'Impressions.' }),
    clicks: t.field({ type: 'Long', description: 'Clicks.' }),
    conversions: t.field({ type: 'Long', description: 'Attributed activities.' }),
    revenue: t.field({ type: 'Decimal', description: 'What the hour earned, in the currency of the network.' }),
  }),
});

const ImportPayloadRef = builder.objectRef<Imported>('ImportHistoryPayload').implement({
  description: 'The result of an import of history.',
  interfaces: [PayloadRef as never],
  fields: (t) => ({
    added: t.exposeInt('added', {
      description: 'Rows that were added. Reports and counters have them within a minute; see `importedHistory`.',
    }),
    unchanged: t.exposeInt('unchanged', { description: 'Rows that the source had imported before.' }),
    differing: t.intList({
      description: 'Positions of rows that were imported before with other figures; the earlier figures stay.',
      resolve: ({ differing }) => [...differing],
    }),
    tooOld: t.intList({
      description: 'Positions of rows that were left out, because their hours lie before `firstHour`.',
      resolve: ({ tooOld }) => [...tooOld],
    }),
    firstHour: t.field({
      type: 'DateTime',
      nullable: true,
      description: `The first hour that is taken: by the retention of the network, and at most ${HISTORY_DAYS_MAX} days ago.`,
      resolve: ({ firstHour }) => firstHour,
    }),
    validatedOnly: t.exposeBoolean('validatedOnly', {
      description: 'Whether only validation was requested, so that nothing was changed.',
    }),
  }),
});

const nanosOf = ({ revenue_nanos }: SourceSums): string => formatNanos(BigInt(revenue_nanos));

const HistoryRef = builder.objectRef<SourceSums>('ImportedHistory').implement({
  description: 'What one source has imported.',
  fields: (t) => ({
    source: t.exposeString('source', { description: 'The name of the source.' }),
    firstHour: t.field({ type: 'DateTime', description: 'Its first hour.', resolve: (sums) => sums.first_hour }),
    lastHour: t.field({ type: 'DateTime', description: 'Its last hour.', resolve: (sums) => sums.last_hour }),
    rows: t.field({ type: 'Long', description: 'Its rows.', resolve: ({ hours }) => Number(hours) }),
    waitingRows: t.field({
      type: 'Long',
      description: 'Rows that reports and counters do not have yet.',
      resolve: ({ waiting }) => Number(waiting),
    }),
    requests: t.field({ type: 'Long', description: 'Requests.', resolve: ({ requests }) => Number(requests) }),
    impressions: t.field({ type: 'Long', description: 'Impressions.', resolve: (sums) => Number(sums.impressions) }),
    clicks: t.field({ type: 'Long', description: 'Clicks.', resolve: ({ clicks }) => Number(clicks) }),
    conversions: t.field({ type: 'Long', description: 'Conversions.', resolve: (sums) => Number(sums.conversions) }),
    revenue: t.field({ type: 'Decimal', description: 'Revenue.', resolve: nanosOf }),
    revenueMoney: t.field(moneyTwin<SourceSums>('Revenue.', nanosOf)),
  }),
});

/** Adds `importHistory` and `importedHistory`. */
export function defineHistory(): void {
  builder.mutationField('importHistory', (t) =>
    t.field({
      type: ImportPayloadRef,
      nullable: true,
      description: `Imports up to ${HISTORY_ROWS_MAX} hours that another ad server delivered, all or none. Reports, pacing, goals, limits and forecasts then count them. A row that the source imported before is not counted again, so that a call can be repeated.`,
      args: {
        source: t.arg.string({
          required: true,
          description: `Your name of the system that delivered, at most ${HISTORY_SOURCE_LENGTH_MAX} characters, such as "revive".`,
        }),
        inputs: t.arg({ type: [HourInput], required: true, description: 'The hours.' }),
        validateOnly: t.arg.boolean({ description: 'Validates everything and returns the result without a change.' }),
      },
      resolve: (_root, { source, inputs, validateOnly }, context, info) => {
        const validatedOnly = validateOnly ?? false;
        return withUserErrors<Imported>(
          context,
          info,
          async () => ({ ...(await importHours(context, source, { inputs, trial: validatedOnly })), validatedOnly }),
          (userErrors) => ({ ...NOTHING, validatedOnly, userErrors }),
        );
      },
    }),
  );
  builder.queryField('isHistoryLoading', (t) =>
    t.boolean({
      description:
        'Whether counters still get history of the environment, imported or of the demo. Line items are called neither late nor early until then.',
      resolve: (_root, _args, context) => {
        requirePermission(context.caller, 'query.isHistoryLoading');
        return loadHistoryLoading(context);
      },
    }),
  );
  builder.queryField('importedHistory', (t) =>
    t.field({
      type: [HistoryRef],
      description: `What was imported, by source; at most ${SOURCES_MAX} sources.`,
      resolve: (_root, _args, context) => {
        const { workspaceId } = requirePermission(context.caller, 'query.importedHistory');
        return context.budget.read(() => sumSources(queryableOf(context), workspaceId, SOURCES_MAX));
      },
    }),
  );
}

const NOTHING = { added: 0, unchanged: 0, differing: [], tooOld: [], firstHour: null } as const;

function importHours(
  context: ManagementContext,
  given: string,
  { inputs, trial }: { readonly inputs: readonly HistoryInput[]; readonly trial: boolean },
): Promise<Omit<Imported, 'validatedOnly'>> {
  if (inputs.length < 1 || inputs.length > HISTORY_ROWS_MAX)
    throw new PlacardError('invalid_request', `Give 1 to ${HISTORY_ROWS_MAX} rows; there are ${inputs.length}.`);
  return changeAll(context, trial, async (inner) => {
    const problems: FieldProblem[] = [];
    const source = checkText(given, 'source', { lengthMax: HISTORY_SOURCE_LENGTH_MAX }, problems);
    const hours = await readHistoryRows(inner, inputs, problems);
    if (problems.length > 0) throw validationFailed(problems);
    return addHours(inner, source, hours);
  });
}

async function addHours(
  inner: InTransaction,
  source: string,
  hours: readonly ImportedHour[],
): Promise<Omit<Imported, 'validatedOnly'>> {
  const { principal, transaction } = inner;
  const { workspaceId } = principal;
  const firstMs = firstImportedMs(inner.nowMs(), await readRetentionDays(transaction, workspaceId));
  await lockImports(transaction, workspaceId);
  const known = await findImported(transaction, { workspaceId, source }, hours);
  const added: ImportedHour[] = [];
  const [differing, tooOld]: [number[], number[]] = [[], []];
  for (const [index, hour] of hours.entries()) {
    const before = known.get(hourKey(hour));
    if (before !== undefined && isSame(before, hour)) continue;
    if (before !== undefined) differing.push(index);
    else if (hour.hourMs < firstMs) tooOld.push(index);
    else added.push(hour);
  }
  const unchanged = hours.length - added.length - differing.length - tooOld.length;
  if (added.length > 0) await storeAudited(inner, source, added);
  return { added: added.length, unchanged, differing, tooOld, firstHour: new Date(firstMs) };
}

function isSame(one: ImportedHour, other: ImportedHour): boolean {
  return (
    one.requests === other.requests &&
    one.impressions === other.impressions &&
    one.clicks === other.clicks &&
    one.conversions === other.conversions &&
    one.revenueNanos === other.revenueNanos
  );
}

async function storeAudited(inner: InTransaction, source: string, added: readonly ImportedHour[]): Promise<void> {
  const { principal, transaction } = inner;
  const { workspaceId } = principal;
  const problems: FieldProblem[] = [];
  if ((await countImportedRows(transaction, workspaceId)) + added.length > HISTORY_WORKSPACE_ROWS_MAX)
    report(problems, 'inputs', 'too_many', `An environment imports at most ${HISTORY_WORKSPACE_ROWS_MAX} rows.`);
  if (problems.length > 0) throw validationFailed(problems);
  const at = new Date(inner.nowMs());
  const id = await storeImport(transaction, { workspaceId, source, by: principal.actor, at }, added);
  inner.audits.push({
    by: principal,
    action: 'history.import',
    objectKind: 'history',
    objectId: String(id),
    after: { source, rows: added.length },
    more: { requestId: inner.requestId },
  });
}
