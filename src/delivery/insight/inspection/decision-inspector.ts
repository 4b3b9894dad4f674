import { INSPECTED_CHANGES_MAX } from '../../../domain/booking/decision-inspection.ts';
import type {
  DecisionInspection,
  DecisionInspector,
  InspectedAd,
  InspectedChange,
  InspectedDecision,
  InspectedKeyValue,
  InspectedRequest,
  InspectedSource,
  InspectionQuestion,
  LoggedReplay,
  RequestForm,
} from '../../../domain/booking/decision-inspection.ts';
import type { ExplainedDecision } from '../../../domain/booking/delivery-insight.ts';
import {
  textOf,
  writeEnglish,
  type DeliveryText,
  type DeliveryTextCode,
} from '../../../domain/booking/delivery-text.ts';
import { PlacardError } from '../../../domain/errors.ts';
import { openServedAd } from '../../../domain/events/link-token.ts';
import type { LinkKey, ServedAd } from '../../../domain/events/served-ad.ts';
import type { Opportunity } from '../../../domain/requests/opportunity.ts';
import { FORM_DEVICES } from '../../../domain/booking/decision-inspection.ts';
import { decide } from '../../decision/decide.ts';
import { decidedBy } from '../../decision/experiment-rules.ts';
import { compileSteps } from '../../decision/index/compile-workspace.ts';
import type { CompiledWorkspace } from '../../decision/index/compiled-workspace.ts';
import { findById } from '../../decision/index/sorted-by-id.ts';
import { sliceSteps } from '../../snapshot/slice-steps.ts';
import type { DecisionRecord } from '../decision-log/decision-log.ts';
import { readSavedSnapshot } from '../decision-log/decision-log-files.ts';
import { compareDecisions, replayDecision } from '../decision-log/decision-replay.ts';
import { toDecisionOutcome } from '../decision-log/decision-tape.ts';
import { seededRandom } from '../forecast/seeded-random.ts';
import { countWins, describeDecision, explainOpportunity, readOpportunity } from './explain-opportunity.ts';
import type { ExplainDeps } from './explain-opportunity.ts';
import { findLoggedDecision } from './find-logged.ts';
import type { FoundDecision, WantedDecision } from './find-logged.ts';
import { buildFormRequest } from './form-request.ts';
import { imagineChanges } from './imagine-changes.ts';
import { RecalledState } from './recalled-state.ts';

/** Most inspections under way, of all networks and of one. */
const PENDING_MAX = 6;
const PENDING_OF_NETWORK_MAX = 2;
/** A token of a link, wherever in an address it stands. */
const TOKEN = /^[\w-]{1,4}\.[\w-]{20,}$/;

/** Dependencies of the inspector, in the core. */
export interface InspectorDeps extends ExplainDeps {
  /** @throws PlacardError `unavailable` while the snapshot of the network is not loaded */
  readonly findCompiled: (workspaceId: number) => CompiledWorkspace;
  /** All verify the links of ads. */
  readonly linkKeys: readonly LinkKey[];
  /** The folder of this machine's decision log. */
  readonly decisionsDir: string;
}

/** A logged decision, with the workspace as it was then. */
interface Recalled {
  readonly record: DecisionRecord;
  readonly compiled: CompiledWorkspace;
}

/** Inspects decisions, a few at a time: each costs a look at every line item, and a search in the log some seconds at most. */
export function createDecisionInspector(deps: InspectorDeps): DecisionInspector {
  const pending = new Map<number, number>();
  return {
    inspect: async (workspaceId, question) => {
      const own = pending.get(workspaceId) ?? 0;
      const all = [...pending.values()].reduce((sum, count) => sum + count, 0);
      if (all >= PENDING_MAX || own >= PENDING_OF_NETWORK_MAX)
        throw new PlacardError('unavailable', 'Too many decisions are being inspected; try again in a few seconds.');
      pending.set(workspaceId, own + 1);
      try {
        return await inspectDecision(deps, workspaceId, question);
      } finally {
        const left = (pending.get(workspaceId) ?? 1) - 1;
        if (left === 0) pending.delete(workspaceId);
        else pending.set(workspaceId, left);
      }
    },
  };
}

async function inspectDecision(
  deps: InspectorDeps,
  workspaceId: number,
  question: InspectionQuestion,
): Promise<DecisionInspection> {
  const compiled = deps.findCompiled(workspaceId);
  const remarks: DeliveryText[] = [];
  const asked = await readSource(deps, compiled, question.source, remarks);
  const { recalled, opportunity } = asked;
  const { atMs, seed, whatIfs } = question;
  const present = await decideNow(deps, compiled, opportunity, { atMs, seed });
  const logged = recalled === null ? null : replayLogged(recalled, recalled.compiled, seed);
  let imagined: InspectedDecision | null = null;
  if (whatIfs.length > 0) {
    const base = recalled?.compiled ?? compiled;
    const changed = await sliceSteps(imagineChanges(base, whatIfs, recalled === null ? deps.nowMs() : 0));
    imagined =
      recalled === null
        ? await decideNow(deps, changed, opportunity, { atMs, seed })
        : replayLogged(recalled, changed, seed);
    const { standard } = changed.competition;
    if (recalled === null && standard.to > standard.from) remarks.push(textOf('inspection_same_plan'));
  }
  return {
    request: describeRequest(opportunity),
    bidRequest: asked.bidRequest,
    ad: asked.ad === null ? null : describeAd(asked.ad, compiled),
    logged,
    present,
    imagined,
    changes: imagined === null ? [] : compareExplained(logged ?? present, imagined),
    remarks,
  };
}

