import { Counter, Gauge, type Registry } from 'prom-client';
import type { MailKind } from './mail-content.ts';

/** The counts of mails for operators. */
export interface MailMetrics {
  count(kind: MailKind, status: string): void;
  setOutbox(waiting: number, dead: number): void;
}

/** Counters in a process's registry; without one, nothing is counted. */
export function createMailMetrics(registry: Registry | undefined): MailMetrics {
  if (registry === undefined) return { count: () => undefined, setOutbox: () => undefined };
  const registers = [registry];
  const mails = new Counter({
    name: 'placard_mails_total',
    help: 'Tries to send a mail, by kind and outcome: sent, queued (tried again), failed (dead letter), dropped (nobody to send it to).',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const waiting = new Gauge({ name: 'placard_mails_waiting', help: 'Mails in the outbox.', registers });
  const dead = new Gauge({
    name: 'placard_mail_dead_letters',
    help: 'Mails that were given up in the last 30 days.',
    registers,
  });
  return {
    count: (kind, status) => mails.inc({ kind, outcome: status.toLowerCase() }),
    setOutbox: (waitingNow, deadNow) => {
      waiting.set(waitingNow);
      dead.set(deadNow);
    },
  };
}
