import { type DestinationStream, pino } from 'pino';
import { LOG_EVENTS, type LogCode } from '../../domain/log/log-events.ts';
import { type ReducedError, toLogFields } from '../../domain/log/log-line.ts';
import type { Log } from '../../domain/log/log.ts';
import type { Settings } from '../../config/settings.ts';
import { LogFile, logFilePath } from './log-file.ts';

const stderrFd = 2;
const levelTitles: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};
/** The events of a start that goes well for which a person waits: the brief form shows them. */
const MILESTONES: readonly LogCode[] = [
  'postgres.cluster_created',
  'postgres.ready',
  'postgres.schema_current',
  'analytics.ready',
  'analytics.schema_current',
  'demo.progress',
];
const WARN = 40;
/** Members of a log line that the pretty form writes elsewhere or omits. */
const ownMembers: ReadonlySet<string> = new Set(['level', 'time', 'msg', 'event', 'part', 'pid', 'err']);

/** How a process logs; without a data folder, the brief form has no file. */
export type LogSettings = Pick<Settings, 'logLevel' | 'logFormat'> & Partial<Pick<Settings, 'dataDir'>>;

/**
 * A log that writes to standard error: one JSON object a line, one line for a person, or in the brief form milestones and warnings alone,
 * with everything in `<data>/log/placard.log`. `part` names the process. A level that changes in `settings` takes effect with the next event.
 */
export function createLog(settings: LogSettings, part: string): Log {
  const output = pino.destination({ fd: stderrFd, sync: true });
  // A closed terminal or pipe must not end a server.
  output.on('error', () => undefined);
  const level = (): Settings['logLevel'] => settings.logLevel;
  if (settings.logFormat === 'json') return writeLinesTo(output, level, part);
  const isBrief = settings.logFormat === 'brief';
  const { dataDir } = settings;
  const file = isBrief && dataDir !== undefined ? new LogFile(logFilePath(dataDir)) : null;
  const person: DestinationStream = {
    write: (line: string): void => {
      file?.write(line);
      const text = isBrief ? formatBrief(line) : formatPretty(line);
      if (text !== null) output.write(`${text}\n`);
    },
  };
  return writeLinesTo(person, level, part);
}

/** A log that writes its events from `level` up as JSON lines to `output`. */
export function writeLogTo(output: DestinationStream, level: Settings['logLevel'], part: string): Log {
  return writeLinesTo(output, () => level, part);
}

function writeLinesTo(output: DestinationStream, level: () => Settings['logLevel'], part: string): Log {
  const lines = pino(
    { level: level(), base: { part, pid: process.pid }, serializers: { err: (reduced: unknown) => reduced } },
    output,
  );
  return {
    event: (code, fields) => {
      const event = LOG_EVENTS[code];
      lines.level = level();
      if (!lines.isLevelEnabled(event.level)) return;
      lines[event.level]({ event: code, ...toLogFields(code, fields ?? {}) }, event.sentence);
    },
  };
}

/** The line of a milestone as `12:00:00  Sentence`, a warning or an error as {@link formatPretty}; null: the terminal need not show it. */
export function formatBrief(line: string): string | null {
  const { level, event, time, msg, text } = JSON.parse(line) as Record<string, unknown>;
  if (Number(level) >= WARN) return formatPretty(line);
  if (!MILESTONES.includes(event as LogCode)) return null;
  return `${new Date(Number(time)).toTimeString().slice(0, 8)}  ${String(text ?? msg)}`;
}

/** One JSON log line as `12:00:00.000 INFO core: [event.code] Sentence key=value`. Other text is returned unchanged. */
export function formatPretty(line: string): string {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line.trimEnd();
  }
  const time = new Date(Number(entry['time'] ?? 0)).toISOString().slice(11, 23);
  const level = levelTitles[Number(entry['level'])] ?? String(entry['level']);
  const more = Object.entries(entry)
    .filter(([key]) => !ownMembers.has(key))
    .map(([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return `${time} ${level.padEnd(5)} ${String(entry['part'])}: [${String(entry['event'])}] ${String(entry['msg'])}${more.join('')}${formatError(entry['err'])}`;
}

function formatError(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { name, code, message, stack = [] } = error as Partial<ReducedError>;
  const title = code === undefined ? name : `${name} ${code}`;
  return `; ${title}: ${message}${stack.map((frame) => `\n    at ${frame}`).join('')}`;
}
