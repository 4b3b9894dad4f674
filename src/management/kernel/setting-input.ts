import { builder } from './builder.ts';
import type { Field } from './field.ts';
import { externalReferences } from './external-ids.ts';
import type { Resource } from './resource.ts';

/** An input field beside those of a resource. */
export interface FurtherField {
  readonly type: unknown;
  readonly required?: boolean;
  readonly description: string;
}

/** The parts of an input type that creates or changes one object. */
export interface SettingInput {
  readonly name: string;
  readonly description: string;
  /** Fields of the resource that the input does not have. */
  readonly without: readonly string[];
  /** The fields before those of the resource. */
  readonly more: Readonly<Record<string, FurtherField>>;
}

/** Adds an input type with all fields of a resource, none of them required, and with its references by external id. */
export function defineSettingInput(resource: Resource, input: SettingInput) {
  const settable = resource.fields.filter((field) => field.input !== null && !input.without.includes(field.name));
  const references = externalReferences(resource).filter(({ field }) => !input.without.includes(field.name));
  return builder.inputType(input.name, {
    description: input.description,
    fields: (t) =>
      Object.fromEntries([
        ...Object.entries(input.more).map(([name, { type, required, description }]) => [
          name,
          t.field({ type: type as never, description, required: (required ?? false) as false }),
        ]),
        ...settable.map((field) => [
          field.name,
          t.field({ type: field.input as never, description: describeSettable(field) }),
        ]),
        ...references.map(({ name, field }) => [
          name,
          t.string({ description: `External id of the object that ${field.name} names; instead of ${field.name}.` }),
        ]),
      ]) as Record<string, ReturnType<typeof t.string>>,
  });
}

function describeSettable(field: Field): string {
  return field.requiredOnCreate ? `${field.description} Required for a new object.` : field.description;
}
