import type { AppSearch } from '../session/app-search.ts';

/** How a request is described. */
export const SOURCES = ['form', 'request', 'link'] as const;
export type Source = (typeof SOURCES)[number];

export const DEVICES = ['desktop', 'mobile', 'tablet', 'tv'] as const;

/** Who asks: a user who has seen nothing yet, nobody that is known, or somebody by id. */
export const USERS = ['new', 'none', 'known'] as const;

/** What can be imagined of a line item; the last one is of an ad unit. */
export const IMAGINED = ['price', 'status', 'type', 'level', 'share', 'caps', 'frequency', 'goal', 'floor'] as const;
export type Imagined = (typeof IMAGINED)[number];

/** One imagined change. `value`: as typed; empty where there is nothing to choose. */
export interface WhatIf {
  readonly id: string;
  readonly what: Imagined;
  readonly value: string;
}

export const WHAT_IFS_MAX = 10;

/** All that the inspector shows; the address holds it. Empty texts are not in the request. */
export interface InspectorState {
  readonly source: Source;
  readonly unit: string;
  readonly site: string;
  readonly size: string;
  readonly country: string;
  readonly device: string;
  readonly user: (typeof USERS)[number];
  readonly userId: string;
  readonly npa: boolean;
  /** `key=value, key=value`. */
  readonly keyValues: string;
  readonly segments: readonly string[];
  readonly deal: string;
  /** An instant (ISO 8601); empty = now. */
  readonly at: string;
  /** JSON of a bid request. */
  readonly request: string;
  /** A link of an ad, or the id of a request. */
  readonly link: string;
  /** Highlighted among the losers. */
  readonly lineItem: string;
  readonly whatIfs: readonly WhatIf[];
}

export const EMPTY_STATE: InspectorState = {
  source: 'form',
  unit: '',
  site: '',
  size: '',
  country: '',
  device: '',
  user: 'new',
  userId: '',
  npa: false,
  keyValues: '',
  segments: [],
  deal: '',
  at: '',
  request: '',
  link: '',
  lineItem: '',
  whatIfs: [],
};

/** Texts by their parameters. */
const TEXTS = {
  unit: 'unit',
  site: 'site',
  size: 'size',
  country: 'country',
  device: 'device',
  userId: 'uid',
  keyValues: 'kv',
  deal: 'deal',
  at: 'at',
  request: 'request',
  link: 'link',
  lineItem: 'as',
} as const satisfies Partial<Record<keyof InspectorState, string>>;
const PARAMS: readonly string[] = [...Object.values(TEXTS), 'by', 'user', 'npa', 'segments', 'if'];
const ID = /^\d{1,19}$/;

/** Reads an address; what it says wrongly is left out. */
export function readInspectorParams(search: AppSearch): InspectorState {
  const texts = Object.fromEntries(Object.entries(TEXTS).map(([member, name]) => [member, search[name] ?? '']));
  return {
    ...EMPTY_STATE,
    ...texts,
    source: SOURCES.find((one) => one === search['by']) ?? 'form',
    user: USERS.find((one) => one === search['user']) ?? 'new',
    npa: search['npa'] === '1',
    segments: (search['segments'] ?? '').split(',').filter((id) => ID.test(id)),
    whatIfs: (search['if'] ?? '').split(';').flatMap(readWhatIf).slice(0, WHAT_IFS_MAX),
  };
}

/** An address with a state; what says the usual is absent, and parameters of other things stay. */
export function writeInspectorParams(previous: AppSearch, state: InspectorState): AppSearch {
  const others = Object.entries(previous).filter(([name]) => !PARAMS.includes(name));
  const texts = Object.entries(TEXTS).map(([member, name]) => [name, state[member as keyof typeof TEXTS]] as const);
  const all = [
    ...others,
    ...texts,
    ['by', state.source === 'form' ? '' : state.source],
    ['user', state.user === 'new' ? '' : state.user],
    ['npa', state.npa ? '1' : ''],
    ['segments', state.segments.join(',')],
    ['if', state.whatIfs.map(({ id, what, value }) => `${id}:${what}:${encodeURIComponent(value)}`).join(';')],
  ] as const;
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== '')) as AppSearch;
}

