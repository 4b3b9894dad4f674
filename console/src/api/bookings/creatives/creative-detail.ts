import { askGraphql } from '../../transport/graphql.ts';
import type { Scope } from '../../transport/scope.ts';
import type { DeliveryStatus, NamedChoice } from '../desk-list.ts';
import type { Creative } from '../desk-object.ts';

/** A creative with all that its page shows. */
export interface CreativeDetail extends Creative {
  /** Share of the draw among its siblings. */
  readonly weight: number;
  readonly clickUrl: string;
  readonly secure: boolean;
  readonly reviewReason: string | null;
  readonly preview: { readonly url: string; readonly expiresAt: string };
  readonly scan: {
    readonly hasClickMacro: boolean | null;
    readonly hosts: readonly string[];
    readonly insecureUrls: readonly string[];
    readonly warnings: readonly { readonly code: string; readonly message: string }[];
  };
  /** Addresses of its files. */
  readonly files: readonly string[];
  /** The line items in which it serves, or would. */
  readonly uses: readonly CreativeUse[];
}

/** A line item in which a creative serves, and the id of the creative there. */
export interface CreativeUse {
  readonly creativeId: string;
  readonly lineItem: NamedChoice & { readonly status: DeliveryStatus };
}

const USES_SHOWN = 50;
const USE = 'id lineItem { id name status }';

const CREATIVE = `query CreativePage($id: ID!) { creative(id: $id) {
  id name format width height status reviewState updatedAt weight clickUrl secure reviewReason
  preview { url expiresAt }
  scan { hasClickMacro hosts insecureUrls warnings { code message } }
  content { ... on ImageContent { imageUrl } ... on NativeContent { imageUrl iconUrl }
    ... on HtmlContent { bundle { zipUrl } } ... on VideoContent { mediaFiles { url } } }
  lineItem { id name status }
  libraryCreative { associations(first: ${USES_SHOWN}) { nodes { ${USE} } } } } }`;

interface Content {
  readonly imageUrl?: string;
  readonly iconUrl?: string | null;
  readonly bundle?: { readonly zipUrl: string } | null;
  readonly mediaFiles?: readonly { readonly url: string }[];
}

interface UseRow {
  readonly id: string;
  readonly lineItem: CreativeUse['lineItem'] | null;
}

type Body = Omit<CreativeDetail, 'files' | 'uses'> & {
  readonly content: Content;
  readonly lineItem: CreativeUse['lineItem'] | null;
  readonly libraryCreative: { readonly associations: { readonly nodes: readonly UseRow[] } } | null;
};

/** Reads one creative; null when the network has none of this id. */
export async function loadCreative(scope: Scope, id: string, signal: AbortSignal): Promise<CreativeDetail | null> {
  const { creative } = await askGraphql<{ creative: Body | null }>(scope, CREATIVE, { id }, signal);
  if (creative === null) return null;
  const { content, lineItem, libraryCreative, ...rest } = creative;
  const rows = libraryCreative?.associations.nodes ?? [{ id, lineItem }];
  return { ...rest, files: filesOf(content), uses: usesOf(rows) };
}

function filesOf({ imageUrl, iconUrl, bundle, mediaFiles }: Content): readonly string[] {
  const all = [imageUrl, iconUrl, bundle?.zipUrl, ...(mediaFiles ?? []).map(({ url }) => url)];
  return all.filter((url) => url !== undefined && url !== null);
}

function usesOf(rows: readonly UseRow[]): readonly CreativeUse[] {
  return rows.flatMap((row) => (row.lineItem === null ? [] : [{ creativeId: row.id, lineItem: row.lineItem }]));
}

/** The bytes of uploaded files together; null where a file is elsewhere, so that its bytes are not known. */
export async function loadFileBytes(
  scope: Scope,
  files: readonly string[],
  signal: AbortSignal,
): Promise<number | null> {
  if (files.length === 0 || files.some((url) => !url.startsWith('/assets/'))) return null;
  const names = files.map((_url, at) => `file${at}`);
  const query = `query CreativeFiles(${names.map((name) => `$${name}: String!`).join(', ')}) {
    ${names.map((name) => `${name}: asset(url: $${name}) { sizeBytes }`).join('\n')} }`;
  const variables = Object.fromEntries(names.map((name, at) => [name, files[at]]));
  type Found = Readonly<Record<string, { readonly sizeBytes: number } | null>>;
  const found = Object.values(await askGraphql<Found>(scope, query, variables, signal));
  return found.includes(null) ? null : found.reduce((sum, file) => sum + (file?.sizeBytes ?? 0), 0);
}
