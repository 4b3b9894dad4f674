import { fetchOutbound, type OutboundPolicy, OutboundRefusal } from '../../http/shared/outbound-fetch.ts';
import { CHAIN_CODES, ChainProblem } from './vast-level.ts';
import { parseXml, type XmlElement, XmlProblem } from './xml-tree.ts';

/** What an address of a chain returned. */
export type Fetched = { readonly redirect: string } | { readonly root: XmlElement };

/** Who asks for a document, and what of the device its server is told. */
export interface DocumentRequest {
  /** The network that the tag is of: nobody else gets its documents, and its requests count. */
  readonly owner: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** Bounds of fetches, and of the documents that are kept. */
export interface DocumentBounds {
  /** Documents that are fetched at a time; further ones are not. */
  readonly fetchesMax: number;
  readonly fetchesOfOwnerMax: number;
  readonly entriesMax: number;
  /** Characters of all documents that are kept. */
  readonly charsMax: number;
  /** Whatever the headers of a document say, milliseconds. */
  readonly freshMaxMs: number;
}

const BOUNDS: DocumentBounds = {
  fetchesMax: 100,
  fetchesOfOwnerMax: 25,
  entriesMax: 1_000,
  charsMax: 8_000_000,
  freshMaxMs: 300_000,
};

/** Dependencies of the documents of third parties. */
export interface DocumentDeps {
  readonly policy: Omit<OutboundPolicy, 'owner'>;
  readonly nowMs: () => number;
  readonly bounds?: Partial<DocumentBounds>;
}

interface Kept {
  readonly root: XmlElement;
  readonly chars: number;
  readonly freshUntilMs: number;
}

interface Loaded {
  readonly fetched: Fetched;
  /** 0: it is for one request alone. */
  readonly freshMs: number;
  readonly chars: number;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches documents of VAST. A document that its headers allow to share is kept, by network and address, and fetched once for all who ask meanwhile;
 * any other is fetched for each request.
 */
export class VastDocuments {
  readonly #deps: DocumentDeps;
  readonly #bounds: DocumentBounds;
  /** The least recently used first. */
  readonly #kept = new Map<string, Kept>();
  readonly #flights = new Map<string, Promise<Loaded>>();
  readonly #running = new Map<string, number>();
  #chars = 0;
  #fetches = 0;

  constructor(deps: DocumentDeps) {
    this.#deps = deps;
    this.#bounds = { ...BOUNDS, ...deps.bounds };
  }

  /** Kept documents, their characters, and fetches that run. */
  get size(): { readonly entries: number; readonly chars: number; readonly fetches: number } {
    return { entries: this.#kept.size, chars: this.#chars, fetches: this.#fetches };
  }

  /** @throws ChainProblem with its code */
  async get(url: string, request: DocumentRequest): Promise<Fetched> {
    const key = `${request.owner}\n${url}`;
    const kept = this.#find(key);
    if (kept !== undefined) return { root: kept };
    const flight = this.#flights.get(key);
    if (flight !== undefined) {
      const shared = await beforeAbort(flight, request.signal);
      if (shared.freshMs > 0) return shared.fetched;
      return (await this.#fetch(url, request)).fetched;
    }
    const own = this.#fetch(url, request);
    this.#flights.set(key, own);
    try {
      const loaded = await own;
      if (loaded.freshMs > 0 && 'root' in loaded.fetched) this.#remember(key, loaded.fetched.root, loaded);
      return loaded.fetched;
    } finally {
      this.#flights.delete(key);
    }
  }

  #find(key: string): XmlElement | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#drop(key, kept);
    if (kept.freshUntilMs <= this.#deps.nowMs()) return undefined;
    this.#put(key, kept);
    return kept.root;
  }

  #remember(key: string, root: XmlElement, { chars, freshMs }: Loaded): void {
    const { entriesMax, charsMax } = this.#bounds;
    const before = this.#kept.get(key);
    if (before !== undefined) this.#drop(key, before);
    if (chars > charsMax) return;
    this.#put(key, { root, chars, freshUntilMs: this.#deps.nowMs() + freshMs });
    for (const [oldest, kept] of this.#kept) {
      if (this.#kept.size <= entriesMax && this.#chars <= charsMax) break;
      this.#drop(oldest, kept);
    }
  }

  #put(key: string, kept: Kept): void {
    this.#kept.set(key, kept);
    this.#chars += kept.chars;
  }

  #drop(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#chars -= kept.chars;
  }

