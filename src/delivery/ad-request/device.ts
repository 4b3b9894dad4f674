import type { IncomingHttpHeaders } from 'node:http';
import Bowser from 'bowser';
import { toAlpha2 } from './country-codes.ts';
import { asObject, integerOf, objectIn, textOf } from '../openrtb/lenient-json.ts';
import type { JsonObject } from '../openrtb/lenient-json.ts';
import type { FindGeo, Geo } from './geo-lookup.ts';
import { RecentCache } from '../../storage/recent-cache.ts';

/** The device as reports show it; '' = unknown. */
export interface Device {
  /** desktop, mobile, tablet, tv, or other. */
  readonly deviceType: string;
  /** Such as "Windows", "Android", "iOS", "macOS". */
  readonly os: string;
  /** Such as "Chrome", "Safari". */
  readonly browser: string;
}

const UNKNOWN_DEVICE: Device = { deviceType: '', os: '', browser: '' };
const DEVICES_REMEMBERED = 10_000;
const USER_AGENT_CHARS_MAX = 1_024;

const devices = new RecentCache<string, Device>(DEVICES_REMEMBERED);

/** OpenRTB (AdCOM) device types. */
const DEVICE_TYPES: readonly string[] = ['', 'mobile', 'desktop', 'tv', 'mobile', 'tablet', 'other', 'tv', 'other'];

/**
 * Reads the device: client hints before the user agent, and the caller's `device` before HTTP headers. `headers` null: the HTTP client is a
 * server, so only `device` counts.
 */
export function readDevice(device: JsonObject, headers: IncomingHttpHeaders | null): Device {
  const userAgent = textOf(device['ua'], USER_AGENT_CHARS_MAX);
  const found =
    userAgent !== ''
      ? parseUserAgent(userAgent, '', '')
      : parseUserAgent(
          (headers?.['user-agent'] ?? '').slice(0, USER_AGENT_CHARS_MAX),
          headerText(headers, 'sec-ch-ua-platform'),
          headerText(headers, 'sec-ch-ua-mobile'),
        );
  const stated = DEVICE_TYPES[integerOf(device['devicetype'], 0, 8) ?? 0] ?? '';
  const platform = textOf(objectIn(objectIn(device, 'sua'), 'platform')['brand'], 64);
  return {
    deviceType: stated !== '' && !(stated === 'mobile' && found.deviceType === 'tablet') ? stated : found.deviceType,
    os: platform || found.os || textOf(device['os'], 64),
    browser: found.browser,
  };
}

function headerText(headers: IncomingHttpHeaders | null, name: string): string {
  const value = headers?.[name];
  return typeof value === 'string' ? value.slice(0, 64) : '';
}

function parseUserAgent(userAgent: string, platform: string, mobile: string): Device {
  if (userAgent === '') return UNKNOWN_DEVICE;
  const key = platform === '' && mobile === '' ? userAgent : `${platform}\n${mobile}\n${userAgent}`;
  const known = devices.get(key);
  if (known !== undefined) return known;
  const device = classify(userAgent, platform.replaceAll('"', ''), mobile);
  devices.set(key, device);
  return device;
}

function classify(userAgent: string, platform: string, mobile: string): Device {
  const parsed = Bowser.parse(userAgent);
  const type = parsed.platform.type ?? '';
  const known = ['desktop', 'mobile', 'tablet', 'tv'].includes(type) ? type : '';
  return {
    deviceType: known !== '' ? known : mobile === '?1' ? 'mobile' : 'other',
    os: platform !== '' && platform !== 'Unknown' ? platform : (parsed.os.name ?? ''),
    browser: parsed.browser.name ?? '',
  };
}

/**
 * Reads `device.geo` (not `user.geo`: it is the user's home, not where the ad is seen); when it names no country, looks up the device's
 * address. @param address of the caller, for requests without one; '' when the caller is a server
 */
export function resolveGeo(device: JsonObject, address: string, findGeo: FindGeo): Geo {
  const geo = asObject(device['geo']) ?? {};
  const country = toAlpha2(textOf(geo['country'], 3));
  if (country === '') {
    const found = findGeo(textOf(device['ip'], 64) || textOf(device['ipv6'], 64) || address);
    if (found.country !== '') return found;
  }
  return {
    country,
    region: textOf(geo['region'], 16).toUpperCase(),
    city: textOf(geo['city'], 64),
  };
}
