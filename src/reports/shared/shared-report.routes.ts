import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { PlacardError } from '../../domain/errors.ts';
import { sharePath } from '../../domain/reporting/share-link.ts';
import type { Olap } from '../../storage/olap/olap.ts';
import type { Database } from '../../storage/sql/schema.ts';
import { readSharedDays } from './shared-figures.olap.ts';
import { renderSharedPage } from './shared-page.ts';
import { makeSharedReport, type SharedReport } from './shared-report.ts';
import { openShare, recordOpening } from './shared-report.sql.ts';

/** Dependencies of the pages of shared reports. */
export interface SharedReportDeps {
  readonly sql: Kysely<Database>;
  readonly olap: Olap;
  readonly nowMs: () => number;
  /** Counts an opening of a link that works; the error of one too many, else null. */
  readonly countOpening: (link: string) => Promise<PlacardError | null>;
  /** Counts an address that opened no link that works; the error of one too many, else null. */
  readonly countGuess: (address: string) => Promise<PlacardError | null>;
}

/** How long a report is shown again without reading its figures, and how many are kept. */
const KEPT_MS = 60_000;
const KEPT_MAX = 200;

/** The address is a secret: nothing keeps or passes it on, and no page of another origin shows it. */
const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

interface Addressed {
  readonly Params: { readonly token: string };
}

/** Adds `/shared/<secret>` and its PDF: the report of one campaign for everybody who has the link, and nothing else. */
export function registerSharedReports(app: FastifyInstance, deps: SharedReportDeps): void {
  const reports = new RecentReports(deps);
  app.get<Addressed>('/shared/:token', async (request, reply) => {
    const report = await open(request, deps, reports);
    const page = renderSharedPage(report, `${sharePath(request.params.token)}/report.pdf`);
    return send(reply, 'text/html; charset=utf-8', page);
  });
  app.get<Addressed>('/shared/:token/report.pdf', async (request, reply) => {
    const report = await open(request, deps, reports);
    // Loaded when the first PDF is asked for: the library is large.
    const { renderSharedPdf } = await import('./shared-pdf.ts');
    const pdf = await renderSharedPdf(report);
    return send(reply.header('content-disposition', 'attachment; filename="report.pdf"'), 'application/pdf', pdf);
  });
}

function send(reply: FastifyReply, type: string, body: string | Buffer): FastifyReply {
  return reply.headers(HEADERS).header('content-type', type).send(body);
}

/** @throws PlacardError `rate_limit_exceeded`; `not_found` alike for unknown, expired and revoked links */
async function open(
  request: FastifyRequest<Addressed>,
  { sql, nowMs, countOpening, countGuess }: SharedReportDeps,
  reports: RecentReports,
): Promise<SharedReport> {
  const now = new Date(nowMs());
  const campaign = await openShare(sql, request.params.token, now);
  // An address may be that of a whole office: its wrong links keep nobody there from a right one.
  if (campaign === null) throw (await countGuess(request.clientAddress)) ?? unknownLink();
  const refused = await countOpening(`${campaign.workspaceId}/${campaign.shareId}`);
  if (refused !== null) throw refused;
  await recordOpening(sql, campaign, now);
  return reports.read(campaign);
}

function unknownLink(): PlacardError {
  return new PlacardError('not_found', 'This link does not work, or no longer. Ask for a new one.');
}

type Campaign = NonNullable<Awaited<ReturnType<typeof openShare>>>;

/** Figures of links that were opened a moment ago, so that reloading costs no query. Rights are checked before, each time. */
class RecentReports {
  readonly #deps: SharedReportDeps;
  readonly #kept = new Map<string, { readonly untilMs: number; readonly report: Promise<SharedReport> }>();

  constructor(deps: SharedReportDeps) {
    this.#deps = deps;
  }

  read(campaign: Campaign): Promise<SharedReport> {
    const { olap, nowMs } = this.#deps;
    const key = `${campaign.workspaceId}/${campaign.shareId}`;
    const known = this.#kept.get(key);
    if (known !== undefined && known.untilMs > nowMs()) return known.report;
    const report = readSharedDays(olap, campaign, nowMs()).then((days) => makeSharedReport(campaign, days, nowMs()));
    this.#kept.delete(key);
    if (this.#kept.size >= KEPT_MAX) this.#kept.delete(this.#kept.keys().next().value ?? '');
    this.#kept.set(key, { untilMs: nowMs() + KEPT_MS, report });
    report.catch(() => this.#kept.delete(key));
    return report;
  }
}
