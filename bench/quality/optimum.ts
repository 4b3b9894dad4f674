import loadHighs from 'highs';
import type { Opportunity } from '../../src/domain/requests/opportunity.ts';
import { compilePredicate, targetingFacts } from '../../src/delivery/decision/index/targeting.ts';
import { LocalClock } from '../../src/delivery/decision/index/local-clock.ts';
import type { WorldLineItem } from './world.ts';

/** The package declares its types for CommonJS only, whose default export would be a member. */
const openSolver = loadHighs as unknown as typeof loadHighs.default;
const THOUSAND = 1_000;
const MICROS = 1_000_000;

/** Something that wants impressions: a goal, the goal of one day, a share of voice, or a price. */
interface Demand {
  readonly lineItem: WorldLineItem;
  /** Its largest use, in impressions; infinite for PRICE. */
  amount: number;
}

/** Requests that admit the same demands. */
interface Supply {
  requests: number;
  readonly demands: readonly number[];
  /** The user, where one of the demands has a frequency cap; else empty. */
  readonly user: string;
}

/** The best that any delivery could have reached, knowing all requests beforehand. */
export interface Optimum {
  /** The impressions of goals and shares of voice. */
  readonly guaranteed: number;
  /** The revenue of PRICE beside them, in units of money. */
  readonly revenue: number;
  /** Of each line item: how much counts toward its goals. */
  readonly counted: (lineItemId: string, impressionsByHour: readonly number[]) => number;
}

/** Collects the requests of a world, and computes what an omniscient delivery would reach: a linear program. */
export class OptimumOfWorld {
  readonly #startMs: number;
  readonly #lineItems: readonly { readonly own: WorldLineItem; readonly admits: (one: Opportunity) => boolean }[];
  readonly #clock = new LocalClock();
  readonly #demands: Demand[] = [];
  readonly #demandAt = new Map<string, number>();
  readonly #supplies = new Map<string, Supply>();
  #nowMs = 0;

  constructor(lineItems: readonly WorldLineItem[], startMs: number) {
    this.#startMs = startMs;
    const wanted = lineItems.filter(({ type }) => type !== 'HOUSE');
    this.#lineItems = wanted.map((own) => ({ own, admits: this.#admission(own) }));
  }

