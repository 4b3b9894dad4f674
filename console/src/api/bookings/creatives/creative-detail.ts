import { askGraphql } from '../../transport/graphql.ts';
import type { Scope } from '../../transport/scope.ts';
import type { DeliveryStatus, NamedChoice } from '../desk-list.ts';
import type { Creative } from '../desk-object.ts';
import type { LibraryUse } from './library-uses.ts';
import type { ReviewedKind } from './review-queue.ts';

/** A creative with all that its page shows: one of a line item, or one of the library. */
export interface CreativeDetail extends Creative {
  readonly kind: ReviewedKind;
  readonly clickUrl: string;
  readonly secure: boolean;
  readonly reviewReason: string | null;
  readonly updatedBy: string;
  readonly preview: { readonly url: string; readonly expiresAt: string };
  readonly scan: {
    readonly hasClickMacro: boolean | null;
    readonly hosts: readonly string[];
    readonly insecureUrls: readonly string[];
    readonly warnings: readonly { readonly code: string; readonly message: string }[];
  };
  /** The object that has the content: the creative itself, or the creative of the library that it follows. */
  readonly owner: CreativeOwner;
  readonly content: CreativeContent;
  /** Addresses of its files. */
  readonly files: readonly string[];
  /** The line items in which it serves, or would. */
  readonly uses: readonly CreativeUse[];
}

/** The object whose content a creative shows. */
export interface CreativeOwner {
  readonly kind: ReviewedKind;
  readonly id: string;
  readonly version: number;
  /** Null: the creative belongs to one line item, and serves in no other. */
  readonly advertiserId: string | null;
}

/** The content of a creative, with the members of all formats. */
export interface CreativeContent {
  readonly imageUrl?: string;
  readonly iconUrl?: string | null;
  readonly imageWidth?: number;
  readonly imageHeight?: number;
  readonly title?: string;
  readonly body?: string;
  readonly callToAction?: string;
  readonly sponsoredBy?: string;
  readonly html?: string;
  readonly bundle?: { readonly zipUrl: string } | null;
  readonly durationMs?: number;
  readonly vastTagUrl?: string | null;
  readonly mediaFiles?: readonly { readonly url: string }[];
}

/** A line item in which a creative serves, and the creative there. */
export interface CreativeUse extends LibraryUse {
  readonly lineItem: NamedChoice & { readonly status: DeliveryStatus };
}

const USES_SHOWN = 50;
const USE = 'id version status lineItemId lineItem { id name status }';
const CONTENT = `content { ... on ImageContent { imageUrl }
  ... on NativeContent { imageUrl iconUrl imageWidth imageHeight title body callToAction sponsoredBy }
  ... on HtmlContent { html bundle { zipUrl } }
  ... on VideoContent { title durationMs vastTagUrl mediaFiles { url } }
  ... on AudioContent { title durationMs vastTagUrl mediaFiles { url } } }`;
const FIELDS = `id name format width height status version reviewState updatedAt updatedBy clickUrl secure reviewReason
  preview { url expiresAt }
  scan { hasClickMacro hosts insecureUrls warnings { code message } }
  ${CONTENT}`;
const ASSOCIATIONS = `associations(first: ${USES_SHOWN}) { nodes { ${USE} } }`;

const QUERIES: Readonly<Record<ReviewedKind, string>> = {
  creative: `query CreativePage($id: ID!) { found: creative(id: $id) { ${FIELDS} lineItemId lineItem { id name status }
    libraryCreative { id version advertiserId ${ASSOCIATIONS} } } }`,
  libraryCreative: `query LibraryCreativePage($id: ID!) { found: libraryCreative(id: $id) { ${FIELDS} advertiserId ${ASSOCIATIONS} } }`,
};

interface UseRow extends Omit<CreativeUse, 'lineItem'> {
  readonly status: Creative['status'];
  readonly lineItem: CreativeUse['lineItem'] | null;
}

interface Associated {
  readonly associations: { readonly nodes: readonly UseRow[] };
}

type Body = Omit<CreativeDetail, 'kind' | 'files' | 'uses' | 'owner'> & { readonly version: number } & (
    | {
        readonly lineItemId: string;
        readonly lineItem: CreativeUse['lineItem'] | null;
        readonly libraryCreative: (Associated & Omit<CreativeOwner, 'kind'>) | null;
      }
    | (Associated & { readonly advertiserId: string })
  );

/** Reads one creative; null when the network has none of this id. */
export async function loadCreative(
  scope: Scope,
  { kind, id }: { readonly kind: ReviewedKind; readonly id: string },
  signal: AbortSignal,
): Promise<CreativeDetail | null> {
  const { found } = await askGraphql<{ found: Body | null }>(scope, QUERIES[kind], { id }, signal);
  if (found === null) return null;
  const shared = { ...found, kind, files: filesOf(found.content) };
  const { version } = found;
  if ('associations' in found) {
    const owner = { kind: 'libraryCreative', id, version, advertiserId: found.advertiserId } as const;
    return { ...shared, owner, uses: usesOf(found.associations.nodes) };
  }
  const { lineItemId, lineItem, libraryCreative, status } = found;
  if (libraryCreative === null) {
    const owner = { kind: 'creative', id, version, advertiserId: null } as const;
    return { ...shared, owner, uses: usesOf([{ id, version, status, lineItemId, lineItem }]) };
  }
  const { associations, ...owner } = libraryCreative;
  return { ...shared, owner: { kind: 'libraryCreative', ...owner }, uses: usesOf(associations.nodes) };
}

function filesOf({ imageUrl, iconUrl, bundle, mediaFiles }: CreativeContent): readonly string[] {
  const all = [imageUrl, iconUrl, bundle?.zipUrl, ...(mediaFiles ?? []).map(({ url }) => url)];
  return all.filter((url) => url !== undefined && url !== null);
}

/** A line item that the creative was taken from does not use it any more. */
function usesOf(rows: readonly UseRow[]): readonly CreativeUse[] {
  return rows.flatMap(({ status, lineItem, ...row }) =>
    lineItem === null || status === 'ARCHIVED' ? [] : [{ ...row, lineItem }],
  );
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
