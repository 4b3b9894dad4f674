import type { Opportunity } from '../../src/domain/requests/opportunity.ts';
import { seededRandom } from '../../src/delivery/insight/forecast/seeded-random.ts';
import { sampleOpportunity } from '../../test/worlds/sample-workspace.ts';
import type { SampleInput } from '../../test/worlds/sample-workspace.ts';

const DAY_MS = 86_400_000;
const SECTIONS = 200;
const COUNTRIES = ['pl', 'de', 'fr', 'it', 'es'];
/** Mean over a week. */
export const SLOTS_PER_HOUR = 200_000;

/** Goals that contend, and requests for them. */
export interface GoalsNetwork {
  readonly lineItems: NonNullable<SampleInput['lineItems']>;
  readonly drawOpportunity: () => Opportunity;
}

/** Each goal is for one to three of 200 sections, a quarter of them for one country besides; flights begin and end at any time. */
export function drawGoalsNetwork(count: number, days: number, nowMs: number): GoalsNetwork {
  const random = seededRandom(7);
  const drawSection = () => `s${Math.floor(random() * SECTIONS)}`;
  const drawCountry = () => COUNTRIES[Math.floor(random() * COUNTRIES.length)] as string;
  const lineItems = Array.from({ length: count }, (_none, at) => {
    const sections = Array.from({ length: 1 + (at % 3) }, drawSection);
    const inSections = { dimension: 'keyValue', key: 'section', operator: 'is', values: sections } as const;
    const inCountry = { dimension: 'country', operator: 'is', values: [drawCountry()] } as const;
    const startsAtMs = nowMs + (random() * 1.5 - 0.75) * days * DAY_MS;
    const supply = (SLOTS_PER_HOUR * 24 * days) / SECTIONS;
    return {
      type: 'STANDARD' as const,
      level: 1 + Math.floor(random() * 16),
      goal: { kind: 'IMPRESSIONS', amount: Math.ceil(supply * 0.05 * random()), period: 'LIFETIME' } as const,
      targeting: at % 4 === 0 ? { all: [inSections, inCountry] } : inSections,
      startsAtMs,
      endsAtMs: startsAtMs + (0.1 + random()) * days * DAY_MS,
    };
  });
  return {
    lineItems,
    drawOpportunity: () =>
      sampleOpportunity({
        country: drawCountry(),
        userHash: Math.floor(random() * 2 ** 32)
          .toString(16)
          .padStart(16, '0'),
        keyValues: new Map([['section', [drawSection()]]]),
      }),
  };
}
