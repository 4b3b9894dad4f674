import type { GraphQLResolveInfo } from 'graphql';
import { PlacardError } from '../../../domain/errors.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { plainIdOf } from '../../../domain/ids/global-ids.ts';
import { isDecimalId } from '../../../domain/ids/ids.ts';
import { FrequencyCapInput } from '../../fields/delivery-limits.ts';
import { builder } from '../../kernel/builder.ts';
import { type BulkOptions, type BulkOutcome, type BulkResult, runTogether, tryRow } from '../../kernel/bulk.ts';
import { checkDrafts } from '../../kernel/checks.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { type Draft, draftChange, draftCreation, UNRESOLVED, validationFailed } from '../../kernel/drafts.ts';
import { type Columns, report, type StoredRow } from '../../kernel/field.ts';
import { reserveObject } from '../../kernel/object-quota.sql.ts';
import {
  archiveObject,
  BULK_MAX,
  BulkModeRef,
  bulkResultRefOf,
  modeDescription,
} from '../../kernel/resource-mutations.ts';
import { FieldProblemRef } from '../../kernel/field-problem.ts';
import { PayloadRef, type Refusable } from '../../kernel/interfaces.ts';
import { objectRefOf } from '../../kernel/resource-types.ts';
import { withUserErrors } from '../../kernel/user-errors.ts';
import { lockRows } from '../../kernel/resource.sql.ts';
import { type InTransaction, storeDraft, type Written } from '../../kernel/write.ts';
import { CREATIVE } from '../creative/creative.ts';
import { FOLLOWING_FIELDS } from '../creative/following-fields.ts';
import { findAdvertisersOf, findAssociations } from './associations.sql.ts';
import { LIBRARY_CREATIVE } from './library-creative.ts';

/** The columns that an association has from its library creative. */
const FOLLOWING_COLUMNS: readonly string[] = ['name', ...FOLLOWING_FIELDS.flatMap(({ columns }) => columns)];

interface Pair {
  readonly libraryCreativeId: string | number;
  readonly lineItemId: string | number;
}

interface Associated extends Refusable {
  readonly results: readonly BulkResult[];
  readonly validatedOnly: boolean;
}

/** Adds `associateCreatives` and `dissociateCreatives`. */
export function defineAssociations(): void {
  const payload = definePayload();
  const validateOnlyDescription = 'Validates everything and returns problems and warnings without a change.';
  builder.mutationField('associateCreatives', (t) =>
    t.field({
      type: payload,
      nullable: true,
      description: `Associates up to ${BULK_MAX} pairs of a library creative and a line item of its advertiser. Each association is a creative of the line item, with an id, counters and reports of its own; one that exists gets the given weight, flight and caps, and one that is archived serves again with those that it had, unless others are given.`,
      args: {
        inputs: t.arg({ type: [AssociationInput], required: true, description: 'The associations.' }),
        mode: t.arg({ type: BulkModeRef, defaultValue: 'ALL_OR_NOTHING', description: modeDescription }),
        validateOnly: t.arg.boolean({ description: validateOnlyDescription }),
      },
      resolve: (_root, args, context, info) =>
        finishing({ context, info, trial: args.validateOnly ?? false }, (trial) =>
          associate(context, args.inputs.map(withPlainIds), { trial, allOrNothing: args.mode !== 'ROW_BY_ROW' }),
        ),
    }),
  );
  builder.mutationField('dissociateCreatives', (t) =>
    t.field({
      type: payload,
      nullable: true,
      description: `Ends up to ${BULK_MAX} associations, all or none: the creatives of the line items are archived and keep their history.`,
      args: {
        inputs: t.arg({ type: [PairInput], required: true, description: 'The associations to end.' }),
        validateOnly: t.arg.boolean({ description: validateOnlyDescription }),
      },
      resolve: (_root, args, context, info) =>
        finishing({ context, info, trial: args.validateOnly ?? false }, (trial) =>
          dissociate(context, args.inputs.map(withPlainIds), trial),
        ),
    }),
  );
}

const PairInput = builder.inputType('CreativePairInput', {
  description: 'A library creative and a line item.',
  fields: (t) => ({
    libraryCreativeId: t.id({ required: true, description: 'The library creative.' }),
    lineItemId: t.id({ required: true, description: 'The line item.' }),
  }),
});

const AssociationInput = builder.inputType('AssociateCreativeInput', {
  description: 'A library creative in one line item, with what holds there alone.',
  fields: (t) => ({
    libraryCreativeId: t.id({ required: true, description: 'The library creative.' }),
    lineItemId: t.id({ required: true, description: 'A line item of the same advertiser.' }),
    weight: t.int({
      description:
        'Share of the draw among the creatives of the line item, 1 to 1000; default 100, or what an archived association had.',
    }),
    startsAt: t.field({ type: 'DateTime', description: 'Start of serving; null = with the line item.' }),
    endsAt: t.field({ type: 'DateTime', description: 'End of serving, exclusive; null = with the line item.' }),
    frequencyCaps: t.field({
      type: [FrequencyCapInput],
      description: 'Limits per user of this creative in this line item.',
    }),
  }),
});

