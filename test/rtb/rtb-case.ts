import { readFileSync } from 'node:fs';

/** One line of a case file: what a body must get, and why. `body` is sent as JSON; a text is sent as it is. */
export interface RtbCase {
  /** `400`, `200 or 204`, `4xx`, `any but 5xx`, … */
  readonly expect: string;
  readonly why: string;
  readonly body: unknown;
}

/** Reads JSON lines. @throws Error naming the line that is no case */
function parseCases(text: string): RtbCase[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const parsed = JSON.parse(line) as Partial<RtbCase>;
    if (parsed.expect === undefined || !('body' in parsed)) throw new Error(`line ${index + 1} has no expect or body`);
    return [{ expect: String(parsed.expect), why: parsed.why ?? '', body: parsed.body }];
  });
}

/** The cases of `RTB_REQUESTS=<file.jsonl>`; without it those in `test/cases/rtb`, written for this project. */
export function readCases(): RtbCase[] {
  const own = new URL('../cases/rtb/bid-requests.jsonl', import.meta.url).pathname;
  return parseCases(readFileSync(process.env['RTB_REQUESTS'] ?? own, 'utf8'));
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
    throw new Error(`"${text}" is no expectation: 200, 4xx, "200 or 204", "any but 5xx"`);
  return text.endsWith('xx') ? Math.floor(status / 100) === Number(text[0]) : status === Number(text);
}

interface Answered {
  readonly id?: unknown;
  readonly cur?: unknown;
  readonly seatbid?: readonly { readonly bid?: readonly Readonly<Record<string, unknown>>[] }[];
  readonly ext?: { readonly dsaurl?: unknown };
}

const MEDIA_BY_MTYPE: Readonly<Record<number, string>> = { 1: 'banner', 2: 'video', 4: 'native' };

/** What is wrong with a 200 for its request (OpenRTB 2.6, specification); empty when nothing is. */
export function findFaults(request: unknown, answer: unknown): string[] {
  const asked = request as { id?: unknown; imp?: readonly Readonly<Record<string, unknown>>[] };
  const { id, cur, seatbid, ext } = answer as Answered;
  const faults: string[] = [];
  // Half characters come back as U+FFFD.
  if (id !== String(asked.id).toWellFormed()) faults.push(`id is ${JSON.stringify(id)}`);
  if (typeof cur !== 'string' || !/^[A-Z]{3}$/.test(cur)) faults.push(`cur is ${JSON.stringify(cur)}`);
  if (typeof ext?.dsaurl !== 'string') faults.push('ext.dsaurl is missing');
  const bids = (seatbid ?? []).flatMap((seat) => seat.bid ?? []);
  if (bids.length === 0 || seatbid?.some((seat) => (seat.bid ?? []).length === 0)) faults.push('a seat has no bid');
  for (const bid of bids) {
    const imp = asked.imp?.find((one) => String(one['id']).toWellFormed() === bid['impid']);
    const media = MEDIA_BY_MTYPE[Number(bid['mtype'])];
    if (imp === undefined) faults.push(`impid ${String(bid['impid'])} was not asked for`);
    else if (media === undefined || typeof imp[media] !== 'object')
      faults.push(`mtype ${String(bid['mtype'])} not offered`);
    if (typeof bid['price'] !== 'number' || !(bid['price'] >= 0)) faults.push(`price is ${String(bid['price'])}`);
    if (typeof bid['adm'] !== 'string' || bid['adm'] === '') faults.push('adm is empty');
    if (!Array.isArray(bid['adomain']) || typeof bid['crid'] !== 'string') faults.push('adomain or crid is missing');
  }
  return faults;
}
