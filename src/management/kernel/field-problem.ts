import type { FieldProblem } from '../../domain/errors.ts';
import { PROBLEM_CODES, type ProblemCode } from '../../domain/problem-codes.ts';
import { builder } from './builder.ts';

const ProblemCodeRef = builder.enumType('ProblemCode', {
  description: 'What is wrong with a field. Later versions may add codes.',
  values: Object.fromEntries(
    Object.entries(PROBLEM_CODES).map(([code, description]) => [
      code.toUpperCase(),
      { value: code as ProblemCode, description },
    ]),
  ),
});

/** One wrong or doubtful input field. */
export const FieldProblemRef = builder.objectRef<FieldProblem>('FieldProblem').implement({
  description: 'One wrong or doubtful field of an input.',
  fields: (t) => ({
    path: t.exposeString('path', { description: 'Where it is, such as `input.frequencyCaps.0.count`.' }),
    code: t.field({ type: ProblemCodeRef, description: 'What is wrong.', resolve: ({ code }) => code }),
    message: t.exposeString('message', { description: 'What to do about it.' }),
  }),
});