  async #fetch(url: string, request: DocumentRequest): Promise<Loaded> {
    const { owner } = request;
    const running = this.#running.get(owner) ?? 0;
    if (this.#fetches >= this.#bounds.fetchesMax || running >= this.#bounds.fetchesOfOwnerMax)
      throw new ChainProblem(CHAIN_CODES.undefinedError, 'Too many documents are being fetched.');
    this.#fetches += 1;
    this.#running.set(owner, running + 1);
    try {
      return await beforeAbort(this.#ask(url, request), request.signal);
    } finally {
      this.#fetches -= 1;
      const left = (this.#running.get(owner) ?? 1) - 1;
      if (left === 0) this.#running.delete(owner);
      else this.#running.set(owner, left);
    }
  }

  async #ask(url: string, { owner, headers, signal }: DocumentRequest): Promise<Loaded> {
    const response = await fetchOutbound(url, { headers, signal }, { ...this.#deps.policy, owner }).catch(
      (error: unknown) => {
        throw problemOf(error);
      },
    );
    if (REDIRECTS.has(response.status)) {
      const to = URL.parse(response.headers.get('location') ?? '', url);
      if (to === null) throw new ChainProblem(CHAIN_CODES.late, 'A redirect leads nowhere.');
      return { fetched: { redirect: to.href }, freshMs: 0, chars: 0 };
    }
    if (response.status === 204) throw new ChainProblem(CHAIN_CODES.noAd, 'The server has no ad.');
    if (response.status !== 200)
      throw new ChainProblem(CHAIN_CODES.late, `The server responded with the status ${response.status}.`);
    const text = await response.text();
    if (text.trim() === '') throw new ChainProblem(CHAIN_CODES.noAd, 'The document is empty.');
    const root = await parseXml(text).catch((error: unknown) => {
      throw problemOf(error);
    });
    const freshMs = Math.min(this.#bounds.freshMaxMs, freshMsOf(response.headers));
    return { fetched: { root }, freshMs, chars: text.length };
  }
}

function problemOf(error: unknown): ChainProblem {
  if (error instanceof XmlProblem) return new ChainProblem(CHAIN_CODES.notXml, error.message);
  if (error instanceof OutboundRefusal || error instanceof TypeError)
    return new ChainProblem(CHAIN_CODES.forbidden, error.message);
  return new ChainProblem(CHAIN_CODES.late, error instanceof Error ? error.message : 'The request failed.');
}

/** Rejects once the time of a chain is over, whatever the work still does. */
async function beforeAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(new ChainProblem(CHAIN_CODES.late, 'The chain took too long.'));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
    work.catch(() => undefined);
    promise.catch(() => undefined);
  }
}

/** How long a shared cache may keep a response, by its headers, in milliseconds; 0 = not at all. */
export function freshMsOf(headers: Headers): number {
  const control = (headers.get('cache-control') ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim());
  if (control.some((one) => /^(?:no-store|no-cache|private)\b/.test(one)) || headers.has('set-cookie')) return 0;
  const varies = (headers.get('vary') ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim());
  if (varies.some((one) => one !== '' && one !== 'accept-encoding')) return 0;
  const age = Number(headers.get('age') ?? 0) || 0;
  const seconds = secondsOf(control, 's-maxage') ?? secondsOf(control, 'max-age');
  if (seconds !== null) return Math.max(0, seconds - age) * 1_000;
  const expires = Date.parse(headers.get('expires') ?? '');
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(expires) || Number.isNaN(date) ? 0 : Math.max(0, expires - date - age * 1_000);
}

function secondsOf(control: readonly string[], name: string): number | null {
  const stated = control.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  return /^"?\d{1,9}"?$/.test(stated) ? Number(stated.replaceAll('"', '')) : null;
}
