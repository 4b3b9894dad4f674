import type { Page } from 'playwright-core';

/** The settings of a page with Prebid. */
export interface PrebidScenario {
  /** Ad units as Prebid takes them; `code` is the id of the element that they are drawn into. */
  readonly adUnits: readonly Readonly<Record<string, unknown>>[];
  readonly ortb2?: unknown;
  /** Responses of the page's consent tool; absent = there is none. */
  readonly tcf?: { readonly gdprApplies: boolean; readonly tcString: string; readonly purposes: readonly number[] };
  /** Members for `pbjs.setConfig` beyond the test's own. */
  readonly config?: unknown;
}

/** One bid of Prebid's auction. */
export interface AuctionBid {
  readonly adUnitCode: string;
  readonly bidder: string;
  readonly mediaType: string;
  readonly cpm: number;
  readonly currency: string;
  readonly creativeId: string;
  readonly width: number;
  readonly height: number;
  readonly adId: string;
  readonly dealId: string | null;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly native?: Readonly<Record<string, unknown>>;
  readonly vastXml?: string;
  readonly vastUrl?: string;
}

/** The outcome: the bids of the auction, and Prebid's own events by name. */
export interface AuctionResult {
  readonly bids: readonly AuctionBid[];
  readonly events: readonly { readonly name: string; readonly reason: string }[];
}

/** A page with Prebid: runs one auction, and draws each ad unit's best bid (not video) into its element. */
export function prebidPage(scenario: PrebidScenario): string {
  const containers = scenario.adUnits.map((unit) => `<div id="${String(unit['code'])}"></div>`).join('\n');
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>A page with Prebid</title>
<body><h1>A page with Prebid</h1>${containers}
<script>window.scenario = ${JSON.stringify(scenario).replaceAll('<', '\\u003c')};</script>
<script>(${installConsentTool.toString()})(window.scenario.tcf);</script>
<script src="/prebid.js"></script>
<script>(${runAuction.toString()})(window.scenario);</script></body></html>`;
}

/** Opens it and waits for the auction's end; drawn ads may still be loading. */
export async function watchAuction(page: Page, url: string): Promise<AuctionResult> {
  await page.goto(url);
  await page.waitForFunction(() => 'auctionResult' in globalThis);
  return page.evaluate(() => (globalThis as unknown as { auctionResult: AuctionResult }).auctionResult);
}

/** Runs in the page: a consent tool that has the user's choice. */
function installConsentTool(tcf: PrebidScenario['tcf']): void {
  if (tcf === undefined) return;
  const consents = Object.fromEntries(tcf.purposes.map((purpose) => [purpose, true]));
  const data = {
    tcString: tcf.tcString,
    gdprApplies: tcf.gdprApplies,
    cmpStatus: 'loaded',
    eventStatus: 'tcloaded',
    listenerId: 1,
    apiVersion: 2,
    purpose: { consents, legitimateInterests: {} },
    vendor: { consents: {}, legitimateInterests: {} },
    specialFeatureOptins: {},
  };
  Object.assign(globalThis, {
    __tcfapi: (command: string, _version: number, callback: (data: unknown, ok: boolean) => void) => {
      if (command === 'ping') callback({ gdprApplies: tcf.gdprApplies, cmpLoaded: true, cmpStatus: 'loaded' }, true);
      else callback(data, true);
    },
  });
}

/** Runs in the page. */
function runAuction(scenario: PrebidScenario): void {
  // oxlint-disable-next-line typescript/no-explicit-any -- Prebid's global, as pages use it
  const pbjs = (globalThis as any).pbjs;
  const events: { name: string; reason: string }[] = [];
  for (const name of ['bidWon', 'adRenderSucceeded', 'adRenderFailed', 'bidRejected', 'bidderError'])
    pbjs.onEvent(name, (detail: { reason?: string; rejectionReason?: string; message?: string }) =>
      events.push({ name, reason: detail.rejectionReason ?? detail.reason ?? detail.message ?? '' }),
    );
  pbjs.setConfig({
    bidderTimeout: 5000,
    enableTIDs: true,
    ...(scenario.tcf === undefined
      ? {}
      : { consentManagement: { gdpr: { cmpApi: 'iab', timeout: 2000, defaultGdprScope: true } } }),
    ...(scenario.config as object | undefined),
  });
  const draw = (bid: { adUnitCode: string; adId: string; mediaType: string; width: number; height: number }): void => {
    if (bid.mediaType === 'video') return;
    const frame = document.createElement('iframe');
    frame.width = String(bid.mediaType === 'native' ? 320 : bid.width);
    frame.height = String(bid.mediaType === 'native' ? 300 : bid.height + 20);
    document.getElementById(bid.adUnitCode)?.append(frame);
    pbjs.renderAd(frame.contentDocument, bid.adId);
  };
  pbjs.requestBids({
    adUnits: scenario.adUnits,
    ortb2: scenario.ortb2 ?? {},
    timeout: 5000,
    bidsBackHandler: () => {
      const best = scenario.adUnits.flatMap((unit) => pbjs.getHighestCpmBids(unit['code']));
      const bids = pbjs.getBidResponses();
      const all = Object.values(bids).flatMap((one) => (one as { bids: unknown[] }).bids);
      Object.assign(globalThis, { auctionResult: { bids: JSON.parse(JSON.stringify(all)), events } });
      best.forEach(draw);
    },
  });
}
