import type { GraphQLSchema } from 'graphql';
import { ACTIVITY } from '../activity/activity.ts';
import { AD_UNIT } from '../ad-unit/ad-unit.ts';
import { ADVERTISER } from '../advertiser/advertiser.ts';
import { ADVERTISING_PRODUCT } from '../advertising-product/advertising-product.ts';
import { AREA } from '../area/area.ts';
import { CAMPAIGN } from '../campaign/campaign.ts';
import { defineCopyCampaign } from '../campaign/copy-campaign.ts';
import { CREATIVE } from '../creative/creative.ts';
import { DEAL } from '../deal/deal.ts';
import { defineDeliveryInsight } from '../delivery-insight/delivery-insight.ts';
import { defineForecast } from '../delivery-insight/forecast.ts';
import { defineDelivery } from '../delivery-progress/delivery-figures.ts';
import { FLOOR } from '../floor/floor.ts';
import { KEY_VALUE } from '../key-value/key-value.ts';
import { LINE_ITEM } from '../line-item/line-item.ts';
import '../administration/api-keys.ts';
import '../administration/audit-log.ts';
import '../administration/header-credentials.ts';
import '../administration/users.ts';
import '../network/network-settings.ts';
import '../network/storage-use.ts';
import type { Noun } from '../noun/noun.ts';
import { defineMutations } from '../noun/noun-mutations.ts';
import { defineQueries } from '../noun/noun-queries.ts';
import { defineObjectType } from '../noun/noun-types.ts';
import '../report/report-schedules.ts';
import '../report/report.ts';
import { SEGMENT } from '../segment/segment.ts';
import { defineSegmentSize } from '../segment/segment-size.ts';
import { SITE } from '../site/site.ts';
import { builder } from './builder.ts';

/** Every noun, parents before children: the order in which they are exported and imported. */
export const NOUNS: readonly Noun[] = [
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
    for (const noun of NOUNS) {
      defineObjectType(noun);
      defineQueries(noun);
      defineMutations(noun);
    }
    defineDelivery();
    defineDeliveryInsight();
    defineForecast();
    defineSegmentSize();
    defineCopyCampaign();
    built = builder.toSchema();
  }
  return built;
}
