import type { LogEvent } from './log-event.ts';

/** Reports, schedules and the management API. */
export const REPORT_LOG_EVENTS = {
  'graphql.resolver_failed': {
    level: 'error',
    sentence: 'A resolver failed unexpectedly; the client got `internal_error` or the name of a store',
    action:
      "Look up the request id; a store's event close by usually names the cause. Report an error with a stack as a bug.",
  },
  'goals.check_failed': {
    level: 'warn',
    sentence: 'Reached goals cannot be looked up; the next look follows shortly',
    action: 'Check PostgreSQL and the hot store. Line items at their goal stay active until then.',
  },
  'goals.standings_failed': {
    level: 'warn',
    sentence: 'How line items come along cannot be looked up; the next look follows in a minute',
    action: 'Check PostgreSQL and the hot store. Tables of line items show what was found last.',
  },
  'goals.status_failed': {
    level: 'warn',
    sentence: 'The progress of goals cannot be looked up; the next look follows in five minutes',
    action: 'Check PostgreSQL and the hot store. The feed of changes tells of goals later.',
  },
  'webhooks.check_failed': {
    level: 'warn',
    sentence: 'Webhooks cannot be looked up; the next look follows shortly',
    action: 'Check PostgreSQL. Messages wait in the log of changes.',
  },
  'webhooks.state_unknown': {
    level: 'warn',
    sentence: 'The result of messages to a webhook cannot be recorded; they are sent again, under the same ids',
    action: 'Check PostgreSQL.',
  },
  'bulk_jobs.check_failed': {
    level: 'warn',
    sentence: 'Bulk jobs cannot be looked up; the next look follows shortly',
    action: 'Check PostgreSQL. The jobs wait.',
  },
  'bulk_jobs.portion_failed': {
    level: 'warn',
    sentence: 'A portion of a bulk job could not be processed, and nothing of it is stored; it is tried again',
    action: 'Check PostgreSQL. If it repeats, the error says why.',
  },
  'bulk_jobs.row_failed': {
    level: 'warn',
    sentence: 'PostgreSQL refused a row of a bulk job for a reason that no rule foresaw; the row failed',
    action: 'Report the error: a rule is missing.',
  },
  'bulk_jobs.given_up': {
    level: 'error',
    sentence: 'A bulk job failed, because the same portion failed too often',
    action: 'Look for the errors of its portion before this line. The rows before that portion are stored.',
  },
  'assets.collected': {
    level: 'info',
    sentence: 'Unused uploaded files were deleted',
    action: 'Nothing.',
  },
  'assets.not_collected': {
    level: 'error',
    sentence: 'Unused uploaded files cannot be deleted; the next attempt follows in an hour',
    action: 'Check PostgreSQL and the asset store.',
  },
  'reports.versions_not_read': {
    level: 'debug',
    sentence: 'Data versions cannot be read; the known ones stay in use',
    action: 'Nothing at once. If it continues, check the analytics store.',
  },
  'report_task.queue_unavailable': {
    level: 'warn',
    sentence: 'The queue of report tasks cannot be read',
    action: 'Check that PostgreSQL is reachable. Tasks wait.',
  },
  'report_task.state_unknown': {
    level: 'error',
    sentence: 'The outcome of a report task cannot be recorded; another attempt follows',
    action: 'Check that PostgreSQL is reachable.',
  },
  'report_task.done': {
    level: 'info',
    sentence: 'A report task is done',
    action: 'Nothing.',
  },
  'report_task.failed': {
    level: 'warn',
    sentence: 'A report task failed and is not retried',
    action:
      'Read the error. If a store was unavailable, ask for the report again; report an error with a stack as a bug.',
  },
  'report_task.retry': {
    level: 'info',
    sentence: 'A report task failed and is retried',
    action: 'Nothing for single cases; else check the analytics store.',
  },
  'report_task.lease_not_renewed': {
    level: 'warn',
    sentence: 'The lease of a report task cannot be renewed',
    action: 'Check that PostgreSQL is reachable. Another process may take the task over.',
  },
  'reports.refresh_failed': {
    level: 'warn',
    sentence: 'An outdated report cannot be computed again; the old result stays',
    action: 'Check the analytics store.',
  },
  'reports.yielding': {
    level: 'info',
    sentence: 'Reports and exports slow down because delivery workers wait for a core',
    action:
      'Nothing for short times. If it lasts, give the machine more cores, or the analytics store its own machine (PLACARD_CLICKHOUSE_URL).',
  },
  'reports.full_speed': {
    level: 'info',
    sentence: 'Reports and exports run at full speed again',
    action: 'Nothing.',
  },
  'reports.names_not_copied': {
    level: 'warn',
    sentence: 'Names of resources cannot be copied to the analytics store; the service tries again',
    action: 'Check PostgreSQL and the analytics store. Reports show old names until then.',
  },
  'reports.export_cut_short': {
    level: 'warn',
    sentence: 'An export ended early; the client has an incomplete file',
    action: 'Check the analytics store, and whether the client closed the connection.',
  },
  'sql.session_failed': {
    level: 'error',
    sentence: 'A session of the SQL endpoint ended by a fault of the program',
    action: 'Report the error with its stack as a bug. Other sessions go on.',
  },
  'sql.statement_failed': {
    level: 'error',
    sentence: 'A statement at the SQL endpoint failed by a fault of the program; the client got SQLSTATE XX000',
    action: 'Report the error with its stack as a bug.',
  },
  'reports.query_failed': {
    level: 'error',
    sentence: 'A report query failed',
    action: 'Check the analytics store. Report an error with a stack as a bug.',
  },
  'schedules.check_failed': {
    level: 'warn',
    sentence: 'Due report schedules cannot be looked up; the next look follows shortly',
    action: 'Check that PostgreSQL is reachable. Schedules run late, not never.',
  },
  'schedules.webhook_state_unknown': {
    level: 'warn',
    sentence: 'The outcome of a webhook message cannot be recorded; it may be sent twice',
    action: 'Check that PostgreSQL is reachable.',
  },
} as const satisfies Readonly<Record<string, LogEvent>>;
