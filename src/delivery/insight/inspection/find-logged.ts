import { join } from 'node:path';
import { REQUEST_ID_HOURS_MAX } from '../../../domain/booking/decision-inspection.ts';
import type { ServedAd } from '../../../domain/events/served-ad.ts';
import type { DecisionRecord } from '../decision-log/decision-log.ts';
import { listLogFiles, readLogLines } from '../decision-log/decision-log-files.ts';
import type { DecisionLogFile } from '../decision-log/decision-log-files.ts';
import { parseRecord } from '../decision-log/decision-replay.ts';

const HOUR_MS = 3_600_000;
/** A log file is filled for an hour; its first records may be a little older than the file. */
const FILE_SPAN_MS = HOUR_MS + 300_000;
const WRITTEN_LATE_MS = 300_000;
/** Longest search. */
const SEARCH_MS = 5_000;

/** Which logged decision is wanted: that of a served ad, or of a request by its id. */
export type WantedDecision = { readonly ad: ServedAd } | { readonly requestId: string };

/** The result of a search. */
export interface FoundDecision {
  readonly record: DecisionRecord | null;
  /** The whole time that a search covers was searched; false: it took too long. */
  readonly isComplete: boolean;
  /** How many log files there are at all. */
  readonly logFiles: number;
}

/**
 * Finds one decision of a workspace in a log, newest file first: around the instant of an ad, or within the last
 * `REQUEST_ID_HOURS_MAX` hours. Stops after some seconds.
 * @throws errors of the file system
 */
export async function findLoggedDecision(
  dir: string,
  workspaceId: number,
  wanted: WantedDecision,
  nowMs: number,
): Promise<FoundDecision> {
  const files = await listLogFiles(dir);
  const untilMs = performance.now() + SEARCH_MS;
  const needle = needleOf(workspaceId, wanted);
  for (const file of files.filter((one) => mayHold(one, wanted, nowMs)).toReversed()) {
    for await (const line of readLogLines(join(dir, file.name))) {
      if (performance.now() > untilMs) return { record: null, isComplete: false, logFiles: files.length };
      if (!line.includes(needle)) continue;
      const record = parseRecord(line);
      if (record !== null && record.workspaceId === workspaceId && isWanted(record, wanted))
        return { record, isComplete: true, logFiles: files.length };
    }
  }
  return { record: null, isComplete: true, logFiles: files.length };
}

/** A text that the line has: most lines need not be parsed. Records are written with their members in this order. */
function needleOf(workspaceId: number, wanted: WantedDecision): string {
  return 'ad' in wanted
    ? `"workspaceId":${workspaceId},"atMs":${wanted.ad.decidedAtMs},`
    : `,"requestId":${JSON.stringify(wanted.requestId)},`;
}

function mayHold({ startedAtMs }: DecisionLogFile, wanted: WantedDecision, nowMs: number): boolean {
  const [fromMs, toMs] =
    'ad' in wanted ? [wanted.ad.decidedAtMs, wanted.ad.decidedAtMs] : [nowMs - REQUEST_ID_HOURS_MAX * HOUR_MS, nowMs];
  return startedAtMs >= fromMs - FILE_SPAN_MS && startedAtMs <= toMs + WRITTEN_LATE_MS;
}

function isWanted(record: DecisionRecord, wanted: WantedDecision): boolean {
  if ('requestId' in wanted) return record.requestId === wanted.requestId;
  const { ad } = wanted;
  const { answer, opportunity } = record;
  if (record.atMs !== ad.decidedAtMs || opportunity.reported.country !== ad.country) return false;
  return answer.placements.some((placement, at) => {
    if (placement === null || placement.lineItemId !== ad.lineItemId) return false;
    if (placement.creativeId !== ad.creativeId && !placement.companions.includes(ad.creativeId)) return false;
    return opportunity.slots[at]?.adUnitId === ad.adUnitId;
  });
}