function readWhatIf(text: string): WhatIf[] {
  const [id = '', kind = '', value = ''] = text.split(':');
  const what = IMAGINED.find((one) => one === kind);
  if (!ID.test(id) || what === undefined) return [];
  try {
    return [{ id, what, value: decodeURIComponent(value) }];
  } catch {
    return [];
  }
}

/** What the server is asked; null: the state does not describe a request yet. `faulty`: the bid request cannot be parsed. */
export function toInspectionInput(state: InspectorState): object | 'faulty' | null {
  const source = sourceInput(state);
  if (source === null || source === 'faulty') return source;
  const whatIf = state.whatIfs.map(toWhatIfInput);
  const atMs = Date.parse(state.at);
  return {
    ...source,
    ...(Number.isNaN(atMs) || state.source === 'link' ? {} : { at: new Date(atMs).toISOString() }),
    ...(whatIf.length === 0 ? {} : { whatIf }),
  };
}

function sourceInput(state: InspectorState): object | 'faulty' | null {
  if (state.source === 'form') return state.unit === '' && state.site === '' ? null : { form: toForm(state) };
  if (state.source === 'link') {
    const link = state.link.trim();
    if (link === '') return null;
    return link.includes('/') ? { whyLink: link } : { requestId: link };
  }
  if (state.request.trim() === '') return null;
  try {
    return { bidRequest: JSON.parse(state.request) as unknown };
  } catch {
    return 'faulty';
  }
}

function toForm(state: InspectorState): object {
  const { unit, site, size, country, device, user, userId, npa, segments, deal } = state;
  const [, width, height] = /^(\d{1,5})\s*[x×]\s*(\d{1,5})$/.exec(size.trim()) ?? [];
  const keyValues = readKeyValues(state.keyValues);
  return {
    ...(unit === '' ? {} : { adUnitId: unit }),
    ...(site === '' ? {} : { siteId: site }),
    ...(width === undefined || height === undefined
      ? {}
      : { sizes: [{ width: Number(width), height: Number(height) }] }),
    ...(country === '' ? {} : { country }),
    ...(device === '' ? {} : { device: device.toUpperCase() }),
    ...(user === 'known' && userId.trim() !== '' ? { userId: userId.trim() } : {}),
    isKnownUser: user !== 'none',
    npa,
    ...(segments.length === 0 ? {} : { segmentIds: segments }),
    ...(keyValues.length === 0 ? {} : { keyValues }),
    ...(deal.trim() === '' ? {} : { dealCode: deal.trim() }),
  };
}

/** `section=sport, topic=a, topic=b` → keys with their values. */
export function readKeyValues(text: string): { readonly key: string; readonly values: string[] }[] {
  const found = new Map<string, string[]>();
  for (const pair of text.split(/[,;\n]/)) {
    const [key = '', ...rest] = pair.split('=');
    const value = rest.join('=').trim();
    if (key.trim() === '' || value === '') continue;
    found.set(key.trim(), [...(found.get(key.trim()) ?? []), value]);
  }
  return [...found].map(([key, values]) => ({ key, values }));
}

/** Inputs of the server by what is imagined. */
const INPUTS: Readonly<Record<Imagined, (value: string) => object>> = {
  price: (value) => ({ price: value }),
  status: (value) => ({ status: value === 'ACTIVE' ? 'ACTIVE' : 'PAUSED' }),
  type: (value) => ({ type: value }),
  level: (value) => ({ level: Number(value) }),
  share: (value) => ({ sharePercent: Number(value) }),
  caps: (value) => ({ caps: value === '' ? {} : { impressionsLifetime: Number(value) } }),
  frequency: () => ({ withoutFrequencyCaps: true }),
  goal: () => ({ withoutGoal: true }),
  floor: (value) => ({ floor: value }),
};

function toWhatIfInput({ id, what, value }: WhatIf): object {
  return { ...(what === 'floor' ? { adUnitId: id } : { lineItemId: id }), ...INPUTS[what](value) };
}
