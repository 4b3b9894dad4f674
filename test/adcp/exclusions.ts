/**
 * Storyboards, and steps of storyboards, that do not apply to this seller, with the reason of each. The seller does not declare the capability that they
 * try, or the step needs the protocol's test controller, which this seller does not have.
 */
export const EXCLUSIONS: Readonly<Record<string, string>> = {
  get_products_pagination_integrity: 'the storyboard seeds a format of another agent; formats of this seller are fixed',
  pagination_integrity_creative_formats: 'the storyboard seeds formats; formats of this seller are fixed',
  'media_buy_seller/billing_finality_delivery':
    'the storyboard wants the counts of another vendor to be billed; this ad server is billed by its own',
  'media_buy_seller/canonical_formats': 'the seller takes creatives by format_id, not by canonical formats',
  'media_buy_seller/frequency_cap_enforcement': 'the last step reads delivery that the test controller simulates',
  'media_buy_seller/get_products_async': 'the seller finds products at once',
  'media_buy_seller/measurement_accountability': 'the storyboard seeds vendor measurement terms',
  'media_buy_seller/package_correlation_legacy_fallback':
    'the storyboard seeds a buy of an earlier release by the test controller',
  'media_buy_seller/pricing_currency_filter':
    'the storyboard sells in two currencies; all money of a network is in one',
  'media_buy_seller/provenance_audit_observation': 'the seller verifies no provenance with other agents',
  'media_buy_seller/provenance_enforcement': 'the seller verifies no provenance with other agents',
  'media_buy_seller/provenance_truth_of_claim': 'the seller verifies no provenance with other agents',
  'media_buy_seller/vendor_metric_accountability': 'the seller reports no metrics of other vendors',
  notification_config_lifecycle: 'the seller sends no notifications of accounts',
  notification_config_rejections: 'the seller sends no notifications of accounts',
  notification_config_event_scope: 'the seller sends no notifications of accounts',
  webhook_emission: 'this runner receives no webhooks; tests of the service try the messages',
  signed_requests: 'the seller verifies no request signatures',
  'creative/native_in_feed': 'the seller takes creatives by format_id, not by canonical formats',
  'media_buy_seller/delivery_reporting/create_media_buy_viewability': 'the seller optimizes for no metric',
  'media_buy_seller/delivery_reporting/get_delivery':
    'the storyboard wants the id of a guaranteed buy before a person approves it',
  'media_buy_seller/delivery_reporting/get_viewability_delivery': 'the seller optimizes for no metric',
};
