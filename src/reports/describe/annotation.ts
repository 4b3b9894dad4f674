import { describeGranularity, findGranularity, type GranularityInfo } from '../compile/granularity.olap.ts';
import type { NormalizedQuery } from '../query/query.ts';
import type { LocalTime } from '../query/local-time.ts';
import { titleize, type DimensionDefinition, type MeasureDefinition, type SegmentDefinition } from '../model/cube.ts';
import type { Member, MemberIndex } from '../model/member-index.ts';

/** The description of a requested member. */
export interface MemberAnnotation {
  readonly title: string;
  readonly shortTitle: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly currency?: string;
  readonly drillMembers?: readonly string[];
  readonly drillMembersGrouped?: { readonly measures: readonly string[]; readonly dimensions: readonly string[] };
  readonly granularities?: readonly GranularityInfo[];
  readonly granularity?: GranularityInfo;
}

/** Describes the members of a response: Cube clients label their charts with it. */
export interface Annotation {
  readonly measures: Readonly<Record<string, MemberAnnotation>>;
  readonly dimensions: Readonly<Record<string, MemberAnnotation>>;
  readonly segments: Readonly<Record<string, MemberAnnotation>>;
  readonly timeDimensions: Readonly<Record<string, MemberAnnotation>>;
}

/** Describes every member of a query. @throws PlacardError `invalid_request` for members that do not exist */
export function annotate(index: MemberIndex, query: NormalizedQuery, nowLocal: LocalTime): Annotation {
  const byName = <T>(paths: readonly string[], describe: (path: string) => T): Record<string, T> =>
    Object.fromEntries(paths.map((path) => [path, describe(path)]));
  return {
    measures: byName(query.measures ?? [], (path) => describeMeasure(index.measure(path))),
    dimensions: byName(query.dimensions, (path) => describeDimension(index.dimension(path))),
    segments: byName(query.segments ?? [], (path) => describeSegment(index.segment(path))),
    timeDimensions: Object.fromEntries(
      query.timeDimensions.flatMap(({ dimension, granularity }) => {
        if (granularity === undefined) return [];
        const member = index.dimension(dimension);
        const { granularities: _own, ...plain } = describeDimension(member);
        const timed = { ...plain, granularity: findGranularity(member, granularity, nowLocal).info };
        const bare: [string, MemberAnnotation][] = query.dimensions.includes(dimension) ? [] : [[dimension, plain]];
        return [[`${dimension}.${granularity}`, timed] as [string, MemberAnnotation], ...bare];
      }),
    ),
  };
}

/** A measure's labels, format and drill-down members. */
export function describeMeasure({ cube, name, definition }: Member<MeasureDefinition>): MemberAnnotation {
  const drill = (definition.drillMembers ?? []).filter(
    (other) => Object.hasOwn(cube.measures, other) || Object.hasOwn(cube.dimensions, other),
  );
  const full = (names: readonly string[]): string[] => names.map((other) => `${cube.name}.${other}`);
  return {
    ...describe(cube.title, name, definition),
    type: definition.type === 'time' ? 'time' : 'number',
    ...(definition.format === undefined ? {} : { format: definition.format }),
    ...(definition.currency === undefined ? {} : { currency: definition.currency.toUpperCase() }),
    drillMembers: full(drill),
    drillMembersGrouped: {
      measures: full(drill.filter((other) => Object.hasOwn(cube.measures, other))),
      dimensions: full(drill.filter((other) => Object.hasOwn(cube.dimensions, other))),
    },
  };
}

/** A dimension's labels, and the granularities of its own. */
export function describeDimension({ cube, name, definition }: Member<DimensionDefinition>): MemberAnnotation {
  const own = Object.entries(definition.granularities ?? {});
  return {
    ...describe(cube.title, name, definition),
    type: definition.type,
    ...(own.length === 0 ? {} : { granularities: own.map(([key, value]) => describeGranularity(key, value)) }),
  };
}

/** A segment's labels. */
export function describeSegment({ cube, name, definition }: Member<SegmentDefinition>): MemberAnnotation {
  return describe(cube.title, name, definition);
}

function describe(cubeTitle: string, name: string, member: { title?: string; description?: string }): MemberAnnotation {
  const shortTitle = member.title ?? titleize(name);
  return {
    title: `${cubeTitle} ${shortTitle}`,
    shortTitle,
    ...(member.description === undefined ? {} : { description: member.description }),
  };
}
