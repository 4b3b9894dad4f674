import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BATCHES_FOLDER } from '../events/shipping/batch-folders.ts';
import { acquireShippingLease, type ShippingLease } from '../events/shipping/shipping-lease.ts';
import { BackupError } from './manifest.ts';

/** A worker that looked at the lease before it was taken may pause for longer than anybody waits for it. */
export const SHIPPED_MEANWHILE = 'A worker shipped events during the backup: repeat it.';
const RENEW_MS = 500;
const TAKES_MAX = 10;
const BATCHES_WAIT_MS = 60_000;
const POLL_MS = 50;

/** Whose shipping is held, and how long that is waited for. */
export interface HoldOptions {
  readonly dataDir: string;
  /** Nothing runs on the data folder: batches that wait stay, and nobody inserts them. */
  readonly isOffline: boolean;
}

/** The shipping of a machine, held. */
export interface ShippingHold {
  /** Whether nobody else has shipped since. */
  isIntact(): boolean;
  release(): void;
}

/**
 * Runs `work` while no worker of this machine ships events: the analytics store then has the same events in all of its tables, and an
 * event is either in it or in the spool. Events are acknowledged and counted meanwhile.
 * @throws BackupError when batches do not end, or another process took the lease meanwhile
 */
export async function holdShipping<T>({ dataDir, isOffline }: HoldOptions, work: () => Promise<T>): Promise<T> {
  const spoolDir = join(dataDir, 'spool');
  if (!existsSync(spoolDir)) return work();
  const hold = await acquireHold(spoolDir);
  try {
    if (!isOffline)
      await waitFor(
        () => !hasBatches(spoolDir),
        BATCHES_WAIT_MS,
        'The analytics store did not take the batches that wait (`placard spool ls`): try again when it does.',
      );
    const result = await work();
    const hasShipped = !isOffline && hasBatches(spoolDir);
    if (!hold.isIntact() || hasShipped) throw new BackupError(SHIPPED_MEANWHILE);
    return result;
  } finally {
    hold.release();
  }
}

/** Also one that files are still moved into; those that the store has only wait to be deleted. */
export function hasBatches(spoolDir: string): boolean {
  const dir = join(spoolDir, BATCHES_FOLDER);
  return existsSync(dir) && readdirSync(dir).some((name) => !name.endsWith('.shipped'));
}

/**
 * Keeps the workers of a machine from beginning batches until it is released. Those that have begun are to be waited for.
 * @throws BackupError
 */
export async function acquireHold(spoolDir: string): Promise<ShippingHold> {
  const lease = await acquireLease(spoolDir);
  let isLost = false;
  const timer = setInterval(() => {
    if (!lease.isHeld()) isLost = true;
  }, RENEW_MS);
  return {
    isIntact: () => !isLost && lease.isHeld(),
    release: () => {
      clearInterval(timer);
      lease.release();
    },
  };
}

/** Its owner may write it at the same instant: after a moment the file says who has it. */
async function acquireLease(spoolDir: string): Promise<ShippingLease> {
  for (let tries = 1; tries <= TAKES_MAX; tries += 1) {
    const lease = acquireShippingLease({ spoolDir, nowMs: Date.now });
    await sleep(RENEW_MS);
    if (lease.isHeld()) return lease;
  }
  throw new BackupError('The workers of this machine cannot be kept from shipping events: try again.');
}

async function waitFor(isDone: () => boolean, limitMs: number, otherwise: string): Promise<void> {
  for (const untilMs = performance.now() + limitMs; !isDone(); await sleep(POLL_MS))
    if (performance.now() > untilMs) throw new BackupError(otherwise);
}
