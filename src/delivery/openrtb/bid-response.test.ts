import { describe, expect, test } from 'vitest';
import { buildAdLinks } from '../../domain/events/ad-links.ts';
import type { CreativeContent } from '../../domain/booking/creative.ts';
import { renderBanner } from '../markup/banner-markup.ts';
import type { BidCurrency } from './currencies.ts';
import { parseBidRequest } from './bid-request.ts';
import { renderBidResponse } from './bid-response.ts';
import type { Targeting } from '../../domain/targeting/targeting.ts';
import { dimensionsOf } from '../decision/index/targeting.ts';
import { compileWorkspace } from '../decision/index/compile-workspace.ts';
import { decide } from '../decision/decide.ts';
import { sampleOpportunity, sampleSlot, sampleSnapshot, stateOf } from '../../../test/worlds/sample-workspace.ts';
import type { ServedPlacement } from '../markup/served-placement.ts';

const HTML =
  '<a href="${CLICK_URL}">"go" </script></a><i data-u="${CLICK_URL_ENC}" data-c="${CACHEBUSTER}" data-n="${CREATIVE_ID}"></i>';
const CONTENTS: readonly CreativeContent[] = [
  { format: 'IMAGE', imageUrl: 'https://cdn.example/1.png', alt: 'Bär & "Söhne"' },
  { format: 'HTML', html: HTML },
];

function decideFor(content: CreativeContent, slotId: string) {
  const snapshot = sampleSnapshot({ lineItems: [{ id: '1' }], creatives: [{ id: '100', content }] });
  const compiled = compileWorkspace(snapshot, 0, () => {});
  const decideAgain = (slot: string) =>
    decide(compiled, sampleOpportunity({ slots: [sampleSlot({ slotId: slot })] }), {
      state: stateOf({}),
      nowMs: 1_000,
      random: () => 0,
    }).placements[0];
  return { workspace: snapshot.workspace, placement: decideAgain(slotId), decideAgain };
}

function serve(placement: ServedPlacement['placement'], token: string, impressionId: string): ServedPlacement {
  const ad = { workspaceId: 1, creativeId: '100', npa: false, impressionId } as ServedPlacement['ad'];
  const links = buildAdLinks('https://ads.example', 'production', '1000', token);
  return { placement, ad, links, companions: [] };
}

function responseTo(
  requestId: string,
  served: ServedPlacement,
  workspace: ReturnType<typeof decideFor>['workspace'],
  currency: BidCurrency = { code: workspace.currency, rate: null },
) {
  const request = parseBidRequest({
    id: requestId,
    imp: [{ id: served.placement.slot.slotId, banner: {} }],
    site: { id: 's', domain: 'news.example' },
  });
  const text = renderBidResponse({
    request,
    workspace,
    currency,
    dsa: null,
    deliveryHost: 'ads.example',
    served: [served],
  });
  return JSON.parse(text) as { id: string; cur: string; seatbid: { bid: Record<string, unknown>[] }[]; ext: object };
}

test.each(CONTENTS)('every bid of a banner has its own ids, token and markup: $format', (content) => {
  const { workspace, placement, decideAgain } = decideFor(content, 'first');
  if (placement === undefined || placement === null) throw new Error('no ad');
  responseTo('r1', serve(placement, 'k1.firstTokenOfThemAll', '01FIRST'), workspace);

  const slotId = 'a "slot" of \u2028 $& x';
  const second = serve(decideAgain(slotId) as never, 'k1.another_Token-0123456789', '01SECOND');
  const response = responseTo('r "2"', second, workspace);
  const bid = response.seatbid[0]?.bid[0];
  const { creative } = placement.creative;
  expect(response.id).toBe('r "2"');
  expect(response.ext).toEqual({ dsaurl: second.links.whyUrl });
  expect(bid).toMatchObject({ id: '01SECOND', impid: slotId, crid: '100', burl: second.links.impressionUrl, w: 300 });
  expect(bid?.['adm']).toBe(
    renderBanner({ creative, links: second.links, width: 300, height: 250, withTracking: true }),
  );
  expect(JSON.stringify(response)).not.toContain('irst');
});

