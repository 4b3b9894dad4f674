import type { Transaction } from 'kysely';
import { readCeilings, readLimits } from '../../../access/keys/directory-data.ts';
import type { LimitName } from '../../../access/permissions/permissions.ts';
import { requireProof } from '../../../access/permissions/verification.ts';
import { isTimeZone } from '../../../domain/time/calendar.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { PlacardError } from '../../../domain/errors.ts';
import { EXCHANGE_RATES_MAX } from '../../../domain/tenancy/exchange-rates.ts';
import type { ExchangeRate } from '../../../domain/tenancy/exchange-rates.ts';
import { formatMicros } from '../../../domain/money/money.ts';
import type { CreativeReview, GoalCompetition, ImpressionTouches } from '../../../domain/tenancy/workspace.ts';
import { LABEL_CAPS_MAX, LABEL_LENGTH_MAX } from '../../../domain/frequency/label-cap.ts';
import type { LabelCap } from '../../../domain/frequency/label-cap.ts';
import { checkFrequencyCaps, FrequencyCapInput, FrequencyCapRef } from '../../fields/delivery-limits.ts';
import {
  CreativeReviewRef,
  GoalCompetitionRef,
  ImpressionTouchesRef,
  NetworkStatusRef,
} from '../../fields/enumerations.ts';
import { builder } from '../../kernel/builder.ts';
import type { Database } from '../../../storage/sql/schema.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { report } from '../../kernel/field.ts';
import { checkMoney, checkNumber, checkText } from '../../kernel/scalar-fields.ts';
import { outcomeOf, outcomeRef } from '../../kernel/outcome.ts';
import { changeAll } from '../../kernel/transactions.sql.ts';
import { validationFailed } from '../../kernel/drafts.ts';
import { checkExchangeRates, ExchangeRateInput } from './exchange-rates.ts';
import { NetworkRef } from './network.ts';
import { changeNetwork, hasPrices, lockNetwork, type NetworkRow } from './network.sql.ts';

/** What the API shows of a setting without effect. */
const REPRESENTATIVE_PERCENT = 50;

/** The content of the column `networks.settings`. */
interface NetworkSettings {
  readonly limits?: Partial<Record<LimitName, number>>;
  readonly retentionDays?: number;
  readonly languages?: readonly string[];
  readonly creativeReview?: CreativeReview;
  readonly impressionTouches?: ImpressionTouches;
  readonly representativePercent?: number;
  readonly labelCaps?: readonly LabelCap[];
  readonly approvalRequired?: boolean;
  readonly goalCompetition?: GoalCompetition;
}

const limitDescriptions: Record<LimitName, string> = {
  management: 'Management API requests a day.',
  ads: 'Ad requests a second.',
  events: 'Activity events a day.',
  reports: 'Reports API requests and downloads a day.',
};
const limitNames = Object.keys(limitDescriptions) as LimitName[];
/** Languages that the "Why this ad?" page speaks. */
const LANGUAGES = ['en', 'pl', 'de', 'fr', 'es'] as const;
const RETENTION_DAYS = { min: 30, max: 3_650 };
const PERCENT = { min: 0, max: 100 };
const CAPS_OF_LABEL_MAX = 2;

const LimitsRef = builder.objectRef<Partial<Record<LimitName, number>>>('NetworkLimits').implement({
  description: 'Rate limits, each per day or per second; null = none of its own.',
  fields: (t) =>
    Object.fromEntries(
      limitNames.map((name) => [
        name,
        t.field({
          type: 'Long',
          nullable: true,
          description: limitDescriptions[name],
          resolve: (limits: Partial<Record<LimitName, number>>) => limits[name] ?? null,
        }),
      ]),
    ),
});

const LimitsInput = builder.inputType('NetworkLimitsInput', {
  description:
    'Limits of the network, each at most its ceiling; absent or null = the ceiling. The whole set is replaced.',
  fields: (t) =>
    Object.fromEntries(
      limitNames.map((name) => [name, t.field({ type: 'Long', description: limitDescriptions[name] })]),
    ),
});

const LabelCapRef = builder.objectRef<LabelCap>('LabelCap').implement({
  description:
    'How often one user sees ads that bear a label, of any advertiser: labels of line items, campaigns and advertisers.',
  fields: (t) => ({
    label: t.exposeString('label', { description: 'The label.' }),
    frequencyCaps: t.field({
      type: [FrequencyCapRef],
      description: 'Limits per user; the strictest applies.',
      resolve: (cap) => [...cap.frequencyCaps],
    }),
  }),
});

