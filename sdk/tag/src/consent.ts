import type { TagSettings } from './settings.ts';

/** The allowed purposes, and the consent data that is passed on. */
export interface Consent {
  readonly gdpr: 0 | 1;
  /** TCF consent string; '' = none. */
  readonly text: string;
  /** A user id may be kept and sent. */
  readonly personal: boolean;
}

interface TcData {
  readonly gdprApplies?: boolean;
  readonly tcString?: string;
  readonly eventStatus?: string;
  readonly purpose?: { readonly consents?: Readonly<Record<string, boolean>> };
}
type TcfApi = (command: string, version: number, callback: (data: TcData, success: boolean) => void) => void;

/** Storage, a profile, and ads chosen by it: without one of these nothing personal is done. */
const PURPOSES = [1, 3, 4];

let latest: Promise<Consent> | null = null;

/**
 * The consent that holds now. Waits for the page's consent tool (TCF): for its first event `consentTimeoutMs`, and while it shows its
 * question for as long as the user takes. A silent tool, and a page with neither a tool nor `data-gdpr="0"`, get
 * ads that are not personal.
 */
export function awaitConsent(settings: TagSettings): Promise<Consent> {
  latest ??= askTool(settings);
  return latest;
}

function askTool(settings: TagSettings): Promise<Consent> {
  const api = (window as unknown as { __tcfapi?: TcfApi }).__tcfapi;
  const optedOut = (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true;
  const without: Consent = {
    gdpr: settings.gdpr ?? 0,
    text: '',
    personal: typeof api !== 'function' && settings.gdpr === 0 && !optedOut,
  };
  if (typeof api !== 'function') return Promise.resolve(without);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ ...without, gdpr: settings.gdpr ?? 1 }), settings.consentTimeoutMs);
    api('addEventListener', 2, (data, success) => {
      if (!success) return;
      clearTimeout(timer);
      const { eventStatus, gdprApplies, tcString, purpose } = data;
      if (gdprApplies !== false && eventStatus === 'cmpuishown') return;
      const allowed = gdprApplies === false || PURPOSES.every((id) => purpose?.consents?.[id] === true);
      const consent: Consent = {
        gdpr: gdprApplies === false ? 0 : 1,
        text: tcString ?? '',
        personal: allowed && !optedOut,
      };
      resolve(consent);
      latest = Promise.resolve(consent);
    });
  });
}

const COOKIE = 'placard_lu';
const COOKIE_MAX_AGE_S = 390 * 86_400;

/** The user's first-party id, created when there is none; without consent it is deleted, and the result is ''. */
export function userId(consent: Consent): string {
  const known = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(document.cookie)?.[1] ?? '';
  if (!consent.personal) {
    if (known) writeCookie('', 0);
    return '';
  }
  const id = known || crypto.randomUUID();
  writeCookie(id, COOKIE_MAX_AGE_S);
  return id;
}

function writeCookie(value: string, maxAgeS: number): void {
  const secure = location.protocol === 'https:' ? ';secure' : '';
  document.cookie = `${COOKIE}=${value};path=/;max-age=${maxAgeS};samesite=lax${secure}`;
}
