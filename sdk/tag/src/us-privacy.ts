/** The members of a GPP ping that the tag reads. */
export interface GppPing {
  readonly gppString?: string;
  readonly applicableSections?: readonly number[];
  readonly signalStatus?: string;
  readonly parsedSections?: Readonly<Record<string, unknown>>;
}

/** Sections of GPP: 5 and less are those of TCF, 6 and more those of the United States. */
const TCF_CANADA = 5;
const OPT_OUTS = ['SaleOptOut', 'SharingOptOut', 'TargetedAdvertisingOptOut'];

/** Whether a GPP signal lets the tag keep and send a user id. What the tag cannot read does not. */
export function gppAllows({ applicableSections = [], parsedSections = {} }: GppPing, hasTcfTool: boolean): boolean {
  const ids = applicableSections.filter((id) => id > 0);
  if (ids.some((id) => id === TCF_CANADA || (id < TCF_CANADA && !hasTcfTool))) return false;
  if (!ids.some((id) => id > TCF_CANADA)) return true;
  const parts = Object.entries(parsedSections)
    .filter(([name]) => name.startsWith('us'))
    .flatMap(([, section]) => section);
  return parts.length > 0 && !parts.some(isOptOut);
}

function isOptOut(part: unknown): boolean {
  if (typeof part === 'string') return !uspAllows(part);
  const section = (part ?? {}) as Readonly<Record<string, unknown>>;
  return section.Gpc === true || section.OptOutSale === 'Y' || OPT_OUTS.some((name) => section[name] === 1);
}

/** Whether a US Privacy string (`1YNN`) lets the tag keep and send a user id. */
export function uspAllows(text: string): boolean {
  return text[2] !== 'Y';
}
