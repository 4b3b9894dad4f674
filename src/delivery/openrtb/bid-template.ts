import { randomBytes } from 'node:crypto';
import { TOKEN_TAIL_CHARS } from '../markup/macros.ts';

/** A bid in JSON with gaps: texts at even indexes, the fillers of the gaps after them at odd ones. */
export type BidTemplate = readonly string[];

/** The parts that differ between the bids of one creative. */
interface BidIds {
  readonly token: string;
  readonly impressionId: string;
  readonly slotId: string;
}

// They are secret, so that a creative cannot contain them, and no escaping changes them.
const mark = (): string => `x${randomBytes(15).toString('hex')}`;
const TAIL = mark().slice(0, TOKEN_TAIL_CHARS);
const TOKEN = `${mark()}${TAIL}`;
const IMPRESSION_ID = mark();
const SLOT_ID = mark();
/** The slot's id is the caller's text, as a separate JSON string. */
const GAPS = new RegExp(`(${TOKEN}|${TAIL}|${IMPRESSION_ID}|"${SLOT_ID}")`);

/** Makes a template of a bid that is rendered with stand-ins for its ids. @param render returns JSON */
export function makeTemplate(render: (ids: BidIds) => string): BidTemplate {
  return render({ token: TOKEN, impressionId: IMPRESSION_ID, slotId: SLOT_ID }).split(GAPS);
}

/** The bid with these ids. `token` and `impressionId` hold no characters that JSON, HTML or addresses escape. */
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
