import type { LogEvent } from './log-event.ts';

/** Decisions, pacing, budgets, the snapshot and forecasts. */
export const DELIVERY_LOG_EVENTS = {
  'decision_log.full': {
    level: 'warn',
    sentence: 'The decision log has reached its size; new decisions are not logged',
    action: 'Raise PLACARD_DECISION_LOG_MEGABYTES or lower the share of logged decisions.',
  },
  'decision_log.write_failed': {
    level: 'warn',
    sentence: 'Decisions cannot be logged',
    action: 'Check free space and permissions of the data folder. Ads continue.',
  },
  'export.decisions_written': {
    level: 'info',
    sentence: 'A file of the decision log was exported',
    action: 'Nothing.',
  },
  'export.decisions_failed': {
    level: 'error',
    sentence: 'Logged decisions cannot be exported; the export tries again in five minutes',
    action: 'Check the folder or bucket of `target`, its rights and free space. Ads continue.',
  },
  'decision_log.snapshot_not_saved': {
    level: 'warn',
    sentence: 'A snapshot cannot be saved for the decision log; its decisions cannot be replayed',
    action: 'Check free space and permissions of the data folder. Ads continue.',
  },
  'forecast.sample_dropped': {
    level: 'error',
    sentence: 'A sample for forecasts cannot be stored and is dropped',
    action: 'Report it as a bug with the stack. Forecasts lose this sample only.',
  },
  'forecast.samples_waiting': {
    level: 'warn',
    sentence: 'Samples for forecasts wait in memory because the analytics store does not accept them',
    action: 'Check the analytics store.',
  },
  'insight.reasons_waiting': {
    level: 'warn',
    sentence: 'Decision reasons wait in memory because the analytics store does not accept them',
    action: 'Check the analytics store.',
  },
  'budget.hot_store_unavailable': {
    level: 'error',
    sentence: 'The hot store is unavailable; line items with hard limits do not deliver',
    action: 'Check the hot store (Redis, or disk of this machine) at once.',
  },
  'pacing.curves_not_read': {
    level: 'warn',
    sentence: 'Traffic curves cannot be read; the previous ones stay in use',
    action: 'Check that PostgreSQL is reachable.',
  },
  'pacing.line_item_curves_failed': {
    level: 'warn',
    sentence: 'Traffic curves of line items cannot be computed; the previous ones stay in use',
    action: 'Check PostgreSQL and the analytics store.',
  },
  'plan.not_read': {
    level: 'warn',
    sentence: 'Allocation plans cannot be read; the last ones stay in use for a day',
    action: 'Check PostgreSQL.',
  },
  'plan.not_usable': {
    level: 'error',
    sentence: 'The allocation plan of a network cannot be used; its last one stays in use until it is a day old',
    action: 'Check that all processes run the same version; if they do, report the problem with this line.',
  },
  'plan.file_not_read': {
    level: 'warn',
    sentence:
      'The allocation plans on disk cannot be read; until PostgreSQL responds, goals count on all of their traffic',
    action: 'Nothing, unless it recurs: then check the disk.',
  },
  'plan.file_not_written': {
    level: 'warn',
    sentence: 'Allocation plans cannot be written to disk; after a restart there are none at first',
    action: 'Check the free space and the permissions of the data folder.',
  },
  'forecast.record_failed': {
    level: 'warn',
    sentence: 'A forecast of a booked line item cannot be made; it is tried again for a day',
    action: 'Check PostgreSQL, the analytics store and the hot store. Line items without a forecast have no score.',
  },
  'forecast.records_failed': {
    level: 'warn',
    sentence: 'Forecasts of booked line items cannot be made or scored; the next round follows in five minutes',
    action: 'Check PostgreSQL and the hot store. Scores come later.',
  },
  'plan.failed': {
    level: 'warn',
    sentence: 'An allocation plan cannot be made; the last one stays in use for a day',
    action: 'Check PostgreSQL, the analytics store and the hot store; see the runbook of PlacardPlansFailing.',
  },
  'plan.job_failed': {
    level: 'warn',
    sentence: 'Allocation plans cannot be made; the last ones stay in use for a day',
    action: 'Check PostgreSQL.',
  },
  'context_model.not_read': {
    level: 'warn',
    sentence: 'Context models cannot be read; the last ones stay in use until they are a day old',
    action: 'Check PostgreSQL.',
  },
  'context_model.not_usable': {
    level: 'error',
    sentence: 'The context model of a network cannot be used; its last one stays in use until it is a day old',
    action: 'Check that cores and delivery nodes have the same version.',
  },
  'context_model.not_trained': {
    level: 'warn',
    sentence: 'The context model of a network cannot be trained; its last one stays in use until it is a day old',
    action: 'Check PostgreSQL and the analytics store.',
  },
  'context_model.job_failed': {
    level: 'warn',
    sentence: 'Context models cannot be trained; the last ones stay in use until they are a day old',
    action: 'Check PostgreSQL.',
  },
  'pacing.curves_failed': {
    level: 'warn',
    sentence: 'Traffic curves cannot be computed; the previous ones stay in use',
    action: 'Check PostgreSQL and the analytics store.',
  },
  'pacing.report_delayed': {
    level: 'warn',
    sentence: 'This worker cannot report its responses to the other workers; it reports them later',
    action: 'Check the hot store. Pacing is less exact until then.',
  },
  'pacing.peers_unknown': {
    level: 'warn',
    sentence: 'This worker cannot learn which other workers run',
    action: 'Check the hot store. Pacing is less exact until then.',
  },
  'snapshot.shrank': {
    level: 'error',
    sentence: 'The snapshot shrank by more than half; it is used only if a second read agrees',
    action: 'Check whether someone archived many line items or restored a database.',
  },
  'snapshot.line_item_invalid': {
    level: 'error',
    sentence: 'A line item cannot be compiled and does not deliver',
    action: "Report it as a bug with the line item's id; saving the line item again may help.",
  },
  'snapshot.from_disk_first': {
    level: 'info',
    sentence: 'A worker that starts again serves from the last good snapshot until the database is read',
    action: 'Nothing.',
  },
  'snapshot.from_disk': {
    level: 'warn',
    sentence: 'The database is unavailable; ads come from the last good snapshot',
    action: 'Check PostgreSQL. Changes take effect only when it is back.',
  },
  'snapshot.first_read_failed': {
    level: 'error',
    sentence: 'The first read of the snapshot failed',
    action: 'Check PostgreSQL. The worker tries its copy on disk, then reads again.',
  },
  'snapshot.changes_not_read': {
    level: 'error',
    sentence: 'Changes of the snapshot cannot be read; the previous snapshot stays in use',
    action: 'Check PostgreSQL. Changes take effect only when it is back.',
  },
  'snapshot.not_written': {
    level: 'error',
    sentence: 'The last good snapshot cannot be written to disk',
    action:
      'Check free space and permissions of the data folder: a start without PostgreSQL would use an old snapshot.',
  },
  'snapshot.columns_unusable': {
    level: 'warn',
    sentence: 'The columns of the last good snapshot are unusable; the snapshot itself is read and compiled',
    action: 'Nothing, if it happens once after a crash. Otherwise check the disk of the data folder.',
  },
  'snapshot.file_unusable': {
    level: 'error',
    sentence: 'The last good snapshot on disk is unusable',
    action: 'Check PostgreSQL: without it this worker has no ads until it is back.',
  },
} as const satisfies Readonly<Record<string, LogEvent>>;
