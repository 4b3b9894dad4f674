import type { GraphQLResolveInfo } from 'graphql';
import { PlacardError } from '../../domain/errors.ts';
import { builder } from './builder.ts';
import type { ManagementContext } from './context.ts';
import { type BulkOutcome, runBulk } from './bulk.ts';
import type { StoredRow } from './field.ts';
import { labelOf, type Resource } from './resource.ts';
import { FieldProblemRef } from './field-problem.ts';
import { BulkPayloadRef, BulkResultRef, PayloadRef, type Refusable } from './interfaces.ts';
import { objectRefOf } from './resource-types.ts';
import { withUserErrors } from './user-errors.ts';
import { EXTERNAL_ID } from './external-ids.ts';
import { defineSettingInput } from './setting-input.ts';
import { type UpsertInput, upsertAll } from './upsert.ts';
import type { WriteInput } from './drafts.ts';
import { createByCaller, createObject, updateByCaller, updateObject, type Written } from './write.ts';

/** The most objects in one bulk call. */
export const BULK_MAX = 500;

interface Payload extends Omit<Written, 'row'>, Refusable {
  /** null: a mistake in the input, so that nothing was changed. */
  readonly row: StoredRow | null;
  readonly validatedOnly: boolean;
}

export const BulkModeRef = builder.enumType('BulkMode', {
  description: 'What happens to the other rows when one fails.',
  values: {
    ALL_OR_NOTHING: { description: 'One failure undoes all.' },
    ROW_BY_ROW: { description: 'Each row succeeds or fails by itself.' },
  } as const,
});

const validateOnlyDescription =
  'Validates everything and returns problems and warnings without a change; the object of the response is null.';
export const modeDescription = 'The effect of a failure on the other rows; default ALL_OR_NOTHING.';
const versionDescription = 'The version that was read; a newer version fails as `conflict`. Absent: no check.';

/** Adds the mutations that create, update and archive a resource, and their bulk forms. */
export function defineMutations(resource: Resource): void {
  const inputs = defineInputs(resource);
  const payload = definePayload(resource);
  builder.mutationField(`create${resource.type}`, (t) =>
    t.field({
      type: payload,
      nullable: true,
      description: `Creates one ${labelOf(resource.singular)}.`,
      args: {
        input: t.arg({ type: inputs.create, required: true, description: 'Its fields.' }),
        validateOnly: t.arg.boolean({ description: validateOnlyDescription }),
      },
      resolve: (_root, args, context, info) =>
        finishing({ context, info, trial: args.validateOnly ?? false }, (trial) =>
          createByCaller(context, resource, args.input as WriteInput, trial),
        ),
    }),
  );
  builder.mutationField(`update${resource.type}`, (t) =>
    t.field({
      type: payload,
      nullable: true,
      description: `Changes the given fields of one ${labelOf(resource.singular)}. Absent fields stay as they are; null clears a field that may be empty.`,
      args: {
        id: t.arg.id({ required: true, description: 'Its decimal id.' }),
        version: t.arg.int({ description: versionDescription }),
        input: t.arg({ type: inputs.update, required: true, description: 'The fields to change.' }),
        validateOnly: t.arg.boolean({ description: validateOnlyDescription }),
      },
      resolve: (_root, args, context, info) =>
        finishing({ context, info, trial: args.validateOnly ?? false }, (trial) =>
          updateByCaller(
            context,
            resource,
            { id: String(args.id), version: args.version ?? null },
            { input: args.input as WriteInput, trial },
          ),
        ),
    }),
  );
  builder.mutationField(`archive${resource.type}`, (t) =>
    t.field({
      type: payload,
      nullable: true,
      description: `Archives one ${labelOf(resource.singular)}: it stops serving and keeps its history. An update of its status restores it.`,
      args: {
        id: t.arg.id({ required: true, description: 'Its decimal id.' }),
        version: t.arg.int({ description: versionDescription }),
      },
      resolve: (_root, args, context, info) =>
        finishing({ context, info, trial: false }, () =>
          archiveObject(context, resource, { id: String(args.id), version: args.version ?? null }),
        ),
    }),
  );
  defineBulk(resource, inputs);
}

/** Archives one object. Archiving again changes nothing. */
export function archiveObject(
  context: ManagementContext,
  resource: Resource,
  target: { readonly id: string; readonly version: number | null },
  path = 'input',
): Promise<Written> {
  return updateObject(context, resource, target, {
    input: { status: 'ARCHIVED' },
    trial: false,
    path,
    action: 'archive',
  });
}

interface Call {
  readonly context: ManagementContext;
  readonly info: GraphQLResolveInfo;
  readonly trial: boolean;
}

function finishing({ context, info, trial }: Call, write: (trial: boolean) => Promise<Written>): Promise<Payload> {
  return withUserErrors<Payload>(
    context,
    info,
    async () => {
      const written = await write(trial);
      context.loaders.clear();
      return { ...written, validatedOnly: trial };
    },
    (userErrors) => ({ row: null, warnings: [], validatedOnly: trial, userErrors }),
  );
}

