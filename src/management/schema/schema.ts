import type { GraphQLSchema } from 'graphql';
import { ACTIVITY } from '../resources/activity/activity.ts';
import { AD_UNIT } from '../resources/ad-unit/ad-unit.ts';
import { ADVERTISER } from '../resources/advertiser/advertiser.ts';
import { ADVERTISING_PRODUCT } from '../resources/advertising-product/advertising-product.ts';
import { CUSTOM_FIELD } from '../resources/annotations/custom-field.ts';
import { TEAM } from '../resources/annotations/team.ts';
import { AREA } from '../resources/area/area.ts';
import { defineBookingApproval } from '../resources/booking-approval/booking-approval.ts';
import { CAMPAIGN } from '../resources/campaign/campaign.ts';
import { defineCopyCampaign } from '../resources/campaign-copy/copy-campaign.ts';
import { defineSaveCampaign } from '../resources/campaign-save/save-campaign.ts';
import { CREATIVE } from '../resources/creative/creative.ts';
import { definePreviews } from '../resources/creative/preview.ts';
import { defineReviewNotices } from '../resources/creative/review-notices.ts';
import { defineScans } from '../resources/creative/scan.ts';
import { DEAL } from '../resources/deal/deal.ts';
import { defineAvailability } from '../resources/delivery-insight/availability.ts';
import { defineDecisionInspection } from '../resources/delivery-insight/decision-inspection.ts';
import { defineDeliveryInsight } from '../resources/delivery-insight/delivery-insight.ts';
import { defineFloorSuggestions } from '../resources/delivery-insight/floor-suggestions.ts';
import { defineActivityInspection } from '../resources/activity/activity-inspection.ts';
import { defineForecast } from '../resources/delivery-insight/forecast.ts';
import { defineDelivery } from '../resources/delivery-progress/delivery-figures.ts';
import { EXPERIMENT } from '../resources/experiment/experiment.ts';
import { defineExperimentResults } from '../resources/experiment/experiment-results.ts';
import { defineProductBooking } from '../resources/product-booking/book-product.ts';
import { definePriceGuidance } from '../resources/product-booking/price-guidance.ts';
import { defineProductForecast } from '../resources/product-booking/product-forecast.ts';
import { FLOOR } from '../resources/floor/floor.ts';
import { defineForecastRecords } from '../resources/forecast-record/forecast-record.ts';
import { defineHistory } from '../resources/history/import-history.ts';
import { KEY_VALUE } from '../resources/key-value/key-value.ts';
import { LIBRARY_CREATIVE } from '../resources/library-creative/library-creative.ts';
import { defineAssociations } from '../resources/library-creative/associate-creatives.ts';
import { LINE_ITEM } from '../resources/line-item/line-item.ts';
import { defineLineItemCopies } from '../resources/line-item-copy/copy-line-items.ts';
import { defineAttention } from '../resources/attention/attention.ts';
import { defineLineItemTable } from '../resources/line-item-table/line-item-table.ts';
import '../administration/api-keys.ts';
import '../administration/audit-log.ts';
import '../administration/header-credentials.ts';
import '../administration/users.ts';
import '../changes/changes.ts';
import '../changes/webhooks.ts';
import '../resources/agent-request/agent-request.ts';
import '../resources/agent-request/offering.ts';
import '../resources/comment/comment.ts';
import '../resources/search/search.ts';
import '../resources/network/network-settings.ts';
import '../resources/network/storage-use.ts';
import '../resources/notification/notifications.ts';
import type { Resource } from '../kernel/resource.ts';
import { defineMutations } from '../kernel/resource-mutations.ts';
import { defineNodeQueries } from '../kernel/node-queries.ts';
import { defineQueries } from '../kernel/resource-queries.ts';
import { defineObjectType } from '../kernel/resource-types.ts';
import '../resources/report/report-schedules.ts';
import '../resources/asset/assets.ts';
import '../resources/report/report.ts';
import '../resources/report-share/all-report-shares.ts';
import '../resources/report-share/report-share.ts';
import { SEGMENT } from '../resources/segment/segment.ts';
import { defineSegmentSize } from '../resources/segment/segment-size.ts';
import { SITE } from '../resources/site/site.ts';
import { TARGETING_PRESET } from '../resources/targeting-preset/targeting-preset.ts';
import { builder } from '../kernel/builder.ts';
import './rate-limit.ts';

/** Every resource, parents before children: the order in which they are exported and imported. */
export const RESOURCES: readonly Resource[] = [
  TEAM,
  CUSTOM_FIELD,
  ADVERTISER,
  DEAL,
  SITE,
  AREA,
  AD_UNIT,
  FLOOR,
  ACTIVITY,
  KEY_VALUE,
  SEGMENT,
  TARGETING_PRESET,
  ADVERTISING_PRODUCT,
  CAMPAIGN,
  LINE_ITEM,
  LIBRARY_CREATIVE,
  CREATIVE,
  EXPERIMENT,
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
    defineNodeQueries(RESOURCES);
    defineDelivery();
    defineLineItemTable();
    defineAttention();
    defineDeliveryInsight();
    defineAvailability();
    defineDecisionInspection();
    defineForecast();
    defineForecastRecords();
    defineHistory();
    defineActivityInspection();
    defineFloorSuggestions();
    defineSegmentSize();
    defineProductBooking();
    defineProductForecast();
    defineExperimentResults();
    definePriceGuidance();
    defineBookingApproval();
    defineCopyCampaign();
    defineLineItemCopies();
    defineSaveCampaign();
    defineAssociations();
    defineScans();
    defineReviewNotices();
    definePreviews();
    built = builder.toSchema();
  }
  return built;
}
