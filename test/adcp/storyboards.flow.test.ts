import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderAdagents, renderBrand } from '../../src/mcp/adcp-identity.ts';
import { type LeanPlacard, startLeanPlacard } from '../support/lean-placard.ts';
import { sellByAuction } from './auction-history.ts';
import { AgentClient } from './agent-client.ts';
import { ResponseSchemas } from './response-schemas.ts';
import { EXCLUSIONS } from './exclusions.ts';
import { runStoryboard, type StepResult } from './run-storyboard.ts';
import { renderResults } from './render-results.ts';
import { productInput, Publisher } from './seed-fixtures.ts';
import { findCases, readStoryboard, readTestKit } from './storyboard.ts';

const cases = findCases();

/** Storyboards that this seller has to pass. */
const STORYBOARDS = [
  'protocols/creative/index.yaml',
  'universal/capability-discovery.yaml',
  'universal/version-negotiation.yaml',
  'universal/v3-envelope-integrity.yaml',
  'universal/schema-validation.yaml',
  'universal/error-compliance.yaml',
  'universal/security.yaml',
  'universal/idempotency.yaml',
  'universal/get-media-buys-pagination-integrity.yaml',
  'universal/get-products-pagination-integrity.yaml',
  'universal/pagination-integrity.yaml',
  'universal/pagination-integrity-list-accounts.yaml',
  'universal/read-tool-idempotency.yaml',
  'protocols/media-buy/index.yaml',
  'specialisms/sales-non-guaranteed/index.yaml',
  'specialisms/sales-guaranteed/index.yaml',
  'protocols/media-buy/scenarios/audience_buy_flow.yaml',
  'protocols/media-buy/scenarios/available_actions.yaml',
  'protocols/media-buy/scenarios/billing_finality_delivery.yaml',
  'protocols/media-buy/scenarios/canonical_formats.yaml',
  'protocols/media-buy/scenarios/clicks_buy_flow.yaml',
  'protocols/media-buy/scenarios/completed_views_buy_flow.yaml',
  'protocols/media-buy/scenarios/create_media_buy_async.yaml',
  'protocols/media-buy/scenarios/creative_fate_after_cancellation.yaml',
  'protocols/media-buy/scenarios/creative_reception.yaml',
  'protocols/media-buy/scenarios/delivery_reporting.yaml',
  'protocols/media-buy/scenarios/dependency_impairment.yaml',
  'protocols/media-buy/scenarios/dependency_impairment_audience.yaml',
  'protocols/media-buy/scenarios/dependency_impairment_cardinality.yaml',
  'protocols/media-buy/scenarios/event_dedup_flow.yaml',
  'protocols/media-buy/scenarios/frequency_cap_enforcement.yaml',
  'protocols/media-buy/scenarios/get_products_async.yaml',
  'protocols/media-buy/scenarios/governance_approved.yaml',
  'protocols/media-buy/scenarios/governance_conditions.yaml',
  'protocols/media-buy/scenarios/governance_denied.yaml',
  'protocols/media-buy/scenarios/governance_denied_recovery.yaml',
  'protocols/media-buy/scenarios/inline_creatives_without_sync.yaml',
  'protocols/media-buy/scenarios/invalid_transitions.yaml',
  'protocols/media-buy/scenarios/inventory_list_no_match.yaml',
  'protocols/media-buy/scenarios/inventory_list_targeting.yaml',
  'protocols/media-buy/scenarios/measurement_accountability.yaml',
  'protocols/media-buy/scenarios/measurement_terms_rejected.yaml',
  'protocols/media-buy/scenarios/package_correlation_legacy_fallback.yaml',
  'protocols/media-buy/scenarios/pending_creatives_to_start.yaml',
  'protocols/media-buy/scenarios/per_creative_conversion_attribution.yaml',
  'protocols/media-buy/scenarios/performance_buy_flow.yaml',
  'protocols/media-buy/scenarios/performance_buy_flow_roas.yaml',
  'protocols/media-buy/scenarios/pricing_currency_filter.yaml',
  'protocols/media-buy/scenarios/product_signal_targeting.yaml',
  'protocols/media-buy/scenarios/proposal_finalize.yaml',
  'protocols/media-buy/scenarios/proposal_finalize_asap_timing.yaml',
  'protocols/media-buy/scenarios/proposal_not_found_errors.yaml',
  'protocols/media-buy/scenarios/provenance_audit_observation.yaml',
  'protocols/media-buy/scenarios/provenance_enforcement.yaml',
  'protocols/media-buy/scenarios/provenance_truth_of_claim.yaml',
  'protocols/media-buy/scenarios/reach_buy_flow.yaml',
  'protocols/media-buy/scenarios/refine_finalize_exclusivity.yaml',
  'protocols/media-buy/scenarios/refine_products.yaml',
  'protocols/media-buy/scenarios/vendor_metric_accountability.yaml',
  'protocols/media-buy/scenarios/vendor_metric_catalog_precondition.yaml',
  'protocols/media-buy/scenarios/vendor_metric_optimization_flow.yaml',
  'universal/stale-response-advisory.yaml',
  'universal/billing-gate-dispatch.yaml',
  'universal/notification-config-lifecycle.yaml',
  'universal/notification-config-rejections.yaml',
  'universal/notification-config-event-scope.yaml',
  'universal/pagination-integrity-creative-formats.yaml',
  'universal/comply-controller-mode-gate.yaml',
  'universal/deterministic-testing.yaml',
  'universal/webhook-emission.yaml',
  'universal/wholesale-feed-products.yaml',
  'universal/signed-requests.yaml',
  'protocols/creative/scenarios/native_in_feed.yaml',
];

