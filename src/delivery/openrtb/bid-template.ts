import { randomBytes } from 'node:crypto';
import { TOKEN_TAIL_CHARS } from '../markup/macros.ts';

/** A bid in JSON with gaps: texts at even places, what fills the gaps behind them at odd ones. */
export type BidTemplate = readonly string[];

/** What differs between the bids of one creative. */
interface BidIds {
  readonly token: string;
  readonly impressionId: string;
  readonly slotId: string;
}

// Nobody outside can know them, so nobody can write them into a creative; no escaping changes them.
const mark = (): string => `x${randomBytes(15).toString('hex')}`;
const TAIL = mark().slice(0, TOKEN_TAIL_CHARS);
const TOKEN = `${mark()}${TAIL}`;
const IMPRESSION_ID = mark();
const SLOT_ID = mark();
/** The slot's id is the caller's text and stands as a JSON string of its own. */
const GAPS = new RegExp(`(${TOKEN}|${TAIL}|${IMPRESSION_ID}|"${SLOT_ID}")`);

/** Makes a template of a bid that is rendered with stand-ins for its ids. @param render gives JSON */
export function makeTemplate(render: (ids: BidIds) => string): BidTemplate {
  return render({ token: TOKEN, impressionId: IMPRESSION_ID, slotId: SLOT_ID }).split(GAPS);
}

/** The bid with these ids. `token` and `impressionId` hold nothing that JSON, HTML or addresses would escape. */
export function fillTemplate(template: BidTemplate, token: string, impressionId: string, slotId: string): string {
  let text = template[0] as string;
  for (let at = 1; at < template.length; at += 2) {
    const gap = template[at];
    if (gap === TOKEN) text += token;
    else if (gap === IMPRESSION_ID) text += impressionId;
    else if (gap === TAIL) text += token.slice(-TOKEN_TAIL_CHARS);
    else text += JSON.stringify(slotId);
    text += template[at + 1] as string;
  }
  return text;
}