interface ReadSource {
  readonly opportunity: Opportunity;
  readonly bidRequest: unknown;
  readonly ad: ServedAd | null;
  readonly recalled: Recalled | null;
}

async function readSource(
  deps: InspectorDeps,
  compiled: CompiledWorkspace,
  source: InspectedSource,
  remarks: DeliveryText[],
): Promise<ReadSource> {
  const { workspaceId } = compiled.snapshot.workspace;
  if (source.kind === 'BID_REQUEST')
    return { ...(await readRequest(deps, compiled, source.bidRequest)), ad: null, recalled: null };
  if (source.kind === 'FORM') return { ...(await readForm(deps, compiled, source.form)), ad: null, recalled: null };
  const ad = source.kind === 'WHY_LINK' ? openLink(deps, workspaceId, source.link) : null;
  const wanted: WantedDecision =
    source.kind === 'REQUEST_ID' ? { requestId: source.requestId } : { ad: ad as ServedAd };
  const found = await findLoggedDecision(deps.decisionsDir, workspaceId, wanted, deps.nowMs());
  const recalled = await recall(deps, workspaceId, found.record);
  if (recalled !== null) return { opportunity: recalled.record.opportunity, bidRequest: null, ad, recalled };
  const notLogged = textOf(whyNotLogged(found));
  if (ad === null) throw new PlacardError('not_found', writeEnglish([notLogged]));
  remarks.push(notLogged, textOf('inspection_like_it'));
  return { ...(await readForm(deps, compiled, formOf(ad, compiled))), ad, recalled: null };
}

async function readRequest(
  deps: InspectorDeps,
  compiled: CompiledWorkspace,
  bidRequest: unknown,
): Promise<Pick<ReadSource, 'opportunity' | 'bidRequest'>> {
  return { opportunity: await readOpportunity(deps, compiled, bidRequest), bidRequest };
}

/** Segments of a form are the user's own: only the server knows members, so requests cannot claim them. */
async function readForm(
  deps: InspectorDeps,
  compiled: CompiledWorkspace,
  form: RequestForm,
): Promise<Pick<ReadSource, 'opportunity' | 'bidRequest'>> {
  const bidRequest = buildFormRequest(form, compiled.snapshot);
  const opportunity = await readOpportunity(deps, compiled, bidRequest);
  const segments = opportunity.npa ? [] : [...new Set([...opportunity.segments, ...form.segmentIds])];
  return { opportunity: { ...opportunity, segments }, bidRequest };
}

