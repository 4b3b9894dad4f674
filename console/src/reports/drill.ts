import { DEFAULT_CUBE, type LensFilter, type LensState } from './lens-state.ts';
import type { CellValue } from './report-rows.ts';

/** From the whole to its parts: where a click on one goes to by itself. */
const PATHS: readonly (readonly string[])[] = [
  ['advertiser', 'campaign', 'line_item', 'creative'],
  ['site', 'area', 'ad_unit'],
  ['country', 'region'],
  ['device_type', 'os', 'browser'],
  ['deal', 'line_item'],
  ['advertising_product', 'line_item'],
];

/** The dimension that a drill into `member` usually opens, out of those that exist; null at the end of a path. */
export function nextDimension(member: string, existing: ReadonlySet<string>): string | null {
  const name = member.replace(`${DEFAULT_CUBE}.`, '').replace(/_(id|name|domain)$/, '');
  for (const path of PATHS) {
    const next = path[path.indexOf(name) + 1];
    if (!path.includes(name) || next === undefined) continue;
    const found = [`${next}_name`, next, `${next}_id`]
      .map((one) => `${DEFAULT_CUBE}.${one}`)
      .find((one) => existing.has(one));
    if (found !== undefined) return found;
  }
  return null;
}

/** The state with one value kept (or left out). An earlier filter of the same member and kind is replaced. */
export function filterByValue(state: LensState, member: string, value: CellValue, keep: boolean): LensState {
  const operator: LensFilter['operator'] = value === null ? (keep ? 'notSet' : 'set') : keep ? 'equals' : 'notEquals';
  const before = state.filters.find((filter) => filter.member === member && filter.operator === operator);
  const values =
    value === null ? [] : keep ? [String(value)] : [...new Set([...(before?.values ?? []), String(value)])];
  return { ...state, filters: [...state.filters.filter((filter) => filter !== before), { member, operator, values }] };
}

/** The state one level down: one value kept, and its dimension replaced by a finer one. */
export function drillInto(state: LensState, from: { member: string; value: CellValue }, into: string): LensState {
  const kept = filterByValue(state, from.member, from.value, true);
  const others = state.dimensions.filter((name) => name !== from.member && name !== into);
  const position = Math.max(0, state.dimensions.indexOf(from.member));
  const dimensions = [...others.slice(0, position), into, ...others.slice(position)];
  const order = state.order !== null && state.order.member === from.member ? null : state.order;
  return { ...kept, dimensions, order, pivot: state.pivot === from.member ? null : state.pivot };
}
