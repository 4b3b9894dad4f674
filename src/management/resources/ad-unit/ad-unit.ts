import { LifecycleRef, MediaTypeRef } from '../../fields/enumerations.ts';
import { sizesField } from '../../fields/sizes.ts';
import { oneByOne } from '../../kernel/checks.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { registerBooked } from '../annotations/booked-resource.ts';
import { anyOf, type Findings, type Resource, overlaps, type RuleFacts } from '../../kernel/resource.ts';
import { findRows } from '../../kernel/resource.sql.ts';
import { enumField, enumListField, moneyField, referenceField, textField } from '../../kernel/scalar-fields.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';

/** A bookable position of a site. */
export const AD_UNIT: Resource = registerBooked({
  type: 'AdUnit',
  singular: 'adUnit',
  plural: 'adUnits',
  description: 'A placement on a site.',
  table: 'ad_units',
  fields: [
    referenceField({
      name: 'siteId',
      description: 'Its site; cannot change.',
      required: true,
      createOnly: true,
      link: 'Its site.',
      to: { table: 'sites', label: 'site' },
    }),
    referenceField({
      name: 'areaId',
      description: 'Its area; null = the site as a whole.',
      link: 'Its area.',
      to: { table: 'areas', label: 'area' },
    }),
    textField({
      name: 'name',
      description: 'Its code in requests; unique in the network.',
      lengthMax: 200,
      required: true,
    }),
    sizesField(),
    enumListField({ name: 'mediaTypes', description: 'What it can show.', type: MediaTypeRef, initial: ['banner'] }),
    enumField({ name: 'status', description: 'Whether it is in use.', type: LifecycleRef, initial: 'ACTIVE' }),
    moneyField({ name: 'floor', column: 'floor_micros', description: 'Lowest CPM; 0 = none.', initial: 0n }),
  ],
  filters: [
    anyOf('statuses', 'status', LifecycleRef, 'Only with one of these statuses.'),
    anyOf('siteIds', 'site_id', 'ID', 'Only of these sites.'),
    anyOf('areaIds', 'area_id', 'ID', 'Only of these areas.'),
    anyOf('names', 'name', 'String', 'Only with one of these names.'),
    overlaps('mediaTypes', 'media_types', MediaTypeRef, 'Only those that can show one of these.'),
  ],
  searchColumns: ['name'],
  uniqueFields: { ad_units_workspace_id_name_key: 'name' },
  validate: validateAdUnit,
  loadFacts: oneByOne(loadAdUnitFacts),
});

async function loadAdUnitFacts(context: ManagementContext, row: StoredRow): Promise<Record<string, unknown>> {
  const areaId = row['area_id'];
  if (typeof areaId !== 'bigint') return { areaSiteId: null };
  const [area] = await findRows(queryableOf(context), context.principal.workspaceId, 'areas', [areaId]);
  return { areaSiteId: area?.['site_id'] ?? null };
}

/** An area must be of the same site. */
export function validateAdUnit(row: StoredRow, facts: RuleFacts): Findings {
  const areaSiteId = facts.loaded['areaSiteId'] ?? null;
  if (areaSiteId === null || areaSiteId === row['site_id']) return { problems: [], warnings: [] };
  return {
    problems: [
      { path: 'areaId', code: 'other_site', message: 'The area belongs to another site; give one of the same site.' },
    ],
    warnings: [],
  };
}
