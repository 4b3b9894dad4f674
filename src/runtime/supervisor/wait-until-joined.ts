import { setTimeout as sleep } from 'node:timers/promises';
import { withJitter } from '../../domain/time/jitter.ts';
import type { Endpoints } from './part.ts';
import { READY_TIMEOUT_MS, type SuperviseOptions } from './supervise-options.ts';

const AGAIN_MS = 2_000;

/** A node without a core waits for the core of another machine, which makes the cluster. @throws Error after the time of a start */
export async function waitUntilJoined(
  { settings, role, tryJoining, readyTimeoutMs = READY_TIMEOUT_MS }: SuperviseOptions,
  endpoints: Endpoints,
  isStopped: () => boolean,
): Promise<void> {
  const deadlineMs = performance.now() + readyTimeoutMs;
  while (
    tryJoining !== undefined &&
    !isStopped() &&
    !(await tryJoining(settings, endpoints, role === 'jobs' ? 'jobs' : 'delivery'))
  ) {
    if (performance.now() > deadlineMs) throw new Error('This node could not join its cluster in time.');
    await sleep(withJitter(AGAIN_MS));
  }
}
