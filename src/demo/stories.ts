import type { Goal } from '../domain/booking/line-item.ts';
import type { DemoCreative, DemoLineItem } from './booking.ts';

const MREC: DemoCreative = ['IMAGE', 300, 250];
const HALF_PAGE: DemoCreative = ['IMAGE', 300, 600];
const BILLBOARD: DemoCreative = ['IMAGE', 970, 250];

const inAll = (amount: number): Goal => ({ kind: 'IMPRESSIONS', amount, period: 'LIFETIME' });
const guaranteed = (level: number, price: string) =>
  ({ type: 'STANDARD', level, pacing: 'EVEN', pricingModel: 'CPM', price, product: 'Run of network' }) as const;

/**
 * Line items of production with a flight, each in another state: on track, at risk, ending, without delivery, rejected, under review,
 * upcoming, incomplete, draft, paused, ended. What they deliver follows from targeting that the demo's traffic really has.
 */
export const DEMO_STORIES: readonly DemoLineItem[] = [
  {
    ...guaranteed(5, '17'),
    campaign: 'alder-autumn',
    name: 'Alder advent calendar',
    goal: inAll(36_000),
    flight: [-18, 12],
    adUnits: ['article/inline'],
    creatives: [MREC],
  },
  {
    ...guaranteed(7, '19'),
    campaign: 'kite-launch',
    name: 'Kite & Crane launch, Sweden',
    goal: inAll(150_000),
    flight: [-16, 14],
    countries: ['SE'],
    delivers: 0.21,
    creatives: [MREC, HALF_PAGE, BILLBOARD],
  },
  {
    ...guaranteed(5, '21'),
    campaign: 'nordlicht-winter',
    name: 'Nordlicht early booking, France',
    goal: inAll(24_000),
    flight: [-18, 2],
    countries: ['FR'],
    delivers: 0.8,
    creatives: [MREC, BILLBOARD],
  },
  {
    ...guaranteed(6, '23'),
    campaign: 'pinewood-spring',
    name: 'Pinewood club members',
    goal: inAll(20_000),
    flight: [-3, 18],
    keyValue: ['member', 'club'],
    delivers: 0,
    creatives: [MREC],
  },
  {
    ...guaranteed(6, '18'),
    campaign: 'kite-launch',
    name: 'Kite & Crane savings',
    goal: inAll(15_000),
    flight: [-1, 20],
    review: 'REJECTED',
    delivers: 0,
    creatives: [MREC],
  },
  {
    ...guaranteed(6, '18'),
    campaign: 'pinewood-spring',
    name: 'Pinewood winter tyres',
    goal: inAll(12_000),
    flight: [0, 21],
    review: 'PENDING',
    delivers: 0,
    creatives: [HALF_PAGE],
  },
  {
    ...guaranteed(6, '20'),
    campaign: 'nordlicht-winter',
    name: 'Nordlicht carnival specials',
    goal: inAll(30_000),
    flight: [6, 36],
    creatives: [MREC, BILLBOARD],
  },
  {
    ...guaranteed(6, '22'),
    campaign: 'alder-autumn',
    name: 'Alder gift boxes',
    goal: inAll(25_000),
    flight: [1, 15],
    creatives: [],
  },
  {
    ...guaranteed(8, '16'),
    campaign: 'alder-always',
    name: 'Alder subscription test',
    status: 'DRAFT',
    goal: inAll(10_000),
    flight: [10, 40],
    creatives: [],
  },
  {
    ...guaranteed(6, '16'),
    campaign: 'pinewood-spring',
    name: 'Pinewood workshop weeks',
    status: 'PAUSED',
    goal: inAll(28_000),
    flight: [-20, 20],
    delivers: 0.4,
    creatives: [MREC],
  },
  {
    ...guaranteed(5, '18'),
    campaign: 'alder-autumn',
    name: 'Alder harvest weeks',
    status: 'COMPLETED',
    goal: inAll(40_000),
    flight: [-50, -20],
    delivers: 1.03,
    creatives: [MREC, HALF_PAGE],
  },
  {
    ...guaranteed(6, '20'),
    campaign: 'nordlicht-winter',
    name: 'Nordlicht autumn break, Germany',
    goal: inAll(60_000),
    flight: [-40, -12],
    countries: ['DE'],
    delivers: 0.83,
    creatives: [MREC],
  },
];
