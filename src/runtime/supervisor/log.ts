import { type DestinationStream, pino } from 'pino';
import { LOG_EVENTS } from '../../domain/log/log-events.ts';
import { type ReducedError, toLogFields } from '../../domain/log/log-line.ts';
import type { Log } from '../../domain/log/log.ts';
import type { Settings } from '../../config/settings.ts';

const stderrFd = 2;
const levelTitles: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};
/** Members of a log line that the pretty form writes elsewhere or omits. */
const ownMembers: ReadonlySet<string> = new Set(['level', 'time', 'msg', 'event', 'part', 'pid', 'err']);

/**
 * A log that writes to standard error: one JSON object a line, or one line for a person. `part` names the process. A level that changes in
 * `settings` takes effect with the next event.
 */
export function createLog(settings: Pick<Settings, 'logLevel' | 'logFormat'>, part: string): Log {
  const output = pino.destination({ fd: stderrFd, sync: true });
  // A closed terminal or pipe must not end a server.
  output.on('error', () => undefined);
  const level = (): Settings['logLevel'] => settings.logLevel;
  if (settings.logFormat === 'json') return writeLinesTo(output, level, part);
  const pretty: DestinationStream = {
    write: (line: string): void => {
      output.write(`${formatPretty(line)}\n`);
    },
  };
  return writeLinesTo(pretty, level, part);
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
