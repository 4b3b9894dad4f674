import { objectIn, textOf } from './lenient-json.ts';
import type { JsonObject } from './lenient-json.ts';

const CONSENT_CHARS_MAX = 4_096;
const US_PRIVACY_CHARS_MAX = 8;

/** The privacy signals of a request, as sent. */
export interface PrivacySignals {
  /** 1, 0, or null = not said. */
  readonly gdpr: number | null;
  /** TCF consent string; '' = none. */
  readonly consent: string;
  /** GPP string, or (from Prebid's `das` adapter) a TCF string in its place; '' = none. */
  readonly gpp: string;
  /** The four characters of US Privacy; '' = none. */
  readonly usPrivacy: string;
  readonly coppa: boolean;
  /** The caller's own flag: no personalised ads. */
  readonly npa: boolean;
  /** `device.lmt` or `device.dnt`. */
  readonly trackingLimited: boolean;
}

/**
 * Reads the privacy signals of a request, for every endpoint alike. Each signal counts in every member where OpenRTB or our endpoints have
 * ever had it (`regs`, `user`, and their `ext`); when two differ, the stricter one applies.
 */
export function readPrivacySignals(root: JsonObject): PrivacySignals {
  const regs = objectIn(root, 'regs');
  const regsExt = objectIn(regs, 'ext');
  const user = objectIn(root, 'user');
  const userExt = objectIn(user, 'ext');
  const device = objectIn(root, 'device');
  return {
    gdpr: stricter(signalOf(regs['gdpr']), signalOf(regsExt['gdpr'])),
    consent: firstText([user['consent'], userExt['consent'], regs['consent']], CONSENT_CHARS_MAX),
    gpp: firstText([regs['gpp'], regsExt['gpp']], CONSENT_CHARS_MAX),
    usPrivacy: firstText([regs['us_privacy'], regsExt['us_privacy'], regs['usPrivacy']], US_PRIVACY_CHARS_MAX),
    coppa: isOn(regs['coppa']) || isOn(regsExt['coppa']),
    npa: isOn(userExt['npa']) || isOn(user['npa']) || isOn(root['npa']),
    trackingLimited: isOn(device['lmt']) || isOn(device['dnt']),
  };
}

/** 0 for 0, false and "0"; null when it is absent; 1 for any other value: an unknown value must not permit anything. */
function signalOf(value: unknown): 0 | 1 | null {
  if (value === undefined || value === null) return null;
  return value === 0 || value === false || value === '0' ? 0 : 1;
}

function isOn(value: unknown): boolean {
  return signalOf(value) === 1;
}

function stricter(one: 0 | 1 | null, other: 0 | 1 | null): 0 | 1 | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}

function firstText(values: readonly unknown[], charsMax: number): string {
  for (const value of values) {
    const text = textOf(value, charsMax);
    if (text !== '') return text;
  }
  return '';
}
