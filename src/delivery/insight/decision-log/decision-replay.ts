import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import { compileWorkspace } from '../../decision/index/compile-workspace.ts';
import type { CompiledWorkspace } from '../../decision/index/compiled-workspace.ts';
import { decide } from '../../decision/decide.ts';
import { decidedBy } from '../../decision/experiment-rules.ts';
import type { DecisionRecord } from './decision-log.ts';
import { listLogFiles, readSavedSnapshot, readLogLines } from './decision-log-files.ts';
import { toDecisionOutcome, ReplayingState, TapeDifference } from './decision-tape.ts';
import type { DecisionOutcome, LoggedPlacement } from './decision-tape.ts';
import { readOpportunityJson } from '../../traffic/opportunity-json.ts';

/** Most snapshots in memory: records with the same snapshot follow each other closely. */
const COMPILED_MAX = 4;

/** The position of a record. */
export interface LoggedDecision {
  /** Name of the log file, and the line in it, from 1. */
  readonly logFile: string;
  readonly line: number;
  /** Null for a line that cannot be read: the last line of a killed worker. */
  readonly record: DecisionRecord | null;
}

/** Which records to read. */
export interface DecisionFilter {
  /** The name of a log file; null = all. */
  readonly logFile: string | null;
  /** Only decisions that considered this line item or picked it; null = all. */
  readonly lineItemId: string | null;
}

/** A repeated decision. */
export interface ReplayedDecision extends LoggedDecision {
  /** The differences, for people; empty = the same bit by bit. */
  readonly differences: readonly string[];
}

/** The records of a log, in the order of its log files. @throws errors of the file system */
export async function* readDecisions(dir: string, filter: DecisionFilter): AsyncGenerator<LoggedDecision> {
  const logFiles = filter.logFile === null ? (await listLogFiles(dir)).map(({ name }) => name) : [filter.logFile];
  for (const logFile of logFiles) {
    let line = 0;
    for await (const text of readLogLines(join(dir, logFile))) {
      line += 1;
      const record = parseRecord(text);
      if (record === null && filter.lineItemId !== null) continue;
      if (record === null || filter.lineItemId === null || concerns(record, filter.lineItemId))
        yield { logFile, line, record };
    }
  }
}

/** Repeats the decisions of a log from its records and stored snapshots alone. @throws errors of the file system */
export async function* replayDecisions(dir: string, filter: DecisionFilter): AsyncGenerator<ReplayedDecision> {
  const kept = new Map<string, CompiledWorkspace | null>();
  for await (const logged of readDecisions(dir, filter)) {
    const { record } = logged;
    if (record === null) {
      yield { ...logged, differences: ['the record cannot be read'] };
      continue;
    }
    let compiled = kept.get(record.snapshot);
    if (compiled === undefined) {
      const [oldest] = kept.keys();
      if (kept.size >= COMPILED_MAX && oldest !== undefined) kept.delete(oldest);
      kept.set(record.snapshot, (compiled = await compileKept(dir, record.snapshot)));
    }
    const differences =
      compiled === null ? [`the snapshot ${record.snapshot} is gone`] : replayDecision(compiled, record);
    yield { ...logged, differences };
  }
}

/** Repeats one decision. @returns the differences; empty = the same bit by bit */
export function replayDecision(compiled: CompiledWorkspace, record: DecisionRecord): string[] {
  const state = new ReplayingState(record.tape);
  try {
    const how = { ...decidedBy(record.arm), nowMs: record.atMs };
    const decision = decide(compiled, record.opportunity, { ...how, state, random: state.random });
    const differences = compareDecisions(record.answer, toDecisionOutcome(decision));
    if (state.left > 0) differences.push(`the replay ends ${state.left} steps before the log`);
    return differences;
  } catch (error) {
    if (error instanceof TapeDifference) return [error.message];
    throw error;
  }
}

async function compileKept(dir: string, name: string): Promise<CompiledWorkspace | null> {
  const snapshot = await readSavedSnapshot(dir, name);
  // Compiled as of long ago, so that nothing is left out that had not ended by the time of the decision; the decision itself filters the
  // rest. What cannot be compiled was left out at that time too.
  return snapshot === null ? null : compileWorkspace(snapshot, 0, () => {});
}

/** A record from a line of a log file; null for a line that cannot be read. */
export function parseRecord(text: string): DecisionRecord | null {
  try {
    return readOpportunityJson(text) as DecisionRecord;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function concerns({ answer, tape }: DecisionRecord, lineItemId: string): boolean {
  if (answer.placements.some((placement) => placement?.lineItemId === lineItemId)) return true;
  const part = `/li/${lineItemId}/`;
  return tape.some(([kind, subject]) =>
    kind === 'pace' || kind === 'units' ? subject === lineItemId : kind !== 'draw' && subject.includes(part),
  );
}

/** What differs between two outcomes of one decision, for people; empty = nothing. */
export function compareDecisions(logged: DecisionOutcome, replayed: DecisionOutcome): string[] {
  if (isDeepStrictEqual(logged, replayed)) return [];
  const differences: string[] = [];
  if (logged.noFill !== replayed.noFill)
    differences.push(`noFill: logged ${logged.noFill}, replayed ${replayed.noFill}`);
  for (let at = 0; at < Math.max(logged.placements.length, replayed.placements.length); at += 1) {
    const [before, after] = [logged.placements[at] ?? null, replayed.placements[at] ?? null];
    if (isDeepStrictEqual(before, after)) continue;
    differences.push(`slot ${at + 1}: logged ${describe(before)}, replayed ${describe(after)}`);
  }
  return differences;
}

/** Line item, creative, size and price of a placement. */
export function describe(placement: LoggedPlacement | null): string {
  if (placement === null) return 'nothing';
  const { lineItemId, creativeId, width, height, bidMicros, dealCode } = placement;
  const deal = dealCode === '' ? '' : ` under ${dealCode}`;
  return `${lineItemId}/${creativeId} ${width}x${height} at ${bidMicros}${deal}`;
}
