import { readFileSync } from 'node:fs';
import type { Costs } from './plan.ts';

/** The one source of measured costs: `npm run bench:capacity` writes it. */
export const COSTS_FILE = new URL('../figures/capacity.json', import.meta.url).pathname;

export function readCosts(): Costs {
  return JSON.parse(readFileSync(COSTS_FILE, 'utf8')) as Costs;
}
