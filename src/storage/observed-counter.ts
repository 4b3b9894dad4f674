import { Counter, type Registry } from 'prom-client';

/** A counter whose value something else keeps; it is read at each scrape. */
export function observedCounter(
  registry: Registry,
  { name, help, read }: { readonly name: string; readonly help: string; readonly read: () => number },
): void {
  new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}
