import { TCString } from '@iabtcf/core';
import type { PrivacySignals } from '../openrtb/privacy-signals.ts';
import { RecentCache } from '../../storage/recent-cache.ts';

/** Why personalisation is off. */
export type NpaReason = 'npa_flag' | 'coppa' | 'no_consent' | 'us_opt_out' | 'gpp_unread' | 'tracking_limited';

/** The result of the signals: with `npa`, no user state is read or written. */
export interface PrivacyVerdict {
  readonly gdpr: boolean;
  readonly npa: boolean;
  readonly reason: NpaReason | null;
}

/** Purposes that personalisation needs: storage, and selecting personalised ads (with its profile). */
const PURPOSES_NEEDED = [1, 3, 4];
const CONSENTS_REMEMBERED = 5_000;

/** By consent string; null = unreadable. */
const consents = new RecentCache<string, boolean | null>(CONSENTS_REMEMBERED);
/** US Privacy, also as a section of GPP (`uspv1`). */
const US_PRIVACY = /^1[-yn]{3}$/i;

/**
 * Evaluates the signals. Where GDPR applies, an unreadable signal counts as no consent. A GPP section that is not parsed here, such as
 * those of US states, may be an opt-out and counts as one.
 */
export function resolvePrivacy(signals: PrivacySignals): PrivacyVerdict {
  const gdpr = signals.gdpr === 1;
  const reason = findNpaReason(signals, gdpr);
  return { gdpr, npa: reason !== null, reason };
}

function findNpaReason(signals: PrivacySignals, gdpr: boolean): NpaReason | null {
  if (signals.npa) return 'npa_flag';
  if (signals.coppa) return 'coppa';
  if (signals.trackingLimited) return 'tracking_limited';
  const sections = sectionsOf(signals.gpp);
  if ([signals.usPrivacy, ...sections].some((text) => /^1.y/i.test(text))) return 'us_opt_out';
  if (sections.some((section) => !US_PRIVACY.test(section) && readTcf(section) === null)) return 'gpp_unread';
  return gdpr && !hasConsent(signals) ? 'no_consent' : null;
}

/** The sections of a GPP string follow its header (type 3: "D"), each after a `~`. */
function sectionsOf(gpp: string): string[] {
  if (gpp === '') return [];
  const parts = gpp.split('~');
  return parts[0]?.startsWith('D') ? parts.slice(1) : parts;
}

/** One of the sections of GPP may be a TCF string. */
function hasConsent({ consent, gpp }: PrivacySignals): boolean {
  if (consent !== '') return readTcf(consent) === true;
  return sectionsOf(gpp).some((section) => readTcf(section) === true);
}

/** Whether a TCF string allows personalisation; null when it is not one, or damaged. */
function readTcf(consent: string): boolean | null {
  const known = consents.get(consent);
  if (known !== undefined) return known;
  const allowed = decodeTcf(consent);
  consents.set(consent, allowed);
  return allowed;
}

function decodeTcf(consent: string): boolean | null {
  // TCF 2 strings start with the version in their first six bits: "C".
  if (!consent.startsWith('C')) return null;
  try {
    const model = TCString.decode(consent);
    return PURPOSES_NEEDED.every((purpose) => model.purposeConsents.has(purpose));
  } catch {
    return null;
  }
}