const LabelCapInput = builder.inputType('LabelCapInput', {
  description: 'How often one user sees ads that bear a label.',
  fields: (t) => ({
    label: t.string({ required: true, description: `The label, at most ${LABEL_LENGTH_MAX} characters.` }),
    frequencyCaps: t.field({
      type: [FrequencyCapInput],
      required: true,
      description: `Limits per user or household, 1 to ${CAPS_OF_LABEL_MAX}.`,
    }),
  }),
});

builder.objectFields(NetworkRef, (t) => ({
  limits: t.field({
    type: LimitsRef,
    description: 'Rate limits of its own.',
    resolve: (network) => readLimits(network.settings),
  }),
  limitCeilings: t.field({
    type: LimitsRef,
    description: "The operator's ceiling for each limit; it applies where `limits` has none.",
    resolve: (network) => readCeilings(network.limit_ceilings),
  }),
  retentionDays: t.int({
    nullable: true,
    description:
      'How long single events are kept, in whole UTC days; null = for ever. Reports of days keep their figures.',
    resolve: (network) => (network.settings as NetworkSettings).retentionDays ?? null,
  }),
  representativePercent: t.float({
    description:
      'No effect: goals bid for opportunities (docs/pacing.md). Was the percentage of each goal that is spread evenly over all of its traffic.',
    resolve: (network) => (network.settings as NetworkSettings).representativePercent ?? REPRESENTATIVE_PERCENT,
  }),
  labelCaps: t.field({
    type: [LabelCapRef],
    description: 'How often one user sees ads that bear a label.',
    resolve: (network) => [...((network.settings as NetworkSettings).labelCaps ?? [])],
  }),
  approvalRequired: t.boolean({
    description: 'Whether another member has to approve a guaranteed booking before it goes live.',
    resolve: (network) => (network.settings as NetworkSettings).approvalRequired ?? false,
  }),
  languages: t.stringList({
    description: 'Languages of the "Why this ad?" page; the first is the fallback.',
    resolve: (network) => [...((network.settings as NetworkSettings).languages ?? LANGUAGES)],
  }),
  creativeReview: t.field({
    type: CreativeReviewRef,
    description: 'Whether creatives are reviewed before they serve.',
    resolve: (network) => (network.settings as NetworkSettings).creativeReview ?? 'NONE',
  }),
  impressionTouches: t.field({
    type: ImpressionTouchesRef,
    description: 'Which impressions a conversion may be credited to when there was no click.',
    resolve: (network) => (network.settings as NetworkSettings).impressionTouches ?? 'IMPRESSIONS',
  }),
  goalCompetition: t.field({
    type: GoalCompetitionRef,
    description: 'How guaranteed line items meet what is sold by price.',
    resolve: (network) => (network.settings as NetworkSettings).goalCompetition ?? 'BIDS',
  }),
}));

const SettingsInput = builder.inputType('UpdateNetworkInput', {
  description: 'Settings of the network to change. Absent: stays.',
  fields: (t) => ({
    name: t.string({ description: 'Name.' }),
    status: t.field({ type: NetworkStatusRef, description: 'ACTIVE or PAUSED; SUSPENDED is for the operator.' }),
    timezone: t.string({ description: 'IANA time zone, such as "Europe/Warsaw".' }),
    currency: t.string({ description: 'ISO 4217 code; fixed once a line item has a price.' }),
    floor: t.field({ type: 'Decimal', description: 'Floor price as CPM; 0 = none.' }),
    limits: t.field({ type: LimitsInput, description: 'Rate limits of its own.' }),
    retentionDays: t.int({
      description: 'How long single events are kept, 30…3650 days; null = for ever. Older ones are deleted once a day.',
    }),
    representativePercent: t.float({
      description: `No effect: goals bid for opportunities. 0…100; null = ${REPRESENTATIVE_PERCENT}.`,
    }),
    labelCaps: t.field({
      type: [LabelCapInput],
      description: `How often one user sees ads that bear a label, at most ${LABEL_CAPS_MAX} labels; null = no limits. The whole list is replaced.`,
    }),
    approvalRequired: t.boolean({
      description:
        'Whether another member has to approve a guaranteed booking before it goes live; null = no. What is live stays so, and waits in `bookingsToApprove` until its terms are approved.',
    }),
    exchangeRates: t.field({
      type: [ExchangeRateInput],
      description: `What other currencies are worth, at most ${EXCHANGE_RATES_MAX} entries; null = unknown. The whole list is replaced.`,
    }),
    languages: t.stringList({ description: `Languages of the "Why this ad?" page, of ${LANGUAGES.join(', ')}.` }),
    creativeReview: t.field({
      type: CreativeReviewRef,
      description:
        'Whether new creatives, and those whose content changes, are reviewed before they serve; null = NONE. Creatives that serve already stay as they are.',
    }),
    impressionTouches: t.field({
      type: ImpressionTouchesRef,
      description:
        'Which impressions a conversion may be credited to when there was no click; null = IMPRESSIONS. Applies to impressions from then on.',
    }),
    goalCompetition: t.field({
      type: GoalCompetitionRef,
      description: 'How guaranteed line items meet what is sold by price; null = BIDS.',
    }),
  }),
});

