import { REPORT_KEYS_MAX } from '../../../domain/targeting/key-value.ts';
import { LifecycleRef } from '../../fields/enumerations.ts';
import { oneByOne } from '../../kernel/checks.ts';
import { registerBooked } from '../annotations/booked-resource.ts';
import { anyOf, type Resource } from '../../kernel/resource.ts';
import { booleanField, enumField, textField, textListField } from '../../kernel/scalar-fields.ts';
import { validateKeyValue, loadKeyValueFacts } from './report-keys.sql.ts';

/** A key of requests that line items can target. */
export const KEY_VALUE: Resource = registerBooked({
  type: 'KeyValue',
  singular: 'keyValue',
  plural: 'keyValues',
  description: 'A key that requests carry with values, described for targeting. Requests may carry other keys too.',
  table: 'key_values',
  fields: [
    textField({
      name: 'key',
      description: 'The key as requests write it; unique in the network; cannot change.',
      lengthMax: 100,
      pattern: /^[\w.:-]+$/,
      wants: 'letters, digits and . _ : -',
      required: true,
      createOnly: true,
    }),
    textField({ name: 'name', description: 'Name for people.', lengthMax: 200, required: true }),
    textField({ name: 'description', description: 'What it means.', lengthMax: 2_000, initial: '' }),
    textListField({
      name: 'values',
      description: 'Known values, to choose from; requests may carry others.',
      lengthMax: 500,
      itemsMax: 5_000,
    }),
    booleanField({
      name: 'reportable',
      description: `Whether reports list its values separately, in a dimension \`kv_<key>\`; this holds for events after it is set. At most ${REPORT_KEYS_MAX} keys of a network; archived ones count, because reports still cover their past.`,
      initial: false,
    }),
    enumField({ name: 'status', description: 'Whether it is in use.', type: LifecycleRef, initial: 'ACTIVE' }),
  ],
  filters: [
    anyOf('statuses', 'status', LifecycleRef, 'Only with one of these statuses.'),
    anyOf('keys', 'key', 'String', 'Only these keys.'),
  ],
  searchColumns: ['name', 'key'],
  uniqueFields: { key_values_workspace_id_key_key: 'key' },
  validate: validateKeyValue,
  loadFacts: oneByOne(loadKeyValueFacts),
});