function definePayload() {
  return builder.objectRef<Associated>('CreativeAssociationsPayload').implement({
    description: 'The result of a change of associations.',
    interfaces: [PayloadRef as never],
    fields: (t) => ({
      creatives: t.field({
        type: [objectRefOf('Creative')],
        description:
          'The associations after the change, in the order of the inputs; empty when they were only validated.',
        resolve: ({ results }) => results.flatMap(({ written }) => (written === null ? [] : [written])),
      }),
      results: t.field({
        type: [bulkResultRefOf('Creative')],
        description: 'One result for each input, in their order.',
        resolve: ({ results }) => [...results],
      }),
      warnings: t.field({
        type: [FieldProblemRef],
        description: 'Warnings: allowed, but probably unintended.',
        resolve: ({ results }) => results.flatMap(({ warnings }) => warnings),
      }),
      validatedOnly: t.exposeBoolean('validatedOnly', {
        description: 'Whether only validation was requested, so that nothing was changed.',
      }),
    }),
  });
}

interface Call {
  readonly context: ManagementContext;
  readonly info: GraphQLResolveInfo;
  readonly trial: boolean;
}

function finishing(
  { context, info, trial }: Call,
  change: (trial: boolean) => Promise<BulkOutcome>,
): Promise<Associated> {
  return withUserErrors<Associated>(
    context,
    info,
    async () => ({ results: (await change(trial)).results, validatedOnly: trial }),
    (userErrors) => ({ results: [], validatedOnly: trial, userErrors }),
  );
}

/** Either form of an id names the object. */
function withPlainIds<Given extends Pair>(given: Given): Given {
  const libraryCreativeId = plainIdOf('LibraryCreative', given.libraryCreativeId);
  return { ...given, libraryCreativeId, lineItemId: plainIdOf('LineItem', given.lineItemId) };
}

function associate(context: ManagementContext, inputs: readonly Pair[], options: BulkOptions): Promise<BulkOutcome> {
  requireCount(inputs);
  return runTogether(context, options, async (inner) => {
    const found = await findNamed(inner, inputs);
    const all = inputs.map((input, index) => draftAssociation(inner, found, { input, index }));
    const drafts = all.map(({ draft }) => draft);
    const warnings = await checkDrafts(inner, CREATIVE, drafts);
    const problems = drafts.flatMap((draft) => draft.problems);
    if (options.allOrNothing && problems.length > 0) throw validationFailed(problems);
    const outcomes: (Written | PlacardError)[] = [];
    for (const [index, one] of all.entries()) {
      const outcome = await tryRow(() => storeAssociation(inner, one));
      if (outcome instanceof PlacardError && options.allOrNothing) throw outcome;
      outcomes.push(outcome instanceof PlacardError ? outcome : { row: outcome, warnings: warnings[index] ?? [] });
    }
    return outcomes;
  });
}

/** @throws PlacardError for a pair that cannot be associated; nothing of it is stored then */
async function storeAssociation(inner: InTransaction, { draft, archived }: DraftedAssociation): Promise<StoredRow> {
  if (draft.problems.length > 0) throw validationFailed(draft.problems);
  if (draft.before === null && archived === null) await reserveObject(inner, CREATIVE);
  if (draft.before !== null && Object.keys(draft.columns).length === 0) return draft.before;
  return storeDraft(inner, CREATIVE, archived === null ? draft : { ...draft, before: archived });
}

function dissociate(context: ManagementContext, inputs: readonly Pair[], trial: boolean): Promise<BulkOutcome> {
  requireCount(inputs);
  return runTogether(context, { allOrNothing: true, trial }, async (inner) => {
    const { associations } = await findNamed(inner, inputs);
    const problems: FieldProblem[] = [];
    for (const [index, input] of inputs.entries()) {
      const association = associations.get(pairKey(input));
      if (association === undefined || association['status'] === 'ARCHIVED')
        report(
          problems,
          `inputs.${index}`,
          'not_associated',
          'This library creative is not associated with this line item.',
        );
    }
    if (problems.length > 0) throw validationFailed(problems);
    const ids = new Set(inputs.map((input) => String(associations.get(pairKey(input))?.id)));
    const ended: Written[] = [];
    for (const id of ids) ended.push(await archiveObject(inner, CREATIVE, { id, version: null }, 'inputs'));
    return ended;
  });
}

