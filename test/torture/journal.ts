import { openSync, writeSync } from 'node:fs';
import { openServedAd } from '../../src/domain/events/link-token.ts';
import type { LinkKey } from '../../src/domain/events/served-ad.ts';

/** What the load generator knows: which events it sent, and which of them the server acknowledged. */
export class Journal {
  readonly #fd: number;
  readonly #linkKeys: readonly LinkKey[];
  readonly sent = new Set<string>();
  readonly acknowledged = new Set<string>();
  /** When the newest acknowledgement came, by the clock of this process. */
  lastAcknowledgedMs = 0;
  refused = 0;

  /** @param path where every acknowledged event is written down as well */
  constructor(path: string, linkKeys: readonly LinkKey[]) {
    this.#fd = openSync(path, 'a');
    this.#linkKeys = linkKeys;
  }

  /** The event id that a tracking link stands for. */
  eventIdOf(link: string, suffix: 'imp' | 'view' | 'clk'): string {
    const token = new URL(link).pathname.split('/').at(-1) ?? '';
    const ad = openServedAd(token, this.#linkKeys);
    if (ad === null) throw new Error(`The server made a link that it did not sign: ${link}`);
    return `${ad.impressionId}:${suffix}`;
  }

  noteSent(eventId: string): void {
    this.sent.add(eventId);
  }

  noteAcknowledged(eventId: string): void {
    this.acknowledged.add(eventId);
    this.lastAcknowledgedMs = performance.now();
    writeSync(this.#fd, `${eventId}\n`);
  }
}
