import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RecurringJob } from './recurring-job.ts';

class CountingJob extends RecurringJob {
  runs = 0;
  readonly failures: unknown[] = [];
  work: () => Promise<void> = () => Promise.resolve();

  run(): Promise<void> {
    this.runs += 1;
    return this.work();
  }

  restFor(ms: number): Promise<void> {
    return this.rest(ms);
  }

  protected logFailure(error: unknown): void {
    this.failures.push(error);
  }
}

let job: CountingJob;

beforeEach(() => {
  vi.useFakeTimers();
  job = new CountingJob({ firstMs: 10, everyMs: 100, retryMs: 1_000 });
});
afterEach(() => vi.useRealTimers());

test('a recurring job runs after its first wait, and then after each interval', async () => {
  job.start();
  job.start();
  await vi.advanceTimersByTimeAsync(9);
  expect(job.runs).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(job.runs).toBe(1);
  await vi.advanceTimersByTimeAsync(300);
  expect(job.runs).toBe(4);
});

test('a recurring job logs a failed run and retries it after half to all of the longer wait', async () => {
  const error = new Error('store unavailable');
  job.work = () => Promise.reject(error);
  job.start();
  await vi.advanceTimersByTimeAsync(10);
  expect(job.failures).toEqual([error]);
  await vi.advanceTimersByTimeAsync(499);
  expect(job.runs).toBe(1);
  job.work = () => Promise.resolve();
  await vi.advanceTimersByTimeAsync(501);
  expect(job.runs).toBeGreaterThan(1);
});

test('stop waits for the present run and plans no other; start resumes the job', async () => {
  const work = Promise.withResolvers<void>();
  job.work = () => work.promise;
  job.start();
  await vi.advanceTimersByTimeAsync(10);
  let isStopped = false;
  const stopped = job.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(isStopped).toBe(false);
  work.resolve();
  await stopped;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(job.runs).toBe(1);
  job.start();
  await vi.advanceTimersByTimeAsync(10);
  expect(job.runs).toBe(2);
});

test('a stop ends a rest within a run', async () => {
  let parts = 0;
  job.work = async () => {
    for (; parts < 2; parts += 1) await job.restFor(60_000);
  };
  job.start();
  await vi.advanceTimersByTimeAsync(60_009);
  expect(parts).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(parts).toBe(1);
  await job.stop();
  expect(parts).toBe(2);
});