function requireCount(inputs: readonly Pair[]): void {
  if (inputs.length >= 1 && inputs.length <= BULK_MAX) return;
  throw new PlacardError('invalid_request', `Give 1 to ${BULK_MAX} associations; there are ${inputs.length}.`);
}

interface Named {
  /** Locked, so that none changes while it is copied. */
  readonly library: ReadonlyMap<string, StoredRow>;
  /** The advertiser of each line item. */
  readonly advertisers: ReadonlyMap<bigint, bigint>;
  /** By pair; the living one where there are several. */
  readonly associations: ReadonlyMap<string, StoredRow>;
}

/** What an association has for itself: its fields with their columns. */
const OWN_FIELDS = [
  { name: 'weight', column: 'weight' },
  { name: 'startsAt', column: 'starts_at' },
  { name: 'endsAt', column: 'ends_at' },
  { name: 'frequencyCaps', column: 'frequency_caps' },
] as const;

const pairKey = ({ libraryCreativeId, lineItemId }: Pair): string => `${libraryCreativeId} ${lineItemId}`;

async function findNamed(inner: InTransaction, inputs: readonly Pair[]): Promise<Named> {
  const { workspaceId } = inner.principal;
  const idsOf = (name: keyof Pair): bigint[] =>
    [...new Set(inputs.map((input) => String(input[name])).filter(isDecimalId))].map(BigInt);
  const libraryCreativeIds = idsOf('libraryCreativeId');
  const lineItemIds = idsOf('lineItemId');
  const library = await lockRows(inner.transaction, workspaceId, LIBRARY_CREATIVE.table, libraryCreativeIds);
  const advertisers = await findAdvertisersOf(inner.transaction, workspaceId, lineItemIds);
  const associations = await findAssociations(inner.transaction, workspaceId, { libraryCreativeIds, lineItemIds });
  return {
    library: new Map(library.map((row) => [String(row.id), row])),
    advertisers,
    associations: new Map(
      associations.map((row) => [
        pairKey({ libraryCreativeId: String(row['library_creative_id']), lineItemId: String(row['line_item_id']) }),
        row,
      ]),
    ),
  };
}

/** The draft of an association, and the archived one that it restores. */
interface DraftedAssociation {
  readonly draft: Draft;
  readonly archived: StoredRow | null;
}

function draftAssociation(
  inner: InTransaction,
  found: Named,
  { input, index }: { readonly input: Pair; readonly index: number },
): DraftedAssociation {
  const path = `inputs.${index}`;
  const { libraryCreativeId, lineItemId, ...own } = input;
  const source = found.library.get(String(libraryCreativeId));
  const problems = checkPair(found, { input, source, path });
  const association = found.associations.get(pairKey(input)) ?? null;
  if (association !== null && association['status'] !== 'ARCHIVED')
    return { draft: draftChange(CREATIVE, association, { input: own, path, problems }), archived: null };
  const { workspaceId, actor } = inner.principal;
  const unresolved = { name: UNRESOLVED, content: UNRESOLVED, clickUrl: UNRESOLVED };
  const creation = { input: { ...own, ...unresolved, lineItemId: String(lineItemId) }, path, problems };
  const draft = draftCreation(CREATIVE, creation, { workspaceId, actor, nowMs: inner.nowMs() });
  const following: Columns = { library_creative_id: source?.id ?? null };
  for (const column of FOLLOWING_COLUMNS) following[column] = source?.[column];
  Object.assign(draft.columns, following);
  Object.assign(draft.row, following);
  if (association !== null) retainOwn(draft, { association, given: own });
  return { draft, archived: association };
}

/** What an archived association had, and nobody gives otherwise, holds again. */
function retainOwn(
  { columns, row }: Draft,
  { association, given }: { readonly association: StoredRow; readonly given: Readonly<Record<string, unknown>> },
): void {
  for (const { name, column } of OWN_FIELDS) {
    if (given[name] !== undefined) continue;
    delete columns[column];
    Object.assign(row, { [column]: association[column] });
  }
}

function checkPair(
  { advertisers }: Named,
  { input, source, path }: { readonly input: Pair; readonly source: StoredRow | undefined; readonly path: string },
): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const at = `${path}.libraryCreativeId`;
  const id = String(input.libraryCreativeId).slice(0, 40);
  if (source === undefined) report(problems, at, 'unknown', `There is no libraryCreative with the id ${id}.`);
  else if (source['status'] === 'ARCHIVED')
    report(problems, at, 'archived', `The libraryCreative ${id} is archived; restore it first.`);
  const advertiser = isDecimalId(String(input.lineItemId)) ? advertisers.get(BigInt(input.lineItemId)) : undefined;
  if (source !== undefined && advertiser !== undefined && source['advertiser_id'] !== advertiser)
    report(
      problems,
      `${path}.lineItemId`,
      'other_advertiser',
      'Name a line item of the advertiser of the library creative.',
    );
  return problems;
}
