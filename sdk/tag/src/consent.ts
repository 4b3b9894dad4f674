import { randomId } from './random-id.ts';
import type { TagSettings } from './settings.ts';
import { gppAllows, type GppPing, uspAllows } from './us-privacy.ts';

/** The allowed purposes, and the privacy signals that are passed on. */
export interface Consent {
  readonly gdpr: 0 | 1;
  /** TCF consent string; '' = none. */
  readonly text: string;
  /** GPP string, and its sections that apply. */
  readonly gpp?: string | undefined;
  readonly gppSections?: readonly number[] | undefined;
  /** US Privacy string. */
  readonly usPrivacy?: string | undefined;
  /** A user id may be kept and sent. */
  readonly personal: boolean;
}

/** What the page itself forbids, beside its privacy tools. */
export const restrictions = { isImpersonal: false, isForChildren: false };

interface TcData {
  readonly gdprApplies?: boolean;
  readonly tcString?: string;
  readonly eventStatus?: string;
  readonly purpose?: { readonly consents?: Readonly<Record<string, boolean>> };
}
type TcfApi = (command: string, version: number, callback: (data: TcData, success: boolean) => void) => void;
type GppApi = (command: string, callback: (data: (GppPing & { readonly pingData?: GppPing }) | null) => void) => void;
type UspApi = (command: string, version: number, callback: (data: { uspString?: string } | null) => void) => void;

/** Storage, a profile, and ads chosen by it: without one of these nothing personal is done. */
const PURPOSES = [1, 3, 4];

/** What a tool said last; null while it is silent. */
interface Heard<T> {
  latest: T | null;
}

let asked: Promise<() => Consent> | null = null;

/**
 * The consent that holds now. Waits for the page's privacy tools (TCF, GPP, US Privacy): for their first word `consentTimeoutMs`, and while
 * TCF shows its question for as long as the user takes. A silent tool, and a page with neither a TCF tool nor `data-gdpr="0"`, get ads that
 * are not personal.
 */
export async function awaitConsent(settings: TagSettings): Promise<Consent> {
  asked ??= askTools(settings);
  return (await asked)();
}

async function askTools(settings: TagSettings): Promise<() => Consent> {
  const tools = window as { readonly __tcfapi?: TcfApi; readonly __gpp?: GppApi; readonly __uspapi?: UspApi };
  const { __tcfapi: tcfApi, __gpp: gppApi, __uspapi: uspApi } = tools;
  const timeoutMs = settings.consentTimeoutMs;
  const [tcf, gpp, usp] = await Promise.all([
    listen<TcData, TcfApi>(timeoutMs, tcfApi, (api, tell, hold) =>
      api('addEventListener', 2, (data, success) => {
        if (!success) return;
        hold();
        if (data.gdprApplies === false || data.eventStatus !== 'cmpuishown') tell(data);
      }),
    ),
    listen<GppPing, GppApi>(timeoutMs, gppApi, (api, tell) => {
      const hear: Parameters<GppApi>[1] = (data) => {
        const ping = data?.pingData ?? data;
        if (ping?.gppString !== undefined && (ping.signalStatus ?? 'ready') === 'ready') tell(ping);
      };
      api('addEventListener', hear);
      api('ping', hear);
    }),
    listen<string, UspApi>(timeoutMs, uspApi, (api, tell) =>
      api('getUSPData', 1, (data) => data?.uspString && tell(data.uspString)),
    ),
  ]);
  return () => {
    const isAllowed =
      !restrictions.isImpersonal &&
      !restrictions.isForChildren &&
      (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl !== true &&
      (gpp === null || (gpp.latest !== null && gppAllows(gpp.latest, tcf !== null))) &&
      (usp === null || (usp.latest !== null && uspAllows(usp.latest)));
    const { gdpr, text, personal } = readTcf(settings, tcf);
    const { gppString, applicableSections } = gpp?.latest ?? {};
    return {
      gdpr,
      text,
      gpp: gppString,
      gppSections: applicableSections,
      usPrivacy: usp?.latest ?? undefined,
      personal: personal && isAllowed,
    };
  };
}

function readTcf({ gdpr }: TagSettings, tcf: Heard<TcData> | null): Consent {
  if (tcf === null) return { gdpr: gdpr ?? 0, text: '', personal: gdpr === 0 };
  if (tcf.latest === null) return { gdpr: gdpr ?? 1, text: '', personal: false };
  const { gdprApplies, tcString, purpose } = tcf.latest;
  return {
    gdpr: gdprApplies === false ? 0 : 1,
    text: tcString ?? '',
    personal: gdprApplies === false || PURPOSES.every((id) => purpose?.consents?.[id] === true),
  };
}

/** Asks a tool, and goes on hearing it. Null without the tool. @param ask `hold` ends the timeout before there is a word */
function listen<T, Api>(
  timeoutMs: number,
  api: Api | undefined,
  ask: (api: Api, tell: (value: T) => void, hold: () => void) => void,
): Promise<Heard<T> | null> {
  if (typeof api !== 'function') return Promise.resolve(null);
  return new Promise((resolve) => {
    const heard: Heard<T> = { latest: null };
    const timer = setTimeout(() => resolve(heard), timeoutMs);
    const hold = (): void => clearTimeout(timer);
    ask(
      api,
      (value) => {
        hold();
        heard.latest = value;
        resolve(heard);
      },
      hold,
    );
  });
}

const COOKIE = 'placard_lu';
const COOKIE_MAX_AGE_S = 390 * 86_400;

/** The user's first-party id, created when there is none; without consent it is deleted, and the result is ''. A sandboxed frame has no cookies. */
export function userId(consent: Consent): string {
  try {
    const known = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(document.cookie)?.[1] ?? '';
    if (!consent.personal) {
      if (known) writeCookie('', 0);
      return '';
    }
    const id = known || randomId();
    writeCookie(id, COOKIE_MAX_AGE_S);
    return id;
  } catch {
    return '';
  }
}

function writeCookie(value: string, maxAgeS: number): void {
  const secure = location.protocol === 'https:' ? ';secure' : '';
  document.cookie = `${COOKIE}=${value};path=/;max-age=${maxAgeS};samesite=lax${secure}`;
}