const NetworkPayloadRef = outcomeRef<NetworkRow>('UpdateNetworkPayload', 'The result of changing a network.', {
  name: 'network',
  type: NetworkRef,
  description: 'The network; with `validateOnly`, as it would be.',
});

builder.mutationField('updateNetwork', (t) =>
  t.field({
    type: NetworkPayloadRef,
    nullable: true,
    description: 'Changes settings of the network. They hold for both environments.',
    args: {
      version: t.arg.int({ description: 'The version that was read; a newer version fails as `conflict`.' }),
      input: t.arg({ type: SettingsInput, required: true, description: 'What to change.' }),
      validateOnly: t.arg.boolean({ defaultValue: false, description: 'Checks everything and changes nothing.' }),
    },
    resolve: (_root, args, context, info) =>
      outcomeOf(context, info, () =>
        changeAll(context, args.validateOnly ?? false, (inner) =>
          updateNetwork(inner, args.version ?? null, args.input),
        ),
      ),
  }),
);

async function updateNetwork(
  context: ManagementContext & { readonly transaction: Transaction<Database> },
  version: number | null,
  input: Readonly<Record<string, unknown>>,
): Promise<NetworkRow> {
  const { networkId } = context.principal;
  const before = await lockNetwork(context.transaction, networkId);
  if (before === undefined) throw new PlacardError('unknown_network');
  if (version !== null && version !== before.version) {
    const message = `The network is at version ${before.version}, not ${version}. Read it again.`;
    throw new PlacardError('conflict', message, { details: { currentVersion: before.version } });
  }
  const problems: FieldProblem[] = [];
  const columns = decodeSettings(input, before, problems);
  const currencyChanges = columns.currency !== undefined && columns.currency !== before.currency;
  if (currencyChanges && (await hasPrices(context.transaction, networkId))) {
    report(
      problems,
      'input.currency',
      'fixed',
      'Line items have prices in the present currency; it can no longer change.',
    );
  }
  if (currencyChanges && input['exchangeRates'] === undefined && before.settings['exchangeRates'] !== undefined) {
    report(
      problems,
      'input.exchangeRates',
      'required',
      'Exchange rates are in the present currency: give them in the new one, or null.',
    );
  }
  if (problems.length > 0) throw validationFailed(problems);
  if (switchesOffApproval(before, input)) requireProof(context.principal, 'network.switchOffApproval');
  const after = await changeNetwork(context.transaction, networkId, columns);
  context.audits.push({
    by: context.principal,
    action: 'network.update',
    objectKind: 'network',
    objectId: networkId,
    before: shownSettings(before),
    after: shownSettings(after),
    more: { requestId: context.requestId },
  });
  return after;
}

/** Whether bookings or creatives that another member had to look at go live without. */
function switchesOffApproval(before: NetworkRow, input: Readonly<Record<string, unknown>>): boolean {
  const { approvalRequired = false, creativeReview = 'NONE' } = before.settings as NetworkSettings;
  const { approvalRequired: required, creativeReview: review } = input;
  const approves = required === undefined ? approvalRequired : required === true;
  const reviews = review === undefined ? creativeReview : (review ?? 'NONE');
  return (approvalRequired && !approves) || (creativeReview !== 'NONE' && reviews === 'NONE');
}

type SettingColumns = Parameters<typeof changeNetwork>[2];

function decodeSettings(
  input: Readonly<Record<string, unknown>>,
  before: NetworkRow,
  problems: FieldProblem[],
): SettingColumns {
  const { name, status, timezone, currency, floor } = input;
  for (const field of ['name', 'status', 'timezone', 'currency', 'floor']) {
    if (input[field] === null)
      report(problems, `input.${field}`, 'null_not_allowed', 'Give a value, or leave the field out.');
  }
  if (status === 'SUSPENDED')
    report(problems, 'input.status', 'not_allowed', 'Only the operator suspends a network; give ACTIVE or PAUSED.');
  if (typeof timezone === 'string' && !isTimeZone(timezone)) {
    report(problems, 'input.timezone', 'unknown', 'Give an IANA time zone name such as "Europe/Warsaw".');
  }
  if (typeof currency === 'string' && !Intl.supportedValuesOf('currency').includes(currency)) {
    report(problems, 'input.currency', 'unknown', 'Give an ISO 4217 code in capitals, such as "EUR".');
  }
  return {
    ...(typeof name === 'string' ? { name: checkText(name, 'input.name', { lengthMax: 200 }, problems) } : {}),
    ...(typeof status === 'string' ? { status: status as NetworkRow['status'] } : {}),
    ...(typeof timezone === 'string' ? { timezone } : {}),
    ...(typeof currency === 'string' ? { currency } : {}),
    ...(typeof floor === 'string' ? { floor_micros: checkMoney(floor, 'input.floor', problems) } : {}),
    settings: JSON.stringify({ ...before.settings, ...decodeFurther(input, before, problems) }),
  };
}

