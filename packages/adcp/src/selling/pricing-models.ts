/** Pricing models of Placard that buyers' agents can buy by, with their names in the protocol. FLAT is a price for a day. */
const NAMES = { CPM: 'cpm', VCPM: 'vcpm', CPC: 'cpc', CPCV: 'cpcv', FLAT: 'time' } as const;

/** Pricing models that agents can buy by, as the protocol names them. */
export const PRICING_MODELS = Object.values(NAMES);
export type PlacardPricing = keyof typeof NAMES;

/** The protocol's name of a pricing model; null where agents cannot buy by it. */
export function pricingName(model: string): (typeof PRICING_MODELS)[number] | null {
  return Object.hasOwn(NAMES, model) ? NAMES[model as PlacardPricing] : null;
}
