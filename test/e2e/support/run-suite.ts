import { afterAll, describe } from 'vitest';
import { shareServer } from './placard-server.ts';
import { SUITES, type Suite } from './suites.ts';

/** Registers the files of a suite, each as a block with its name, on one server. */
export function runSuite(name: Suite): void {
  afterAll(shareServer());
  for (const part of SUITES[name])
    describe(part, async () => {
      await import(new URL(`../${part}.e2e.test.ts`, import.meta.url).href);
    });
}
