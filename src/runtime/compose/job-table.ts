/**
 * Where a job runs. `lease`: in one process of the cluster, by a lease in PostgreSQL. `item`: wherever jobs run; each item is claimed on its
 * own. `machine`: on each machine, for its own files. `core`: in each core, for its own memory.
 */
export type JobScope = 'lease' | 'item' | 'machine' | 'core';

/** One row of the table of jobs. */
export interface JobRow {
  readonly name: string;
  readonly runs: JobScope;
  readonly every: string;
  readonly work: string;
  /** What keeps the result right when a holder that was paused wakes up beside its successor. */
  readonly twice: string;
  /**
   * `waits`: it tells others of this installation, or deletes what the first one may still use, which a restored copy does not do before
   * `placard release`.
   */
  readonly restored: 'runs' | 'waits';
}

/** Everything that runs on a clock, beside what a process does for its own requests. docs/operations/cluster.md holds the same table. */
export const JOB_TABLE = [
  {
    name: 'traffic-curves',
    runs: 'lease',
    every: '1 h',
    work: 'learns the traffic curves that pacing and forecasts use',
    twice: 'each writes the same rows',
    restored: 'runs',
  },
  {
    name: 'allocation-plans',
    runs: 'lease',
    every: '5 min, and on each change',
    work: 'plans which line item gets which part of the traffic',
    twice: 'the later plan counts',
    restored: 'runs',
  },
  {
    name: 'context-models',
    runs: 'lease',
    every: '10 min',
    work: 'learns how click rates of creatives depend on site, unit, device, country and hour',
    twice: 'the second to finish writes nothing',
    restored: 'runs',
  },
  {
    name: 'event-export',
    runs: 'lease',
    every: '5 min',
    work: 'exports hours of events that are complete',
    twice: 'a lock of PostgreSQL around the files',
    restored: 'waits',
  },
  {
    name: 'goal-completion',
    runs: 'lease',
    every: '5 s',
    work: 'completes line items whose goal is delivered',
    twice: 'the status changes in one statement, once',
    restored: 'runs',
  },
  {
    name: 'goal-status',
    runs: 'lease',
    every: '5 min',
    work: 'tells how line items come along with their goals',
    twice: 'a row lock of each status; each change is told once',
    restored: 'runs',
  },
  {
    name: 'imported-history',
    runs: 'lease',
    every: '5 s',
    work: 'books hours that another ad server delivered: events, delivery counters, the sample of opportunities',
    twice: 'a token of each insert and a number of each addition; each counts once',
    restored: 'runs',
  },
  {
    name: 'standings',
    runs: 'lease',
    every: '1 min',
    work: 'finds how line items come along, for tables that are sorted by it',
    twice: 'each writes the same rows',
    restored: 'runs',
  },
  {
    name: 'forecast-records',
    runs: 'lease',
    every: '5 min',
    work: 'forecasts line items that became active or changed, scores forecasts whose flights ended a day ago',
    twice: 'the first open forecast of a line item stays; each is scored once',
    restored: 'runs',
  },
  {
    name: 'segment-sizes',
    runs: 'lease',
    every: '1 h',
    work: 'records the size of each segment once a day, deletes sizes older than 400 days',
    twice: 'the first size of a day stays',
    restored: 'runs',
  },
  {
    name: 'analytics-marks',
    runs: 'lease',
    every: '10 s',
    work: 'compares the analytics store with what was shipped to it, and marks how far it is',
    twice: 'a mark that is lower than the last one shows as a loss until the next',
    restored: 'runs',
  },
  {
    name: 'count-checks',
    runs: 'lease',
    every: '1 day',
    work: 'compares the events of the last whole UTC day with the roll-ups that reports read',
    twice: 'reads alone',
    restored: 'runs',
  },
  {
    name: 'retention',
    runs: 'lease',
    every: '1 day',
    work: 'deletes events past their retention',
    twice: 'deletes what is deleted',
    restored: 'waits',
  },
  {
    name: 'network-deletions',
    runs: 'lease',
    every: '1 min',
    work: 'deletes closed networks whose time has come, step by step',
    twice: 'deletes what is deleted; each step is recorded when it has ended',
    restored: 'waits',
  },
  {
    name: 'unused-files',
    runs: 'lease',
    every: '1 day',
    work: 'deletes uploaded files that nothing uses, and bulk jobs that ended 7 days ago',
    twice: 'row locks, file by file',
    restored: 'waits',
  },
  {
    name: 'backups',
    runs: 'lease',
    every: '1 day',
    work: 'writes a backup to PLACARD_BACKUP_TO, deletes the oldest ones of a folder',
    twice: 'a second backup of the same second finds its folder taken',
    restored: 'waits',
  },
  {
    name: 'audit-heads',
    runs: 'lease',
    every: '1 min',
    work: 'signs the heads of the audit log',
    twice: 'each line number is accepted once',
    restored: 'runs',
  },
  {
    name: 'probe',
    runs: 'lease',
    every: '1 min',
    work: 'tries bid, impression, click, conversion and report over HTTP, where PLACARD_PROBE is true',
    twice: 'two rounds in a minute',
    restored: 'waits',
  },
  {
    name: 'report-schedules',
    runs: 'item',
    every: '5 s',
    work: 'starts scheduled reports, sends their webhooks and mails',
    twice: 'a row lock starts each run; a lease sends each message',
    restored: 'waits',
  },
  {
    name: 'report-tasks',
    runs: 'item',
    every: '1 s',
    work: 'makes reports in the background',
    twice: 'a lease for each report',
    restored: 'waits',
  },
  {
    name: 'webhooks',
    runs: 'item',
    every: '2 s',
    work: 'tells webhooks of changes',
    twice: 'a lease for each webhook; a receiver knows a repeated message by its id',
    restored: 'waits',
  },
  {
    name: 'agent-notices',
    runs: 'item',
    every: '2 s',
    work: "tells buyers' agents of decisions about their requests",
    twice: 'a lease for each notice; a receiver knows a repeated one by its key',
    restored: 'waits',
  },
  {
    name: 'bulk-jobs',
    runs: 'item',
    every: '1 s',
    work: 'upserts the rows of bulk jobs',
    twice: 'a lease for each job; a row lock and one transaction for each portion',
    restored: 'runs',
  },
  {
    name: 'mail-outbox',
    runs: 'item',
    every: '2 s',
    work: 'sends mail',
    twice: 'a lease for each mail',
    restored: 'waits',
  },
  {
    name: 'hot-store-sweep',
    runs: 'machine',
    every: '1 s',
    work: 'deletes what has expired in the built-in hot store; Redis does so itself',
    twice: 'worker 0 of a data folder',
    restored: 'runs',
  },
  {
    name: 'decision-export',
    runs: 'machine',
    every: '5 min',
    work: 'exports the logged decisions of a machine',
    twice: 'worker 0 of a data folder',
    restored: 'waits',
  },
  {
    name: 'backup-cut',
    runs: 'machine',
    every: '2 s',
    work: 'ships, then holds the events of a machine for a backup that another node makes',
    twice: 'worker 0 of a data folder',
    restored: 'runs',
  },
  {
    name: 'node-report',
    runs: 'machine',
    every: '5 s',
    work: 'compares and reports the node, deletes ended tokens',
    twice: 'each writes its own row',
    restored: 'runs',
  },
  {
    name: 'report-names',
    runs: 'core',
    every: 'on each change',
    work: 'copies names of objects to the analytics store',
    twice: 'the newest version of a name counts',
    restored: 'runs',
  },
] as const satisfies readonly JobRow[];

/** Any job. */
export type JobName = (typeof JOB_TABLE)[number]['name'];

/** A job that one process of the cluster runs. */
export type LeasedJobName = Extract<(typeof JOB_TABLE)[number], { runs: 'lease' }>['name'];

/** Whether a job waits on a restored copy. */
export function waitsWhenRestored(name: JobName): boolean {
  return JOB_TABLE.find((row) => row.name === name)?.restored === 'waits';
}