function decodeFurther(
  input: Readonly<Record<string, unknown>>,
  before: NetworkRow,
  problems: FieldProblem[],
): Record<string, unknown> {
  const { limits, retentionDays, representativePercent, labelCaps, languages } = input;
  const further: Record<string, unknown> = {};
  if (limits !== undefined) {
    const given = Object.entries((limits ?? {}) as Record<string, number | null>).filter(([, limit]) => limit !== null);
    const ceilings: Readonly<Record<string, number>> = readCeilings(before.limit_ceilings);
    for (const [name, limit] of given) checkLimit(`input.limits.${name}`, limit, ceilings[name] ?? 0, problems);
    further['limits'] = Object.fromEntries(given);
  }
  if (retentionDays === null) further['retentionDays'] = undefined;
  else if (retentionDays !== undefined)
    further['retentionDays'] = checkNumber(retentionDays, 'input.retentionDays', RETENTION_DAYS, problems);
  for (const name of ['creativeReview', 'impressionTouches', 'goalCompetition', 'approvalRequired'] as const)
    if (input[name] !== undefined) further[name] = input[name] ?? undefined;
  if (representativePercent === null) further['representativePercent'] = undefined;
  else if (representativePercent !== undefined)
    further['representativePercent'] = checkNumber(
      representativePercent,
      'input.representativePercent',
      PERCENT,
      problems,
    );
  if (labelCaps === null) further['labelCaps'] = undefined;
  else if (labelCaps !== undefined) further['labelCaps'] = checkLabelCaps(labelCaps as readonly LabelCap[], problems);
  const { exchangeRates } = input;
  if (exchangeRates === null) further['exchangeRates'] = undefined;
  else if (exchangeRates !== undefined) {
    const currency = typeof input['currency'] === 'string' ? input['currency'] : before.currency;
    further['exchangeRates'] = checkExchangeRates(exchangeRates as readonly ExchangeRate[], currency, problems);
  }
  if (languages === null) further['languages'] = undefined;
  else if (languages !== undefined) further['languages'] = checkLanguages(languages as readonly string[], problems);
  return further;
}

function checkLimit(path: string, limit: number | null, ceiling: number, problems: FieldProblem[]): void {
  if (limit !== null && limit > ceiling) {
    report(
      problems,
      path,
      'over_ceiling',
      `Give at most ${ceiling}: the operator's ceiling, which only the operator raises.`,
    );
  } else {
    checkNumber(limit, path, { min: 1, max: ceiling }, problems);
  }
}

function checkLabelCaps(given: readonly LabelCap[], problems: FieldProblem[]): LabelCap[] {
  const path = 'input.labelCaps';
  if (given.length > LABEL_CAPS_MAX) report(problems, path, 'too_many', `Give at most ${LABEL_CAPS_MAX} labels.`);
  const seen = new Set<string>();
  return given.slice(0, LABEL_CAPS_MAX).map((one, index) => {
    const at = `${path}.${index}`;
    const label = checkText(one.label, `${at}.label`, { lengthMax: LABEL_LENGTH_MAX }, problems);
    if (seen.has(label)) report(problems, `${at}.label`, 'duplicate', 'Give each label once, with all its caps.');
    seen.add(label);
    const caps = one.frequencyCaps;
    if (caps.length === 0 || caps.length > CAPS_OF_LABEL_MAX)
      report(problems, `${at}.frequencyCaps`, 'out_of_range', `Give 1 to ${CAPS_OF_LABEL_MAX} caps.`);
    return { label, frequencyCaps: checkFrequencyCaps(caps, `${at}.frequencyCaps`, problems) };
  });
}

function checkLanguages(languages: readonly string[], problems: FieldProblem[]): string[] {
  const known: readonly string[] = LANGUAGES;
  if (languages.length === 0 || languages.some((language) => !known.includes(language))) {
    report(problems, 'input.languages', 'unknown', `Give some of ${LANGUAGES.join(', ')}.`);
  }
  return [...new Set(languages)];
}

function shownSettings(network: NetworkRow): Record<string, unknown> {
  const { name, status, timezone, currency, settings } = network;
  return { name, status, timezone, currency, floor: formatMicros(network.floor_micros), ...settings };
}
