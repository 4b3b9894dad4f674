import type { GraphQLSchema } from 'graphql';
import { ACTIVITY } from '../resources/activity/activity.ts';
import { AD_UNIT } from '../resources/ad-unit/ad-unit.ts';
import { ADVERTISER } from '../resources/advertiser/advertiser.ts';
import { ADVERTISING_PRODUCT } from '../resources/advertising-product/advertising-product.ts';
import { AREA } from '../resources/area/area.ts';
import { CAMPAIGN } from '../resources/campaign/campaign.ts';
import { defineCopyCampaign } from '../resources/campaign-copy/copy-campaign.ts';
import { defineSaveCampaign } from '../resources/campaign-save/save-campaign.ts';
import { CREATIVE } from '../resources/creative/creative.ts';
import { DEAL } from '../resources/deal/deal.ts';
import { defineDeliveryInsight } from '../resources/delivery-insight/delivery-insight.ts';
import { defineFloorSuggestions } from '../resources/delivery-insight/floor-suggestions.ts';
import { defineForecast } from '../resources/delivery-insight/forecast.ts';
import { defineDelivery } from '../resources/delivery-progress/delivery-figures.ts';
import { FLOOR } from '../resources/floor/floor.ts';
import { KEY_VALUE } from '../resources/key-value/key-value.ts';
import { LINE_ITEM } from '../resources/line-item/line-item.ts';
import '../administration/api-keys.ts';
import '../administration/audit-log.ts';
import '../administration/header-credentials.ts';
import '../administration/users.ts';
import '../changes/changes.ts';
import '../changes/webhooks.ts';
import '../resources/network/network-settings.ts';
import '../resources/network/storage-use.ts';
import type { Resource } from '../kernel/resource.ts';
import { defineMutations } from '../kernel/resource-mutations.ts';
import { defineQueries } from '../kernel/resource-queries.ts';
import { defineObjectType } from '../kernel/resource-types.ts';
import '../resources/report/report-schedules.ts';
import '../resources/report/report.ts';
import { defineSegmentSize, SEGMENT } from '../resources/segment/segment.ts';
import { SITE } from '../resources/site/site.ts';
import { builder } from '../kernel/builder.ts';

/** Every resource, parents before children: the order in which they are exported and imported. */
export const RESOURCES: readonly Resource[] = [
  ADVERTISER,
  ADVERTISING_PRODUCT,
  DEAL,
  SITE,
  AREA,
  AD_UNIT,
  FLOOR,
  ACTIVITY,
  KEY_VALUE,
  SEGMENT,
  CAMPAIGN,
  LINE_ITEM,
  CREATIVE,
];

let built: GraphQLSchema | null = null;

/** The management schema, built at first use. */
export function managementSchema(): GraphQLSchema {
  if (built === null) {
    for (const resource of RESOURCES) {
      defineObjectType(resource);
      defineQueries(resource);
      defineMutations(resource);
    }
    defineDelivery();
    defineDeliveryInsight();
    defineForecast();
    defineFloorSuggestions();
    defineSegmentSize();
    defineCopyCampaign();
    defineSaveCampaign();
    built = builder.toSchema();
  }
  return built;
}
