import type { AssetFacts, BundleFacts } from '../../../domain/booking/asset-facts.ts';
import { PlacardError } from '../../../domain/errors.ts';
import { ASSET_TYPES, type AssetExtension } from '../../../storage/assets.ts';
import { builder, PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import { ConnectionRef } from '../../kernel/interfaces.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';
import {
  type AssetFilter,
  type AssetPosition,
  type AssetRow,
  countAssets,
  findAsset,
  listAssets,
} from './asset-pages.sql.ts';

const KINDS = {
  IMAGE: 'A picture.',
  VIDEO: 'A film.',
  AUDIO: 'A sound.',
  BUNDLE: 'An HTML5 bundle (ZIP).',
  HTML: 'An HTML page.',
} as const;
type AssetKind = keyof typeof KINDS;

const KIND_OF: Readonly<Record<AssetExtension, AssetKind>> = {
  svg: 'IMAGE',
  png: 'IMAGE',
  jpg: 'IMAGE',
  gif: 'IMAGE',
  webp: 'IMAGE',
  avif: 'IMAGE',
  mp4: 'VIDEO',
  webm: 'VIDEO',
  mp3: 'AUDIO',
  m4a: 'AUDIO',
  aac: 'AUDIO',
  ogg: 'AUDIO',
  wav: 'AUDIO',
  html: 'HTML',
  zip: 'BUNDLE',
};

const extensionOf = ({ name }: AssetRow): AssetExtension => name.slice(name.indexOf('.') + 1) as AssetExtension;

const KindRef = builder.enumType('AssetKind', {
  description: 'What an uploaded file is.',
  values: Object.fromEntries(Object.entries(KINDS).map(([kind, description]) => [kind, { description }])) as Record<
    AssetKind,
    { description: string }
  >,
});

const BundleRef = builder.objectRef<BundleFacts>('AssetBundle').implement({
  description: 'What is inside an HTML5 bundle.',
  fields: (t) => ({
    entry: t.exposeString('entry', { description: 'Path of the page that is shown.' }),
    clickTag: t.exposeString('clickTag', { description: 'The click tag as its code has it.' }),
    files: t.exposeInt('files', { description: 'How many files there are.' }),
    unpackedBytes: t.exposeInt('unpackedBytes', { description: 'Bytes of all files, unpacked.' }),
  }),
});

const measured = (read: (facts: AssetFacts) => number | null, description: string) => ({
  nullable: true as const,
  description: `${description} Null: the file does not say it, or was uploaded before files were measured.`,
  resolve: ({ facts }: AssetRow) => (facts === null ? null : read(facts)),
});

const AssetRef = builder.objectRef<AssetRow>('Asset').implement({
  description: 'An uploaded file. The content of a creative names it by its `url`.',
  fields: (t) => ({
    url: t.string({
      description: 'Its address, which never changes its meaning.',
      resolve: ({ name }) => `/assets/${name}`,
    }),
    kind: t.field({ type: KindRef, description: 'What it is.', resolve: (asset) => KIND_OF[extensionOf(asset)] }),
    contentType: t.string({ description: 'Its media type.', resolve: (asset) => ASSET_TYPES[extensionOf(asset)] }),
    sizeBytes: t.field({ type: 'Long', description: 'Its bytes.', resolve: (asset) => Number(asset.size_bytes) }),
    width: t.int(measured(({ width }) => width, 'Width in pixels; of a bundle, as its `ad.size` states it.')),
    height: t.int(measured(({ height }) => height, 'Height in pixels.')),
    durationMs: t.int(
      measured(({ durationMs }) => durationMs, 'Length of an MP4 video or of a sound in milliseconds.'),
    ),
    bitrateKbps: t.int(measured(({ bitrateKbps }) => bitrateKbps ?? null, 'Mean bit rate of a sound in kbit/s.')),
    bundle: t.field({
      type: BundleRef,
      nullable: true,
      description: 'What is inside; null for any other file.',
      resolve: ({ facts }) => facts?.bundle ?? null,
    }),
    uploadedAt: t.field({
      type: 'DateTime',
      description: 'When it was uploaded last.',
      resolve: (asset) => asset.uploaded_at,
    }),
    usedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the clean-up last saw a creative that uses it; null: never.',
      resolve: (asset) => asset.used_at,
    }),
  }),
});

