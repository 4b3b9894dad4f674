import { z } from 'zod';
import { RequestBase } from '../protocol/parts.ts';
import { MAJOR_VERSIONS, SUPPORTED_VERSIONS } from '../protocol/versions.ts';
import { PRICING_MODELS } from '../selling/pricing-models.ts';
import { CAP_CAPABILITIES, OVERLAY_CAPABILITIES } from '../selling/targeting-overlay.ts';
import { sellerTool } from './seller-tool.ts';

/** How long the response to a request is kept for its idempotency key, in seconds: as long as the management API keeps it. */
const REPLAY_SECONDS = 86_400;

/** Protocols that this seller speaks. */
const PROTOCOLS = ['media_buy', 'creative'] as const;

const Protocol = z.enum([
  'media_buy',
  'signals',
  'governance',
  'sponsored_intelligence',
  'creative',
  'brand',
  'measurement',
]);

/** What the seller can do. It tells what is true for every network, so it needs no key and reads nothing. */
export const getCapabilities = sellerTool({
  name: 'get_adcp_capabilities',
  title: 'Show what this seller supports',
  description: 'Versions, protocols, pricing models, targeting and limits of this seller. Start here; it needs no key.',
  input: z.looseObject({ ...RequestBase, protocols: z.array(Protocol).max(20).optional() }),
  run: async ({ environment, agentUrl }, { protocols }) => {
    const asked = (name: (typeof PROTOCOLS)[number]) => protocols === undefined || protocols.includes(name);
    return {
      adcp: {
        major_versions: MAJOR_VERSIONS,
        supported_versions: SUPPORTED_VERSIONS,
        idempotency: { supported: true, replay_ttl_seconds: REPLAY_SECONDS },
      },
      supported_protocols: PROTOCOLS,
      specialisms: ['sales-guaranteed', 'sales-non-guaranteed'],
      account: {
        // A member of the network makes the account and binds a key to it; agents use what their key is bound to.
        require_operator_auth: true,
        supported_billing: ['operator'],
        required_for_products: false,
        account_financials: false,
        sandbox: environment === 'staging',
      },
      ...signingOf(agentUrl),
      ...(asked('media_buy') ? { media_buy: MEDIA_BUY } : {}),
      ...(asked('creative') ? { creative: CREATIVE } : {}),
    };
  },
});

/** Notices of decisions are signed with a key that brand.json leads to. Receivers look keys up by https alone. */
function signingOf(agentUrl: string): object {
  if (!agentUrl.startsWith('https://')) return { webhook_signing: { supported: false, legacy_hmac_fallback: true } };
  return {
    webhook_signing: {
      supported: true,
      profile: 'adcp/webhook-signing/v1',
      algorithms: ['ed25519'],
      legacy_hmac_fallback: true,
    },
    identity: { brand_json_url: agentUrl.replace(/mcp$/, 'brand.json') },
  };
}

const MEDIA_BUY = {
  supported_pricing_models: PRICING_MODELS,
  buying_modes: ['brief', 'wholesale', 'refine'],
  supports_proposals: false,
  features: {
    inline_creative_management: false,
    property_list_filtering: false,
    catalog_management: false,
  },
  execution: {
    creative_specs: { vast_versions: ['2.0', '3.0', '4.0', '4.1', '4.2'], vpaid: false, simid: false },
    targeting: OVERLAY_CAPABILITIES,
  },
  frequency_capping: CAP_CAPABILITIES,
};

const CREATIVE = {
  has_creative_library: true,
  supports_generation: false,
  supports_transformation: false,
  supports_compliance: false,
};
