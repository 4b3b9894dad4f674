/** What one unit of work costs, as `npm run bench:capacity` measured it. */
export interface Costs {
  /** ISO date. */
  readonly measuredAt: string;
  readonly cpu: string;
  readonly node: string;
  /** Other work used the machine: CPU times are then too high rather than too low. */
  readonly wasBusy: boolean;
  /** Microseconds of CPU time of a delivery worker. */
  readonly requestMicros: number;
  readonly impressionMicros: number;
  readonly viewableMicros: number;
  readonly clickMicros: number;
  /** Microseconds of CPU time of the analytics store for each event that it stores, roll-ups included. */
  readonly storeEventMicros: number;
  /** Microseconds of CPU time of Redis to count one event. */
  readonly redisEventMicros: number;
  /** Nanoseconds of CPU time of the analytics store for each row of events that a report reads. */
  readonly reportRowNanos: number;
  /** On the disk of the analytics store, compressed, without roll-ups: of the bench's events, which are alike. */
  readonly eventBytes: number;
  /** The same of events that differ as those of a network do, measured by `npm run bench:year`. */
  readonly differentEventBytes: number;
  /** Of their roll-ups, for each event. */
  readonly rollupBytes: number;
  /** Of a response to a bid request. */
  readonly responseBytes: number;
}

/** What is to be served. */
export interface Workload {
  /** Ad requests a second at the busiest time. */
  readonly requestsPerSecond: number;
  /** Of the requests, those that get an ad. */
  readonly fill: number;
  /** Of the ads, those that are shown, seen and clicked. */
  readonly shown: number;
  readonly viewable: number;
  readonly clicked: number;
  /** The busiest second, as a multiple of the average one. */
  readonly peak: number;
  readonly retentionDays: number;
  readonly reportsPerSecond: number;
  readonly rowsPerReport: number;
}

/** What machines have and cost. None of it is measured. */
export interface Machines {
  /** Cores of a machine, of which one is left to the system. */
  readonly cores: number;
  /** Share of a core that is used at the busiest time. */
  readonly utilization: number;
  readonly dollarsPerCoreHour: number;
  readonly dollarsPerGigabyteMonth: number;
  readonly dollarsPerGigabyteSent: number;
  /** Copies of an event in the analytics store. */
  readonly replicas: number;
}

/** The machines of one part. */
export interface PartPlan {
  readonly part: string;
  /** Cores that work at the busiest time. */
  readonly busyCores: number;
  readonly machines: number;
  readonly cores: number;
}

/** The machines, storage and money of a workload. */
export interface CapacityPlan {
  readonly eventsPerSecond: number;
  readonly parts: readonly PartPlan[];
  readonly machines: number;
  readonly cores: number;
  readonly storedTerabytes: number;
  readonly sentTerabytesPerMonth: number;
  readonly dollarsPerMonth: number;
  readonly dollarsPerMillionRequests: number;
}

export const DEFAULT_WORKLOAD: Omit<Workload, 'requestsPerSecond'> = {
  fill: 0.7,
  shown: 0.8,
  viewable: 0.6,
  clicked: 0.002,
  peak: 2,
  retentionDays: 90,
  reportsPerSecond: 1,
  rowsPerReport: 1_000_000,
};

export const DEFAULT_MACHINES: Machines = {
  cores: 16,
  utilization: 0.5,
  dollarsPerCoreHour: 0.04,
  dollarsPerGigabyteMonth: 0.1,
  dollarsPerGigabyteSent: 0.02,
  replicas: 2,
};

/** The settings whose figures the page shows. */
export const SHOWN_RATES = [10_000, 100_000, 1_000_000] as const;

const HOURS_PER_MONTH = 730;
const SECONDS_PER_DAY = 86_400;
const MICROS = 1_000_000;
/** Machines of a part that stay when one fails. */
const SPARE = 1;
/** Redis executes commands on one core; each master has a replica. */
const REDIS_CORES = 2;

