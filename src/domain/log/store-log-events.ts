import type { LogEvent } from './log-event.ts';

/** PostgreSQL, the analytics store, the hot store, the disk. */
export const STORE_LOG_EVENTS = {
  'analytics.lost': {
    level: 'error',
    sentence: 'The analytics store lacks events that were shipped to it; nothing is shipped to it or rebuilt from it',
    action:
      'See `reason`. Bring back the right store or a backup of it, or run "placard stores accept" to go on without the events (docs/durability.md).',
  },
  'analytics.whole': {
    level: 'info',
    sentence: 'The analytics store holds again what was shipped to it',
    action: 'Nothing.',
  },
  'analytics.not_compared': {
    level: 'warn',
    sentence: 'The analytics store could not be compared with what was shipped to it; it is tried again',
    action: 'Nothing while PostgreSQL or the analytics store is unavailable; else read the error.',
  },
  'disk.space_unknown': {
    level: 'error',
    sentence: 'The free disk space cannot be read',
    action: 'Check the volume of the data folder. Uploads and reports continue without this check.',
  },
  'disk.space_low': {
    level: 'warn',
    sentence: 'The disk is nearly full; uploads and reports are refused until space is free',
    action: 'Free space on the volume of the data folder, or enlarge it. Ads and events continue.',
  },
  'disk.space_enough': {
    level: 'info',
    sentence: 'The disk has enough free space again; uploads and reports continue',
    action: 'Nothing.',
  },
  'ledger.write_failed': {
    level: 'error',
    sentence: 'The log of the ledger cannot be written; changes wait in memory and are written again shortly',
    action: 'Free space on the volume of the data folder, and check the disk. Events stay in the spool meanwhile.',
  },
  'ledger.checkpoint_failed': {
    level: 'warn',
    sentence: 'A checkpoint of the ledger cannot be written; the log grows until the next attempt succeeds',
    action: 'Free space on the volume of the data folder, and check the disk.',
  },
  'ledger.checkpoint_unreadable': {
    level: 'error',
    sentence: 'A checkpoint of the ledger cannot be read; the one before and its log were read instead',
    action: 'Check the disk and the memory of this machine.',
  },
  'hot_store.at_risk': {
    level: 'error',
    sentence: 'Redis deletes keys for want of memory, would do so, or cannot write to its disk',
    action:
      'See `risks`. Set `maxmemory-policy noeviction` and enough `maxmemory`; after evictions, delete all keys: counters are rebuilt.',
  },
  'hot_store.damaged': {
    level: 'error',
    sentence: 'The ledger is damaged; it was moved to another folder, and its counters are rebuilt',
    action: 'Check the disk and the memory of this machine. Delete the folder `keptIn` when you have looked at it.',
  },
  'hot_store.missing': {
    level: 'error',
    sentence: 'The ledger is missing; its counters are rebuilt',
    action: 'Find out who deleted it, or whether the data folder is the right one.',
  },
  'hot_store.sweep_failed': {
    level: 'warn',
    sentence: 'Expired entries of the hot store cannot be deleted; the next attempt follows shortly',
    action: 'Check free space of the data folder.',
  },
  'hot_store.connection_lost': {
    level: 'warn',
    sentence: 'A connection to Redis broke; the service connects again',
    action: 'Nothing for single cases; else check Redis and the network.',
  },
  'hot_store.owner_lost': {
    level: 'warn',
    sentence: 'The process that has the hot store open (delivery 0) has gone; this process connects again',
    action: 'Nothing when worker 0 was restarted; else look at its log lines.',
  },
  'hot_store.owner_back': {
    level: 'info',
    sentence: 'The process that has the hot store open is back',
    action: 'Nothing.',
  },
  'hot_store.decisions_without': {
    level: 'error',
    sentence: 'The hot store is late or unavailable; decisions go on without it',
    action:
      'Check Redis and the network at once; without Redis, worker 0 and the load of this machine. Frequency caps go by what this worker remembers; hard limits stop without leases.',
  },
  'hot_store.decisions_with': {
    level: 'info',
    sentence: 'The hot store responds in time again; decisions use it',
    action: 'Nothing.',
  },
  'segments.members_not_written': {
    level: 'warn',
    sentence: 'Members that a segment rule found cannot be written',
    action: 'Check the hot store. These users join the segment at their next event.',
  },
  'segments.sizes_not_recorded': {
    level: 'warn',
    sentence: 'The sizes of segments cannot be recorded; the next try follows in a minute',
    action: 'Check PostgreSQL and the hot store. A day without any try that works has no size in the chart.',
  },
  'link_keys.not_reloaded': {
    level: 'error',
    sentence: 'The link keys cannot be reloaded; the previous keys stay in use',
    action: 'Check PostgreSQL. After a key rotation, links of other processes fail until it is back.',
  },
  'cluster.made': {
    level: 'info',
    sentence: 'This node made the cluster: its secrets are in PostgreSQL, sealed',
    action: 'Nothing. Keep a copy of `secrets/` of the data folder: without the cluster key nobody can open them.',
  },
  'cluster.joined': {
    level: 'info',
    sentence: 'This node joined the cluster and has its secrets',
    action: 'Nothing. Remove PLACARD_JOIN_TOKEN from its settings.',
  },
  'cluster.differs': {
    level: 'error',
    sentence: 'This node differs from its cluster, so it is not ready and serves nothing',
    action: 'Do what each of `problems` says; "placard cluster status" shows all nodes.',
  },
  'cluster.agrees': {
    level: 'info',
    sentence: 'This node agrees with its cluster',
    action: 'Nothing.',
  },
  'cluster.not_compared': {
    level: 'warn',
    sentence: 'This node cannot be compared with its cluster; the last result holds',
    action: 'Check PostgreSQL; read `err`.',
  },
  'cluster.secret_fetched': {
    level: 'info',
    sentence: 'A rotated secret of the cluster is on this node',
    action: 'Nothing.',
  },
  'jobs.taken': {
    level: 'info',
    sentence: 'This process runs these jobs on a clock from now on',
    action: 'Nothing. "placard cluster status" shows which node runs each job.',
  },
  'jobs.lost': {
    level: 'warn',
    sentence: 'This process does not run a job any more, because its lease in PostgreSQL ended',
    action: 'Check PostgreSQL and the load of this machine. Another process takes the job.',
  },
  'counts.differ': {
    level: 'error',
    sentence: 'Reports do not say what was counted: roll-ups differ from the events of a day',
    action:
      'Run "placard verify-counts --from <day> --to <day>", and report it with its output: this is a fault of the program or of the store.',
  },
  'counts.not_checked': {
    level: 'warn',
    sentence: 'The events of the last day could not be compared with the roll-ups; it is tried again in an hour',
    action: 'See err. While the analytics store is unavailable, nothing else is to be done.',
  },
  'backup.written': {
    level: 'info',
    sentence: 'The backup of the day is written',
    action: 'Nothing. "placard backup drill" proves that it can be restored.',
  },
  'backup.failed': {
    level: 'error',
    sentence: 'The backup of the day could not be written; it is tried again in an hour',
    action: 'See err: it is what "placard backup" said (docs/operations/backup.md).',
  },
  'jobs.paused': {
    level: 'warn',
    sentence: 'This installation was restored: webhooks, mails, reports and exports wait',
    action: 'Run "placard release" when this copy replaces the first. A copy for a rehearsal stays quiet.',
  },
  'jobs.released': {
    level: 'info',
    sentence: 'Webhooks, mails, reports and exports run again',
    action: 'Nothing.',
  },
  'jobs.leases_not_renewed': {
    level: 'warn',
    sentence: 'The leases of jobs cannot be renewed; without them this process stops its jobs',
    action: 'Check that PostgreSQL is reachable.',
  },
  'jobs.run_not_recorded': {
    level: 'warn',
    sentence: 'The end of a run of a job cannot be written down',
    action: 'Check that PostgreSQL is reachable. The next holder may begin the job earlier.',
  },
  'jobs.waits_for_migrations': {
    level: 'info',
    sentence: 'This process waits for a core to bring PostgreSQL to the schema of this program',
    action: 'Start a core of this version, or run "placard migrate".',
  },
  'cluster.not_joined': {
    level: 'warn',
    sentence: 'This node cannot join its cluster yet; the next attempt follows shortly',
    action: 'Check PostgreSQL, and whether the core of the cluster has started.',
  },
  'assets.copied': {
    level: 'info',
    sentence: 'Uploaded files of this data folder are where every node reads them',
    action: 'Nothing.',
  },
  'assets.not_copied': {
    level: 'error',
    sentence: 'Uploaded files of this data folder cannot be copied to where every node reads them',
    action: 'Check PostgreSQL or the bucket, then restart: other nodes lack these files until then.',
  },
  'analytics.request_failed': {
    level: 'error',
    sentence: 'A request to the analytics process failed',
    action: 'Report it as a bug with the stack. The caller tries again.',
  },
  'analytics.ready': {
    level: 'info',
    sentence: 'The analytics store is ready',
    action: 'Nothing.',
  },
  'analytics.statement_not_ended': {
    level: 'warn',
    sentence: 'A statement of the analytics store cannot be ended',
    action: 'Nothing for single cases; a statement that holds a core ends at its time limit.',
  },
  'analytics.kill_failed': {
    level: 'debug',
    sentence: 'The request to end a statement failed',
    action: 'Nothing: the statement ends at its time limit.',
  },
  'analytics.schema_current': {
    level: 'info',
    sentence: 'The analytics store has the tables of this program',
    action: 'Nothing.',
  },
  'analytics.migrated': {
    level: 'info',
    sentence: 'A long migration of the analytics store is done',
    action: 'Nothing.',
  },
  'change_feed.connection_lost': {
    level: 'warn',
    sentence: 'The change feed lost its connection to PostgreSQL, or to the core; it connects again',
    action:
      'Nothing for single cases; else check PostgreSQL, the core of a node that reaches nothing else, and the network.',
  },
  'change_feed.listener_failed': {
    level: 'error',
    sentence: 'A part of the service cannot process a change notice',
    action: 'Report it as a bug with the stack.',
  },
  'postgres.ready': {
    level: 'info',
    sentence: 'The embedded PostgreSQL is ready',
    action: 'Nothing.',
  },
  'postgres.cluster_created': {
    level: 'info',
    sentence: 'A new PostgreSQL cluster was created',
    action: 'Nothing on a first start. Else the data folder is not the one you expect.',
  },
  'postgres.start_retry': {
    level: 'warn',
    sentence: 'The embedded PostgreSQL did not start; the service tries again',
    action: 'Read `failure`.',
  },
  'postgres.reported_error': {
    level: 'error',
    sentence: 'The embedded PostgreSQL reports an error',
    action: 'Read `text`.',
  },
  'postgres.reported_warning': {
    level: 'warn',
    sentence: 'The embedded PostgreSQL reports a warning',
    action: 'Read `text`.',
  },
  'postgres.reported': {
    level: 'debug',
    sentence: 'The embedded PostgreSQL says something',
    action: 'Nothing.',
  },
  'postgres.audit_role_unbound': {
    level: 'warn',
    sentence: 'The audit log does not bind the role of the service',
    action: 'Give the service a role of its own: "Two roles" in docs/configuration.md.',
  },
  'postgres.schema_current': {
    level: 'info',
    sentence: 'PostgreSQL has the tables of this program',
    action: 'Nothing.',
  },
  'postgres.migrated': {
    level: 'info',
    sentence: 'A long migration of PostgreSQL is done',
    action: 'Nothing.',
  },
  'postgres.account_created': {
    level: 'warn',
    sentence: 'PostgreSQL does not run as root; the service creates a system account for it',
    action: 'Nothing, or start the service as a user other than root.',
  },
  'postgres.files_elsewhere': {
    level: 'warn',
    sentence: 'The PostgreSQL account cannot reach the data folder; its files are in `dir`',
    action: 'Include `dir` in your backups, or make the data folder reachable.',
  },
  'postgres.folder_opened': {
    level: 'info',
    sentence: 'The PostgreSQL account may now pass through the data folder, without listing it',
    action: 'Nothing.',
  },
  'postgres.hangs': {
    level: 'error',
    sentence: 'PostgreSQL does not respond; requests that need it get 503 until it does',
    action: 'Check the machine and the disk of PostgreSQL. Ads and events continue.',
  },
  'postgres.responds_again': {
    level: 'info',
    sentence: 'PostgreSQL responds again',
    action: 'Nothing.',
  },
  'postgres.idle_connection_lost': {
    level: 'warn',
    sentence: 'An idle PostgreSQL connection broke; the pool opens a new one',
    action: 'Nothing for single cases; else check PostgreSQL and the network.',
  },
  'postgres.connection_lost': {
    level: 'warn',
    sentence: 'A PostgreSQL connection broke while it was in use; its statement fails',
    action: 'Nothing for single cases; else check PostgreSQL and the network.',
  },
  'postgres.leftover_ended': {
    level: 'warn',
    sentence: 'A PostgreSQL that an earlier run left behind is ended',
    action: 'Nothing.',
  },
} as const satisfies Readonly<Record<string, LogEvent>>;
