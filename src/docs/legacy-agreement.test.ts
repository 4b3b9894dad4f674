/** The definitions of legacy report tasks (`report_definition_body`), compared with the code that reads and compiles tasks. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PlacardError } from '../domain/errors.ts';
import type { ReportTaskAttributes } from '../domain/reporting/report-task.ts';
import { describeDefinition, LEGACY_DEFINITIONS, type LegacyDefinition } from '../reports/legacy/definitions.ts';
import { readPlan } from '../reports/legacy/report-plan.ts';
import { compilePlan } from '../reports/legacy/report-query.ts';
import { CAMPAIGN_OVERVIEW, REPORTS_MODEL } from '../reports/model/campaign-overview.olap.ts';
import { MemberIndex } from '../reports/model/member-index.ts';
import { runsOf } from '../../test/support/longer-runs.ts';

const NUM_RUNS = runsOf(500);
const NOW_MS = Date.UTC(2026, 10, 20, 12);
const CLOCK = { nowMs: NOW_MS, timezoneDefault: 'Europe/Warsaw', cube: CAMPAIGN_OVERVIEW };
const SCOPE = {
  tenant: { workspaceId: 1, networkId: '1000' },
  index: new MemberIndex(REPORTS_MODEL),
  nowMs: NOW_MS,
};

interface Named {
  readonly allowed_values: readonly string[];
}
/** The parts of a body that name what is allowed. */
interface Parameters {
  readonly date_range: {
    readonly fields: { readonly kind: Named; readonly date_from: { readonly relative_ranges: readonly string[] } };
  };
  readonly filters: { readonly fields: { readonly dimension: Named; readonly type: Named } };
  readonly split: Named;
  readonly metric: Named;
  readonly granularity: Named;
}

const parametersOf = (definition: LegacyDefinition): Parameters =>
  describeDefinition(definition, CAMPAIGN_OVERVIEW).body['parameters'] as Parameters;
const oneOf = ({ allowed_values }: Named): fc.Arbitrary<string> => fc.constantFrom(...allowed_values);
const pad = (part: number): string => String(part).padStart(2, '0');
const date = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }), fc.nat({ max: 23 }), fc.nat({ max: 59 }))
  .map(([month, day, hour, minute]) => `2026-${pad(month)}-${pad(day)} ${pad(hour)}:${pad(minute)}:00`);

/** Ranges as described: both dates, or the name of one; `<n>` small enough for the longest range. */
function ranges({ fields }: Parameters['date_range']): fc.Arbitrary<NonNullable<ReportTaskAttributes['date_range']>> {
  const dates = fc.tuple(date, date).map(([a, b]) => (a < b ? [a, b] : [b, a]));
  const written = fc
    .tuple(oneOf(fields.kind), dates)
    .map(([kind, [date_from, date_to]]) => ({ kind, date_from, date_to }));
  const name = fc
    .tuple(fc.constantFrom(...fields.date_from.relative_ranges), fc.integer({ min: 1, max: 12 }))
    .map(([text, count]) => text.replace('<n>', String(count)));
  return fc.oneof(
    written,
    name.map((date_from) => ({ kind: 'dynamic', date_from })),
  );
}

function attributesOf(parameters: Parameters): fc.Arbitrary<ReportTaskAttributes> {
  const { fields } = parameters.filters;
  const value = fc.record({ value: fc.string({ maxLength: 20 }) });
  const filter = fc.record(
    {
      dimension: oneOf(fields.dimension),
      type: oneOf(fields.type),
      values: fc.array(value, { minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: ['dimension', 'values'] },
  );
  return fc.record(
    {
      date_range: ranges(parameters.date_range),
      filters: fc.array(filter, { maxLength: 4 }),
      split: fc.uniqueArray(oneOf(parameters.split), { maxLength: 20 }),
      metric: fc.uniqueArray(oneOf(parameters.metric), { maxLength: 50 }),
      granularity: oneOf(parameters.granularity),
      timezone: fc.constantFrom('UTC', 'America/New_York', null),
    },
    { requiredKeys: ['date_range'] },
  );
}

/** Codes and paths of a refusal; empty when the task is made. */
function refusalsOf(definition: LegacyDefinition, attributes: ReportTaskAttributes): string[] {
  try {
    compilePlan(readPlan(definition, attributes, CLOCK), SCOPE);
    return [];
  } catch (error) {
    if (!(error instanceof PlacardError)) throw error;
    return error.fields.length > 0 ? error.fields.map(({ path, code }) => `${path} ${code}`) : [error.message];
  }
}

describe.each(LEGACY_DEFINITIONS.map((definition) => [definition.name, definition] as const))(
  'tasks of %s',
  (_name, definition) => {
    const attributes = attributesOf(parametersOf(definition));

    test('the endpoint accepts what the definition describes', () => {
      fc.assert(
        fc.property(attributes, (given) => {
          expect(refusalsOf(definition, given)).toEqual([]);
        }),
        { numRuns: NUM_RUNS },
      );
    });

    test('a name that it does not list is refused, and named', () => {
      const unlisted = fc.constantFrom(
        '',
        'time',
        'constructor',
        '__proto__',
        'campaign_overview.clicks',
        'minute',
        'IN',
      );
      fc.assert(
        fc.property(attributes, unlisted, ({ date_range, timezone }, name) => {
          const refused = refusalsOf(definition, {
            filters: [{ dimension: name, type: name, values: [{ value: 'x' }] }],
            split: [name],
            metric: [name],
            granularity: name,
            date_range: { ...date_range, kind: name },
            timezone,
          });
          expect(refused).toEqual([
            'task.attributes.date_range.kind unknown_kind',
            'task.attributes.granularity unknown_granularity',
            'task.attributes.split[0] unknown_dimension',
            'task.attributes.metric[0] unknown_metric',
            'task.attributes.filters[0].dimension unknown_dimension',
            'task.attributes.filters[0].type unknown_filter_type',
          ]);
        }),
        { numRuns: Math.ceil(NUM_RUNS / 10) },
      );
    });
  },
);
