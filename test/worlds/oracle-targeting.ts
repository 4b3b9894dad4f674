import type { Targeting, TargetingTest } from '../../src/domain/targeting/targeting.ts';
import type { Opportunity, Slot } from '../../src/domain/requests/opportunity.ts';

/** The circumstances that targeting is compared with. */
export interface Circumstances {
  readonly opportunity: Opportunity;
  readonly slot: Slot;
  readonly nowMs: number;
  readonly timezone: string;
}

/** Whether a tree admits the circumstances, test by test. */
export function admits(tree: Targeting | null, at: Circumstances): boolean {
  if (tree === null) return true;
  if ('all' in tree) return tree.all.every((child) => admits(child, at));
  if ('any' in tree) return tree.any.some((child) => admits(child, at));
  if ('not' in tree) return !admits(tree.not, at);
  return passes(tree, at);
}

function passes(test: TargetingTest, at: Circumstances): boolean {
  const listed = test.values.map((value) => value.toLowerCase());
  if (test.dimension === 'dayPart') {
    const isWithin = listed.some((value) => isWithinPart(value, at));
    return test.operator === 'isNot' ? !isWithin : isWithin;
  }
  const present = presentValues(test, at).filter((value) => value !== '');
  const matches = (how: (value: string, text: string) => boolean) =>
    present.some((value) => listed.some((text) => how(value, text)));
  switch (test.operator) {
    case 'is':
      return matches((value, text) => value === text);
    case 'isNot':
      return !matches((value, text) => value === text);
    case 'beginsWith':
      return matches((value, text) => value.startsWith(text));
    case 'contains':
      return matches((value, text) => value.includes(text));
  }
}

function presentValues(test: TargetingTest, { opportunity, slot }: Circumstances): readonly string[] {
  switch (test.dimension) {
    case 'site':
      return [slot.siteId];
    case 'area':
      return [slot.areaId];
    case 'adUnit':
      return [slot.adUnitId];
    case 'position':
      return [slot.position];
    case 'size':
      return slot.sizes.map(({ width, height }) => `${width}x${height}`);
    case 'domain':
      // Targeting of a domain includes its subdomains.
      return opportunity.domain
        .split('.')
        .map((_label, at, labels) => labels.slice(at).join('.'))
        .slice(0, -1);
    case 'keyword':
      return opportunity.keywords;
    case 'keyValue':
      return opportunity.keyValues.get((test.key ?? '').toLowerCase()) ?? [];
    case 'segment':
      return opportunity.segments;
    case 'deal':
      return (slot.deals ?? []).map(({ code }) => code.toLowerCase());
    case 'mediaType':
      return slot.mediaTypes;
    case 'browserLanguage':
      return opportunity.browserLanguages;
    case 'dayPart':
      return [];
    default:
      return [opportunity[test.dimension]];
  }
}

/** "1-5 08:00-18:00", "6", "7 20:00-24:00"; anything else never matches. */
function isWithinPart(value: string, { nowMs, timezone }: Circumstances): boolean {
  const match = /^([1-7])(?:-([1-7]))?(?: (\d\d):(\d\d)-(\d\d):(\d\d))?$/.exec(value);
  if (match === null) return false;
  const [first = 1, last = first] = [match[1], match[2]].filter((text) => text !== undefined).map(Number);
  const days: number[] = [];
  for (let day = first; ; day = (day % 7) + 1) {
    days.push(day);
    if (day === last) break;
  }
  const startMinute = Number(match[3] ?? 0) * 60 + Number(match[4] ?? 0);
  const endMinute = match[5] === undefined ? 1_440 : Number(match[5]) * 60 + Number(match[6]);
  const { weekday, minute } = localMoment(nowMs, timezone);
  return days.includes(weekday) && startMinute <= minute && minute < endMinute;
}

/** A moment in a time zone, by `Temporal`. */
export function localMoment(nowMs: number, timezone: string): { weekday: number; minute: number; day: string } {
  const local = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timezone);
  return { weekday: local.dayOfWeek, minute: local.hour * 60 + local.minute, day: local.toPlainDate().toString() };
}
