/** A site of a network that buyers can buy on. */
export interface SoldSite {
  readonly name: string;
  readonly domain: string;
}

/** What the seller is, as `brand.json` of the Ad Context Protocol has it. It leads to the keys that sign its messages. */
export function renderBrand(base: string): object {
  const seller = { type: 'sales', id: 'placard_seller', url: `${base}/mcp`, jwks_uri: `${base}/jwks.json` };
  return { version: '1.0', agents: [seller] };
}

/** The authorization of the seller by the sites of its network, as `adagents.json` of the protocol has it. */
export function renderAdagents(base: string, sites: readonly SoldSite[]): object {
  return {
    authorized_agents: [
      {
        url: `${base}/mcp`,
        authorized_for: 'All products that the publisher offers to buyers.',
        authorization_type: 'inline_properties',
        properties: sites.map(({ name, domain }) => ({
          property_type: 'website',
          name,
          identifiers: [{ type: 'domain', value: domain }],
          publisher_domain: domain,
        })),
      },
    ],
  };
}
