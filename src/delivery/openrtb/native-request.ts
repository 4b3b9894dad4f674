import { isNestedDeeper } from '../../domain/text/json-shape.ts';
import { arrayOf, asObject, flagOf, integerOf, integersOf, numberOf, textOf } from './lenient-json.ts';
import type { JsonObject } from './lenient-json.ts';
import type { NativeAsset, NativeRequest } from '../../domain/requests/opportunity.ts';

const ASSETS_MAX = 50;
const TRACKERS_MAX = 20;
const REQUEST_CHARS_MAX = 65_536;
const REQUEST_DEPTH_MAX = 32;

/**
 * Reads `imp.native` (OpenRTB Native 1.0–1.2; `request` is JSON in a string, or the object itself; a root `native` is unwrapped).
 * An absent or empty request leaves the form of the response to us (`free`); any other unreadable request is `unreadable`.
 */
export function parseNativeRequest(native: JsonObject): NativeRequest | 'free' | 'unreadable' {
  const root = readRoot(native['request']);
  if (root === null) return 'unreadable';
  const request = asObject(root['native']) ?? root;
  if (Object.keys(request).length === 0) return 'free';
  const assets = arrayOf(request['assets'], ASSETS_MAX).map(parseAsset);
  if (!Array.isArray(request['assets'])) return 'unreadable';
  const version = textOf(request['ver'], 8) || textOf(native['ver'], 8) || '1.2';
  return { version, isWrapped: root !== request, assets, eventMethods: parseEventMethods(request) };
}

/** Null when it cannot be read. */
function readRoot(value: unknown): JsonObject | null {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'string') return asObject(value);
  if (value.trim() === '') return {};
  if (value.length > REQUEST_CHARS_MAX || isNestedDeeper(value, REQUEST_DEPTH_MAX)) return null;
  try {
    return asObject(JSON.parse(value));
  } catch {
    return null;
  }
}

function parseAsset(value: unknown, index: number): NativeAsset {
  const asset = asObject(value) ?? {};
  const common = {
    id: integerOf(asset['id'], 0, Number.MAX_SAFE_INTEGER) ?? index,
    required: flagOf(asset['required']),
  };
  const none = { lengthMax: 0, minWidth: 0, minHeight: 0 };
  const title = asObject(asset['title']);
  if (title !== null) return { ...common, ...none, kind: 'title', lengthMax: integerOf(title['len'], 0, 10_000) ?? 0 };
  const image = asObject(asset['img']);
  if (image !== null) {
    const kind = image['type'] === 1 || image['type'] === 2 ? 'icon' : 'mainImage';
    return {
      ...common,
      kind,
      lengthMax: 0,
      minWidth: numberOf(image['wmin']) ?? 0,
      minHeight: numberOf(image['hmin']) ?? 0,
    };
  }
  const data = asObject(asset['data']);
  const kind = data === null ? 'other' : kindOfData(data['type']);
  return { ...common, ...none, kind, lengthMax: integerOf(data?.['len'], 0, 10_000) ?? 0 };
}

function kindOfData(type: unknown): NativeAsset['kind'] {
  if (type === 1) return 'sponsoredBy';
  if (type === 2) return 'body';
  return type === 12 ? 'callToAction' : 'other';
}

function parseEventMethods(request: JsonObject): Map<number, readonly number[]> {
  const methods = new Map<number, readonly number[]>();
  for (const value of arrayOf(request['eventtrackers'], TRACKERS_MAX)) {
    const event = integerOf(asObject(value)?.['event'], 1, 1_000);
    if (event !== null) methods.set(event, integersOf(asObject(value)?.['methods'], TRACKERS_MAX));
  }
  return methods;
}
