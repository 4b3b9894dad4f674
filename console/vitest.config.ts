import { defineConfig } from 'vitest/config';

/** The console's own tests alone, without the stores that the whole suite starts: `npx vitest run --config console/vitest.config.ts`. */
export default defineConfig({
  root: import.meta.dirname,
  test: { include: ['src/**/*.test.{ts,tsx}'], pool: 'threads', maxWorkers: 1 },
});
