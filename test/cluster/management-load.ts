import { type Client, createClient } from '../support/http-client.ts';
import { pause } from '../torture/tortured-server.ts';

/** Callers of the management API, each of which keeps its connection until it is told to close. */
const CALLERS = 6;
const PAUSE_MS = 30;

/** What management callers saw. */
export interface ManagementLoad {
  calls(): number;
  /** Calls without the response that they should have, by reason. */
  failures(): ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** Reads and changes one object again and again: half of the callers on kept connections, half on a new one for each call. */
export function startManagementLoad(of: {
  readonly coreUrl: () => string;
  readonly adminKey: string;
  readonly advertiserId: string;
}): ManagementLoad {
  let calls = 0;
  let isStopped = false;
  const failures = new Map<string, number>();
  const fail = (why: string): void => void failures.set(why, (failures.get(why) ?? 0) + 1);

  async function call(client: Client, number: number): Promise<void> {
    const change =
      'mutation ($id: ID!, $input: UpdateAdvertiserInput!) { updateAdvertiser(id: $id, input: $input) { advertiser { id } } }';
    const read = 'query ($id: ID!) { advertiser(id: $id) { id name } }';
    const isRead = number % 2 === 0;
    calls += 1;
    const response = await client.send(`${of.coreUrl()}/graphql`, {
      headers: { authorization: `Bearer ${of.adminKey}` },
      json: isRead
        ? { query: read, variables: { id: of.advertiserId } }
        : { query: change, variables: { id: of.advertiserId, input: { name: `Name ${number}` } } },
    });
    if (response.status !== 200) fail(`status ${response.status}`);
    else if (response.json<{ errors?: unknown }>().errors !== undefined) fail(response.text.slice(0, 200));
  }

  async function beCaller(at: number): Promise<void> {
    let client = createClient(null);
    for (let number = at; !isStopped; number += 1) {
      await call(client, number).catch((error: Error) => {
        fail(error.message);
        client.close();
        client = createClient(null);
      });
      if (at % 2 === 0) {
        client.close();
        client = createClient(null);
      }
      await pause(PAUSE_MS);
    }
    client.close();
  }

  const callers = Array.from({ length: CALLERS }, (_none, at) => beCaller(at));
  return {
    calls: () => calls,
    failures: () => failures,
    stop: async () => {
      isStopped = true;
      await Promise.all(callers);
    },
  };
}
