import type { Resource } from '../kernel/resource.ts';
import { ADVERTISER } from '../resources/advertiser/advertiser.ts';
import { CAMPAIGN } from '../resources/campaign/campaign.ts';
import { CREATIVE } from '../resources/creative/creative.ts';
import { LINE_ITEM } from '../resources/line-item/line-item.ts';
import type { BulkResourceName } from './bulk-job.schema.ts';

const RESOURCES: Readonly<Record<BulkResourceName, Resource>> = {
  advertisers: ADVERTISER,
  campaigns: CAMPAIGN,
  lineItems: LINE_ITEM,
  creatives: CREATIVE,
};

/** The resource that a job upserts. Throws for an unknown name: a row of a newer program. */
export function bulkResource(name: string): Resource {
  const resource = Object.hasOwn(RESOURCES, name) ? RESOURCES[name as BulkResourceName] : undefined;
  if (resource === undefined) throw new Error(`No bulk job upserts ${name}.`);
  return resource;
}

/** The operation of the permission table that a job does. */
export function bulkOperation(name: string): string {
  return `mutation.upsert${(name[0] ?? '').toUpperCase()}${name.slice(1)}`;
}
