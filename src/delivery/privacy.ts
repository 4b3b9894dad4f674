import { TCString } from '@iabtcf/core';
import { RecentCache } from './recent-cache.ts';

/** What a request says about privacy, as sent. */
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

/** Why personalisation is off. */
export type NpaReason = 'npa_flag' | 'coppa' | 'no_consent' | 'us_opt_out' | 'tracking_limited';

/** What follows from the signals: with `npa`, no user state is read or written. */
export interface PrivacyVerdict {
  readonly gdpr: boolean;
  readonly npa: boolean;
  readonly reason: NpaReason | null;
}

/** Purposes without which nothing personal may be done: storage, and selecting personalised ads (with its profile). */
const PURPOSES_NEEDED = [1, 3, 4];
const CONSENTS_REMEMBERED = 5_000;

const consents = new RecentCache<string, boolean>(CONSENTS_REMEMBERED);

/** Judges the signals. Where GDPR applies, whatever cannot be read counts as no consent. */
export function judgePrivacy(signals: PrivacySignals): PrivacyVerdict {
  const gdpr = signals.gdpr === 1;
  const reason = findNpaReason(signals, gdpr);
  return { gdpr, npa: reason !== null, reason };
}

function findNpaReason(signals: PrivacySignals, gdpr: boolean): NpaReason | null {
  if (signals.npa) return 'npa_flag';
  if (signals.coppa) return 'coppa';
  if (signals.trackingLimited) return 'tracking_limited';
  if (/^1.y/i.test(signals.usPrivacy)) return 'us_opt_out';
  return gdpr && !hasConsent(signals) ? 'no_consent' : null;
}

/** A GPP string carries its sections behind `~`; one of them may be a TCF string. */
function hasConsent({ consent, gpp }: PrivacySignals): boolean {
  if (consent !== '') return allowsPersonalisation(consent);
  return gpp !== '' && gpp.split('~').some(allowsPersonalisation);
}

function allowsPersonalisation(consent: string): boolean {
  const known = consents.get(consent);
  if (known !== undefined) return known;
  const allowed = readConsent(consent);
  consents.set(consent, allowed);
  return allowed;
}

function readConsent(consent: string): boolean {
  // TCF 2 strings start with the version in their first six bits: "C".
  if (!consent.startsWith('C')) return false;
  try {
    const model = TCString.decode(consent);
    return PURPOSES_NEEDED.every((purpose) => model.purposeConsents.has(purpose));
  } catch {
    return false;
  }
}
