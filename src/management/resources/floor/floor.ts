import type { FieldProblem } from '../../../domain/errors.ts';
import { LifecycleRef, MediaTypeRef } from '../../fields/enumerations.ts';
import { sizesField } from '../../fields/sizes.ts';
import { oneByOne } from '../../kernel/checks.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { registerBooked } from '../annotations/booked-resource.ts';
import { anyOf, type Findings, type Resource, overlaps, type RuleFacts } from '../../kernel/resource.ts';
import { findRows } from '../../kernel/resource.sql.ts';
import {
  enumField,
  enumListField,
  integerField,
  moneyField,
  referenceField,
  textField,
  textListField,
} from '../../kernel/scalar-fields.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';

/** The lowest price of a part of the inventory. */
export const FLOOR: Resource = registerBooked({
  type: 'Floor',
  singular: 'floor',
  plural: 'floors',
  description:
    'A lowest price for a part of the inventory. Absent conditions match everything, and all given ones must match. The matching floor with the highest priority applies (among equals the highest price), and never less than the floors of the network and the ad unit.',
  table: 'floors',
  fields: [
    textField({ name: 'name', description: 'Name.', lengthMax: 200, required: true }),
    enumField({ name: 'status', description: 'Whether it is in use.', type: LifecycleRef, initial: 'ACTIVE' }),
    integerField({
      name: 'priority',
      description: 'The higher goes first.',
      min: -1_000,
      max: 1_000,
      initial: 0,
    }),
    moneyField({ name: 'floor', column: 'floor_micros', description: 'Lowest CPM.', initial: 0n, required: true }),
    referenceField({
      name: 'siteId',
      description: 'Only on this site.',
      link: 'Its site.',
      to: { table: 'sites', label: 'site' },
    }),
    referenceField({
      name: 'areaId',
      description: 'Only in this area.',
      link: 'Its area.',
      to: { table: 'areas', label: 'area' },
    }),
    referenceField({
      name: 'adUnitId',
      description: 'Only in this ad unit.',
      link: 'Its ad unit.',
      to: { table: 'ad_units', label: 'ad unit' },
    }),
    referenceField({
      name: 'dealId',
      description:
        'Only for line items of this deal. Without one, it does not apply to what is bid under a deal that the request offers: deals have floors of their own.',
      link: 'Its deal.',
      to: { table: 'deals', label: 'deal' },
    }),
    sizesField('Only for ads of these sizes', 'any'),
    enumListField({
      name: 'mediaTypes',
      description: 'Only for these kinds of ads; empty = any.',
      type: MediaTypeRef,
      initial: [],
      mayBeEmpty: true,
    }),
    textListField({
      name: 'countries',
      description:
        'Only for users in these countries, ISO 3166 alpha-2; empty = any. An unknown country matches no listed one.',
      lengthMax: 2,
      pattern: /^[A-Z]{2}$/,
      wants: 'a two-letter country code in capitals, such as "PL"',
      itemsMax: 250,
    }),
  ],
  filters: [
    anyOf('statuses', 'status', LifecycleRef, 'Only with one of these statuses.'),
    anyOf('siteIds', 'site_id', 'ID', 'Only for these sites.'),
    anyOf('adUnitIds', 'ad_unit_id', 'ID', 'Only for these ad units.'),
    anyOf('dealIds', 'deal_id', 'ID', 'Only for these deals.'),
    overlaps('countries', 'countries', 'String', 'Only for one of these countries.'),
  ],
  searchColumns: ['name'],
  validate: validateFloor,
  loadFacts: oneByOne(loadFloorFacts),
});

async function loadFloorFacts(context: ManagementContext, row: StoredRow): Promise<Record<string, unknown>> {
  const siteOf = async (table: string, column: string): Promise<unknown> => {
    const id = row[column];
    if (typeof id !== 'bigint') return null;
    const [found] = await findRows(queryableOf(context), context.principal.workspaceId, table, [id]);
    return found?.['site_id'] ?? null;
  };
  return { areaSiteId: await siteOf('areas', 'area_id'), adUnitSiteId: await siteOf('ad_units', 'ad_unit_id') };
}

/** An area or ad unit must belong to the floor's site: another one would never match. */
export function validateFloor(row: StoredRow, facts: RuleFacts): Findings {
  const { areaSiteId = null, adUnitSiteId = null } = facts.loaded;
  const siteId = row['site_id'] ?? areaSiteId;
  const problems: FieldProblem[] = [];
  if (areaSiteId !== null && areaSiteId !== siteId)
    problems.push({ path: 'areaId', code: 'other_site', message: 'The area belongs to another site.' });
  if (adUnitSiteId !== null && siteId !== null && adUnitSiteId !== siteId)
    problems.push({ path: 'adUnitId', code: 'other_site', message: 'The ad unit belongs to another site.' });
  return { problems, warnings: [] };
}
