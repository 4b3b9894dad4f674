import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SegmentRule } from '../api/bookings/catalog.ts';
import { ApiProblem } from '../api/transport/problem.ts';
import { NEW_RULE_ROW, rowsOfText, ruleInputOf, ruleProblemsOf, textOfRows, textOfRule } from './rule-rows.ts';

const condition = fc.oneof(
  fc.record({
    keyValue: fc.record({
      key: fc.stringMatching(/^[a-z]{1,10}$/),
      values: fc.array(fc.string({ minLength: 1 }), { maxLength: 3 }),
    }),
    activity: fc.constant(null),
  }),
  fc.record({
    keyValue: fc.constant(null),
    activity: fc.record({
      activityId: fc.stringMatching(/^[1-9]{1,9}$/),
      event: fc.option(fc.stringMatching(/^[a-z]{1,10}$/)),
    }),
  }),
);
const anyRule: fc.Arbitrary<SegmentRule> = fc.record({ any: fc.array(condition, { minLength: 1, maxLength: 5 }) });

describe('the rows of a rule', () => {
  test('a rule is saved as it was read', () => {
    fc.assert(
      fc.property(anyRule, (rule) => {
        const input = {
          any: rule.any.map(({ keyValue, activity }) => {
            if (keyValue !== null) return { keyValue };
            const { activityId, event } = activity ?? { activityId: '', event: null };
            return { activity: event === null ? { activityId } : { activityId, event } };
          }),
        };
        expect(ruleInputOf(textOfRule(rule))).toEqual(input);
      }),
    );
  });

  test('a rule that is changed and put back has the text that it had', () => {
    fc.assert(
      fc.property(anyRule, (rule) => {
        const text = textOfRule(rule);
        const rows = rowsOfText(text) ?? [];
        expect(textOfRows([...rows, NEW_RULE_ROW])).not.toBe(text);
        expect(textOfRows(rows)).toBe(text);
        const [first = NEW_RULE_ROW, ...rest] = rows;
        // What was typed for the other kind is left out of the text.
        const other = first.kind === 'keyValue' ? { event: 'typed' } : { key: 'typed' };
        expect(textOfRows([{ ...first, ...other }, ...rest])).toBe(text);
      }),
    );
  });

  test('no rule is an empty text, and is saved as null; a rule without conditions is another thing', () => {
    expect([textOfRule(null), rowsOfText(''), ruleInputOf('')]).toEqual(['', null, null]);
    expect(ruleInputOf(textOfRows([]))).toEqual({ any: [] });
  });

  test('spaces around a key and an event are left out, and an event of spaces is none', () => {
    const rows = [
      { ...NEW_RULE_ROW, key: ' topic ', values: ['travel'] },
      { ...NEW_RULE_ROW, kind: 'activity' as const, activityId: '7', event: ' ' },
      { ...NEW_RULE_ROW, kind: 'activity' as const, activityId: '8', event: ' lead ' },
    ];
    expect(ruleInputOf(textOfRows(rows))).toEqual({
      any: [
        { keyValue: { key: 'topic', values: ['travel'] } },
        { activity: { activityId: '7' } },
        { activity: { activityId: '8', event: 'lead' } },
      ],
    });
  });
});

describe('faults of a rule', () => {
  const faultsOf = (...paths: string[]) =>
    ruleProblemsOf(
      new ApiProblem({
        code: 'validation_failed',
        message: '',
        status: 400,
        fields: paths.map((path) => ({ path, code: 'invalid', message: `At ${path}.` })),
      }),
    );

  test('each fault is at the field of its condition', () => {
    const { rule, rows, count } = faultsOf(
      'input.rule.any.0.keyValue.key',
      'input.rule.any.0.keyValue.values.3',
      'rule.any.12.activity.activityId',
      'input.rule.any[2].activity.event',
    );
    expect([rule, count]).toEqual([null, 4]);
    expect(Object.fromEntries(rows)).toEqual({
      0: { key: 'At input.rule.any.0.keyValue.key.', values: 'At input.rule.any.0.keyValue.values.3.' },
      2: { event: 'At input.rule.any[2].activity.event.' },
      12: { activityId: 'At rule.any.12.activity.activityId.' },
    });
  });

  test('a fault of the rule as a whole, or of an unknown part of it, is at the rule; others are not', () => {
    expect(faultsOf('input.rule.any').rule).toBe('At input.rule.any.');
    expect(faultsOf('input.rule.any.1').rule).toBe('At input.rule.any.1.');
    expect(faultsOf('input.ruler', 'input.name')).toEqual({ rule: null, rows: new Map(), count: 0 });
    expect(ruleProblemsOf(new Error('offline')).count).toBe(0);
  });
});
