import { readFileSync } from 'node:fs';

/** One line of a case file: what a body must get, and why. `body` is sent as JSON; a text is sent as it is. */
export interface RtbCase {
  /** `400`, `200 or 204`, `4xx`, `any but 5xx`, … */
  readonly expect: string;
  readonly why: string;
  readonly body: unknown;
}

/** Reads JSON lines. @throws Error naming the line that is malformed */
function parseCases(text: string): RtbCase[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const parsed = JSON.parse(line) as Partial<RtbCase>;
    if (parsed.expect === undefined || !('body' in parsed)) throw new Error(`line ${index + 1} has no expect or body`);
    return [{ expect: String(parsed.expect), why: parsed.why ?? '', body: parsed.body }];
  });
}

/** The cases in `test/cases/rtb`, written for this project. */
function ownCases(): RtbCase[] {
  return parseCases(readFileSync(new URL('../cases/rtb/bid-requests.jsonl', import.meta.url), 'utf8'));
}

/** The cases of `RTB_REQUESTS=<file.jsonl>`; without it the project's own. */
export function readCases(): RtbCase[] {
  const path = process.env['RTB_REQUESTS'];
  return path === undefined ? ownCases() : parseCases(readFileSync(path, 'utf8'));
}

/** The project's own cases, and those of `RTB_REQUESTS` where it is set. */
export function readAllCases(): RtbCase[] {
  return process.env['RTB_REQUESTS'] === undefined ? ownCases() : [...ownCases(), ...readCases()];
}

/** Whether a status is among those expected. @throws Error when the expectation cannot be read */
export function isExpected(status: number, expectation: string): boolean {
  const [, excluded] = /^any but (.+)$/.exec(expectation.trim()) ?? [];
  if (excluded !== undefined) return status !== 0 && !isExpected(status, excluded);
  return expectation.split(/\s+or\s+|\s*,\s*|\s*\|\s*/).some((one) => isOne(status, one.trim().toLowerCase()));
}

function isOne(status: number, text: string): boolean {
  if (text === 'any') return status !== 0;
  if (!/^[1-5](?:\d\d|xx)$/.test(text))
    throw new Error(`"${text}" is not an expectation: 200, 4xx, "200 or 204", "any but 5xx"`);
  return text.endsWith('xx') ? Math.floor(status / 100) === Number(text[0]) : status === Number(text);
}

/** Whether an impression has nothing but audio: only an ad unit that takes audio gets an ad for it, which no schema and no parser can tell. */
export function hasAudioAlone(body: unknown): boolean {
  const { imp } = (body ?? {}) as { imp?: unknown };
  if (!Array.isArray(imp)) return false;
  return imp.some((one: Record<string, unknown> | null) => {
    const offers = ['banner', 'video', 'native', 'audio'].filter((name) => typeof one?.[name] === 'object');
    return offers.join() === 'audio';
  });
}
