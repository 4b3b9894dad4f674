import { LifecycleRef } from '../../fields/enumerations.ts';
import { targetingField } from '../../fields/targeting-field.ts';
import { anyOf, type Resource, registerResource } from '../../kernel/resource.ts';
import { enumField, textField } from '../../kernel/scalar-fields.ts';
import { findUnknownTargets } from '../line-item/line-item-facts.sql.ts';
import { unknownTargetProblems } from '../line-item/targeting.rules.ts';

/** A targeting under a name. */
export const TARGETING_PRESET: Resource = registerResource({
  type: 'TargetingPreset',
  singular: 'targetingPreset',
  plural: 'targetingPresets',
  description: 'A targeting under a name, to copy into line items. A later change of it changes no line item.',
  table: 'targeting_presets',
  fields: [
    textField({ name: 'name', description: 'Name.', lengthMax: 200, required: true }),
    textField({ name: 'description', description: 'The purpose of the preset.', lengthMax: 2_000, initial: '' }),
    { ...targetingField(), description: 'The targeting.', requiredOnCreate: true, clearable: false },
    enumField({ name: 'status', description: 'Whether it is in use.', type: LifecycleRef, initial: 'ACTIVE' }),
  ],
  filters: [anyOf('statuses', 'status', LifecycleRef, 'Only with one of these statuses.')],
  searchColumns: ['name'],
  validate: (row, { loaded }) => ({
    problems: unknownTargetProblems(loaded['unknownTargets'] as readonly string[]),
    warnings: [],
  }),
  loadFacts: async (context, rows) =>
    (await findUnknownTargets(context, rows)).map((unknownTargets) => ({ unknownTargets })),
});
