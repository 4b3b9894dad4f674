import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** One check of a response. */
export interface Validation {
  readonly check: string;
  readonly path?: string;
  readonly value?: unknown;
  readonly allowed_values?: readonly unknown[];
  readonly pattern?: string;
  readonly context_key?: string;
  readonly severity?: string;
  readonly description?: string;
}

/** One call of a tool, with the checks of its response. */
export interface Step {
  readonly id: string;
  readonly task: string;
  readonly task_default?: string;
  readonly sample_request?: Readonly<Record<string, unknown>>;
  readonly response_schema_ref?: string;
  readonly expect_error?: boolean;
  readonly auth?: 'none' | { readonly type: string; readonly value_strategy?: string };
  readonly requires_tool?: string;
  readonly contributes?: boolean;
  readonly contributes_to?: string;
  readonly contributes_if?: string;
  readonly omit_idempotency_key?: boolean;
  readonly context_outputs?: readonly {
    readonly name?: string;
    readonly key?: string;
    readonly path?: string;
    readonly generate?: string;
  }[];
  readonly validations?: readonly Validation[];
}

interface Predicate {
  readonly path: string;
  readonly equals?: unknown;
  readonly contains?: unknown;
  readonly present?: boolean;
}

export interface Phase {
  readonly id: string;
  readonly optional?: boolean;
  readonly skip_if?: string;
  readonly branch_set?: { readonly id: string };
  readonly requires_capability?: Predicate;
  /** Absent where a runner makes the steps itself, of test vectors. */
  readonly steps?: readonly Step[];
}

/** Rows of a storyboard that have to exist before it runs. */
export type Fixtures = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

export interface Storyboard {
  readonly id: string;
  readonly title: string;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly required_tools?: readonly string[];
  readonly requires_capability?: Predicate;
  readonly prerequisites?: { readonly test_kit?: string; readonly controller_seeding?: boolean };
  readonly fixtures?: Fixtures;
  readonly phases: readonly Phase[];
}

/** A test kit: a brand with the credentials and the assets of a buyer. */
export type TestKit = Readonly<Record<string, unknown>>;

/** Public data of the protocol: `ADCP_CASES=<folder>` with the schemas and the storyboards. */
export interface AdcpCases {
  readonly storyboards: string;
  readonly schemas: string;
}

/** The cases that `ADCP_CASES` names; null without them. */
export function findCases(): AdcpCases | null {
  const folder = process.env['ADCP_CASES'];
  if (folder === undefined || !existsSync(folder)) return null;
  const newest = (start: string) =>
    readdirSync(folder)
      .filter((name) => name.startsWith(start))
      .sort()
      .at(-1);
  const [storyboards, schemas] = [newest('compliance-'), newest('schemas-')];
  if (storyboards === undefined || schemas === undefined) return null;
  return { storyboards: join(folder, storyboards), schemas: join(folder, schemas) };
}

/** The storyboard of a file, such as `universal/security.yaml`. */
export function readStoryboard({ storyboards }: AdcpCases, path: string): Storyboard {
  return parse(readFileSync(join(storyboards, path), 'utf8')) as Storyboard;
}

/** The test kit of a storyboard; empty where it has none. */
export function readTestKit({ storyboards }: AdcpCases, { prerequisites }: Storyboard): TestKit {
  const path = prerequisites?.test_kit;
  return path === undefined ? {} : (parse(readFileSync(join(storyboards, path), 'utf8')) as TestKit);
}
