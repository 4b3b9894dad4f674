import type { CreativeContent, CreativeScan, ThirdPartyTrackers } from './creative.ts';

/** The most addresses, and hosts, that a scan lists. */
export const LISTED_MAX = 50;

const ADDRESS = /(?:\bhttps?:)?\/\/(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d{1,5})?[^\s"'<>\\)`]{0,2000}/gi;
/** Names of XML vocabularies, which no browser loads. */
const NAMES_ONLY: ReadonlySet<string> = new Set(['www.w3.org', 'ns.adobe.com', 'purl.org', 'xmlns.com']);
const CLICK_MACRO = /\$\{CLICK_URL(?:_ESC|_ENC)?\}/;
/** The conventions of the IAB and of ad servers: `clickTag`, `clickTAG`, `clickTag1`. */
export const CLICK_TAG = /\bclick_?tag\d{0,2}\b/i;

/** Scans code in which clicks need a macro or a click tag. */
export function scanCode(text: string): CreativeScan {
  return { ...scanText(text), hasClickMacro: CLICK_MACRO.test(text) || CLICK_TAG.test(text) };
}

/** Scans a creative: its content, its trackers and its landing page. */
export function scanCreative(
  content: CreativeContent,
  trackers: Partial<ThirdPartyTrackers>,
  clickUrl: string,
): CreativeScan {
  const addresses = [clickUrl, ...Object.values(trackers).flat()];
  const own = scanText(`${addresses.join(' ')} ${content.format === 'HTML' ? '' : textOf(content)}`);
  if (content.format !== 'HTML') return { ...own, hasClickMacro: null };
  const code = content.bundle?.scan ?? scanCode(content.html);
  return {
    ...code,
    insecureUrls: distinct([...code.insecureUrls, ...own.insecureUrls]),
    hosts: distinct([...code.hosts, ...own.hosts]).toSorted(),
  };
}

/** The codes of warnings. */
export type ScanCode = 'insecure_address' | 'uses_cookies' | 'uses_storage' | 'document_write' | 'no_click_macro';

/** A finding of a scan that an operator should know, with a stable code. */
export interface ScanWarning {
  readonly code: ScanCode;
  readonly message: string;
}

/** What is doubtful in a scan. */
export function warnOfScan(scan: CreativeScan): ScanWarning[] {
  const [insecure] = scan.insecureUrls;
  const rows: readonly [boolean, ScanCode, string][] = [
    [
      insecure !== undefined,
      'insecure_address',
      `Secure pages block addresses without https, such as ${insecure?.slice(0, 200)}.`,
    ],
    [scan.usesCookies, 'uses_cookies', 'It reads or writes cookies: in the sandboxed frame they fail.'],
    [scan.usesStorage, 'uses_storage', 'It uses storage of the browser: in the sandboxed frame it fails.'],
    [
      scan.usesDocumentWrite,
      'document_write',
      'It uses document.write, which slows pages down and which browsers may block.',
    ],
    [
      scan.hasClickMacro === false,
      'no_click_macro',
      'No click macro and no click tag was found: its clicks are not counted. Link to ${CLICK_URL}.',
    ],
  ];
  return rows.filter(([isFound]) => isFound).map(([, code, message]) => ({ code, message }));
}

function scanText(text: string): Omit<CreativeScan, 'hasClickMacro'> {
  return {
    ...scanAddresses(text),
    usesCookies: /\bdocument\s*\.\s*cookie\b|\bcookieStore\b/.test(text),
    usesStorage: /\b(?:localStorage|sessionStorage|indexedDB)\b/.test(text),
    usesDocumentWrite: /\bdocument\s*\.\s*write(?:ln)?\b/.test(text),
  };
}

/** Works on until both lists are full: a bundle of 10 MB may hold a million addresses. */
function scanAddresses(text: string): Pick<CreativeScan, 'insecureUrls' | 'hosts'> {
  const insecure = new Set<string>();
  const hosts = new Set<string>();
  for (const [address] of text.matchAll(ADDRESS)) {
    const isListed = insecure.size < LISTED_MAX && /^http:/i.test(address);
    if (!isListed && hosts.size === LISTED_MAX) continue;
    const host = hostOf(address);
    if (NAMES_ONLY.has(host)) continue;
    if (hosts.size < LISTED_MAX) hosts.add(host);
    if (isListed) insecure.add(address);
    if (hosts.size === LISTED_MAX && insecure.size === LISTED_MAX) break;
  }
  return { insecureUrls: [...insecure], hosts: [...hosts].toSorted() };
}

function hostOf(address: string): string {
  return /\/\/([^/:?#]+)/.exec(address)?.[1]?.toLowerCase() ?? '';
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].slice(0, LISTED_MAX);
}

function textOf(content: CreativeContent): string {
  switch (content.format) {
    case 'IMAGE':
      return content.imageUrl;
    case 'NATIVE':
      return `${content.imageUrl} ${content.iconUrl ?? ''}`;
    case 'VIDEO':
    case 'AUDIO':
      return [content.vastTagUrl ?? '', ...content.mediaFiles.map(({ url }) => url)].join(' ');
    case 'HTML':
      return content.html;
  }
}
