import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Which worker of the machine ships the files of all. Two owners at once do no harm, so a pause of an owner needs no care. */
export interface ShippingLease {
  /**
   * Whether this worker ships now. When the lease is free, or its owner has been silent, it is taken, and held from the next call on: of
   * several workers that take it at the same instant, the last one has it.
   */
  isHeld(): boolean;
  /** Lets another worker take it at once. */
  release(): void;
}

/** Options of a lease. */
export interface ShippingLeaseOptions {
  readonly spoolDir: string;
  /** Epoch milliseconds; the workers of a machine have one clock. */
  readonly nowMs: () => number;
  /** Default 5_000. */
  readonly leaseMs?: number;
}

const LEASE_FILE = 'shipping.lease';
const LEASE_MS = 5_000;
/** An owner renews the lease after this part of it. */
const RENEWED_AFTER = 0.2;

const leaseSchema = z.object({ owner: z.string(), untilMs: z.number() });
type Lease = z.infer<typeof leaseSchema>;

/** Opens the lease of a machine, which is a file in the spool's folder. */
export function openShippingLease(options: ShippingLeaseOptions): ShippingLease {
  return new FileLease(options);
}

/**
 * Takes the lease from its owner, which begins no further batch, and ends those that it has begun. It may write the file at the
 * same instant, so ask `isHeld` a little later.
 */
export function acquireShippingLease(options: ShippingLeaseOptions): ShippingLease {
  const lease = new FileLease(options);
  lease.acquire();
  return lease;
}

class FileLease implements ShippingLease {
  readonly #owner = randomUUID();
  readonly #path: string;
  readonly #nowMs: () => number;
  readonly #leaseMs: number;

  constructor({ spoolDir, nowMs, leaseMs = LEASE_MS }: ShippingLeaseOptions) {
    this.#path = join(spoolDir, LEASE_FILE);
    this.#nowMs = nowMs;
    this.#leaseMs = leaseMs;
  }

  isHeld(): boolean {
    const nowMs = this.#nowMs();
    const lease = this.#read();
    const leftMs = lease === null ? 0 : lease.untilMs - nowMs;
    // One that ends later than any lease can was written before the clock was set back.
    const isValid = leftMs > 0 && leftMs <= this.#leaseMs;
    const isOwn = lease?.owner === this.#owner;
    if (isValid && !isOwn) return false;
    if (isValid && leftMs > this.#leaseMs * (1 - RENEWED_AFTER)) return true;
    this.#write({ owner: this.#owner, untilMs: nowMs + this.#leaseMs });
    return isValid && this.#read()?.owner === this.#owner;
  }

  acquire(): void {
    this.#write({ owner: this.#owner, untilMs: this.#nowMs() + this.#leaseMs });
  }

  release(): void {
    if (this.#read()?.owner === this.#owner) rmSync(this.#path, { force: true });
  }

  #read(): Lease | null {
    try {
      return leaseSchema.parse(JSON.parse(readFileSync(this.#path, 'utf8')));
    } catch {
      // Missing, or cut by a crash: free.
      return null;
    }
  }

  /** A full disk leaves the lease free: files cannot be moved into batches then either. */
  #write(lease: Lease): void {
    const aside = `${this.#path}.${this.#owner}`;
    try {
      writeFileSync(aside, JSON.stringify(lease), { mode: 0o600 });
      renameSync(aside, this.#path);
    } catch {
      rmSync(aside, { force: true });
    }
  }
}
