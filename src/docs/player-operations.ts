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
];
