import { FORM_DEVICES, REQUEST_ID_HOURS_MAX, WHAT_IFS_MAX } from '../../../domain/booking/decision-inspection.ts';
import type {
  InspectedSource,
  InspectionQuestion,
  RequestForm,
  WhatIf,
} from '../../../domain/booking/decision-inspection.ts';
import { NO_CAPS } from '../../../domain/booking/line-item.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { decimalIdOf, plainIdOf } from '../../../domain/ids/global-ids.ts';
import { checkCaps, DeliveryCapsInput } from '../../fields/delivery-limits.ts';
import { LineItemTypeRef, MediaTypeRef } from '../../fields/enumerations.ts';
import { checkSizes, SizeInput } from '../../fields/sizes.ts';
import { builder } from '../../kernel/builder.ts';
import { validationFailed } from '../../kernel/drafts.ts';
import { report } from '../../kernel/field.ts';
import { checkMoney, checkNumber, checkText } from '../../kernel/scalar-fields.ts';

const LIST_MAX = 50;
const TEXT_CHARS_MAX = 128;
const LINK_CHARS_MAX = 8_192;
const SEED_MAX = 2 ** 31 - 1;

const DeviceRef = builder.enumType('InspectionDevice', {
  description: 'A kind of device, as targeting names it.',
  values: Object.fromEntries(
    FORM_DEVICES.map((name) => [name.toUpperCase(), { value: name, description: `A ${name} device.` }]),
  ) as Record<string, { value: (typeof FORM_DEVICES)[number]; description: string }>,
});

const ImaginedStatusRef = builder.enumType('ImaginedStatus', {
  description: 'A status to imagine.',
  values: { ACTIVE: { description: 'It serves.' }, PAUSED: { description: 'It does not serve.' } } as const,
});

const KeyValueInput = builder.inputType('InspectionKeyValueInput', {
  description: 'A key of the page with its values.',
  fields: (t) => ({
    key: t.string({ required: true, description: 'The key.' }),
    values: t.stringList({ required: true, description: 'Its values, at most 50.' }),
  }),
});

const FormInput = builder.inputType('InspectionFormInput', {
  description: 'A request as a person describes it. What is left out is not in the request.',
  fields: (t) => ({
    adUnitId: t.id({ description: 'The ad unit; default: any of the site that fits.' }),
    siteId: t.id({ description: 'The site; needed without an ad unit.' }),
    areaId: t.id({ description: 'The area of the site.' }),
    sizes: t.field({ type: [SizeInput], description: 'Sizes of the slot; default: those of the ad unit.' }),
    mediaTypes: t.field({ type: [MediaTypeRef], description: 'What it takes; default: as the ad unit.' }),
    country: t.string({ description: 'Country, ISO 3166-1 alpha-2.' }),
    region: t.string({ description: 'Region, the part of ISO 3166-2 after the country.' }),
    city: t.string({ description: 'City.' }),
    device: t.field({ type: DeviceRef, description: 'The device.' }),
    keyValues: t.field({ type: [KeyValueInput], description: 'Key-values of the page, at most 50.' }),
    segmentIds: t.idList({ description: 'Segments that the user is a member of, at most 50.' }),
    userId: t.string({ description: 'First-party id of the user; default: a user who has seen nothing yet.' }),
    isKnownUser: t.boolean({ description: 'Whether the request names a user; default true.' }),
    npa: t.boolean({ description: 'Whether ads may not be personalised; default false.' }),
    dealCode: t.string({ description: 'Code of a deal that the request offers.' }),
  }),
});

