import { PlacardError } from '../../domain/errors.ts';

/** What differs between the versions of the management API, besides the schema (`schema/earlier-versions.ts`). */
export interface ApiVersion {
  /** Its date, as the header has it. */
  readonly name: string;
  /** Whether `id` shows the global id. Otherwise it shows the decimal one. */
  readonly showsGlobalIds: boolean;
  /** Whether a wrong input is told of in `userErrors` also where the selection does not have them. */
  readonly alwaysUserErrors: boolean;
}

/** The request and response header that has the version. */
export const VERSION_HEADER = 'x-placard-version';

/** The supported versions, oldest first. The schema of each is in `contract/versions/`. */
export const API_VERSIONS = [
  { name: '2026-11-23', showsGlobalIds: false, alwaysUserErrors: false },
  { name: '2026-11-25', showsGlobalIds: true, alwaysUserErrors: true },
  { name: '2026-11-29', showsGlobalIds: true, alwaysUserErrors: true },
] as const satisfies readonly ApiVersion[];

/** The version of requests that name none: clients that were written before there were versions work on. */
export const DEFAULT_VERSION: ApiVersion = API_VERSIONS[0];

/** The version that a request names. @throws PlacardError `invalid_request` for an unknown one */
export function versionOfHeader(given: string | readonly string[] | undefined): ApiVersion {
  if (given === undefined) return DEFAULT_VERSION;
  const found = API_VERSIONS.find(({ name }) => name === given);
  if (found !== undefined) return found;
  const known = API_VERSIONS.map(({ name }) => name).join(', ');
  throw new PlacardError('invalid_request', `X-Placard-Version takes one of these versions: ${known}.`);
}
