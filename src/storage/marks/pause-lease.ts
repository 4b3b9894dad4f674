/** Name of the row of `job_leases` that a restore writes: jobs that tell others of the installation wait while it is there. No process takes it. */
export const PAUSE_LEASE = 'paused-by-restore';
