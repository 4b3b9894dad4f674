import { isIP } from 'node:net';
import { open } from 'maxmind';
import type { CityResponse } from 'maxmind';

/** The geo of a device; '' = unknown. */
export interface Geo {
  /** ISO 3166-1 alpha-2, upper case. */
  readonly country: string;
  readonly region: string;
  readonly city: string;
}

const ADDRESSES_REMEMBERED = 10_000;
const UNKNOWN: Geo = { country: '', region: '', city: '' };

/** The geo of an IP address; all unknown for an invalid address or one that is not in the database. Never throws. */
export type FindGeo = (address: string) => Geo;

/** Without a database every geo is unknown. */
export const findNoGeo: FindGeo = () => UNKNOWN;

/**
 * Opens a geo database in MaxMind's MMDB format (GeoLite2 or GeoIP2, City or Country, or one with the same members). The file is held in
 * memory, and read again when it is replaced. Addresses are looked up and never stored. @throws Error when the file cannot be read, or is
 * not such a database
 */
export async function openGeoLookup(file: string): Promise<FindGeo> {
  const database = await open<CityResponse>(file, {
    cache: { max: ADDRESSES_REMEMBERED },
    watchForUpdates: true,
    watchForUpdatesNonPersistent: true,
  }).catch((cause: unknown) => {
    throw new Error(`The geo database ${file} cannot be used: ${String(cause)}`, { cause });
  });
  return (address) => {
    if (isIP(address) === 0) return UNKNOWN;
    const found = database.get(address.replace(/^::ffff:(?=[\d.]+$)/i, ''));
    if (found === null) return UNKNOWN;
    return {
      country: found.country?.iso_code ?? '',
      region: found.subdivisions?.[0]?.iso_code ?? '',
      city: found.city?.names.en ?? '',
    };
  };
}