/** A bulk change that cannot begin, such as one without rows, has no results. */
function bulk(call: Omit<Call, 'trial'>, run: () => Promise<BulkOutcome>): Promise<BulkOutcome & Refusable> {
  return withUserErrors<BulkOutcome & Refusable>(
    call.context,
    call.info,
    async () => run(),
    (userErrors) => ({
      results: [],
      changedCount: 0,
      failedCount: 0,
      userErrors,
    }),
  );
}

function definePayload(resource: Resource) {
  return builder.objectRef<Payload>(`${resource.type}Payload`).implement({
    description: `The result of a change of one ${labelOf(resource.singular)}.`,
    interfaces: [PayloadRef as never],
    fields: (t) => ({
      [resource.singular]: t.field({
        type: objectRefOf(resource.type),
        nullable: true,
        description: 'The object after the change; null when it was only validated.',
        resolve: (payload: Payload): StoredRow | null => (payload.validatedOnly ? null : payload.row),
      }),
      warnings: t.field({
        type: [FieldProblemRef],
        description: 'Warnings: allowed, but probably unintended.',
        resolve: (payload: Payload) => [...payload.warnings],
      }),
      validatedOnly: t.exposeBoolean('validatedOnly', {
        description: 'Whether only validation was requested, so that nothing was changed.',
      }),
    }),
  });
}

function defineInputs(resource: Resource) {
  const create = builder.inputType(`Create${resource.type}Input`, {
    description: `The fields of a new ${labelOf(resource.singular)}.`,
    fields: (t) =>
      Object.fromEntries(
        resource.fields
          .filter((field) => field.input !== null)
          .map((field) => [
            field.name,
            t.field({
              type: field.input as never,
              description: field.description,
              required: field.requiredOnCreate as false,
            }),
          ]),
      ),
  });
  const update = builder.inputType(`Update${resource.type}Input`, {
    description: `The fields to change of one ${labelOf(resource.singular)}. Absent: unchanged. null: cleared, where a field may be empty.`,
    fields: (t) =>
      Object.fromEntries(
        resource.fields
          .filter((field) => field.input !== null && field.updatable)
          .map((field) => [field.name, t.field({ type: field.input as never, description: field.description })]),
      ),
  });
  const entry = builder.inputType(`Update${resource.type}Entry`, {
    description: `One row of a bulk update of ${labelOf(resource.plural)}.`,
    fields: (t) => ({
      id: t.id({ required: true, description: 'Its decimal id.' }),
      version: t.int({ description: versionDescription }),
      input: t.field({ type: update, required: true, description: 'The fields to change.' }),
    }),
  });
  return { create, update, entry, upsert: hasExternalIds(resource) ? defineUpsertInput(resource) : null };
}

function hasExternalIds(resource: Resource): boolean {
  return resource.fields.some(({ name }) => name === EXTERNAL_ID);
}

function defineUpsertInput(resource: Resource) {
  return defineSettingInput(resource, {
    name: `Upsert${resource.type}Input`,
    description: `One ${labelOf(resource.singular)} by its external id: the fields of a new one, or the fields to change.`,
    without: [EXTERNAL_ID],
    more: {
      [EXTERNAL_ID]: { type: 'String', required: true, description: 'Id in your own system; finds the object.' },
      version: { type: 'Int', description: versionDescription },
    },
  });
}

function defineBulk(resource: Resource, inputs: ReturnType<typeof defineInputs>): void {
  const payload = defineBulkPayload(resource);
  const plural = `${resource.plural[0]?.toUpperCase() ?? ''}${resource.plural.slice(1)}`;
  defineBulkCreate(resource, inputs, { payload, name: `create${plural}` });
  defineBulkUpdate(resource, inputs, { payload, name: `update${plural}` });
  defineBulkArchive(resource, { payload, name: `archive${plural}` });
  if (inputs.upsert !== null) defineBulkUpsert(resource, inputs.upsert, { payload, name: `upsert${plural}` });
}

interface BulkField {
  readonly payload: ReturnType<typeof defineBulkPayload>;
  readonly name: string;
}

function defineBulkCreate(resource: Resource, inputs: ReturnType<typeof defineInputs>, field: BulkField): void {
  builder.mutationField(field.name, (t) =>
    t.field({
      type: field.payload,
      nullable: true,
      description: `Creates up to ${BULK_MAX} ${labelOf(resource.plural)} in one call.`,
      args: {
        inputs: t.arg({ type: [inputs.create], required: true, description: `1…${BULK_MAX} new objects.` }),
        mode: t.arg({ type: BulkModeRef, defaultValue: 'ALL_OR_NOTHING', description: modeDescription }),
        validateOnly: t.arg.boolean({ description: validateOnlyDescription }),
      },
      resolve: (_root, args, context, info) =>
        bulk({ context, info }, () =>
          runBulk(
            context,
            bulkOptions(args),
            checkedRows(args.inputs as WriteInput[], 'inputs'),
            (inner, input, index) => createObject(inner, resource, input, { trial: false, path: `inputs.${index}` }),
          ),
        ),
    }),
  );
}

