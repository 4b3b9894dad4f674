import type { LogEvent } from './log-event.ts';

/** Keys, limits, the audit log, sign-in and mail. */
export const ACCESS_LOG_EVENTS = {
  'attempts.waiting': {
    level: 'debug',
    sentence: 'Sign-in attempts wait in memory until PostgreSQL accepts them',
    action: 'Nothing at once. If it continues, check that PostgreSQL is reachable.',
  },
  'attempts.dropped': {
    level: 'warn',
    sentence: 'Sign-in attempts are missing from the audit log because PostgreSQL was unavailable for too long',
    action: 'Note the time and the number: the audit log has a gap there. Check PostgreSQL.',
  },
  'audit.heads_missing': {
    level: 'error',
    sentence: 'Signed audit heads are missing from the database',
    action:
      'Someone or a restored backup removed them: run "placard audit verify" and compare with your copies of the head files.',
  },
  'audit.head_files_restored': {
    level: 'warn',
    sentence: 'Signed audit heads were missing from their files, and the core wrote them again',
    action: 'Find out who deleted or restored files below the data folder.',
  },
  'audit.heads_not_signed': {
    level: 'warn',
    sentence: 'The audit heads cannot be signed; the core tries again in a minute',
    action: 'Check that PostgreSQL is reachable and that the data folder is writable.',
  },
  'http.guarded_request_failed': {
    level: 'error',
    sentence: 'A request failed inside its endpoint; the client got a 500 or 503',
    action:
      "Look up the request id; a store's event close by usually names the cause. Report an error with a stack as a bug.",
  },
  'keys.unavailable': {
    level: 'warn',
    sentence: 'Keys cannot be read from PostgreSQL; the last good ones stay in use',
    action: 'Check PostgreSQL. New and revoked keys take effect only when it is back.',
  },
  'keys.available': {
    level: 'info',
    sentence: 'Keys are read from PostgreSQL again',
    action: 'Nothing.',
  },
  'keys.copy_not_written': {
    level: 'error',
    sentence: 'The copy of the keys on disk cannot be written',
    action: 'Check free space and permissions of the data folder: a start without PostgreSQL would use old keys.',
  },
  'limits.units_returned': {
    level: 'info',
    sentence: 'Units of daily limits that a killed process held were returned',
    action: 'Nothing.',
  },
  'limits.units_not_returned': {
    level: 'warn',
    sentence: 'Units of daily limits that a killed process held cannot be returned yet',
    action: 'Check the hot store. Until then those units count as used.',
  },
  'limits.leases_not_written': {
    level: 'warn',
    sentence: 'Leases of daily limits cannot be written to disk',
    action: 'Check free space and permissions of the data folder: a killed process would keep its units for the day.',
  },
  'sign_in.oidc_refused': {
    level: 'info',
    sentence: 'A sign-in by OpenID Connect was refused',
    action: 'Nothing for single cases; `reason` tells what the provider or the account lacks when a member asks.',
  },
  'limits.shared_again': {
    level: 'info',
    sentence: 'The hot store responds again, and processes share limits',
    action: 'Nothing.',
  },
  'limits.not_shared': {
    level: 'error',
    sentence: 'The hot store is slow or unavailable; each process admits only the units that it holds',
    action: 'Check the hot store (Redis, or disk and CPU of this machine). Clients may get 429 too early until then.',
  },
  'limits.clock_set_back': {
    level: 'warn',
    sentence: 'The clock was set back; leases of limits are returned and renewed',
    action: "Check the machine's time synchronization.",
  },
  'mail.outbox_unavailable': {
    level: 'warn',
    sentence: 'The mail outbox cannot be read; the next attempt follows shortly',
    action: 'Check that PostgreSQL is reachable.',
  },
  'mail.dead_letter': {
    level: 'error',
    sentence: 'A mail became a dead letter',
    action:
      'Read `reason`, correct the SMTP settings or the address, and let the member ask for the mail again (docs/access.md).',
  },
  'mail.retry': {
    level: 'warn',
    sentence: 'A mail cannot be sent yet; the service tries again',
    action: 'Nothing for single cases; else run "placard doctor" and check the SMTP server.',
  },
  'mail.state_unknown': {
    level: 'warn',
    sentence: 'The outcome of a mail cannot be recorded; the mail may be sent twice',
    action: 'Check that PostgreSQL is reachable.',
  },
  'network.deletion_begun': {
    level: 'info',
    sentence: 'The deletion of a closed network has begun',
    action: 'Nothing. "placard networks deletions" shows how far it is.',
  },
  'network.deleted': {
    level: 'info',
    sentence: 'A network was deleted',
    action: 'Nothing. Backups hold its data for as long as they are kept.',
  },
  'network.deletion_failed': {
    level: 'error',
    sentence: 'A network cannot be deleted; the job continues in a minute where it was',
    action: 'Check PostgreSQL, the analytics store, the hot store and the store of files.',
  },
} as const satisfies Readonly<Record<string, LogEvent>>;