const PageRef = builder.connectionObject(
  {
    type: AssetRef,
    name: 'AssetConnection',
    interfaces: [ConnectionRef as never],
    description: 'A page of uploaded files.',
  },
  { name: 'AssetEdge', description: 'One uploaded file.' },
);

const FilterInput = builder.inputType('AssetFilter', {
  description: 'Which files.',
  fields: (t) => ({
    kinds: t.field({ type: [KindRef], description: 'Only of these kinds.' }),
    widths: t.intList({ description: 'Only of one of these widths.' }),
    heights: t.intList({ description: 'Only of one of these heights.' }),
  }),
});

builder.queryFields((t) => ({
  assets: t.field({
    type: PageRef,
    description: 'The uploaded files of the environment, the latest upload first.',
    args: {
      first: t.arg.int({ description: `Size of the page, 1…${PAGE_SIZE_MAX}; default ${PAGE_SIZE_DEFAULT}.` }),
      after: t.arg.string({ description: '`endCursor` of the page before.' }),
      filter: t.arg({ type: FilterInput, description: 'Only those that are so.' }),
    },
    resolve: (_root, args, context) => loadPage(context, args),
  }),
  asset: t.field({
    type: AssetRef,
    nullable: true,
    description: 'One uploaded file; null when the environment has none at this address.',
    args: { url: t.arg.string({ required: true, description: 'Its `url`.' }) },
    resolve: async (_root, { url }, context) => {
      const [, name] = /^\/assets\/([0-9a-f]{64}\.[a-z0-9]{3,4})$/.exec(url) ?? [];
      if (name === undefined) return null;
      return (await findAsset(queryableOf(context), context.principal.workspaceId, name)) ?? null;
    },
  }),
}));

interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly filter?:
    | {
        readonly kinds?: readonly string[] | null | undefined;
        readonly widths?: readonly number[] | null | undefined;
        readonly heights?: readonly number[] | null | undefined;
      }
    | null
    | undefined;
}

async function loadPage(context: ManagementContext, args: PageArguments) {
  const limit = args.first ?? PAGE_SIZE_DEFAULT;
  if (limit < 1 || limit > PAGE_SIZE_MAX)
    throw new PlacardError('invalid_request', `A page has 1 to ${PAGE_SIZE_MAX} files; ${limit} were asked for.`);
  const { workspaceId } = context.principal;
  const filter = readFilter(args.filter);
  const after = readCursor(args.after ?? null);
  const db = queryableOf(context);
  const found = await listAssets(db, { workspaceId, filter }, { after, limit: limit + 1 });
  const edges = found.slice(0, limit).map((node) => ({ node, cursor: cursorOf(node) }));
  return {
    edges,
    pageInfo: {
      hasNextPage: found.length > limit,
      hasPreviousPage: after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount: () => countAssets(db, workspaceId, filter),
  };
}

function readFilter(filter: PageArguments['filter']): AssetFilter {
  const { kinds, widths, heights } = filter ?? {};
  const extensions = Object.entries(KIND_OF).flatMap(([extension, kind]) => (kinds?.includes(kind) ? [extension] : []));
  return { ...(kinds ? { extensions } : {}), ...(widths ? { widths } : {}), ...(heights ? { heights } : {}) };
}

function cursorOf({ uploaded_at, name }: AssetRow): string {
  return Buffer.from(`${uploaded_at.toISOString()} ${name}`).toString('base64url');
}

function readCursor(given: string | null): AssetPosition | null {
  if (given === null) return null;
  const text = given.length > 200 ? '' : Buffer.from(given, 'base64url').toString('latin1');
  const [, at = '', name = ''] = /^(\d{4}-\d\d-\d\dT[\d:.]{12}Z) ([0-9a-f]{64}\.[a-z0-9]{3,4})$/.exec(text) ?? [];
  const uploadedAt = new Date(at);
  if (name === '' || Number.isNaN(uploadedAt.getTime()))
    throw new PlacardError('invalid_request', '`after` is not a cursor of this list: give an `endCursor`.');
  return { uploadedAt, name };
}
