import type { Scope } from '../api/transport/scope.ts';

/** Every parameter of an address, as text. The scope's two are carried along by every link. */
export type AppSearch = Partial<Record<string, string>>;

/** The parameters that say which network and environment is looked at. */
export const SCOPE_PARAMS = ['network', 'env'] as const;

/** Reads parameters as plain texts: an address that a person typed means what it says. */
export function parseSearch(text: string): AppSearch {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Writes parameters so that people can read them: only what would be misread is escaped. */
export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search)
    .filter((pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1] !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${escapeValue(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function escapeValue(value: string): string {
  return encodeURIComponent(value).replaceAll(/%(2C|3A|3B|2F|40)/g, (code) => decodeURIComponent(code));
}

/** The environment that an address names. */
export function environmentOf(search: AppSearch): Scope['environment'] {
  return search['env'] === 'staging' ? 'staging' : 'production';
}
