import type { LogEvent } from './log-event.ts';

/** Processes of the service, their start and end, and HTTP servers. */
export const PROCESS_LOG_EVENTS = {
  'postgres.killed': {
    level: 'warn',
    sentence: 'The embedded PostgreSQL did not stop in time and is killed',
    action: "Nothing: it recovers at its next start. If it repeats, check the disk's speed.",
  },
  'postgres.restarted': {
    level: 'error',
    sentence: 'The embedded PostgreSQL ended and is started again',
    action: 'Check memory and disk of this machine; `how` tells the exit code or signal.',
  },
  'postgres.start_failed': {
    level: 'error',
    sentence: 'The embedded PostgreSQL cannot be started',
    action: 'Read the error, and check free space and permissions of the data folder.',
  },
  'analytics.gave_up': {
    level: 'error',
    sentence: 'The analytics store ended for good',
    action: 'Read `reason`; check memory and disk of this machine, then run the command again.',
  },
  'process.leftovers_ended': {
    level: 'warn',
    sentence: 'Processes that an earlier run left behind are ended',
    action: 'Nothing. The earlier run was killed or crashed.',
  },
  'process.killed': {
    level: 'warn',
    sentence: 'A process did not stop in time and is killed',
    action: 'Nothing for single cases. Events on disk are shipped after the next start.',
  },
  'process.restarted': {
    level: 'error',
    sentence: 'A process died and is started again',
    action: "Look for the last lines of that `child` above; check the machine's memory when `how` says SIGKILL.",
  },
  'process.ready': {
    level: 'info',
    sentence: 'A process is ready',
    action: 'Nothing.',
  },
  'process.priority_unchanged': {
    level: 'debug',
    sentence: 'The priority of a thread cannot be lowered',
    action: 'Nothing. Under full load, ads compete with reports.',
  },
  'process.orphaned': {
    level: 'warn',
    sentence: 'The supervisor is gone, and this process stops',
    action: 'Find out who killed the supervisor, then start the service again.',
  },
  'process.stop_timeout': {
    level: 'error',
    sentence: 'This process did not stop in time and ends at once',
    action: 'Nothing for single cases. Events on disk are shipped after the next start.',
  },
  'process.stop_failed': {
    level: 'error',
    sentence: 'This process cannot stop in order and ends at once',
    action: 'Report an error with a stack as a bug.',
  },
  'process.stray_error': {
    level: 'error',
    sentence: 'One connection or call failed outside of its own code; all others continue',
    action: 'Nothing for single cases; report it as a bug if it repeats (ADR 0016).',
  },
  'process.uncaught_error': {
    level: 'fatal',
    sentence: 'The state of this process is uncertain; it stops in order, and a new one starts',
    action: 'Report it as a bug with the stack (ADR 0016).',
  },
  'process.failed': {
    level: 'fatal',
    sentence: 'This process failed and ends',
    action: 'Read the error; the supervisor starts a new one.',
  },
  'service.ads_first': {
    level: 'info',
    sentence: 'Ads are served from the disk; PostgreSQL, analytics and core start now',
    action: 'Nothing. `/readyz` of delivery says when all parts are up.',
  },
  'service.disk_not_usable': {
    level: 'warn',
    sentence: 'Files of an earlier run cannot be read; ads are served after the core is up',
    action: 'Read the error, and check the disk.',
  },
  'service.stopped': {
    level: 'info',
    sentence: 'The service has stopped',
    action: 'Nothing.',
  },
  'service.stopping': {
    level: 'info',
    sentence: 'The service stops',
    action: 'Nothing.',
  },
  'service.stopping_at_once': {
    level: 'info',
    sentence: 'A second signal came; the service stops without waiting',
    action: 'Nothing.',
  },
  'process.metrics_failed': {
    level: 'warn',
    sentence: 'A process cannot read its metrics',
    action: 'Report it with this line. The other processes still show theirs.',
  },
  'service.reloading': {
    level: 'info',
    sentence:
      'SIGHUP received: the workers are replaced one after the other, and certificates and settings are read again',
    action: 'Nothing.',
  },
  'settings.reloaded': {
    level: 'info',
    sentence: 'Reloaded settings have new values',
    action: 'Nothing.',
  },
  'settings.need_restart': {
    level: 'warn',
    sentence: 'Changed settings keep their old values: they need a restart',
    action: 'Restart the service, or set them back. `names` lists them.',
  },
  'settings.not_reloaded': {
    level: 'error',
    sentence: 'The settings cannot be read again; all keep their values',
    action: 'Correct what `problems` lists, and send SIGHUP again.',
  },
  'service.gave_up': {
    level: 'fatal',
    sentence: 'The service gives up and ends',
    action: 'Read `reason`, remove the cause, and start the service again.',
  },
  'process.list_not_written': {
    level: 'warn',
    sentence: 'The list of running processes cannot be written',
    action: 'Check free space and permissions of the data folder: after a crash, old processes would not be found.',
  },
  'tls.certificate_renewed': {
    level: 'info',
    sentence: 'A new certificate is in use',
    action: 'Nothing.',
  },
  'tls.certificate_not_renewed': {
    level: 'error',
    sentence: 'The certificate cannot be renewed; the present one stays in use',
    action: 'Check the files of PLACARD_TLS_CERT_FILE and PLACARD_TLS_KEY_FILE before the present one expires.',
  },
  'http.core_route': {
    level: 'debug',
    sentence: 'The core serves a route',
    action: 'Nothing.',
  },
  'http.core_request_failed': {
    level: 'error',
    sentence: 'A request to the core failed; the client got a 500 or 503',
    action:
      "Look up the request id; a store's event close by usually names the cause. Report an error with a stack as a bug.",
  },
  'http.delivery_server_error': {
    level: 'error',
    sentence: 'The delivery server reports an error',
    action: 'Read the error. If it is EMFILE, raise the limit on open files.',
  },
  'http.delivery_route': {
    level: 'debug',
    sentence: 'A delivery worker serves a route',
    action: 'Nothing.',
  },
  'http.delivery_request_failed': {
    level: 'error',
    sentence: 'A request to a delivery worker failed; the client got a 500 or 503',
    action:
      "Look up the request id; a store's event close by usually names the cause. Report an error with a stack as a bug.",
  },
  'http.framework_warning': {
    level: 'warn',
    sentence: 'The HTTP framework reports a problem with a request or response',
    action: 'Nothing for single cases; report it as a bug if it repeats.',
  },
  'demo.progress': {
    level: 'info',
    sentence: 'The demo network makes progress',
    action: 'Nothing.',
  },
  'demo.history_failed': {
    level: 'warn',
    sentence: 'The history of the demo network cannot be written; the service tries again',
    action: 'Check the analytics store.',
  },
  'probe.failed': {
    level: 'error',
    sentence: 'The probe failed; the next round follows in a minute',
    action: 'See PlacardProbeFails in docs/operations/alerts.md for what `step` means.',
  },
} as const satisfies Readonly<Record<string, LogEvent>>;
