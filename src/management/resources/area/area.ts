import { LifecycleRef } from '../../fields/enumerations.ts';
import { registerBooked } from '../annotations/booked-resource.ts';
import { anyOf, type Resource } from '../../kernel/resource.ts';
import { enumField, referenceField, textField } from '../../kernel/scalar-fields.ts';

/** A named part of a site. */
export const AREA: Resource = registerBooked({
  type: 'Area',
  singular: 'area',
  plural: 'areas',
  description: 'A section of a site.',
  table: 'areas',
  fields: [
    referenceField({
      name: 'siteId',
      description: 'Its site; cannot change.',
      required: true,
      createOnly: true,
      link: 'Its site.',
      to: { table: 'sites', label: 'site' },
    }),
    textField({
      name: 'code',
      description: 'Its value of `site.ext.area` in requests; unique in its site.',
      lengthMax: 200,
      pattern: /^[^\s]+$/,
      wants: 'a code without spaces',
      required: true,
    }),
    textField({ name: 'name', description: 'Name.', lengthMax: 200, required: true }),
    enumField({ name: 'status', description: 'Whether it is in use.', type: LifecycleRef, initial: 'ACTIVE' }),
  ],
  filters: [
    anyOf('statuses', 'status', LifecycleRef, 'Only with one of these statuses.'),
    anyOf('siteIds', 'site_id', 'ID', 'Only of these sites.'),
    anyOf('codes', 'code', 'String', 'Only with one of these codes.'),
  ],
  children: [{ name: 'adUnits', description: 'Its ad units, by id.', child: 'AdUnit', column: 'area_id' }],
  searchColumns: ['name', 'code'],
  uniqueFields: { areas_workspace_id_site_id_code_key: 'code' },
});
