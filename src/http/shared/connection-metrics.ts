import { Counter, Gauge, type Registry } from 'prom-client';
import type { RefusedConnections } from './connection-bounds.ts';

/** Connections of a server: open now, and closed at once since the start. */
export interface ConnectionCounts {
  readonly open: number;
  readonly refused: Readonly<RefusedConnections>;
}

/** Shows a server's connections with a registry's other metrics; read when metrics are scraped. */
export function registerConnectionMetrics(registry: Registry, read: () => ConnectionCounts): void {
  const registers = [registry];
  new Gauge({
    name: 'placard_connections_open',
    help: 'Connections that are open now.',
    registers,
    collect() {
      this.set(read().open);
    },
  });
  new Counter({
    name: 'placard_connections_refused_total',
    help: 'Connections that were closed as soon as they were accepted, by the bound that they met.',
    labelNames: ['bound'],
    registers,
    collect() {
      this.reset();
      const { refused } = read();
      this.inc({ bound: 'address' }, refused.address);
      this.inc({ bound: 'total' }, refused.total);
    },
  });
}
