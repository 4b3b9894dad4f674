import type { Settings } from '../../config/settings.ts';
import type { ClockReading } from '../../domain/time/held-clock.ts';
import type { WorkerLoad } from '../../domain/reporting/report-share.ts';
import type { Endpoints, StopTimes } from './part.ts';
import type { ProcessMetrics } from './process-metrics.ts';

/** From the supervisor to a child, over IPC. */
export type ParentMessage =
  | {
      readonly type: 'start';
      /** Numbers the delivery workers from 0; 0 for the other roles. */
      readonly workerIndex: number;
      readonly isRestart: boolean;
      readonly isCoreUp: boolean;
      readonly settings: Settings;
      readonly endpoints: Endpoints;
      /** What claims expire by: a process that starts while the wall clock is set wrong goes on by it. */
      readonly clock: ClockReading;
    }
  | ({ readonly type: 'stop' } & StopTimes)
  /** A stop follows in a moment: load balancers and clients turn elsewhere. */
  | { readonly type: 'drain' }
  | { readonly type: 'ping' }
  /** The response names the same number. */
  | { readonly type: 'readMetrics'; readonly number: number }
  /** The core is up: the stores have the schema of this program. */
  | { readonly type: 'coreUp' }
  /** SIGHUP came: settings that can change at run time take effect, and certificates are read again. */
  | { readonly type: 'settings'; readonly settings: Settings }
  /** The whole service is ready: deferred work may begin. */
  | { readonly type: 'serviceReady' }
  /** To the core: what a delivery worker measured. */
  | WorkerLoadMessage;

/** How late a delivery worker is; its index is the sender's. */
export interface WorkerLoadMessage {
  readonly type: 'workerLoad';
  readonly workerIndex: number;
  readonly load: WorkerLoad;
}

/** From a child to the supervisor, over IPC. */
export type ChildMessage =
  | { readonly type: 'ready'; readonly readyLines: readonly string[] }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'starting' }
  /** It has loaded the code of its role. */
  | { readonly type: 'loaded' }
  /** It cannot begin with the files on disk, and waits for the core. */
  | { readonly type: 'needsCore' }
  | { readonly type: 'pong' }
  | { readonly type: 'metrics'; readonly number: number; readonly metrics: ProcessMetrics }
  | WorkerLoadMessage;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The message if it is one that a child sends; null for anything else (a library may use the channel too). */
export function parseChildMessage(value: unknown): ChildMessage | null {
  if (!isRecord(value)) return null;
  const { type, readyLines, message, number, metrics } = value;
  if (type === 'ready' && Array.isArray(readyLines)) return { type, readyLines: readyLines.map(String) };
  if (type === 'failed' && typeof message === 'string') return { type, message };
  if (type === 'metrics' && typeof number === 'number' && Array.isArray(metrics)) return { type, number, metrics };
  if (type === 'pong' || type === 'starting' || type === 'needsCore' || type === 'loaded') return { type };
  return parseWorkerLoad(value);
}

/** The message if it is one that the supervisor sends; null for anything else. */
export function parseParentMessage(value: unknown): ParentMessage | null {
  if (!isRecord(value)) return null;
  const { type, workerIndex, isRestart, isCoreUp, settings, endpoints, timeoutMs, lingerMs, isReplaced, number } =
    value;
  const { clock } = value;
  if (type === 'start' && typeof workerIndex === 'number' && [settings, endpoints, clock].every(isRecord)) {
    // Only our own supervisor holds the other end of the channel, and both run the same code.
    return {
      type,
      workerIndex,
      isRestart: isRestart === true,
      isCoreUp: isCoreUp === true,
      settings: settings as unknown as Settings,
      endpoints: endpoints as unknown as Endpoints,
      clock: clock as ClockReading,
    };
  }
  if (type === 'settings' && isRecord(settings)) return { type, settings: settings as unknown as Settings };
  if (type === 'readMetrics' && typeof number === 'number') return { type, number };
  if (type === 'stop' && typeof timeoutMs === 'number' && typeof lingerMs === 'number')
    return { type, timeoutMs, lingerMs, isReplaced: isReplaced === true };
  if (type === 'ping' || type === 'coreUp' || type === 'serviceReady' || type === 'drain') return { type };
  return parseWorkerLoad(value);
}

function parseWorkerLoad({ type, workerIndex, load }: Record<string, unknown>): WorkerLoadMessage | null {
  if (type !== 'workerLoad' || typeof workerIndex !== 'number' || !isRecord(load)) return null;
  const { lagMs, waitShare } = load;
  if (typeof lagMs !== 'number' || (waitShare !== null && typeof waitShare !== 'number')) return null;
  return { type, workerIndex, load: { lagMs, waitShare } };
}
