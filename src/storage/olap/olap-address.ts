import type { OlapCluster } from './olap-dialect.ts';

/** Where the analytics store is. */
export interface OlapAddress {
  /** `http(s)://user:password@host:port/database` */
  readonly url: string;
  readonly cluster: OlapCluster | null;
}

const PREFIX = '#cluster=';
const DEFAULT_DATABASE = 'default';

/** The address and the name of a cluster as one text, which every part of the program passes on; it is never sent. */
export function writeOlapAddress(url: string, cluster: string | null): string {
  return cluster === null ? url : `${url}${PREFIX}${encodeURIComponent(cluster)}`;
}

/** Reads what {@link writeOlapAddress} wrote. @throws TypeError for a text that is not an address */
export function readOlapAddress(address: string): OlapAddress {
  const url = new URL(address);
  const name = url.hash.startsWith(PREFIX) ? decodeURIComponent(url.hash.slice(PREFIX.length)) : '';
  url.hash = '';
  const database = decodeURIComponent(url.pathname.slice(1)) || url.searchParams.get('database') || DEFAULT_DATABASE;
  return { url: url.href, cluster: name === '' ? null : { name, database } };
}
