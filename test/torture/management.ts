import { createClient } from '../support/http-client.ts';

/** The management API of the network under load, as its administrator. */
export interface Management {
  readonly networkId: string;
  graphql<T>(query: string, variables: unknown): Promise<T>;
  /** @returns the id of the new object */
  create(resource: string, input: unknown): Promise<string>;
}

/** @param of.coreUrl where the core is now; with TLS, `of.ca` is the authority of its certificate */
export function createManagement(of: {
  readonly coreUrl: () => string;
  readonly networkId: string;
  readonly adminKey: string;
  readonly ca?: string;
}): Management {
  const graphql = async <T>(query: string, variables: unknown): Promise<T> => {
    const client = createClient(of.ca ?? null);
    try {
      const response = await client.send(`${of.coreUrl()}/graphql`, {
        headers: { authorization: `Bearer ${of.adminKey}` },
        json: { query, variables },
      });
      const body = response.json<{ data?: T; errors?: unknown }>();
      if (body.data === undefined || body.errors !== undefined) throw new Error(`GraphQL: ${response.text}`);
      return body.data;
    } finally {
      client.close();
    }
  };
  return {
    networkId: of.networkId,
    graphql,
    create: async (resource, input) => {
      const name = `${resource[0]?.toLowerCase()}${resource.slice(1)}`;
      const data = await graphql<Record<string, Record<string, { id: string }>>>(
        `mutation ($input: Create${resource}Input!) { made: create${resource}(input: $input) { ${name} { id } } }`,
        { input },
      );
      return data['made']?.[name]?.id ?? '';
    },
  };
}
