import { PLAYER_PARAMETERS } from '../delivery/players/player-parameters.schema.ts';
import type { Operation } from './operation.ts';

const OWN_OF_VMAP: readonly string[] = ['breaks', 'breakAds'];

/** The parameters that count, by their first name; those of VMAP alone on request. */
function queryOf(isVmap: boolean): Record<string, string> {
  const rows = Object.entries(PLAYER_PARAMETERS).filter(
    ([key, [, use]]) => use !== 'ignored' && (isVmap || !OWN_OF_VMAP.includes(key)),
  );
  return Object.fromEntries(
    rows.map(([key, [[name, ...others], , note]]) => [
      key === 'unit' ? `${name}!` : name,
      others.length === 0 ? note : `${note} Also as ${others.join(', ')}.`,
    ]),
  );
}

/** The parameters of privacy, by their first names. */
const PRIVACY_NAMES: ReadonlySet<string> = new Set(
  (['gdpr', 'consent', 'gpp', 'usPrivacy', 'npa', 'coppa', 'limited'] as const).map(
    (key) => PLAYER_PARAMETERS[key][0][0],
  ),
);

const XML = { type: 'text/xml' } as const;
const REFUSED = {
  400: { means: 'A parameter is wrong: an empty document, whose comment names it.', body: XML },
  404: { means: 'No such network or ad unit: an empty document, whose comment says so.', body: XML },
} as const;

/** The addresses of players. */
export const PLAYER_OPERATIONS: readonly Operation[] = [
  {
    origin: 'delivery',
    method: 'get',
    path: '/{network}/vast',
    id: 'vast',
    tag: 'Players',
    summary: 'VAST of an ad unit, for video players.',
    details:
      'Needs no credentials. VAST 2.0 to 4.2 by `vast`, `output` or a parameter `version` of the header Accept. CORS with credentials on every status.',
    opening: 'none',
    query: queryOf(false),
    responses: { 200: { means: 'An ad, or an empty document.', body: XML }, ...REFUSED },
    errors: [],
  },
  {
    origin: 'delivery',
    method: 'get',
    path: '/{network}/vmap',
    id: 'vmap',
    tag: 'Players',
    summary: 'VMAP: the ad breaks of a content, for video players.',
    details: 'Takes the parameters of the VAST address, too; each break has an address of VAST, or its document.',
    opening: 'none',
    query: queryOf(true),
    responses: { 200: { means: 'The ad breaks.', body: XML }, ...REFUSED },
    errors: [],
  },
  {
    origin: 'delivery',
    method: 'get',
    path: '/{network}/vast/{token}',
    id: 'unwrappedVast',
    tag: 'Players',
    summary: 'The ad behind the tag of a third party, of an ad that was served as a wrapper.',
    details:
      "The token is that of the ad's links. Needs no credentials. VAST 4.2 with the links of that ad and the trackers of all levels. A tag that leads to no ad gets an empty document whose comment names the error; it is recorded.",
    opening: 'none',
    query: Object.fromEntries(Object.entries(queryOf(false)).filter(([name]) => PRIVACY_NAMES.has(name))),
    responses: {
      200: { means: 'The ad, or an empty document.', body: XML },
      400: { means: 'The query is too long: an empty document, whose comment says so.', body: XML },
      404: {
        means: 'No such ad, or it was served more than an hour ago: an empty document, whose comment says so.',
        body: XML,
      },
    },
    errors: [],
  },
];
