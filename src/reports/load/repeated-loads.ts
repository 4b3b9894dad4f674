import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Principal } from '../../domain/tenancy/principal.ts';
import type { Environment } from '../../domain/tenancy/workspace.ts';
import { RequestNote, type Shortcut, type ShortcutReply, type ShortcutRequest } from '../../http/core/shortcuts.ts';
import { chooseEncoding, COMPRESS_ABOVE_BYTES } from '../../http/shared/response-encoding.ts';
import type { HttpReply } from '../../http/shared/route.ts';
import { RecentCache } from '../../storage/recent-cache.ts';
import type { MemberIndex } from '../model/member-index.ts';
import { exportFormatOf } from './export-formats.ts';
import type { PreparedLoad } from './load-query.ts';
import { replyNotModified, replyWithRows } from './load-reply.ts';
import type { LoadBodies } from './load-response.ts';
import type { ReportLoads } from './report-loads.ts';

/** A request that was read and compiled, and what that depends on besides its text. */
export interface ReadLoad {
  readonly load: PreparedLoad;
  readonly isMulti: boolean;
  /** Names the workspace and the form of the response. */
  readonly form: string;
  readonly index: MemberIndex;
  readonly timezone: string;
  readonly preparedAtMs: number;
}

/** A caller that was identified before the framework saw the request. */
export interface EarlyReportCaller {
  readonly principal: Principal;
  /** Counts the request. The headers of its limit; null: it is over it. */
  readonly admit: () => Promise<Readonly<Record<string, string>> | null>;
}

/** The dependencies of repeated loads. */
export interface RepeatedLoadsDeps {
  readonly networkOf: (networkId: string) => Promise<{ readonly timezone: string }>;
  readonly indexOf: (workspaceId: number) => Promise<MemberIndex>;
  readonly loads: ReportLoads;
  readonly bodies: LoadBodies;
  readonly completeUntil?: () => Promise<number | null>;
  readonly nowMs: () => number;
  /** Absent: every request goes through the framework. */
  readonly identifyEarly?: IdentifyEarly | undefined;
}

/** Null: the framework is to decide about the caller. */
export type IdentifyEarly = (
  request: ShortcutRequest,
  access: { readonly operation: 'reports.load'; readonly networkId: string; readonly environment: Environment },
) => EarlyReportCaller | null;

const ADDRESS = /^(\/staging)?\/reports\/(\d{1,19})\/v1\/load(?:\?|$)/;
const REQUESTS_MAX = 512;
/** Relative dates are whole seconds at their finest. */
const REUSED_MS = 1_000;

/**
 * Responds to report requests whose text was read and compiled within the same second and whose rows are in the cache, before the
 * framework sees them. The rest is looked up for each request: the caller, the limit, the network, the members, the versions
 * of the data and the rows. What it cannot respond to goes the long way, which remembers the request here.
 */
export class RepeatedLoads implements Shortcut {
  readonly #deps: RepeatedLoadsDeps;
  readonly #known = new RecentCache<string, ReadLoad>(REQUESTS_MAX);
  readonly #texts = new RequestNote<string>();

  constructor(deps: RepeatedLoadsDeps) {
    this.#deps = deps;
  }

  knows(method: string, url: string): boolean {
    return (method === 'POST' || method === 'GET') && url.includes('/v1/load') && ADDRESS.test(url);
  }

  open(request: ShortcutRequest): ((body: Buffer) => Promise<ShortcutReply | null>) | null {
    const { raw, url } = request;
    if (!hasOneForm(raw.headers)) return null;
    const [, staging, networkId = ''] = ADDRESS.exec(url) ?? [];
    const environment = staging === undefined ? 'production' : 'staging';
    const caller = this.#deps.identifyEarly?.(request, { operation: 'reports.load', networkId, environment }) ?? null;
    return caller === null ? null : (body) => this.#respond(request, caller, body);
  }

  /** Remembers a request that the framework handled. */
  remember(raw: IncomingMessage, read: ReadLoad): void {
    const text = this.#texts.acquire(raw);
    if (text !== undefined) this.#known.set(text, read);
  }

  async #respond(
    { raw, method, url, requestId }: ShortcutRequest,
    { principal, admit }: EarlyReportCaller,
    body: Buffer,
  ): Promise<ShortcutReply | null> {
    const { bodies, loads, networkOf, indexOf, completeUntil } = this.#deps;
    const { workspaceId, networkId } = principal;
    const text = `${workspaceId} ${networkId} ${method} ${url}\n${body.toString('latin1')}`;
    this.#texts.put(raw, text);
    const known = this.#known.get(text);
    if (known === undefined || !this.#isOfNow(known)) return null;
    const limitHeaders = await admit();
    if (limitHeaders === null) return null;
    const { load, form, isMulti } = known;
    const { timezone } = await networkOf(networkId);
    if (timezone !== known.timezone || (await indexOf(workspaceId)) !== known.index || !this.#isOfNow(known))
      return null;
    const versions = await Promise.all(load.queries.map((one) => loads.versionOf(one, workspaceId)));
    const unchanged = replyNotModified(bodies, { load, versions, form }, raw.headers['if-none-match']);
    if (unchanged !== null) return { ...withLimit(unchanged, limitHeaders), owner: networkId };
    const rows = load.queries.map((one, at) => {
      const version = versions[at];
      return version === undefined ? null : loads.cachedRowsOf(one, version, workspaceId);
    });
    const given = rows.filter((one) => one !== null);
    if (given.length < rows.length) return null;
    const completeUntilMs = (await completeUntil?.()) ?? null;
    const context = { isMulti, requestId, completeUntilMs, headers: raw.headers };
    const reply = replyWithRows(bodies, { load, form }, given, context);
    return isToBeCompressed(raw.headers, reply) ? null : { ...withLimit(reply, limitHeaders), owner: networkId };
  }

  #isOfNow({ preparedAtMs }: ReadLoad): boolean {
    return Math.floor(preparedAtMs / REUSED_MS) === Math.floor(this.#deps.nowMs() / REUSED_MS);
  }
}

/** Whether the response is JSON as it is stored: in no export's format, and plain or in gzip. */
function hasOneForm(headers: IncomingHttpHeaders): boolean {
  if (headers['x-no-compression'] !== undefined || exportFormatOf(headers.accept) !== null) return false;
  const encodings = headers['accept-encoding'];
  return encodings === undefined || encodings === 'identity' || chooseEncoding(encodings) === 'gzip';
}

/** Whether the framework would compress the body. */
function isToBeCompressed(
  asked: IncomingHttpHeaders,
  { headers, body }: HttpReply & { readonly body: Buffer },
): boolean {
  const isPlain = asked['accept-encoding'] === undefined || asked['accept-encoding'] === 'identity';
  return !isPlain && headers?.['content-encoding'] === undefined && body.length > COMPRESS_ABOVE_BYTES;
}

/** In the order in which the framework sets them. */
function withLimit(reply: HttpReply, limitHeaders: Readonly<Record<string, string>>): HttpReply {
  return { ...reply, headers: { ...limitHeaders, ...reply.headers } };
}
