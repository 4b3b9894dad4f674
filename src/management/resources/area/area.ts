import { LifecycleRef } from '../../fields/enumerations.ts';
import { NO_JUDGEMENT, type Noun, registerNoun } from '../../kernel/resource.ts';
import { enumField, referenceField, textField } from '../../kernel/scalar-fields.ts';

/** A section of a site. */
export const AREA: Noun = registerNoun({
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
      to: { table: 'sites', noun: 'site' },
    }),
    textField({
      name: 'code',
      description: 'What requests call `site.ext.area`; unique in its site.',
      lengthMax: 200,
      pattern: /^[^\s]+$/,
      wants: 'a code without spaces',
      required: true,
    }),
    textField({ name: 'name', description: 'Name.', lengthMax: 200, required: true }),
    enumField({ name: 'status', description: 'Whether it is in use.', type: LifecycleRef, initial: 'ACTIVE' }),
  ],
  filters: [
    {
      name: 'statuses',
      description: 'Only with one of these statuses.',
      kind: 'anyOf',
      column: 'status',
      type: LifecycleRef,
    },
    { name: 'siteIds', description: 'Only of these sites.', kind: 'anyOf', column: 'site_id', type: 'ID' },
    { name: 'codes', description: 'Only with one of these codes.', kind: 'anyOf', column: 'code', type: 'String' },
  ],
  links: [{ name: 'site', description: 'Its site.', to: 'Site', column: 'site_id' }],
  children: [{ name: 'adUnits', description: 'Its ad units, by id.', child: 'AdUnit', column: 'area_id' }],
  searchColumns: ['name', 'code'],
  jsonColumns: [],
  uniqueFields: { areas_workspace_id_site_id_code_key: 'code' },
  judge: () => NO_JUDGEMENT,
});
