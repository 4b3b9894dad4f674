import { eventually, type PlacardServer } from './placard-server.ts';

const ROWS_PER_JOB = 50_000;

/** Adds line items to the first campaign of the demo through bulk jobs. @param lineOf the differences of each from a draft with a goal */
export async function addLineItems(
  placard: PlacardServer,
  count: number,
  lineOf: (index: number) => object,
): Promise<void> {
  const authorization = `Bearer ${placard.demo.keys.admin}`;
  const campaigns = await placard.graphql('{ campaigns(first: 1) { nodes { id } } }');
  const campaignId = campaigns.json<{ data: { campaigns: { nodes: { id: string }[] } } }>().data.campaigns.nodes[0]?.id;
  if (campaignId === undefined) throw new Error(campaigns.text);
  const common = {
    campaignId,
    status: 'DRAFT',
    type: 'STANDARD',
    price: '4.20',
    goal: { kind: 'IMPRESSIONS', amount: 100_000, period: 'LIFETIME' },
    startsAt: '2030-01-01T00:00:00Z',
    endsAt: '2030-02-01T00:00:00Z',
  };
  for (let from = 0; from < count; from += ROWS_PER_JOB) {
    const rows = Math.min(ROWS_PER_JOB, count - from);
    const body = Array.from({ length: rows }, (_row, at) =>
      JSON.stringify({ externalId: `many-${from + at}`, ...common, ...lineOf(from + at) }),
    ).join('\n');
    const made = await placard.client.send(`${placard.coreUrl}/bulk-jobs?resource=lineItems`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-ndjson' },
      body,
    });
    if (made.status !== 202) throw new Error(made.text);
    const { id } = made.json<{ id: string }>();
    const job = await eventually(
      async () => {
        const response = await placard.client.send(`${placard.coreUrl}/bulk-jobs/${id}`, {
          headers: { authorization },
        });
        return response.json<{ state: string; succeeded: number }>();
      },
      ({ state }) => state === 'completed' || state === 'failed',
      600_000,
    );
    if (job.succeeded !== rows) throw new Error(JSON.stringify(job));
  }
}