function defineBulkUpdate(resource: Resource, inputs: ReturnType<typeof defineInputs>, field: BulkField): void {
  builder.mutationField(field.name, (t) =>
    t.field({
      type: field.payload,
      nullable: true,
      description: `Changes up to ${BULK_MAX} ${labelOf(resource.plural)} in one call, each with its own fields (also to pause many at once).`,
      args: {
        updates: t.arg({ type: [inputs.entry], required: true, description: `1…${BULK_MAX} changes.` }),
        mode: t.arg({ type: BulkModeRef, defaultValue: 'ALL_OR_NOTHING', description: modeDescription }),
        validateOnly: t.arg.boolean({ description: validateOnlyDescription }),
      },
      resolve: (_root, args, context, info) =>
        bulk({ context, info }, () =>
          runBulk(context, bulkOptions(args), checkedRows(args.updates, 'updates'), (inner, entry, index) => {
            const target = { id: String(entry.id), version: entry.version ?? null };
            const path = `updates.${index}.input`;
            return updateObject(inner, resource, target, { input: entry.input as WriteInput, trial: false, path });
          }),
        ),
    }),
  );
}

function defineBulkArchive(resource: Resource, field: BulkField): void {
  builder.mutationField(field.name, (t) =>
    t.field({
      type: field.payload,
      nullable: true,
      description: `Archives up to ${BULK_MAX} ${labelOf(resource.plural)} in one call.`,
      args: {
        ids: t.arg.idList({ required: true, description: `1…${BULK_MAX} decimal ids.` }),
        mode: t.arg({ type: BulkModeRef, defaultValue: 'ALL_OR_NOTHING', description: modeDescription }),
      },
      resolve: (_root, args, context, info) =>
        bulk({ context, info }, () =>
          runBulk(context, bulkOptions(args), checkedRows(args.ids, 'ids'), (inner, id, index) =>
            archiveObject(inner, resource, { id: String(id), version: null }, `ids.${index}`),
          ),
        ),
    }),
  );
}

function defineBulkUpsert(resource: Resource, input: ReturnType<typeof defineUpsertInput>, field: BulkField): void {
  builder.mutationField(field.name, (t) =>
    t.field({
      type: field.payload,
      nullable: true,
      description: `Creates or changes up to ${BULK_MAX} ${labelOf(resource.plural)} in one call by their external ids: a row whose externalId is new creates, any other changes the given fields. Of several objects with one externalId, those that are not archived come first.`,
      args: {
        inputs: t.arg({ type: [input], required: true, description: `1…${BULK_MAX} objects, each externalId once.` }),
        mode: t.arg({ type: BulkModeRef, defaultValue: 'ALL_OR_NOTHING', description: modeDescription }),
        validateOnly: t.arg.boolean({ description: validateOnlyDescription }),
      },
      resolve: (_root, args, context, info) =>
        bulk({ context, info }, () =>
          upsertAll(context, resource, {
            ...bulkOptions(args),
            rows: checkedRows(args.inputs as unknown as UpsertInput[], 'inputs'),
          }),
        ),
    }),
  );
}

function bulkOptions(args: {
  mode?: 'ALL_OR_NOTHING' | 'ROW_BY_ROW' | null | undefined;
  validateOnly?: boolean | null | undefined;
}) {
  return { allOrNothing: args.mode !== 'ROW_BY_ROW', trial: args.validateOnly ?? false };
}

function checkedRows<Row>(rows: readonly Row[], name: string): readonly Row[] {
  if (rows.length >= 1 && rows.length <= BULK_MAX) return rows;
  throw new PlacardError('invalid_request', `${name} takes 1 to ${BULK_MAX} rows; ${rows.length} were given.`);
}

type BulkResultRef = ReturnType<typeof builder.objectRef<BulkOutcome['results'][number]>>;
const bulkResultRefs = new Map<string, BulkResultRef>();

/** The reference to the result of one row of a bulk change of objects of a type. */
export function bulkResultRefOf(type: string): BulkResultRef {
  const known = bulkResultRefs.get(type);
  if (known !== undefined) return known;
  const made = builder.objectRef<BulkOutcome['results'][number]>(`${type}BulkResult`);
  bulkResultRefs.set(type, made);
  return made;
}

function defineBulkPayload(resource: Resource) {
  const result = bulkResultRefOf(resource.type);
  result.implement({
    description: `The result of one row of a bulk change of ${labelOf(resource.plural)}.`,
    interfaces: [BulkResultRef as never],
    fields: (t) => ({
      [resource.singular]: t.field({
        type: objectRefOf(resource.type),
        nullable: true,
        description: 'The object after the change; null when this row was not changed.',
        resolve: (row: BulkOutcome['results'][number]) => row.written,
      }),
    }),
  });
  return builder.objectRef<BulkOutcome>(`${resource.type}BulkPayload`).implement({
    description: `The result of a bulk change of ${labelOf(resource.plural)}.`,
    interfaces: [PayloadRef, BulkPayloadRef] as never,
    fields: (t) => ({
      results: t.field({
        type: [result],
        description: 'One result for each row, in the order of the input.',
        resolve: (outcome) => [...outcome.results],
      }),
    }),
  });
}
