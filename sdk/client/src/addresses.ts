import { PlacardInputError } from './errors.ts';

/** Where a network's APIs are. */
export interface Addresses {
  /** Core, in the environment. */
  readonly core: string;
  readonly graphql: string;
  readonly ads: string;
  readonly events: string;
  readonly bid: string;
  readonly reports: string;
}

/** The parts of addresses. */
export interface AddressSettings {
  /** The numeric network id. */
  readonly network: string;
  /** Base address of core: management and reports. Needed for graphql, reports and legacyReports. */
  readonly coreUrl?: string;
  /** Base address of delivery: ads, bids, activity events. Needed for ads, bid and events. */
  readonly deliveryUrl?: string;
  /** `production` unless given. Staging addresses carry a prefix, and take keys of staging. */
  readonly environment?: 'production' | 'staging';
}

/** @throws PlacardInputError naming each address without HTTPS (HTTP is allowed for localhost only) */
export function buildAddresses(settings: AddressSettings): Addresses {
  const prefix = settings.environment === 'staging' ? '/staging' : '';
  const network = encodeURIComponent(settings.network);
  const core = checkBase(settings.coreUrl, 'coreUrl');
  const delivery = checkBase(settings.deliveryUrl, 'deliveryUrl');
  if (!/^\d+$/.test(settings.network))
    throw new PlacardInputError(['network must be the numeric network id as a string.']);
  return {
    core: core === '' ? '' : `${core}${prefix}`,
    graphql: core === '' ? '' : `${core}${prefix}/graphql`,
    reports: core === '' ? '' : `${core}${prefix}/reports/${network}/v1`,
    ads: delivery === '' ? '' : `${delivery}${prefix}/api/v1/ads`,
    events: delivery === '' ? '' : `${delivery}${prefix}/api/v1/events`,
    bid: delivery === '' ? '' : `${delivery}${prefix}/${network}/bid`,
  };
}

/** The address, or an error that says which base address is missing. */
export function needAddress(address: string, base: 'coreUrl' | 'deliveryUrl'): string {
  if (address === '') throw new PlacardInputError([`${base} was not given when the client was made.`]);
  return address;
}

function checkBase(base: string | undefined, name: string): string {
  if (base === undefined) return '';
  const local = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/.test(base);
  if (!base.startsWith('https://') && !local) throw new PlacardInputError([`${name} must be an https:// address.`]);
  return base.replace(/\/+$/, '');
}
