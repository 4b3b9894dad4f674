/**
 * Reads members that restrict which ads may serve. An absent member or null restricts nothing. A member that cannot be read would permit more
 * than its sender meant, so it is refused by its name.
 */
import { PlacardError } from '../../domain/errors.ts';
import type { Size } from '../../domain/booking/inventory.ts';
import { type JsonObject, textOf } from './lenient-json.ts';

/** Longest side of a slot, in pixels. */
export const PIXELS_MAX = 10_000;
/** Values of a list of numbers or texts. */
export const LIST_MAX = 5_000;
/** A number of JSON, as text. */
const NUMBER_TEXT = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;

/** An object of a request, and its path for messages. */
export interface Parent {
  readonly at: string;
  readonly members: JsonObject;
}

/** A refusal that names a member. `name` '' = the object itself. */
export function refused({ at }: Pick<Parent, 'at'>, name: string, wants: string): PlacardError {
  const dot = at === '' || name === '' ? '' : '.';
  return new PlacardError('invalid_request', `${at}${dot}${name} must be ${wants}.`);
}

/** A finite number, also as text; null: absent. NaN: cannot be read. */
function readNumber(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : Number.NaN;
  return typeof value === 'string' && NUMBER_TEXT.test(value) ? Number(value) : Number.NaN;
}

/** A number above 0; null: no limit, as 0 and -1 say in OpenRTB. @throws PlacardError `invalid_request` */
export function limitIn(parent: Parent, name: string): number | null {
  const limit = readNumber(parent.members[name]);
  if (limit === null || Number.isFinite(limit)) return limit === null || limit <= 0 ? null : limit;
  throw refused(parent, name, 'a number');
}

/** A price; null: none. A price below 0 is passed by every ad, as 0 is. @throws PlacardError `invalid_request` */
export function floorIn(parent: Parent, name: string): number | null {
  const floor = readNumber(parent.members[name]);
  if (floor === null || Number.isFinite(floor)) return floor === null ? null : Math.max(0, floor);
  throw refused(parent, name, 'a number such as 1.25, with a point and without a currency');
}

/** A whole number; null: absent. @throws PlacardError `invalid_request` */
export function wholeIn(parent: Parent, name: string): number | null {
  const whole = readNumber(parent.members[name]);
  if (whole === null || Number.isSafeInteger(whole)) return whole;
  throw refused(parent, name, 'a whole number');
}

/** Whole numbers. @throws PlacardError `invalid_request` */
export function wholesIn(parent: Parent, name: string): number[] {
  const list = listIn(parent, name, LIST_MAX);
  const wholes = list.map((one) => readNumber(one));
  if (wholes.every((one): one is number => one !== null && Number.isSafeInteger(one))) return wholes;
  throw refused(parent, name, 'a list of whole numbers');
}

/** Texts, empty ones left out; numbers count as texts. @throws PlacardError `invalid_request` */
export function textsIn(parent: Parent, name: string, max = LIST_MAX, lengthMax = 512): string[] {
  const texts: string[] = [];
  for (const one of listIn(parent, name, max)) {
    if (typeof one !== 'string' && typeof one !== 'number') throw refused(parent, name, 'a list of texts');
    const text = textOf(one, lengthMax);
    if (text !== '') texts.push(text);
  }
  return texts;
}

/** A text or number as text; '': absent. @throws PlacardError `invalid_request` */
export function textIn(parent: Parent, name: string, lengthMax: number): string {
  const value = parent.members[name];
  if (value === undefined || value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return textOf(value, lengthMax);
  throw refused(parent, name, 'a text');
}

/** True for 1, true and their texts. @throws PlacardError `invalid_request` for anything but these, 0, false and their texts */
export function flagIn(parent: Parent, name: string): boolean {
  const value = parent.members[name];
  switch (value) {
    case undefined:
    case null:
    case 0:
    case false:
    case '0':
    case 'false':
      return false;
    case 1:
    case true:
    case '1':
    case 'true':
      return true;
    default:
      throw refused(parent, name, '0 or 1');
  }
}

/** The elements of a list; [] : absent. @throws PlacardError `invalid_request` */
export function listIn(parent: Parent, name: string, max: number): readonly unknown[] {
  const value = parent.members[name];
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw refused(parent, name, 'a list');
  if (value.length > max) throw refused(parent, name, `a list of at most ${max.toLocaleString('en')}`);
  return value;
}

/** The object of a name; null: absent. @throws PlacardError `invalid_request` */
export function parentIn(parent: Parent, name: string): Parent | null {
  const value = parent.members[name];
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object' || Array.isArray(value)) throw refused(parent, name, 'an object');
  return { at: parent.at === '' ? name : `${parent.at}.${name}`, members: value as JsonObject };
}

/** A side of a slot in whole pixels; null: absent. @throws PlacardError `invalid_request` */
function sideIn(parent: Parent, name: string): number | null {
  const side = readNumber(parent.members[name]);
  if (side === null || (Number.isSafeInteger(side) && side >= 1 && side <= PIXELS_MAX)) return side;
  throw refused(parent, name, `a whole number of pixels from 1 to ${PIXELS_MAX.toLocaleString('en')}`);
}

/** The size `w` by `h`; null: neither is there. @throws PlacardError `invalid_request` also when one of them is missing */
export function sizeIn(parent: Parent): Size | null {
  const width = sideIn(parent, 'w');
  const height = sideIn(parent, 'h');
  if (width !== null && height !== null) return { width, height };
  if (width === null && height === null) return null;
  throw refused(parent, width === null ? 'w' : 'h', 'sent with the other side');
}
