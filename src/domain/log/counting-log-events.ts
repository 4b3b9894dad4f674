import type { LogEvent } from './log-event.ts';

/** Spool, shipping, counters and billing. */
export const COUNTING_LOG_EVENTS = {
  'billing.flat_day_waits': {
    level: 'warn',
    sentence: "The price of a FLAT line item's day waits for the next impression",
    action: 'Check the hot store. No revenue is lost.',
  },
  'billing.remaining_unknown': {
    level: 'warn',
    sentence: 'The remaining budget of a line item is unknown because the hot store is unavailable',
    action: 'Check the hot store (Redis, or disk of this machine).',
  },
  'billing.release_failed': {
    level: 'warn',
    sentence: 'A part of a budget stays reserved for 85 minutes because the hot store is unavailable',
    action: 'Check the hot store. The line item may underdeliver until then.',
  },
  'click.waiting': {
    level: 'warn',
    sentence: 'Clicks are redirected and wait in memory because the disk does not accept them',
    action: 'Check free space and health of the disk below the data folder. Do not restart: that loses the clicks.',
  },
  'click.recorded_late': {
    level: 'info',
    sentence: 'Clicks that waited for the disk are recorded, with the times of the clicks',
    action: 'Nothing.',
  },
  'click.lost': {
    level: 'error',
    sentence: 'Clicks were redirected and are lost: they are neither counted nor billed',
    action:
      'Check free space and health of the disk below the data folder. `clicks` says how many; `placard_clicks_lost_total` counts all.',
  },
  'spool.dead_letter': {
    level: 'error',
    sentence: 'Spool lines cannot be processed and are now dead letters',
    action: 'Look at them with "placard spool cat --dead-letters"; each tells its reason. They are not counted.',
  },
  'spool.torn_end_lost': {
    level: 'error',
    sentence: 'The torn end of a spool file was cut off and cannot be saved as a dead letter',
    action: 'Check free space and health of the disk. The torn line was never acknowledged.',
  },
  'billing.flat_day_not_booked': {
    level: 'warn',
    sentence: "The price of a FLAT line item's day is booked later because the hot store is unavailable",
    action: 'Check the hot store. No revenue is lost.',
  },
  'hot_store.rebuilt': {
    level: 'warn',
    sentence: 'The counters of the hot store were rebuilt from events',
    action: 'Nothing. `tookMs` says how long ads waited.',
  },
  'hot_store.shards_lost': {
    level: 'error',
    sentence: 'Shards of the hot store have lost their counters; budgets wait until they are rebuilt',
    action: 'Find out who emptied Redis, or why a server restarted without its data. The rebuild runs by itself.',
  },
  'hot_store.shards_old': {
    level: 'error',
    sentence: 'Shards of the hot store came back with old data; they count as lost, and are rebuilt',
    action: 'Find out what restored an older dump or promoted a lagging replica. The rebuild runs by itself.',
  },
  'hot_store.shards_ready': {
    level: 'warn',
    sentence: 'Lost shards of the hot store were rebuilt and are used again',
    action: 'Nothing. `tookMs` says how long budgets waited.',
  },
  'hot_store.recounted': {
    level: 'info',
    sentence: 'Events of the spool were counted again in rebuilt shards of the hot store',
    action: 'Nothing.',
  },
  'backup.cut_not_followed': {
    level: 'warn',
    sentence: 'This node cannot learn whether a backup of another node wants its events; it tries again',
    action: 'Check that PostgreSQL is reachable, and that cores have the version of this node or a newer one.',
  },
  'hot_store.recovery_waits': {
    level: 'error',
    sentence:
      'Lost shards of the hot store cannot be rebuilt yet, or not be looked at; the next attempt follows shortly',
    action: 'Check Redis, PostgreSQL and the analytics store. Budgets wait; ads without hard limits go on.',
  },
  'hot_store.rebuild_failed': {
    level: 'error',
    sentence: 'The counters of the hot store cannot be rebuilt yet, and ads wait',
    action: 'Check the analytics store: the counters are rebuilt from its events.',
  },
  'event.counted_later': {
    level: 'warn',
    sentence: 'An event is safe on disk and counted later because the hot store is unavailable',
    action: 'Check the hot store (Redis, or disk of this machine).',
  },
  'activity.credited_later': {
    level: 'warn',
    sentence: 'Conversions are safe on disk and credited later because contacts or budgets cannot be read',
    action: 'Check the hot store (Redis, or disk of this machine), and the other machines if it is available.',
  },
  'event.mark_failed': {
    level: 'warn',
    sentence: 'Other workers cannot be told that an event is counted later',
    action: 'Check free space and health of the disk. Conversions of this time may be credited to nobody.',
  },
  'event.mark_without_spool': {
    level: 'warn',
    sentence: 'The mark of events to be counted was deleted because the folder of their spool file is gone',
    action:
      'Find out who deleted `spool/w<number>` of the data folder. Its events may be lost unless they were shipped.',
  },
  'request_counts.lost': {
    level: 'warn',
    sentence: 'Request counts were lost because the spool does not accept them',
    action: 'Check free space and health of the disk. Reports show too few requests for this time.',
  },
  'history.booked': {
    level: 'info',
    sentence: 'Hours that another ad server delivered were booked',
    action: 'Nothing.',
  },
  'history.failed': {
    level: 'error',
    sentence: 'Imported history cannot be booked; the job tries again in five seconds',
    action: 'Check PostgreSQL, the analytics store and the hot store.',
  },
  'retention.deleted': {
    level: 'info',
    sentence: "Events older than the network's retention were deleted",
    action: 'Nothing.',
  },
  'retention.failed': {
    level: 'error',
    sentence: 'Old events cannot be deleted; the job tries again in an hour',
    action: 'Check PostgreSQL and the analytics store.',
  },
  'export.hour_written': {
    level: 'info',
    sentence: 'Events of an hour were exported',
    action: 'Nothing.',
  },
  'export.failed': {
    level: 'error',
    sentence: 'Events cannot be exported; the export tries again in five minutes',
    action: 'Check the folder or bucket of `target`, its rights and free space. Ads, events and reports continue.',
  },
  'spool.shipping_failed': {
    level: 'error',
    sentence: 'The spool cannot be read or written',
    action: 'Check free space and health of the disk below the data folder.',
  },
  'spool.waiting': {
    level: 'warn',
    sentence: 'Events wait on disk because a store does not accept them',
    action: 'Check the analytics store and the hot store. Nothing is lost while the disk has space.',
  },
  'spool.token_renewed': {
    level: 'warn',
    sentence: 'A batch waited so long that only rows are sent which the analytics store lacks',
    action:
      'Run "placard verify-counts" if the store failed at that time: roll-ups may lack what an interrupted insert left out.',
  },
  'spool.taken_over': {
    level: 'warn',
    sentence: 'Spool files of a machine that was silent for a minute were taken over, and their events count here',
    action: 'Nothing for the events. Find out why the machine is silent. It may come back with its data folder.',
  },
  'spool.take_over_failed': {
    level: 'error',
    sentence: 'Copies of spool files cannot be reached, or files of a lost machine cannot be taken over',
    action:
      'Check Redis, free space of the data folder and the analytics store. The service tries again every five seconds.',
  },
  'spool.recovered': {
    level: 'info',
    sentence: 'Spool files that an earlier process left open were sealed',
    action: 'Nothing.',
  },
  'spool.write_failed': {
    level: 'error',
    sentence: 'The spool does not accept events; clients get 503',
    action: 'Check free space and health of the disk below the data folder at once.',
  },
  'spool.seal_failed': {
    level: 'error',
    sentence: 'A spool file cannot be sealed',
    action: 'Check free space and health of the disk below the data folder.',
  },
} as const satisfies Readonly<Record<string, LogEvent>>;