test('a changed creative is shown in its present form', () => {
  const before = decideFor({ format: 'IMAGE', imageUrl: 'https://cdn.example/old.png', alt: '' }, 's');
  const after = decideFor({ format: 'IMAGE', imageUrl: 'https://cdn.example/new.png', alt: '' }, 's');
  const responses = [before, after].map(({ placement, workspace }) =>
    JSON.stringify(responseTo('r', serve(placement as never, 'k1.token-of-either', '01X'), workspace)),
  );
  expect(responses[0]).toContain('old.png');
  expect(responses[1]).toContain('new.png');
});

test('a bid of a creative that was shown in another currency has its own price', () => {
  const { workspace, placement } = decideFor({ format: 'IMAGE', imageUrl: 'https://cdn.example/1.png', alt: '' }, 's');
  if (placement === undefined || placement === null) throw new Error('no ad');
  const priced = { ...placement, bidMicros: 1_840_000 };
  const own = { code: workspace.currency, rate: null };
  const dollars = { code: 'USD', rate: 920_000_000_000n };
  const responses = [own, dollars, own].map((currency) =>
    responseTo('r', serve(priced, 'k1.token', '01X'), workspace, currency),
  );
  expect(responses.map(({ cur, seatbid }) => [cur, seatbid[0]?.bid[0]?.['price']])).toEqual([
    ['PLN', 1.84],
    ['USD', 2],
    ['PLN', 1.84],
  ]);
});

test('each bid of a creative that names its site and line item has those of its own ad', () => {
  const html = '<i data-at="${LINE_ITEM_ID}/${SITE_ID}"></i>';
  const { workspace, placement, decideAgain } = decideFor({ format: 'HTML', html } as (typeof CONTENTS)[number], 's');
  if (placement === undefined || placement === null) throw new Error('no ad');
  const admOf = (siteId: string, at: typeof placement): unknown => {
    const served = serve(at as never, 'k1.token', '01');
    const ad = { ...served.ad, lineItemId: '7', siteId };
    return responseTo('r', { ...served, ad }, workspace).seatbid[0]?.bid[0]?.['adm'];
  };
  expect(admOf('21', placement)).toContain('data-at=&quot;7/21&quot;');
  expect(admOf('22', decideAgain('s') as never)).toContain('data-at=&quot;7/22&quot;');
});

const film30s: CreativeContent = {
  format: 'VIDEO',
  title: 'V',
  durationMs: 30_000,
  mediaFiles: [],
  vastTagUrl: 'https://vendor.example/vast',
  skipOffsetMs: null,
};

describe('the slot of a pod', () => {
  const slotKey = (key: string): Targeting => ({ dimension: 'keyValue', operator: 'is', key, values: ['first'] });

  /** The `slotinpod` of a film for the first slot of a dynamic pod, by what its line item targets. */
  function slotInPod(targeting: Targeting | null): unknown {
    const { workspace, placement } = decideFor(CONTENTS[0] as CreativeContent, 's');
    if (placement === undefined || placement === null) throw new Error('no ad');
    const { slot, creative, lineItem } = placement;
    const film = { ...creative, creative: { ...creative.creative, content: film30s } };
    const inPod = {
      ...placement,
      slot: { ...slot, pod: { id: 'p', sharedMs: 60_000, end: 'first' as const } },
      creative: film,
      lineItem: { ...lineItem, booked: { ...lineItem.booked, targeting }, dimensions: dimensionsOf(targeting) },
    };
    const { seatbid } = responseTo('r', serve(inPod as typeof placement, 'k1.token', '01X'), workspace);
    const bid = seatbid[0]?.bid[0];
    expect(bid?.['dur']).toBe(30);
    return bid?.['slotinpod'];
  }

  test('a bid says its slot only where the line item targets the slots of pods', () => {
    expect(slotInPod(slotKey('pod.slot'))).toBe(1);
    // Keys are compared without regard to case.
    expect(slotInPod(slotKey('Pod.Slot'))).toBe(1);
    expect(slotInPod({ all: [slotKey('section'), { not: slotKey('pod.slot') }] })).toBe(1);
    expect(slotInPod({ any: [slotKey('section')] })).toBeUndefined();
    expect(slotInPod(null)).toBeUndefined();
  });
});