const WhatIfInput = builder.inputType('WhatIfInput', {
  description: 'An imagined change of a line item or of the floor of an ad unit. What is left out stays as it is.',
  fields: (t) => ({
    lineItemId: t.id({ description: 'The line item; either this or `adUnitId`.' }),
    adUnitId: t.id({ description: 'The ad unit.' }),
    status: t.field({ type: ImaginedStatusRef, description: 'Status of the line item.' }),
    type: t.field({ type: LineItemTypeRef, description: 'Tier of the line item.' }),
    level: t.int({ description: 'Its level within the tier, 1…16.' }),
    sharePercent: t.float({ description: 'Its share of voice or weight.' }),
    price: t.field({ type: 'Decimal', description: 'Its price, for the unit of its pricing model.' }),
    caps: t.field({ type: DeliveryCapsInput, description: 'Its hard limits: the whole set is replaced.' }),
    withoutFrequencyCaps: t.boolean({ description: 'Without its frequency caps.' }),
    withoutGoal: t.boolean({ description: 'Without its goal, so that nothing paces it.' }),
    floor: t.field({ type: 'Decimal', description: 'Floor of the ad unit, CPM.' }),
  }),
});

/** The input of `inspectDecision`. */
export const InspectDecisionInput = builder.inputType('InspectDecisionInput', {
  description: 'A decision to inspect: exactly one of `bidRequest`, `form`, `whyLink` and `requestId`.',
  fields: (t) => ({
    bidRequest: t.field({
      type: 'JSON',
      description: 'An OpenRTB bid request as the bid endpoint accepts it, with at most 10 impressions.',
    }),
    form: t.field({ type: FormInput, description: 'A request as a person describes it.' }),
    whyLink: t.string({
      description: 'The address of the page "Why this ad?" of an ad that was seen, or of its click or impression.',
    }),
    requestId: t.string({
      description: `The id of a bid request of the last ${REQUEST_ID_HOURS_MAX} hours, or \`requestId\` of an ad response: its logged decision.`,
    }),
    at: t.field({ type: 'DateTime', description: 'Decide as of this instant with the present bookings; default now.' }),
    seed: t.int({ description: 'The same seed repeats the draws; default 1.' }),
    whatIf: t.field({ type: [WhatIfInput], description: `Imagined changes, at most ${WHAT_IFS_MAX}.` }),
  }),
});

type Input = typeof InspectDecisionInput.$inferInput;

/** @throws PlacardError `validation_failed` naming every wrong field */
export function readInspection(input: Input, nowMs: number): InspectionQuestion {
  const problems: FieldProblem[] = [];
  const source = readSource(input, problems);
  const seed = checkNumber(input.seed ?? 1, 'input.seed', { min: 0, max: SEED_MAX }, problems);
  const given = input.whatIf ?? [];
  if (given.length > WHAT_IFS_MAX)
    report(problems, 'input.whatIf', 'too_many', `Imagine at most ${WHAT_IFS_MAX} changes.`);
  const whatIfs = given.slice(0, WHAT_IFS_MAX).map((one, at) => readWhatIf(one, `input.whatIf.${at}`, problems));
  if (problems.length > 0 || source === null) throw validationFailed(problems);
  return { source, atMs: input.at?.getTime() ?? nowMs, seed, whatIfs };
}

function readSource(input: Input, problems: FieldProblem[]): InspectedSource | null {
  const { bidRequest, form, whyLink, requestId } = input;
  const given = [bidRequest, form, whyLink, requestId].filter((one) => one !== null && one !== undefined);
  if (given.length !== 1) {
    report(problems, 'input', 'one_source', 'Give exactly one of bidRequest, form, whyLink and requestId.');
    return null;
  }
  if (form !== null && form !== undefined) return { kind: 'FORM', form: readForm(form, problems) };
  if (whyLink !== null && whyLink !== undefined)
    return { kind: 'WHY_LINK', link: readText(whyLink, 'input.whyLink', LINK_CHARS_MAX, problems) };
  if (requestId !== null && requestId !== undefined)
    return { kind: 'REQUEST_ID', requestId: readText(requestId, 'input.requestId', TEXT_CHARS_MAX, problems) };
  return { kind: 'BID_REQUEST', bidRequest };
}

