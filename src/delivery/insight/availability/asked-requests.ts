import type { AvailabilityQuestion } from '../../../domain/booking/availability.ts';
import { type Targeting, type TargetingTest, testsOf } from '../../../domain/targeting/targeting.ts';

/** What a question asks of requests besides their ad unit. Empty: any. */
export type AskedRequests = Pick<AvailabilityQuestion, 'countries' | 'deviceTypes'>;

/** Whether all requests of a question, none of them, or perhaps some meet the conditions of a targeting beyond sites, areas and ad units. */
export type Meets = 'all' | 'none' | 'unsure';

/** As `Meets`; null: no condition beyond sites, areas and ad units. */
type Found = Meets | null;

const OPPOSITE = { all: 'none', none: 'all', unsure: 'unsure' } as const;

/** How the requests of a question meet a targeting, on the ad units that its sites, areas and ad units leave. */
export function meetsOf(targeting: Targeting | null, asked: AskedRequests): Meets {
  return (targeting === null ? null : find(targeting, asked)) ?? 'all';
}

/** Whether a targeting names countries or devices: then it is not spread as the traffic of its ad units is. */
export function namesCountryOrDevice(targeting: Targeting | null): boolean {
  return testsOf(targeting).some(({ dimension }) => dimension === 'country' || dimension === 'deviceType');
}

function find(targeting: Targeting, asked: AskedRequests): Found {
  if ('all' in targeting) {
    const found = targeting.all.map((one) => find(one, asked)).filter((one) => one !== null);
    if (found.length === 0) return null;
    if (found.includes('none')) return 'none';
    return found.includes('unsure') ? 'unsure' : 'all';
  }
  if ('any' in targeting) {
    const found = targeting.any.map((one) => find(one, asked));
    if (found.every((one) => one === null)) return null;
    if (found.includes('all')) return 'all';
    return found.every((one) => one === 'none') ? 'none' : 'unsure';
  }
  if ('not' in targeting) {
    const found = find(targeting.not, asked);
    return found === null ? null : OPPOSITE[found];
  }
  return findOfTest(targeting, asked);
}

function findOfTest({ dimension, operator, values }: TargetingTest, asked: AskedRequests): Found {
  const isExact = operator === 'is' || operator === 'isNot';
  if (dimension === 'site' || dimension === 'area' || dimension === 'adUnit') return isExact ? null : 'unsure';
  const named = dimension === 'country' ? asked.countries : dimension === 'deviceType' ? asked.deviceTypes : [];
  if (named.length === 0 || !isExact) return 'unsure';
  const among = new Set(values.map((value) => value.toLowerCase()));
  const count = named.filter((one) => among.has(one.toLowerCase())).length;
  const found = count === 0 ? 'none' : count === named.length ? 'all' : 'unsure';
  return operator === 'is' ? found : OPPOSITE[found];
}
