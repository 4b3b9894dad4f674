import {
  EXPERIMENT_DAYS_MAX,
  EXPERIMENT_RULES,
  type ExperimentRule,
  SHARE_PERCENT_MAX,
} from '../../../domain/experiments/experiment.ts';
import { LifecycleRef } from '../../fields/enumerations.ts';
import { oneByOne } from '../../kernel/checks.ts';
import { enumOf } from '../../kernel/described-enum.ts';
import { anyOf, type Resource, registerResource } from '../../kernel/resource.ts';
import { enumField, instantField, integerField, textField } from '../../kernel/scalar-fields.ts';
import { loadExperimentFacts } from './experiment-facts.sql.ts';
import { endArchived, validateExperiment } from './experiment.rules.ts';

const described = Object.entries(EXPERIMENT_RULES).map(([rule, { description }]) => [rule, description]);

/** The rules by which a share of the traffic can be decided. */
export const ExperimentRuleRef = enumOf(
  'ExperimentRule',
  'How an experiment decides its share of the traffic.',
  Object.fromEntries(described) as Record<ExperimentRule, string>,
);

/** A share of the traffic that another rule decides for a time. */
export const EXPERIMENT: Resource = registerResource({
  type: 'Experiment',
  singular: 'experiment',
  plural: 'experiments',
  description:
    'A share of the traffic that another rule decides for a time, to see what the usual one earns. Of those that have not ended, a network environment has one at most.',
  table: 'experiments',
  fields: [
    textField({ name: 'name', description: 'Name.', lengthMax: 200, required: true }),
    enumField({
      name: 'rule',
      description: 'How its share of the traffic is decided. It cannot change.',
      type: ExperimentRuleRef,
      required: true,
      createOnly: true,
    }),
    integerField({
      name: 'sharePercent',
      description: `The share of users, and of requests without a user, that the rule decides, in percent: 1…${SHARE_PERCENT_MAX}. It is fixed once the experiment has begun.`,
      min: 1,
      max: SHARE_PERCENT_MAX,
      initial: null,
      required: true,
    }),
    instantField({
      name: 'startsAt',
      description: 'When it begins. It is fixed once the experiment has begun.',
      required: true,
    }),
    instantField({
      name: 'endsAt',
      description: `When it ends, at most ${EXPERIMENT_DAYS_MAX} days after it begins. The present instant stops it. It is fixed once the experiment has ended.`,
      required: true,
    }),
    enumField({
      name: 'status',
      description: 'Whether it is kept in lists. Archiving ends it.',
      type: LifecycleRef,
      initial: 'ACTIVE',
    }),
  ],
  filters: [anyOf('statuses', 'status', LifecycleRef, 'Only with one of these statuses.')],
  searchColumns: ['name'],
  derive: endArchived,
  validate: validateExperiment,
  loadFacts: oneByOne(loadExperimentFacts),
});
