import { X509Certificate } from 'node:crypto';
import { Gauge, type Registry } from 'prom-client';
import type { Log } from '../../domain/log/log.ts';
import type { TlsMaterial, Transport } from './tls.ts';

/** A check that failed is tried again after this share of the interval: hourly when checks are daily. */
const RETRY_SHARE = 24;
/** The longest delay of a Node timer. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** The dependencies of `watchCertificate`. */
export interface CertificateWatchOptions {
  /** The certificate at the server's start. */
  readonly transport: Transport;
  /** Makes or reads the material again: `prepareTls` in the process that owns the data folder, `readTls` in the others. */
  readonly renew: () => Promise<Transport>;
  /** Puts changed material into use: a server's `renewTls`. */
  readonly apply: (tls: TlsMaterial) => void;
  readonly log: Log;
  /** Between the end of one check and the next, 1 ms to 24 days; one day is meant. */
  readonly everyMs: number;
}

/** A running watch. */
export interface CertificateWatch {
  /** Checks without waiting for the end of the interval. */
  checkNow(): void;
  /** Ends it; resolves when a check under way is over, after which `apply` is not called any more. */
  stop(): Promise<void>;
}

const expiries = new WeakMap<Transport, number>();

/** Tells when the certificate in use ends. A transport without TLS has no metric. */
export function registerCertificate(registry: Registry, transport: Transport): void {
  const { tls } = transport;
  if (tls === null) return;
  const atStart = endOf(tls);
  new Gauge({
    name: 'placard_certificate_expiry_timestamp_seconds',
    help: 'When the certificate in use ends, Unix seconds.',
    registers: [registry],
    collect() {
      this.set((expiries.get(transport) ?? atStart) / 1_000);
    },
  });
}

function endOf(tls: TlsMaterial): number {
  return new X509Certificate(tls.cert).validToDate.getTime();
}

/**
 * Asks for the certificate again and again, and applies it when it changed: so a self-made certificate is renewed, and one whose
 * files an operator replaced is taken into use, without a restart. A failure is logged and leaves the old certificate in use. Does
 * nothing for a transport without TLS, and keeps no process alive.
 *
 * @throws RangeError when `everyMs` is out of its bounds.
 */
export function watchCertificate({ transport, renew, apply, log, everyMs }: CertificateWatchOptions): CertificateWatch {
  if (!(everyMs >= 1 && everyMs <= TIMER_MS_MAX)) throw new RangeError(`everyMs must be 1 to ${TIMER_MS_MAX}`);
  let current = transport.tls;
  if (current === null) return { checkNow: () => undefined, stop: () => Promise.resolve() };
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const check = async (): Promise<void> => {
    if (stopped) return;
    let delayMs = everyMs;
    try {
      const { tls } = await renew();
      if (stopped || tls === null) return;
      if (tls.cert !== current?.cert || tls.key !== current.key) {
        apply(tls);
        current = tls;
        expiries.set(transport, endOf(tls));
        log.event('tls.certificate_renewed', {
          validTo: new X509Certificate(tls.cert).validToDate.toISOString(),
          caFile: tls.caFile,
        });
      }
    } catch (error) {
      delayMs = Math.max(1, Math.floor(everyMs / RETRY_SHARE));
      log.event('tls.certificate_not_renewed', { err: error });
    } finally {
      schedule(delayMs);
    }
  };
  const schedule = (delayMs: number): void => {
    clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(checkNow, delayMs);
    timer.unref();
  };
  const checkNow = (): void => {
    running = running.then(check);
  };
  schedule(everyMs);
  return {
    checkNow,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
      return running;
    },
  };
}
