import { mayRead, requirePermission } from '../../../access/permissions/permissions.ts';
import { PlacardError } from '../../../domain/errors.ts';
import { builder } from '../../kernel/builder.ts';
import { enumOf } from '../../kernel/described-enum.ts';
import { queryableOf } from '../../kernel/transactions.sql.ts';
import { SEARCHED_KINDS, type SearchedKind, type SearchHit, searchObjects } from './search.sql.ts';

const TEXT_LENGTH_MAX = 200;
const WORDS_MAX = 8;
const HITS_MAX = 50;
const HITS_DEFAULT = 20;

const KindRef = enumOf<SearchedKind>(
  'SearchedKind',
  'The kinds of objects that a search finds.',
  Object.fromEntries(Object.entries(SEARCHED_KINDS).map(([kind, { description }]) => [kind, description])) as Readonly<
    Record<SearchedKind, string>
  >,
);

const HitRef = builder.objectRef<SearchHit>('SearchHit').implement({
  description: 'An object that a search found.',
  fields: (t) => ({
    kind: t.field({ type: KindRef, description: 'What it is.', resolve: ({ kind }) => kind }),
    id: t.id({ description: 'Its decimal id.', resolve: ({ id }) => String(id) }),
    name: t.exposeString('name', { description: 'Its name.' }),
    status: t.exposeString('status', { description: 'Its status, as its kind has it.' }),
    version: t.exposeInt('version', { description: 'Its version.' }),
    code: t.string({
      nullable: true,
      description: 'Its external id; of deals, sites, activities and keys, their code.',
      resolve: ({ code }) => code,
    }),
    parentName: t.string({
      nullable: true,
      description: 'The name of its campaign, advertiser, line item or site.',
      resolve: (hit) => hit.parent_name,
    }),
  }),
});

builder.queryField('search', (t) =>
  t.field({
    type: [HitRef],
    description:
      'Objects of all kinds that the caller may read: each word of the text is in their name, external id, code, values of custom fields or the name of their parent, or is their id. The closest first, at most 50; without a text, what changed last.',
    args: {
      text: t.arg.string({ required: true, description: `What to look for, at most ${TEXT_LENGTH_MAX} characters.` }),
      kinds: t.arg({ type: [KindRef], description: 'Only of these kinds.' }),
      first: t.arg.int({ description: `How many, 1…${HITS_MAX}; default ${HITS_DEFAULT}.` }),
    },
    resolve: (_root, { text, kinds, first }, context) => {
      const { workspaceId } = requirePermission(context.caller, 'query.search');
      const wanted = Object.entries(SEARCHED_KINDS) as [SearchedKind, { readonly query: string }][];
      const request = {
        kinds: wanted
          .filter(([kind, { query }]) => (kinds?.includes(kind) ?? true) && mayRead(context.caller, `query.${query}`))
          .map(([kind]) => kind),
        words: readWords(text),
        limit: readLimit(first ?? HITS_DEFAULT),
      };
      return context.budget.read(() => searchObjects(queryableOf(context), workspaceId, request));
    },
  }),
);

/** @throws PlacardError `invalid_request` */
function readWords(text: string): readonly string[] {
  if (text.length > TEXT_LENGTH_MAX || text.includes('\0'))
    throw new PlacardError('invalid_request', `text takes at most ${TEXT_LENGTH_MAX} characters.`);
  return text
    .split(/\s+/u)
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX);
}

/** @throws PlacardError `invalid_request` */
function readLimit(first: number): number {
  if (first < 1 || first > HITS_MAX) throw new PlacardError('invalid_request', `first is from 1 to ${HITS_MAX}.`);
  return first;
}