describe.skipIf(cases === null)('storyboards of the protocol (ADCP_CASES names their folder)', () => {
  const found = cases as NonNullable<typeof cases>;
  let server: LeanPlacard;
  let client: AgentClient;
  let publisher: Publisher;
  let advertiserId = '';
  const all: StepResult[] = [];
  let schemas: ResponseSchemas;
  beforeAll(async () => {
    server = await startLeanPlacard({ PLACARD_DEMO: 'true' });
    const url = `${server.coreUrl}/staging/adcp/${server.demo.networkId}/mcp`;
    schemas = new ResponseSchemas(found.schemas);
    publisher = new Publisher(server, url);
    await publisher.make('Site', { code: 'outdoor', name: 'Outdoor magazine', domain: 'outdoor.example' });
    advertiserId = await publisher.make('Advertiser', { name: 'Acme Outdoor', domains: ['acmeoutdoor.example'] });
    const others = ['Bolt', 'Crest'].map((name) => publisher.make('Advertiser', { name }));
    const accounts = [advertiserId, ...(await Promise.all(others))];
    client = new AgentClient({ url, ca: server.ca, key: await publisher.makeBuyerKey(accounts) });
    const fixed = { pricing_option_id: 'cpm', pricing_model: 'cpm', fixed_price: 5 };
    const floor = { pricing_option_id: 'bid', pricing_model: 'cpm', floor_price: 2 };
    await publisher.make('AdvertisingProduct', productInput('Sports display', {}, [fixed, floor]));
    await publisher.make('AdvertisingProduct', productInput('Outdoor video', { channels: ['olv'] }, [fixed, floor]));
  }, 300_000);
  afterAll(async () => {
    client?.close();
    await server?.remove();
  });

  test.each(STORYBOARDS)('the seller passes %s', async (path) => {
    const storyboard = readStoryboard(found, path);
    const kit = readTestKit(found, storyboard);
    const aliases = await publisher.seed(storyboard, advertiserId);
    // It reads what bidders paid, so that somebody has to have bought.
    if (storyboard.id === 'sales_non_guaranteed') await sellByAuction(server, publisher);
    const results = await runStoryboard(storyboard, {
      client,
      schemas,
      kit,
      aliases,
      exclusions: EXCLUSIONS,
      onSubmitted: (taskId) => publisher.approve(taskId),
    });
    await publisher.retireProducts();
    all.push(...results);
    expect(results.filter(({ result }) => result === 'failed')).toEqual([]);
  });

  test('brand.json and adagents.json fit the schemas', () => {
    const base = 'https://ads.example/adcp/7';
    const sites = [{ name: 'Magazine', domain: 'magazine.example' }];
    expect(schemas.check('brand.json', renderBrand(base))).toBeNull();
    expect(schemas.check('adagents.json', renderAdagents(base, sites))).toBeNull();
  });

  test('docs/adcp-storyboards.md shows the results', async () => {
    await expect(renderResults(all)).toMatchFileSnapshot('../../docs/adcp-storyboards.md');
  });
});
