import { type DestinationStream, type Logger, pino } from 'pino';
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
/** Members of a log line that the pretty form puts elsewhere, or leaves out. */
const ownMembers: ReadonlySet<string> = new Set(['level', 'time', 'msg', 'part', 'slot', 'pid', 'hostname', 'err']);

/** A logger that writes to standard error: one JSON object a line, or lines for a person. `part` names the process. */
export function createLog(settings: Pick<Settings, 'logLevel' | 'logFormat'>, part: string): Logger {
  const options = { level: settings.logLevel, base: { part, pid: process.pid } };
  const output = pino.destination({ fd: stderrFd, sync: true });
  // A terminal or a reader that is gone must not end a server.
  output.on('error', () => undefined);
  if (settings.logFormat === 'json') return pino(options, output);
  const pretty: DestinationStream = {
    write: (line: string): void => {
      output.write(`${formatPretty(line)}\n`);
    },
  };
  return pino(options, pretty);
}

/** One JSON log line as `12:00:00.000 INFO core: message key=value`. Text that is no JSON object is given back as it is. */
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
  const error = entry['err'] as { stack?: string; message?: string } | undefined;
  const message = typeof entry['msg'] === 'string' ? entry['msg'] : '';
  const trace = error === undefined ? '' : `\n  ${(error.stack ?? error.message ?? '').replaceAll('\n', '\n  ')}`;
  return `${time} ${level.padEnd(5)} ${String(entry['part'])}: ${message}${more.join('')}${trace}`;
}
