import type { PrivacySignals } from '../openrtb/privacy-signals.ts';
import { readGppSections } from './consent/gpp-string.ts';
import { readTcfConsent } from './consent/tcf-string.ts';
import { readUsSection } from './consent/us-section.ts';

/** Why personalisation is off. */
export type NpaReason = 'npa_flag' | 'coppa' | 'no_consent' | 'us_opt_out' | 'gpp_unread' | 'tracking_limited';

/** The result of the signals: with `npa`, no user state is read or written. */
export interface PrivacyVerdict {
  readonly gdpr: boolean;
  readonly npa: boolean;
  readonly reason: NpaReason | null;
}

const TCF_EU_ID = 2;
/** US Privacy, also as a section of GPP (`uspv1`). */
const US_PRIVACY = /^1[-yn]{3}$/i;
const US_PRIVACY_OPT_OUT = /^1.y/i;

/** Evaluates the signals. Where GDPR applies, an unreadable signal counts as no consent. A GPP string that cannot be read counts as an opt-out. */
export function resolvePrivacy(signals: PrivacySignals): PrivacyVerdict {
  const gdpr = signals.gdpr === 1;
  const reason = findNpaReason(signals, gdpr);
  return { gdpr, npa: reason !== null, reason };
}

function findNpaReason(signals: PrivacySignals, gdpr: boolean): NpaReason | null {
  if (signals.npa) return 'npa_flag';
  if (signals.coppa) return 'coppa';
  if (signals.trackingLimited) return 'tracking_limited';
  if (US_PRIVACY_OPT_OUT.test(signals.usPrivacy)) return 'us_opt_out';
  const gpp = readGpp(signals.gpp);
  if (gpp.us === 'opted_out') return 'us_opt_out';
  if (gpp.us === 'unread') return 'gpp_unread';
  if (!gdpr) return null;
  const consent = signals.consent === '' ? gpp.tcf : readTcfConsent(signals.consent);
  return consent === true ? null : 'no_consent';
}

/** What a GPP string says: of US laws (`unread`: any section of it is damaged or unknown), and of TCF (null: nothing). */
interface GppSignals {
  readonly us: 'allowed' | 'opted_out' | 'unread';
  readonly tcf: boolean | null;
}

/** Reads a GPP string, or a TCF string in its place (as Prebid's `das` adapter sends it). */
function readGpp(gpp: string): GppSignals {
  if (gpp === '') return { us: 'allowed', tcf: null };
  const alone = readTcfConsent(gpp);
  if (alone !== null) return { us: 'allowed', tcf: alone };
  const sections = readGppSections(gpp);
  if (sections === null) return { us: 'unread', tcf: null };
  const verdicts = sections.map(({ id, text }) => readSection(id, text));
  const us = verdicts.includes('opted_out') ? 'opted_out' : verdicts.includes(null) ? 'unread' : 'allowed';
  const tcf = sections.filter(({ id }) => id === TCF_EU_ID).map(({ text }) => readTcfConsent(text));
  return { us, tcf: tcf[0] ?? null };
}

function readSection(id: number, text: string): 'allowed' | 'opted_out' | null {
  if (id === TCF_EU_ID) return readTcfConsent(text) === null ? null : 'allowed';
  return nameUs(US_PRIVACY.test(text) ? !US_PRIVACY_OPT_OUT.test(text) : readUsSection(id, text));
}

function nameUs(allowed: boolean | null): 'allowed' | 'opted_out' | null {
  return allowed === null ? null : allowed ? 'allowed' : 'opted_out';
}
