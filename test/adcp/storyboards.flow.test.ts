import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LeanPlacard, startLeanPlacard } from '../support/lean-placard.ts';
import { AgentClient } from './agent-client.ts';
import { ResponseSchemas } from './response-schemas.ts';
import { runStoryboard } from './run-storyboard.ts';
import { findCases, readStoryboard, readTestKit } from './storyboard.ts';

const cases = findCases();

/** Storyboards that this seller has to pass. */
const STORYBOARDS = [
  'universal/capability-discovery.yaml',
  'universal/version-negotiation.yaml',
  'universal/v3-envelope-integrity.yaml',
  'universal/schema-validation.yaml',
  'universal/error-compliance.yaml',
  'universal/security.yaml',
];

describe.skipIf(cases === null)('storyboards of the protocol (ADCP_CASES names their folder)', () => {
  const found = cases as NonNullable<typeof cases>;
  let server: LeanPlacard;
  let client: AgentClient;
  let schemas: ResponseSchemas;
  beforeAll(async () => {
    server = await startLeanPlacard({ PLACARD_DEMO: 'true' });
    client = new AgentClient({
      url: `${server.coreUrl}/adcp/${server.demo.networkId}/mcp`,
      ca: server.ca,
      key: server.demo.keys.readWrite,
    });
    schemas = new ResponseSchemas(found.schemas);
  }, 300_000);
  afterAll(async () => {
    client?.close();
    await server?.remove();
  });

  test.each(STORYBOARDS)('the seller passes %s', async (path) => {
    const storyboard = readStoryboard(found, path);
    const results = await runStoryboard(storyboard, { client, schemas, kit: readTestKit(found, storyboard) });
    expect(results.filter(({ result }) => result === 'failed')).toEqual([]);
  });
});