  #admission({ targeting, timezone = 'Europe/Warsaw' }: WorldLineItem): (one: Opportunity) => boolean {
    if (targeting === null || targeting === undefined) return () => true;
    const test = compilePredicate(targeting, timezone);
    const momentOf = (zone: string) => this.#clock.at(this.#nowMs, zone);
    return (one) => one.slots.some((slot) => test(targetingFacts(one, slot, momentOf)));
  }

  record(opportunity: Opportunity, nowMs: number): void {
    this.#nowMs = nowMs;
    const demands: number[] = [];
    let user = '';
    for (const { own, admits } of this.#lineItems) {
      if (nowMs < (own.startsAtMs ?? 0) || nowMs >= (own.endsAtMs ?? Number.POSITIVE_INFINITY)) continue;
      if (!this.#isInDayPart(own, nowMs) || !admits(opportunity)) continue;
      demands.push(this.#demandOf(own, nowMs));
      if ((own.frequencyCaps ?? []).length > 0) user = opportunity.userHash;
    }
    for (const { headerBid } of opportunity.slots)
      if (headerBid !== undefined) demands.push(this.#headerDemand(headerBid.cpmMicros));
    const key = `${demands.join(',')}/${user}`;
    const supply = this.#supplies.get(key);
    if (supply === undefined) this.#supplies.set(key, { requests: 1, demands, user });
    else supply.requests += 1;
  }

  #headerDemand(priceMicros: number): number {
    const key = `header/${priceMicros}`;
    let at = this.#demandAt.get(key);
    if (at === undefined) {
      at = this.#demands.length;
      this.#demandAt.set(key, at);
      this.#demands.push({ lineItem: { id: key, type: 'PRICE', priceMicros }, amount: Number.POSITIVE_INFINITY });
    }
    return at;
  }

  #isInDayPart({ dayParts = [], timezone = 'Europe/Warsaw' }: WorldLineItem, nowMs: number): boolean {
    const { weekday, minute } = this.#clock.at(nowMs, timezone);
    const isOpen = (part: (typeof dayParts)[number]) =>
      part.days.includes(weekday) && minute >= part.startMinute && minute < part.endMinute;
    return dayParts.length === 0 || dayParts.some(isOpen);
  }

  #demandOf(lineItem: WorldLineItem, nowMs: number): number {
    const { id, type, goal, sharePercent } = lineItem;
    const day = goal?.period === 'DAY' ? Math.floor((nowMs - this.#startMs) / (24 * 3_600_000)) : 0;
    const key = `${id}/${day}`;
    let at = this.#demandAt.get(key);
    if (at === undefined) {
      at = this.#demands.length;
      this.#demandAt.set(key, at);
      this.#demands.push({ lineItem, amount: type === 'SPONSORSHIP' ? 0 : (goal?.amount ?? Number.POSITIVE_INFINITY) });
    }
    // A share of voice grows with the requests that it is a share of.
    if (type === 'SPONSORSHIP') (this.#demands[at] as Demand).amount += (sharePercent ?? 100) / 100;
    return at;
  }

  /**
   * @param isAboutRevenue otherwise the revenue is 0
   * @throws Error when the solver finds no optimum
   */
  async solve(isAboutRevenue = true): Promise<Optimum> {
    const highs = await openSolver();
    const solve = (text: string) => {
      const { Status: status, ObjectiveValue: value } = highs.solve(text, { output_flag: false });
      if (status !== 'Optimal') throw new Error(`The solver ended with: ${status}`);
      return value;
    };
    const isPrice = ({ lineItem }: Demand) => lineItem.type === 'PRICE';
    const guaranteed = solve(this.#program((demand) => (isPrice(demand) ? 0 : 1), []));
    const hasPrice = isAboutRevenue && this.#demands.some(isPrice);
    const worth = (demand: Demand) => (isPrice(demand) ? (demand.lineItem.priceMicros ?? 0) / (MICROS * THOUSAND) : 0);
    const kept = this.#sum((demand) => (isPrice(demand) ? 0 : 1));
    const revenue = hasPrice ? solve(this.#program(worth, [`kept: ${kept} >= ${guaranteed - 0.001}`])) : 0;
    return { guaranteed, revenue, counted: (id, hours) => this.#counted(id, hours) };
  }

  #counted(lineItemId: string, hours: readonly number[]): number {
    const sum = (part: readonly number[]) => part.reduce((total, one) => total + one, 0);
    const amountOf = (key: string) => this.#demands[this.#demandAt.get(key) ?? -1]?.amount ?? 0;
    const isDaily = this.#lineItems.some(({ own }) => own.id === lineItemId && own.goal?.period === 'DAY');
    if (!isDaily) return Math.min(amountOf(`${lineItemId}/0`), sum(hours));
    const days = Array.from({ length: hours.length / 24 }, (_none, day) => sum(hours.slice(day * 24, day * 24 + 24)));
    return sum(days.map((count, day) => Math.min(amountOf(`${lineItemId}/${day}`), count)));
  }

  #flows(): { name: string; supply: number; demand: number; user: string }[] {
    return [...this.#supplies.values()].flatMap(({ demands, user }, supply) =>
      demands.map((demand) => ({ name: `x${supply}_${demand}`, supply, demand, user })),
    );
  }

  #sum(worth: (demand: Demand) => number): string {
    const terms = this.#flows().flatMap(({ name, demand }) => {
      const value = worth(this.#demands[demand] as Demand);
      return value === 0 ? [] : [`${value} ${name}`];
    });
    return joinTerms(terms);
  }

  /** In the LP format of CPLEX. */
  #program(worth: (demand: Demand) => number, more: readonly string[]): string {
    const flows = this.#flows();
    const supplies = [...this.#supplies.values()];
    const rows = [
      ...sumsBy(
        flows,
        ({ supply }) => String(supply),
        (at) => supplies[Number(at)]?.requests ?? 0,
      ),
      ...sumsBy(
        flows,
        ({ demand }) => String(demand),
        (at) => (this.#demands[Number(at)] as Demand).amount,
      ),
      ...sumsBy(
        flows,
        ({ demand, user }) => `${demand}/${user}`,
        (key) => this.#capOf(key),
      ),
    ];
    return `Maximize\n obj: ${this.#sum(worth)}\nSubject To\n${[...rows, ...more].join('\n')}\nEnd\n`;
  }

  #capOf(key: string): number {
    const [demand, user] = key.split('/');
    if (user === '') return Number.POSITIVE_INFINITY;
    return (this.#demands[Number(demand)] as Demand).lineItem.frequencyCaps?.[0]?.count ?? Number.POSITIVE_INFINITY;
  }
}

function sumsBy<T extends { readonly name: string }>(
  flows: readonly T[],
  keyOf: (flow: T) => string,
  mostOf: (key: string) => number,
): string[] {
  return [...Map.groupBy(flows, keyOf)].flatMap(([key, group]) => {
    const most = mostOf(key);
    return Number.isFinite(most) ? [`${joinTerms(group.map(({ name }) => name))} <= ${most}`] : [];
  });
}

/** A line of the format holds a few hundred characters. */
function joinTerms(terms: readonly string[]): string {
  const lines: string[] = [];
  for (let from = 0; from < terms.length; from += 10) lines.push(terms.slice(from, from + 10).join(' + '));
  return lines.length === 0 ? '0 x0' : lines.join(' +\n  ');
}
