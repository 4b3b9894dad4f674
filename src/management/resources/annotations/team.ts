import { LifecycleRef } from '../../fields/enumerations.ts';
import { anyOf, type Resource, registerResource } from '../../kernel/resource.ts';
import { enumField, textField, textListField } from '../../kernel/scalar-fields.ts';

/** People who look after objects together. */
export const TEAM: Resource = registerResource({
  type: 'Team',
  singular: 'team',
  plural: 'teams',
  description: 'People who look after objects together. It gives no permissions.',
  table: 'teams',
  fields: [
    textField({ name: 'name', description: 'Name.', lengthMax: 200, required: true }),
    textField({ name: 'description', description: 'What it looks after.', lengthMax: 2_000, initial: '' }),
    textListField({
      name: 'members',
      description: 'E-mail addresses of its people.',
      lengthMax: 254,
      pattern: /^[^\s@]+@[^\s@]+$/,
      wants: 'an e-mail address',
    }),
    enumField({ name: 'status', description: 'Whether it is in use.', type: LifecycleRef, initial: 'ACTIVE' }),
  ],
  filters: [anyOf('statuses', 'status', LifecycleRef, 'Only with one of these statuses.')],
  searchColumns: ['name'],
});
