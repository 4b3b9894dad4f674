import { domainForm } from '../../../domain/text/one-form.ts';
import { LifecycleRef } from '../../fields/enumerations.ts';
import { registerBooked } from '../annotations/booked-resource.ts';
import { anyOf, type Resource } from '../../kernel/resource.ts';
import { enumField, textField } from '../../kernel/scalar-fields.ts';

const codeRule = { lengthMax: 200, pattern: /^[^\s]+$/, wants: 'a code without spaces' };

/** A site of the publisher. */
export const SITE: Resource = registerBooked({
  type: 'Site',
  singular: 'site',
  plural: 'sites',
  description: 'A site of the publisher.',
  table: 'sites',
  fields: [
    textField({
      name: 'code',
      description: 'Its value of `site.id` in requests; unique in the network.',
      ...codeRule,
      required: true,
    }),
    textField({ name: 'name', description: 'Name.', lengthMax: 200, required: true }),
    textField({
      name: 'domain',
      description: 'Domain, such as "news.example". A domain in Unicode is stored in its form of ASCII (`xn--…`).',
      lengthMax: 253,
      form: domainForm,
      pattern: /^([a-z0-9-]+\.)*[a-z0-9-]+$/,
      wants: 'a domain such as "news.example"',
      required: true,
    }),
    enumField({ name: 'status', description: 'Whether it is in use.', type: LifecycleRef, initial: 'ACTIVE' }),
  ],
  filters: [
    anyOf('statuses', 'status', LifecycleRef, 'Only with one of these statuses.'),
    anyOf('codes', 'code', 'String', 'Only with one of these codes.'),
    anyOf('domains', 'domain', 'String', 'Only of these domains.'),
  ],
  children: [
    { name: 'areas', description: 'Its areas, by id.', child: 'Area', column: 'site_id' },
    { name: 'adUnits', description: 'Its ad units, by id.', child: 'AdUnit', column: 'site_id' },
  ],
  searchColumns: ['name', 'code', 'domain'],
  uniqueFields: { sites_workspace_id_code_key: 'code' },
});