/** @throws PlacardError `not_found` for a link that this network's ads do not have: a forged one, or one of another network */
function openLink({ linkKeys }: InspectorDeps, workspaceId: number, link: string): ServedAd {
  const parts = link.split(/[/?#&=\s]/).filter((part) => TOKEN.test(part));
  for (const part of parts) {
    const ad = openServedAd(part, linkKeys);
    if (ad?.workspaceId === workspaceId) return ad;
  }
  throw new PlacardError(
    'not_found',
    'This is not the link of an ad of this network and environment. Paste the whole address of "Why this ad?", or of the click.',
  );
}

function whyNotLogged({ logFiles, isComplete, record }: FoundDecision): DeliveryTextCode {
  if (record !== null) return 'inspection_no_bookings';
  if (logFiles === 0) return 'inspection_no_log';
  if (!isComplete) return 'inspection_ended';
  return 'inspection_not_logged';
}

async function recall(
  { decisionsDir }: InspectorDeps,
  workspaceId: number,
  record: DecisionRecord | null,
): Promise<Recalled | null> {
  if (record === null) return null;
  const snapshot = await readSavedSnapshot(decisionsDir, record.snapshot);
  if (snapshot?.workspace.workspaceId !== workspaceId) return null;
  // As of long ago, so that nothing is left out that had not ended by the time of the decision.
  const steps = compileSteps(snapshot, { nowMs: 0, previous: null, reportUnusable: () => {} });
  return { record, compiled: await sliceSteps(steps) };
}

async function decideNow(
  deps: InspectorDeps,
  compiled: CompiledWorkspace,
  opportunity: Opportunity,
  { atMs, seed }: { readonly atMs: number; readonly seed: number },
): Promise<InspectedDecision> {
  const random = seededRandom(seed);
  const explained = await explainOpportunity(deps, compiled, opportunity, { atMs, random, lineItemId: null });
  return { ...explained, chances: await countWins(deps, compiled, opportunity, { atMs, seed }) };
}

/** Repeats a logged decision with its reasons, on its own bookings or on changed ones. */
function replayLogged(recalled: Recalled, compiled: CompiledWorkspace, seed: number): InspectedDecision & LoggedReplay {
  const { record } = recalled;
  const state = new RecalledState(record.tape, seededRandom(seed));
  const { opportunity, atMs, arm = null } = record;
  const how = { ...decidedBy(arm), nowMs: atMs, explain: true };
  const decision = decide(compiled, opportunity, { ...how, state, random: state.random });
  const explained = describeDecision(compiled, decision, { opportunity, arm, lineItemId: null, atMs });
  // Without the questions that reasons need, the replay is exact; with them, it must come to the same.
  const exact = replayDecision(recalled.compiled, record);
  const differences =
    compiled !== recalled.compiled || exact.length > 0
      ? exact
      : compareDecisions(record.answer, toDecisionOutcome(decision));
  const { assumedValues } = state;
  return { ...explained, chances: [], isSame: differences.length === 0, differences, assumedValues };
}

/** The outcome of each line item that differs, winners first. */
export function compareExplained(before: ExplainedDecision, after: ExplainedDecision): InspectedChange[] {
  const changes: InspectedChange[] = [];
  for (const slot of after.slots) {
    const former = before.slots.find(({ slotId }) => slotId === slot.slotId);
    if (former === undefined) continue;
    const [was, is] = [outcomesOf(former), outcomesOf(slot)];
    for (const [lineItemId, { outcome, name }] of is) {
      const known = was.get(lineItemId)?.outcome ?? 'not_listed';
      if (known !== outcome) changes.push({ slotId: slot.slotId, lineItemId, name, before: known, after: outcome });
    }
  }
  const rank = ({ before: from, after: to }: InspectedChange): number => (to === 'won' ? 0 : from === 'won' ? 1 : 2);
  return changes.toSorted((one, other) => rank(one) - rank(other)).slice(0, INSPECTED_CHANGES_MAX);
}

function outcomesOf({ winner, losers }: ExplainedDecision['slots'][number]) {
  const outcomes = new Map(losers.map(({ lineItemId, name, reason }) => [lineItemId, { name, outcome: reason }]));
  if (winner !== null) outcomes.set(winner.lineItemId, { name: winner.name, outcome: 'won' });
  return outcomes;
}

/** A request like that of a served ad, as far as its link tells. */
function formOf(ad: ServedAd, { snapshot }: CompiledWorkspace): RequestForm {
  const isBooked = (list: readonly { readonly id: string }[], id: string): string | null =>
    list.some((one) => one.id === id) ? id : null;
  const device = FORM_DEVICES.find((one) => one === ad.deviceType.toLowerCase()) ?? null;
  return {
    adUnitId: isBooked(snapshot.adUnits, ad.adUnitId),
    siteId: isBooked(snapshot.sites, ad.siteId),
    areaId: isBooked(snapshot.areas, ad.areaId),
    sizes: ad.width > 0 && ad.height > 0 ? [{ width: ad.width, height: ad.height }] : [],
    mediaTypes: [],
    country: ad.country === '' ? null : ad.country,
    region: ad.region === '' ? null : ad.region,
    city: null,
    device,
    keyValues: {},
    segmentIds: [],
    userId: null,
    isKnownUser: ad.userHash !== '',
    npa: ad.npa,
    dealCode: findById(snapshot.deals, ad.dealId || '0')?.code ?? null,
  };
}

function describeAd(ad: ServedAd, { snapshot }: CompiledWorkspace): InspectedAd {
  const { lineItemId, creativeId, adUnitId, siteId, width, height, country, deviceType, priceMicros, npa, test } = ad;
  return {
    lineItemId,
    lineItemName: findById(snapshot.lineItems, lineItemId)?.name ?? '',
    creativeId,
    adUnitId,
    siteId,
    width,
    height,
    country,
    deviceType,
    priceMicros,
    decidedAt: new Date(ad.decidedAtMs),
    npa,
    test,
  };
}

function describeRequest(opportunity: Opportunity): InspectedRequest {
  const { reported, npa, userHash, segments, keyValues, slots } = opportunity;
  return {
    pageUrl: opportunity.pageUrl,
    ...reported,
    npa,
    hasUser: userHash !== '',
    segmentIds: segments,
    keyValues: describeKeyValues(keyValues),
    slots: slots.map(({ slotId, adUnitId, siteId, sizes, mediaTypes, floorMicros, keyValues: own }) => ({
      slotId,
      adUnitId,
      siteId,
      sizes,
      mediaTypes,
      floorMicros,
      keyValues: describeKeyValues(own ?? keyValues),
    })),
  };
}

function describeKeyValues(keyValues: Opportunity['keyValues']): InspectedKeyValue[] {
  return [...keyValues].map(([key, values]) => ({ key, values }));
}
