import { isDeepStrictEqual } from 'node:util';
import type { FieldProblem } from '../../../domain/errors.ts';
import { findNearestName } from '../../../domain/nearest-name.ts';
import { doubtfulValues } from '../../../domain/targeting/known-values.ts';
import type { Targeting, TargetingTest } from '../../../domain/targeting/targeting.ts';
import type { StoredRow } from '../../kernel/field.ts';

/** The most warnings of one tree, and the longest key that is compared with others. */
const WARNINGS_MAX = 20;
const COMPARED_LENGTH_MAX = 40;

/** A test of a tree, and where it is, such as `targeting.all.0.test`. */
interface PlacedTest {
  readonly test: TargetingTest;
  readonly path: string;
}

/** Every test of a tree. */
export function placedTests(targeting: Targeting | null): PlacedTest[] {
  const found: PlacedTest[] = [];
  const visit = (node: Targeting, path: string): void => {
    if ('all' in node) node.all.forEach((each, index) => visit(each, `${path}.all.${index}`));
    else if ('any' in node) node.any.forEach((each, index) => visit(each, `${path}.any.${index}`));
    else if ('not' in node) visit(node.not, `${path}.not`);
    else found.push({ test: node, path: `${path}.test` });
  };
  if (targeting !== null) visit(targeting, 'targeting');
  return found;
}

/** The problems of objects that a tree names and the network does not have. @param targets such as `site 12` */
export function unknownTargetProblems(targets: readonly string[]): FieldProblem[] {
  return targets.slice(0, WARNINGS_MAX).map((target) => ({
    path: 'targeting',
    code: 'unknown',
    message: `There is no ${target} in this network.`,
  }));
}

/** Warns of values that requests hardly ever have, and of keys that the network has not described. A tree that stays is not looked at again. */
export function warnOfTargeting(
  row: StoredRow,
  before: StoredRow | null,
  knownKeys: readonly string[] | null,
): FieldProblem[] {
  if (before !== null && isDeepStrictEqual(row['targeting'], before['targeting'])) return [];
  const warnings = placedTests((row['targeting'] ?? null) as Targeting | null).flatMap(({ test, path }) => [
    ...warnOfKey(test, `${path}.key`, knownKeys),
    ...doubtfulValues(test).map(({ value, message }): FieldProblem => {
      const index = test.values.indexOf(value);
      return { path: `${path}.values.${index}`, code: 'unknown_value', message };
    }),
  ]);
  return warnings.slice(0, WARNINGS_MAX);
}

function warnOfKey({ key }: TargetingTest, path: string, known: readonly string[] | null): FieldProblem[] {
  if (key === undefined || known === null || known.includes(key)) return [];
  const nearest = key.length > COMPARED_LENGTH_MAX ? null : findNearestName(key, known);
  const hint = nearest === null ? 'describe it by createKeyValue.' : `did you mean ${JSON.stringify(nearest)}?`;
  const message = `The network has not described the key ${JSON.stringify(key.slice(0, COMPARED_LENGTH_MAX))}; ${hint}`;
  return [{ path, code: 'undefined_key', message }];
}
