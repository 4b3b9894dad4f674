import { randomUUID } from 'node:crypto';
import type { ProbeSend } from './probe-client.ts';

/** What the probe does, in this order; `book` once, and `report` less often than the others. */
export const PROBE_STEPS = ['book', 'bid', 'impression', 'click', 'conversion', 'report'] as const;
export type ProbeStep = (typeof PROBE_STEPS)[number];

const AD_UNIT = 'probe';
const ACTIVITY = 'probe';
const SITE = 'probe';

/** Where the probe asks, and as whom. */
export interface ProbeTarget {
  readonly send: ProbeSend;
  /** Base addresses, without a slash at the end. */
  readonly coreUrl: string;
  readonly deliveryUrl: string;
  readonly networkId: string;
  readonly key: string;
}

/** A step did not do what a customer expects. */
export class ProbeError extends Error {
  readonly step: ProbeStep;

  constructor(step: ProbeStep, reason: string, options?: ErrorOptions) {
    super(`${step}: ${reason}`, options);
    this.name = 'ProbeError';
    this.step = step;
  }
}

/** Runs a step and measures it. @throws ProbeError */
export type RunStep = <T>(step: ProbeStep, work: () => Promise<T>) => Promise<T>;

/** Books what the probe asks for, through the API. @returns false when it was there already @throws Error that says what was refused */
export async function bookProbe(target: ProbeTarget): Promise<boolean> {
  const { send, coreUrl, key } = target;
  const call = async <T>(query: string, input?: object): Promise<T> => {
    const { status, text } = await send(`${coreUrl}/graphql`, { key, body: { query, variables: { input } } });
    const { data, errors } = (status === 200 ? JSON.parse(text) : {}) as { data?: T; errors?: unknown };
    if (data === undefined || errors !== undefined)
      throw new Error(`GraphQL responded ${status} ${text.slice(0, 300)}`);
    return data;
  };
  const create = async (kind: string, input: object): Promise<string> => {
    const type = `${kind[0]?.toUpperCase()}${kind.slice(1)}`;
    const made = await call<Record<string, Record<string, { id: string }>>>(
      `mutation ($input: Create${type}Input!) { create${type}(input: $input) { ${kind} { id } } }`,
      input,
    );
    return made[`create${type}`]?.[kind]?.id ?? '';
  };
  // The creative comes last: with it, everything is there.
  const { creatives } = await call<{ creatives: { nodes: unknown[] } }>('{ creatives(first: 1) { nodes { id } } }');
  if (creatives.nodes.length > 0) return false;
  // A former attempt may have ended halfway; its names would be taken.
  const { sites } = await call<{ sites: { nodes: { id: string }[] } }>('{ sites(first: 1) { nodes { id } } }');
  const size = { width: 300, height: 250 };
  const siteId = sites.nodes[0]?.id ?? (await create('site', { code: SITE, name: 'Probe', domain: 'probe.example' }));
  const { adUnits, activities } = await call<{ adUnits: { nodes: unknown[] }; activities: { nodes: unknown[] } }>(
    '{ adUnits(first: 1) { nodes { id } } activities(first: 1) { nodes { id } } }',
  );
  if (adUnits.nodes.length === 0) await create('adUnit', { siteId, name: AD_UNIT, sizes: [size] });
  if (activities.nodes.length === 0) await create('activity', { actgid: ACTIVITY, name: 'Probe' });
  const advertiserId = await create('advertiser', { name: `Probe ${randomUUID()}`, domains: ['probe.example'] });
  const campaignId = await create('campaign', { advertiserId, name: 'Probe', status: 'ACTIVE' });
  const lineItemId = await create('lineItem', {
    campaignId,
    name: 'Probe',
    type: 'PRICE',
    price: '1',
    status: 'ACTIVE',
  });
  const content = { html: { html: '<p>Probe</p>' } };
  const clickUrl = 'https://probe.example/';
  await create('creative', { lineItemId, name: 'Probe', ...size, content, clickUrl, status: 'ACTIVE' });
  return true;
}

/** One bid, its impression, a click and a conversion, as pages and an advertiser send them. @throws ProbeError */
export async function probeAd(target: ProbeTarget, run: RunStep): Promise<void> {
  const { send, deliveryUrl, networkId, key } = target;
  const lu = `probe-${randomUUID()}`;
  const link = await run('bid', async () => {
    const { status, text } = await send(`${deliveryUrl}/${networkId}/bid`, { body: bidRequest(lu) });
    const response = (status === 200 ? JSON.parse(text) : {}) as {
      seatbid?: { bid?: { ext?: { ems_link?: string } }[] }[];
    };
    return response.seatbid?.[0]?.bid?.[0]?.ext?.ems_link ?? refuse(`no ad, status ${status}`);
  });
  // The link names the address of pages, which this machine may not reach.
  const path = new URL(link).pathname;
  const follow = async (part: string, expected: (status: number) => boolean): Promise<void> => {
    const { status } = await send(`${deliveryUrl}${path.replace('/imp/', `/${part}/`)}`);
    if (!expected(status)) refuse(`status ${status}`);
  };
  await run('impression', () => follow('imp', (status) => status === 200));
  await run('click', () => follow('click', (status) => status >= 300 && status < 400));
  await run('conversion', async () => {
    const body = { network: networkId, actgid: ACTIVITY, event: 'probed', lu };
    const { status, text } = await send(`${deliveryUrl}/api/v1/events`, { key, body });
    if (status !== 202) refuse(`status ${status} ${text.slice(0, 200)}`);
  });
}

/** The impressions that a report tells of yesterday and today, in UTC. @throws ProbeError */
export function probeReport(
  { send, coreUrl, networkId, key }: ProbeTarget,
  run: RunStep,
  nowMs: number,
): Promise<number> {
  return run('report', async () => {
    const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
    const measure = 'campaign_overview.impressions';
    const dateRange = [day(nowMs - 86_400_000), day(nowMs)];
    const query = { measures: [measure], timeDimensions: [{ dimension: 'campaign_overview.time', dateRange }] };
    const { status, text } = await send(`${coreUrl}/reports/${networkId}/v1/load`, { key, body: { query } });
    if (status !== 200) refuse(`status ${status} ${text.slice(0, 200)}`);
    const { data } = JSON.parse(text) as { data?: Record<string, string>[] };
    return Number(data?.[0]?.[measure] ?? 0);
  });
}

function bidRequest(lu: string): unknown {
  return {
    id: randomUUID(),
    imp: [{ id: '1', tagid: AD_UNIT, secure: 1, banner: { format: [{ w: 300, h: 250 }] } }],
    site: { id: SITE, domain: 'probe.example', page: 'https://probe.example/' },
    device: { devicetype: 2 },
    user: { ext: { npa: false, ids: { lu } } },
    regs: { gdpr: 0 },
  };
}

function refuse(reason: string): never {
  throw new Error(reason);
}
