import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_AD_UNITS, DEMO_NETWORK_ID, DEMO_SITES, DEMO_TIMEZONE, type DemoAdUnit } from './booking.ts';
import { HOUR_CURVE, WEEKDAY_CURVE } from './traffic-curve.ts';
import { zonedAt } from '../domain/time/time-zone.ts';

/** Page views a second in an average hour, as many as the history has. The busiest hour has less than twice as many. */
const VIEWS_PER_SECOND = 0.84;
const USERS = 40_000;
/** Shares of shown ads. */
const SHOWN = 0.96;
const VIEWABLE = 0.64;
const CLICKED = 0.003;
/** Share of requests for a size that nobody has booked: as many as got no ad in the history. */
const UNFILLED = 0.07;
const UNBOOKED = { banner: { format: [{ w: 160, h: 90 }] } };
/** After a failure, such as a worker that restarts. */
const PAUSE_MS = 10_000;
/** A view that takes longer is given up; no two views wait at the same time. */
const VIEW_TIMEOUT_MS = 10_000;

/** Sends one request to the delivery endpoint, as a browser would; returns the parsed body of a response with status 200. */
export type SendRequest = (
  path: string,
  request: { readonly body?: string; readonly userAgent: string; readonly signal: AbortSignal },
) => Promise<unknown>;

/** Dependencies of the demo's traffic. */
export interface LiveTrafficDeps {
  readonly send: SendRequest;
  readonly nowMs: () => number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/**
 * A little traffic of the demo network: page views that ask for an ad and report its impression, sight and clicks through the endpoints
 * that pages use. One view at a time, at most about one a second, so that it costs next to nothing.
 */
export class LiveTraffic {
  readonly #deps: LiveTrafficDeps;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(deps: LiveTrafficDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Ends the view in hand. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const { nowMs, random } = this.#deps;
    const rest = (ms: number): Promise<unknown> => sleep(ms, undefined, { signal }).catch(() => undefined);
    for (let dueMs = nowMs(); ; ) {
      dueMs += pauseBetweenViews(dueMs, random());
      // A view takes a part of the pause before the next; views that a failure held up are not made up for.
      dueMs = Math.max(dueMs, nowMs() - PAUSE_MS);
      await rest(Math.max(0, dueMs - nowMs()));
      if (signal.aborted) return;
      await this.viewPage().catch(() => rest(PAUSE_MS));
    }
  }

  /** One view: a request, and what its user makes of the ad. @throws what sending throws */
  async viewPage(): Promise<void> {
    const { send, random } = this.#deps;
    const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(VIEW_TIMEOUT_MS)]);
    const browser = pick(BROWSERS, random());
    const request = { userAgent: browser.userAgent, signal };
    const body = JSON.stringify(bidRequest(drawUnit(random()), browser, random));
    const link = adLinkOf(await send(`/${DEMO_NETWORK_ID}/bid`, { ...request, body }));
    if (link === null || random() > SHOWN) return;
    const path = new URL(link).pathname;
    await send(path, request);
    await send(path.replace('/imp/', '/measurable/'), request);
    if (random() < VIEWABLE) await send(path.replace('/imp/', '/view/'), request);
    if (random() < CLICKED) await send(path.replace('/imp/', '/click/'), request);
  }
}

/** Exponential, by the busyness of the hour; at most two minutes. @param draw uniform in [0, 1) */
export function pauseBetweenViews(nowMs: number, draw: number): number {
  const { hour, dayOfWeek } = zonedAt(DEMO_TIMEZONE, nowMs);
  const rate = VIEWS_PER_SECOND * (HOUR_CURVE[hour] ?? 1) * (WEEKDAY_CURVE[dayOfWeek - 1] ?? 1);
  return Math.min(120_000, (-Math.log(1 - draw) / rate) * 1_000);
}

interface Browser {
  readonly userAgent: string;
  readonly device: number;
}

/** Browsers as often as in the history; `device` is OpenRTB's `devicetype`. */
const BROWSERS: readonly Browser[] = [
  {
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    device: 2,
  },
  { userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', device: 2 },
  {
    userAgent:
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
    device: 4,
  },
  {
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.7 Mobile/15E148 Safari/604.1',
    device: 4,
  },
];
const COUNTRIES = ['POL', 'POL', 'POL', 'POL', 'POL', 'POL', 'DEU', 'DEU', 'SWE', 'FRA'];

function bidRequest(unit: DemoAdUnit, browser: Browser, random: () => number): unknown {
  const site = DEMO_SITES.find(({ code }) => code === unit.site);
  const user = Math.floor(random() * USERS);
  return {
    id: crypto.randomUUID(),
    imp: [{ id: '1', tagid: unit.name, secure: 1, ...(random() < UNFILLED ? UNBOOKED : formatsOf(unit)) }],
    site: {
      id: unit.site,
      domain: site?.domain,
      page: `https://www.${site?.domain}/${unit.area ?? 'article'}`,
      ext: unit.area === null ? {} : { area: unit.area },
    },
    device: {
      ua: browser.userAgent,
      devicetype: browser.device,
      // A user stays in a country.
      geo: { country: COUNTRIES[user % COUNTRIES.length] },
    },
    user: { ext: { npa: false, ids: { lu: `demo-user-${user}` } } },
    regs: { gdpr: 0, ext: { dsa: 1 } },
  };
}

function formatsOf({ mediaTypes, sizes }: DemoAdUnit): Record<string, unknown> {
  const [[w, h] = [300, 250]] = sizes;
  const offers = {
    banner: { format: sizes.map(([width, height]) => ({ w: width, h: height })) },
    native: { request: '{}', ver: '1.2' },
    video: { mimes: ['video/mp4', 'video/webm'], protocols: [3, 7, 11, 14], w, h },
  };
  return Object.fromEntries(mediaTypes.map((type) => [type, offers[type]]));
}

/** The impression link of the first ad of a bid response; null: no ad. */
function adLinkOf(response: unknown): string | null {
  const { seatbid } = (response ?? {}) as { seatbid?: { bid?: { ext?: { ems_link?: string } }[] }[] };
  return seatbid?.[0]?.bid?.[0]?.ext?.ems_link ?? null;
}

const TRAFFIC_SUM = DEMO_AD_UNITS.reduce((sum, { traffic }) => sum + traffic, 0);

/** An ad unit, by its share of the traffic. */
function drawUnit(draw: number): DemoAdUnit {
  let left = draw * TRAFFIC_SUM;
  for (const unit of DEMO_AD_UNITS) {
    left -= unit.traffic;
    if (left < 0) return unit;
  }
  return DEMO_AD_UNITS[0] as DemoAdUnit;
}

function pick<T>(values: readonly T[], draw: number): T {
  return values[Math.floor(draw * values.length)] as T;
}
