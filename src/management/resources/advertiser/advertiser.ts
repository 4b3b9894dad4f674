import { domainForm } from '../../../domain/text/one-form.ts';
import { LifecycleRef } from '../../fields/enumerations.ts';
import { frequencyCapsField } from '../../fields/delivery-limits.ts';
import { LABELS_FILTER, labelsField } from '../../fields/labels.ts';
import { enumField, moneyField, optionalTextField, textField, textListField } from '../../kernel/scalar-fields.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { registerBooked } from '../annotations/booked-resource.ts';
import { anyOf, type Findings, type Resource } from '../../kernel/resource.ts';

const domainRule = {
  lengthMax: 253,
  form: domainForm,
  pattern: /^([a-z0-9-]+\.)+[a-z0-9-]{2,}$/,
  wants: 'a domain such as "acme.example"',
};

/** An advertiser: DSA facts, domains, competitive labels, credit. */
export const ADVERTISER: Resource = registerBooked({
  type: 'Advertiser',
  singular: 'advertiser',
  plural: 'advertisers',
  description: 'Who pays for campaigns, with the facts that the Digital Services Act requires.',
  table: 'advertisers',
  fields: [
    textField({ name: 'name', description: 'Name.', lengthMax: 200, required: true }),
    enumField({
      name: 'status',
      description: 'Whether it is in use; none of its campaigns serves while ARCHIVED.',
      type: LifecycleRef,
      initial: 'ACTIVE',
    }),
    textListField({
      name: 'domains',
      description:
        'Domains that its ads lead to, as `adomain` in bids. Domains in Unicode are stored in their form of ASCII (`xn--…`).',
      ...domainRule,
    }),
    optionalTextField({
      name: 'dsaBehalf',
      description: 'On whose behalf its ads are shown (DSA); at most 100 characters.',
      lengthMax: 100,
    }),
    optionalTextField({
      name: 'dsaPaid',
      description: 'Who pays for them (DSA); at most 100 characters.',
      lengthMax: 100,
    }),
    textListField({
      name: 'exclusionLabels',
      description: 'Two ads that share a label never appear in one response.',
      lengthMax: 100,
    }),
    textListField({
      name: 'categories',
      description: 'IAB content categories, such as "IAB2-3".',
      lengthMax: 20,
      pattern: /^[A-Za-z0-9-]+$/,
      wants: 'a category code',
    }),
    frequencyCapsField(),
    labelsField('all its line items'),
    moneyField({
      name: 'credit',
      column: 'credit_micros',
      description: 'The total budget; null = no limit.',
      initial: null,
    }),
    optionalTextField({ name: 'externalId', description: 'Id in your own system.', lengthMax: 200 }),
  ],
  filters: [
    anyOf('statuses', 'status', LifecycleRef, 'Only with one of these statuses.'),
    LABELS_FILTER,
    anyOf('externalIds', 'external_id', 'String', 'Only with one of these external ids.'),
  ],
  children: [
    { name: 'campaigns', description: 'Its campaigns, by id.', child: 'Campaign', column: 'advertiser_id' },
    {
      name: 'libraryCreatives',
      description: 'Its creatives in the library, by id.',
      child: 'LibraryCreative',
      column: 'advertiser_id',
    },
  ],
  searchColumns: ['name', 'external_id'],
  validate: validateAdvertiser,
});

/** Incomplete DSA facts do not count: such ads do not serve where DSA facts are required. */
function validateAdvertiser(row: StoredRow): Findings {
  const behalf = row['dsa_behalf'];
  const paid = row['dsa_paid'];
  if ((behalf === null) === (paid === null)) return { problems: [], warnings: [] };
  const path = behalf === null ? 'dsaBehalf' : 'dsaPaid';
  const message = 'Give both facts, or its ads will not serve where the DSA requires them.';
  return { problems: [], warnings: [{ path, code: 'dsa_incomplete', message }] };
}
