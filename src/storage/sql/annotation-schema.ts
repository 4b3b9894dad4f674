import type { ColumnType, Generated } from 'kysely';
import type { ExperimentRule } from '../../domain/experiments/experiment.ts';
import type { CustomFieldType } from '../../domain/booking/custom-field.ts';
import type { Targeting } from '../../domain/targeting/targeting.ts';

type Defaulted<T> = ColumnType<T, T | undefined, T>;
type StoredAt = ColumnType<Date, Date | string | undefined, Date | string>;

/** What people write on booked objects: columns of each of their tables. */
export interface Annotations {
  notes: Defaulted<string>;
  labels: Defaulted<string[]>;
  /** E-mail address of a member. */
  owner: Defaulted<string | null>;
  team_id: ColumnType<bigint | null, bigint | null | undefined, bigint | null>;
  custom_fields: ColumnType<Record<string, string | number | boolean>, string | undefined, string>;
}

interface OwnedRow {
  workspace_id: number;
  id: Generated<bigint>;
  version: Generated<number>;
  created_at: StoredAt;
  updated_at: StoredAt;
  updated_by: Defaulted<string>;
  status: Defaulted<'ACTIVE' | 'ARCHIVED'>;
}

interface TeamsTable extends OwnedRow {
  name: string;
  description: Defaulted<string>;
  members: Defaulted<string[]>;
}

interface CustomFieldsTable extends OwnedRow {
  key: string;
  name: string;
  description: Defaulted<string>;
  type: CustomFieldType;
  choices: Defaulted<string[]>;
  kinds: Defaulted<string[]>;
}

interface ExperimentsTable extends OwnedRow {
  name: string;
  rule: ExperimentRule;
  share_percent: number;
  starts_at: ColumnType<Date, Date | string, Date | string>;
  ends_at: ColumnType<Date, Date | string, Date | string>;
}

interface TargetingPresetsTable extends OwnedRow {
  name: string;
  description: Defaulted<string>;
  targeting: ColumnType<Targeting, string, string>;
}

/** Objects that are not booked: teams, the fields that networks add to their objects, experiments, presets of targeting. */
export interface AnnotationTables {
  teams: TeamsTable;
  custom_fields: CustomFieldsTable;
  experiments: ExperimentsTable;
  targeting_presets: TargetingPresetsTable;
}
