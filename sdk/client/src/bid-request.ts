import type { HeaderBid, WonHeaderBid } from './header-bids.ts';

/** A bid request (interface specification, "Bid request"); OpenRTB 2.6 members beyond these may be added. */
export interface BidRequest {
  /** Unique, for tracing and deduplication: a UUID, or a timestamp with a random part. */
  readonly id: string;
  readonly imp: readonly Imp[];
  readonly site: Site;
  readonly user?: { readonly ext?: UserExt; readonly [member: string]: unknown };
  readonly regs?: {
    /** 1 for users in the EU. */
    readonly gdpr?: 0 | 1;
    readonly ext?: { readonly dsa?: number | object; readonly [member: string]: unknown };
    readonly [member: string]: unknown;
  };
  readonly [member: string]: unknown;
}

/** One ad slot: with one of banner, video, native at least. */
export interface Imp {
  readonly id: string;
  /** Name of the ad unit. */
  readonly tagid?: string;
  readonly banner?: {
    readonly format?: readonly { readonly w: number; readonly h: number }[];
    readonly [member: string]: unknown;
  };
  readonly video?: object;
  readonly native?: object;
  /** 1: HTTPS creatives only. */
  readonly secure?: 0 | 1;
  /** `hb`: header bids that compete for the slot, at most 50. */
  readonly ext?: { readonly hb?: readonly HeaderBid[]; readonly [member: string]: unknown };
  readonly [member: string]: unknown;
}

/** Where the ad will stand. */
export interface Site {
  readonly id: string;
  readonly domain: string;
  /** Page address. */
  readonly page?: string;
  readonly ext?: { readonly area?: string; readonly kwrd?: string; readonly [member: string]: unknown };
  readonly [member: string]: unknown;
}

/** Who will see it. */
export interface UserExt {
  /** True: no personalised ads. */
  readonly npa?: boolean;
  /** `lu`: from the caller's first-party cookie; `aid`: a hashed account id; `hh`: the household, for frequency caps. */
  readonly ids?: { readonly lu?: string; readonly aid?: string; readonly hh?: string };
  readonly [member: string]: unknown;
}

/** A bid response (OpenRTB 2.6). Fire `ext.ems_link` of the bid that is shown: unfired impressions count nowhere. */
export interface BidResponse {
  readonly id: string;
  /** ISO 4217; prices are CPM in it. */
  readonly cur: string;
  readonly seatbid: readonly { readonly seat: string; readonly bid: readonly Bid[] }[];
  readonly ext: {
    /** The page behind "Why this ad?"; absent if header bids won all slots. */
    readonly dsaurl?: string;
    /** The header bids that won; their slots have no bid. Absent if none won. */
    readonly hb?: readonly (WonHeaderBid & { readonly impid: string })[];
  };
}

/** One bid. `mtype`: 1 banner, 2 video, 4 native. */
export interface Bid {
  readonly id: string;
  readonly impid: string;
  readonly price: number;
  readonly adm: string;
  readonly adomain: readonly string[];
  readonly cid: string;
  readonly crid: string;
  readonly w?: number;
  readonly h?: number;
  readonly mtype: 1 | 2 | 4;
  readonly dealid?: string;
  readonly exp: number;
  readonly burl: string;
  readonly ext: { readonly ems_link: string; readonly dsaurl: string; readonly dsa?: object };
}

/**
 * The checks that the service recommends before sending: a request that fails one would get a 400.
 * @returns one sentence a problem; empty when the request may go
 */
export function checkBidRequest(request: unknown): string[] {
  const root = asObject(request);
  if (root === null) return ['The bid request must be an object.'];
  const problems: string[] = [];
  if (!isText(root['id'])) problems.push('id must be a non-empty string.');
  const imps = root['imp'];
  if (!Array.isArray(imps) || imps.length === 0) problems.push('imp must hold at least one impression.');
  else problems.push(...imps.flatMap((imp, index) => checkImp(asObject(imp), `imp[${index}]`)));
  const site = asObject(root['site']);
  if (site === null) {
    if (asObject(root['app']) === null && asObject(root['dooh']) === null)
      problems.push('site must be an object with id and domain, or else app or dooh an object.');
  } else {
    if (!isText(site['id'])) problems.push('site.id must be a non-empty string.');
    if (!isText(site['domain']))
      problems.push('site.domain must be a non-empty string; a page address does not stand in for it.');
  }
  return problems;
}

function checkImp(imp: Readonly<Record<string, unknown>> | null, name: string): string[] {
  if (imp === null) return [`${name} must be an object.`];
  const problems = isText(imp['id']) ? [] : [`${name}.id must be a non-empty string.`];
  const offersMedia = [imp['banner'], imp['video'], imp['native'], imp['audio']].some(
    (media) => asObject(media) !== null,
  );
  return offersMedia ? problems : [...problems, `${name} needs one of banner, video, native, audio.`];
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}
