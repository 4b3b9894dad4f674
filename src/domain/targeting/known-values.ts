import { findNearestName } from '../nearest-name.ts';
import { foldText } from '../text/one-form.ts';
import type { TargetingDimension } from './targeting-dimensions.ts';
import type { TargetingTest } from './targeting.ts';

/** The values that requests have in a dimension. */
interface KnownValues {
  readonly values: readonly string[];
  /** Whether requests never have another one. Otherwise they may, and a doubtful value is only warned of. */
  readonly areAll: boolean;
  /** Other words that people use for a value, lower case. */
  readonly synonyms?: Readonly<Record<string, string>>;
}

/** The form that the values of a dimension have. */
interface KnownForm {
  readonly pattern: RegExp;
  readonly wants: string;
}

/** What is known of the values of dimensions that take any text. Other dimensions have none, or are checked by their form. */
const KNOWN: Readonly<Partial<Record<TargetingDimension, KnownValues>>> = {
  deviceType: {
    values: ['desktop', 'mobile', 'tablet', 'tv', 'other'],
    areAll: true,
    synonyms: {
      smartphone: 'mobile',
      phone: 'mobile',
      handset: 'mobile',
      pc: 'desktop',
      computer: 'desktop',
      laptop: 'desktop',
      ctv: 'tv',
      'connected tv': 'tv',
      television: 'tv',
      ipad: 'tablet',
    },
  },
  os: {
    values: [
      'Android',
      'Bada',
      'BlackBerry',
      'Chrome OS',
      'Chromium OS',
      'Fire OS',
      'Fuchsia',
      'HarmonyOS',
      'iOS',
      'iPadOS',
      'KaiOS',
      'Linux',
      'macOS',
      'Mac OS X',
      'PlayStation 4',
      'Roku',
      'Tizen',
      'tvOS',
      'WebOS',
      'Windows',
      'Windows Phone',
    ],
    areAll: false,
  },
  browser: {
    values: [
      'Amazon Silk',
      'Android Browser',
      'Brave',
      'Chrome',
      'Chromium',
      'DuckDuckGo',
      'Electron',
      'Epiphany',
      'Firefox',
      'Focus',
      'Google Search',
      'Internet Explorer',
      'LibreWolf',
      'Maxthon',
      'Microsoft Edge',
      'MZ Browser',
      'NAVER Whale Browser',
      'Opera',
      'Pale Moon',
      'Puffin',
      'QQ Browser',
      'Roku',
      'Safari',
      'Samsung Internet for Android',
      'SeaMonkey',
      'Sogou Browser',
      'Tizen',
      'UC Browser',
      'Vivaldi',
      'Vivo Browser',
      'WebOS Browser',
      'WeChat',
      'Yandex Browser',
    ],
    areAll: false,
    synonyms: { edge: 'Microsoft Edge', ie: 'Internet Explorer', 'samsung internet': 'Samsung Internet for Android' },
  },
};

const FORMS: Readonly<Partial<Record<TargetingDimension, KnownForm>>> = {
  language: { pattern: /^[a-z]{2,3}$/i, wants: 'an ISO 639 code such as "pl"' },
  region: { pattern: /^[a-z0-9]{1,3}$/i, wants: 'an ISO 3166-2 code without the country, such as "MZ"' },
  domain: { pattern: /^[^\s/:]+$/, wants: 'a domain such as "news.example", without https:// and path' },
};

/** A value that no request, or hardly any, has. */
export interface DoubtfulValue {
  readonly value: string;
  readonly message: string;
  /** Whether no request can have it. */
  readonly isImpossible: boolean;
}

/** The values of a test that requests do not have. Parts of values, as `beginsWith` compares them, fit any known value that has them. */
export function doubtfulValues(test: Pick<TargetingTest, 'dimension' | 'operator' | 'values'>): DoubtfulValue[] {
  const known = KNOWN[test.dimension];
  const form = test.operator === 'is' || test.operator === 'isNot' ? FORMS[test.dimension] : undefined;
  return test.values.flatMap((value) => {
    if (known !== undefined && !fits(known.values, test.operator, foldText(value))) return doubt(known, value);
    if (form === undefined || form.pattern.test(value)) return [];
    return { value, message: `No request has ${quote(value)}: give ${form.wants}.`, isImpossible: false };
  });
}

function fits(values: readonly string[], operator: TargetingTest['operator'], value: string): boolean {
  return values.some((each) => {
    const candidate = each.toLowerCase();
    if (operator === 'beginsWith') return candidate.startsWith(value);
    return operator === 'contains' ? candidate.includes(value) : candidate === value;
  });
}

function doubt({ values, areAll, synonyms = {} }: KnownValues, value: string): DoubtfulValue {
  const asked = foldText(value);
  const synonym = Object.hasOwn(synonyms, asked) ? synonyms[asked] : undefined;
  const lower = values.map((each) => each.toLowerCase());
  const nearest = asked.length > 40 ? null : findNearestName(asked, lower);
  const meant = synonym ?? (nearest === null ? undefined : values[lower.indexOf(nearest)]);
  const hint = meant === undefined ? '' : ` Did you mean ${quote(meant)}?`;
  const message = areAll
    ? `No request has ${quote(value)}.${hint} Give one of ${values.join(', ')}.`
    : `Requests seldom have ${quote(value)}.${hint}`;
  return { value, message, isImpossible: areAll };
}

function quote(value: string): string {
  return JSON.stringify(value.slice(0, 60));
}