function readForm(form: typeof FormInput.$inferInput, problems: FieldProblem[]): RequestForm {
  const text = (name: 'country' | 'region' | 'city' | 'userId' | 'dealCode'): string | null =>
    form[name] ? readText(form[name], `input.form.${name}`, TEXT_CHARS_MAX, problems) : null;
  const adUnitId = readId('AdUnit', form.adUnitId, 'input.form.adUnitId', problems);
  const siteId = readId('Site', form.siteId, 'input.form.siteId', problems);
  const areaId = readId('Area', form.areaId, 'input.form.areaId', problems);
  const country = text('country')?.toUpperCase() ?? null;
  if (country !== null && !/^[A-Z]{2}$/.test(country))
    report(problems, 'input.form.country', 'unknown', 'Give two letters, such as PL.');
  const [keyValues, segmentIds] = [form.keyValues ?? [], form.segmentIds ?? []];
  const lists = [['keyValues', keyValues] as const, ['segmentIds', segmentIds] as const];
  for (const [name, list] of lists)
    if (list.length > LIST_MAX) report(problems, `input.form.${name}`, 'too_many', `Give at most ${LIST_MAX}.`);
  if (adUnitId === null && siteId === null)
    report(problems, 'input.form.adUnitId', 'required', 'Choose an ad unit or a site.');
  return {
    adUnitId,
    siteId,
    areaId,
    sizes: checkSizes(form.sizes ?? [], 'input.form.sizes', problems),
    mediaTypes: [...new Set(form.mediaTypes ?? [])],
    country,
    region: text('region'),
    city: text('city'),
    device: form.device ?? null,
    keyValues: Object.fromEntries(
      keyValues.slice(0, LIST_MAX).map(({ key, values }) => [key, values.slice(0, LIST_MAX)]),
    ),
    segmentIds: segmentIds.slice(0, LIST_MAX).map((id) => plainIdOf('Segment', id)),
    userId: text('userId'),
    isKnownUser: form.isKnownUser ?? true,
    npa: form.npa ?? false,
    dealCode: text('dealCode'),
  };
}

function readWhatIf(input: typeof WhatIfInput.$inferInput, path: string, problems: FieldProblem[]): WhatIf {
  const { status, type, level, sharePercent, price, caps, withoutFrequencyCaps, withoutGoal, floor } = input;
  const lineItemId = readId('LineItem', input.lineItemId, `${path}.lineItemId`, problems);
  const adUnitId = readId('AdUnit', input.adUnitId, `${path}.adUnitId`, problems);
  if ((lineItemId === null) === (adUnitId === null))
    report(problems, path, 'one_object', 'Give either lineItemId or adUnitId.');
  const number = (value: number, name: string, min: number, max: number): number =>
    checkNumber(value, `${path}.${name}`, { min, max }, problems);
  const money = (value: unknown, name: string): number => Number(checkMoney(value, `${path}.${name}`, problems));
  return {
    lineItemId,
    adUnitId,
    ...(status ? { status } : {}),
    ...(type ? { type } : {}),
    ...(isGiven(level) ? { level: number(level, 'level', 1, 16) } : {}),
    ...(isGiven(sharePercent) ? { sharePercent: number(sharePercent, 'sharePercent', 0, 100) } : {}),
    ...(isGiven(price) ? { priceMicros: money(price, 'price') } : {}),
    ...(isGiven(caps) ? { caps: { ...NO_CAPS, ...checkCaps(caps, `${path}.caps`, problems) } } : {}),
    ...(withoutFrequencyCaps ? { withoutFrequencyCaps } : {}),
    ...(withoutGoal ? { withoutGoal } : {}),
    ...(isGiven(floor) ? { floorMicros: money(floor, 'floor') } : {}),
  };
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}

function readText(value: string, path: string, lengthMax: number, problems: FieldProblem[]): string {
  return checkText(value, path, { lengthMax }, problems);
}

function readId(
  type: string,
  value: string | number | null | undefined,
  path: string,
  problems: FieldProblem[],
): string | null {
  if (!isGiven(value)) return null;
  const id = decimalIdOf(type, value);
  if (id === null) report(problems, path, 'unknown', 'Give the id of an object of this kind.');
  return id ?? '0';
}