/** Machines and money for a workload. Work is taken to divide over machines evenly, which is not measured beyond one machine. */
export function planCapacity(costs: Costs, workload: Workload, machines: Machines = DEFAULT_MACHINES): CapacityPlan {
  const rates = ratesOf(workload);
  const deliveryCores =
    (workload.requestsPerSecond * costs.requestMicros +
      rates.shown * costs.impressionMicros +
      rates.viewable * costs.viewableMicros +
      rates.clicked * costs.clickMicros) /
    MICROS;
  const reportCores = (workload.reportsPerSecond * workload.rowsPerReport * costs.reportRowNanos) / (1_000 * MICROS);
  const storeCores = (rates.events * costs.storeEventMicros * machines.replicas) / MICROS + reportCores;
  const redisCores = (rates.events * costs.redisEventMicros) / MICROS;
  const parts = [
    spread('delivery', deliveryCores, machines),
    spread('analytics', storeCores, machines),
    pairs('redis', redisCores, machines.utilization),
    { part: 'core', busyCores: 0, machines: 2, cores: 2 * 4 },
    { part: 'postgresql', busyCores: 0, machines: 2, cores: 2 * 4 },
  ];
  return sum({ costs, workload, machines, rates, parts });
}

interface Rates {
  readonly shown: number;
  readonly viewable: number;
  readonly clicked: number;
  readonly events: number;
}

function ratesOf({ requestsPerSecond, fill, shown: share, viewable: seen, clicked: hit }: Workload): Rates {
  const shown = requestsPerSecond * fill * share;
  const [viewable, clicked] = [shown * seen, shown * hit];
  return { shown, viewable, clicked, events: shown + viewable + clicked };
}

function spread(part: string, busyCores: number, { cores, utilization }: Machines): PartPlan {
  const machines = Math.ceil(busyCores / utilization / (cores - 1)) + SPARE;
  return { part, busyCores, machines, cores: machines * cores };
}

/** A master and a replica for each core that is used to its share. */
function pairs(part: string, busyCores: number, utilization: number): PartPlan {
  const masters = Math.max(3, Math.ceil(busyCores / utilization));
  return { part, busyCores, machines: 2 * masters, cores: 2 * masters * REDIS_CORES };
}

/** On disk, an event of a network with its roll-ups. Those of the bench are alike, and compress better. */
function bytesOf({ differentEventBytes, rollupBytes }: Costs): number {
  return differentEventBytes + rollupBytes;
}

function sum(of: {
  readonly costs: Costs;
  readonly workload: Workload;
  readonly machines: Machines;
  readonly rates: Rates;
  readonly parts: readonly PartPlan[];
}): CapacityPlan {
  const { costs, workload, machines, rates, parts } = of;
  const cores = parts.reduce((total, part) => total + part.cores, 0);
  const perDay = (perSecond: number): number => (perSecond / workload.peak) * SECONDS_PER_DAY;
  const stored = perDay(rates.events) * workload.retentionDays * bytesOf(costs) * machines.replicas;
  const requestsPerMonth = perDay(workload.requestsPerSecond) * (HOURS_PER_MONTH / 24);
  const sent = requestsPerMonth * workload.fill * costs.responseBytes;
  const dollarsPerMonth =
    cores * machines.dollarsPerCoreHour * HOURS_PER_MONTH +
    (stored / 1e9) * machines.dollarsPerGigabyteMonth +
    (sent / 1e9) * machines.dollarsPerGigabyteSent;
  return {
    eventsPerSecond: rates.events,
    parts,
    machines: parts.reduce((total, part) => total + part.machines, 0),
    cores,
    storedTerabytes: stored / 1e12,
    sentTerabytesPerMonth: sent / 1e12,
    dollarsPerMonth,
    dollarsPerMillionRequests: (dollarsPerMonth / requestsPerMonth) * 1e6,
  };
}
