import { randomUUID } from 'node:crypto';
import type { AgentClient, Reply } from './agent-client.ts';
import { isSame, mapTexts, valuesAt } from './paths.ts';
import type { ResponseSchemas } from './response-schemas.ts';
import type { Phase, Step, Storyboard, TestKit } from './storyboard.ts';
import { buildAssets } from './build-assets.ts';
import { runCheck } from './validations.ts';

/** How a step ended. `not_applicable` names its reason; the seller is not at fault. */
export interface StepResult {
  readonly storyboard: string;
  readonly phase: string;
  readonly step: string;
  readonly result: 'passed' | 'failed' | 'not_applicable';
  /** What failed, or why the step does not apply. */
  readonly reasons: readonly string[];
}

/** The seller, its buyer's kit and the known ids of a run. */
export interface RunOptions {
  readonly client: AgentClient;
  readonly schemas: ResponseSchemas;
  readonly kit: TestKit;
  /** What the publisher does when a task waits for it. */
  readonly onSubmitted?: (taskId: string) => Promise<void>;
  /** Ids of the storyboard's fixtures, as they are in the seller. */
  readonly aliases?: ReadonlyMap<string, unknown>;
  /** Why steps do not apply: `<storyboard id>` or `<storyboard id>/<step id>`, with the reason. */
  readonly exclusions?: Readonly<Record<string, string>>;
}

interface Run extends RunOptions {
  readonly storyboard: Storyboard;
  readonly tools: ReadonlySet<string>;
  readonly capabilities: unknown;
  readonly context: Map<string, unknown>;
  readonly contributed: Set<string>;
  readonly passed: Set<string>;
}

/** Tasks of the runner itself, and what this runner needs for each. */
const RUNNER_TASKS: Readonly<Record<string, string>> = {
  protected_resource_metadata: 'the seller has static keys and no OAuth',
  oauth_auth_server_metadata: 'the seller has static keys and no OAuth',
  expect_webhook: 'this runner receives no webhooks',
  expect_webhook_retry_keys_stable: 'this runner receives no webhooks',
  expect_webhook_signature_valid: 'this runner receives no webhooks',
  expect_substitution_safe: 'this runner observes no macros',
};

/** Runs a storyboard from its first step to its last one. */
export async function runStoryboard(storyboard: Storyboard, options: RunOptions): Promise<StepResult[]> {
  const { data: capabilities } = await options.client.call('get_adcp_capabilities', {});
  const run: Run = {
    ...options,
    storyboard,
    tools: new Set(await options.client.listTools()),
    capabilities,
    context: new Map(Object.entries(storyboard.context ?? {})),
    contributed: new Set(),
    passed: new Set(),
  };
  const unmet = unmetBy(run, storyboard) ?? options.exclusions?.[storyboard.id] ?? null;
  const results: StepResult[] = [];
  for (const phase of storyboard.phases) {
    const reason = unmet ?? unmetBy(run, phase) ?? skippedBy(run, phase);
    const inPhase: StepResult[] = [];
    for (const step of phase.steps ?? []) {
      const result = reason === null ? await runStep(run, phase, step) : notApplicable(reason);
      if (result.result === 'passed') contribute(run, phase, step);
      inPhase.push({ storyboard: storyboard.id, phase: phase.id, step: step.id, ...result });
    }
    results.push(...inPhase);
  }
  return forgiveOtherBranches(results, run);
}

type Graded = Pick<StepResult, 'result' | 'reasons'>;

function notApplicable(reason: string): Graded {
  return { result: 'not_applicable', reasons: [reason] };
}

function unmetBy({ capabilities }: Run, { requires_capability: wanted }: Pick<Phase, 'requires_capability'>) {
  if (wanted === undefined) return null;
  const found = valuesAt(capabilities, wanted.path);
  const isMet =
    wanted.contains === undefined
      ? wanted.equals === undefined
        ? found.length > 0 === (wanted.present ?? true)
        : isSame(found[0], wanted.equals)
      : found.flat().some((one) => isSame(one, wanted.contains));
  return isMet ? null : `the seller does not declare ${wanted.path}`;
}

function skippedBy({ kit }: Run, { skip_if: expression }: Phase): string | null {
  const match = /^(!?)test_kit\.(.+)$/.exec(expression ?? '');
  if (match === null) return null;
  const isThere = valuesAt(kit, match[2] ?? '').length > 0;
  return isThere === (match[1] === '') ? `the phase is skipped if ${expression}` : null;
}

async function runStep(run: Run, phase: Phase, step: Step): Promise<Graded> {
  const excluded = run.exclusions?.[`${run.storyboard.id}/${step.id}`];
  if (excluded !== undefined) return notApplicable(excluded);
  const task = taskOf(run, step);
  if (task === 'assert_contribution') return grade(run, step, NO_REPLY);
  const missing = RUNNER_TASKS[task] ?? (run.tools.has(task) ? null : `the seller has no tool ${task}`);
  if (missing !== null) return notApplicable(missing);
  if (step.requires_tool !== undefined && !run.tools.has(step.requires_tool))
    return notApplicable(`the seller has no tool ${step.requires_tool}`);
  const unresolved: string[] = [];
  const resolved = resolve(run, step.sample_request ?? {}, unresolved);
  const request = (await buildAssets(resolved, run)) as object;
  if (unresolved.length > 0) {
    const text = `an earlier step did not capture ${unresolved.join(', ')}`;
    return phase.optional === true ? notApplicable(text) : { result: 'failed', reasons: [text] };
  }
  const first = await run.client.call(task, request, step.auth);
  const reply = await withCompletion(run, step, first);
  const graded = grade(run, step, reply);
  if (graded.result !== 'failed') capture(run, step, reply);
  return graded;
}

/** A response that waits for a person, with the result of its task as `task_completion` where the step reads it. */
async function withCompletion({ client, onSubmitted }: Run, step: Step, reply: Reply): Promise<Reply> {
  const wantsResult = step.context_outputs?.some(({ path }) => path?.startsWith('task_completion.')) === true;
  const [taskId] = valuesAt(reply.data, 'task_id');
  if (!wantsResult || typeof taskId !== 'string' || onSubmitted === undefined) return reply;
  await onSubmitted(taskId);
  const { data } = await client.call('get_task_status', { task_id: taskId, include_result: true });
  return { ...reply, data: { ...(reply.data as object), task_completion: valuesAt(data, 'result')[0] } };
}

const NO_REPLY: Reply = { status: 0, headers: {}, data: null, isError: false };

function taskOf({ kit }: Run, { task, task_default: fallback }: Step): string {
  if (!task.startsWith('$test_kit.')) return task;
  const [found] = valuesAt(kit, task.slice('$test_kit.'.length));
  return typeof found === 'string' ? found : (fallback ?? task);
}

/** Replaces placeholders: captured values, generated keys, and ids of fixtures. */
function resolve({ context, aliases }: Run, request: unknown, unresolved: string[]): unknown {
  return mapTexts(request, (text) => {
    if (text.startsWith('$generate:')) return generated(context, text);
    if (!text.startsWith('$context.')) return aliases?.get(text) ?? text;
    const name = text.slice('$context.'.length);
    if (!context.has(name)) unresolved.push(name);
    return context.get(name);
  });
}

/** The same placeholder is the same id throughout a run. */
function generated(context: Map<string, unknown>, text: string): unknown {
  const known = text.includes('#') ? context.get(text) : undefined;
  const value = known ?? randomUUID();
  context.set(text, value);
  return value;
}

function grade(run: Run, step: Step, reply: Reply): Graded {
  const failures: string[] = [];
  const unknown: string[] = [];
  if (step.expect_error !== true && reply.isError) failures.push(`the call failed: ${JSON.stringify(reply.data)}`);
  for (const validation of step.validations ?? []) {
    const wanted = resolve(run, validation, []) as typeof validation;
    const result = runCheck(wanted, { ...run, reply, step });
    if (typeof result === 'string' && validation.severity !== 'advisory') failures.push(result);
    else if (typeof result === 'object' && result !== null) unknown.push(`this runner has no check ${result.unknown}`);
  }
  if (failures.length > 0) return { result: 'failed', reasons: failures };
  return unknown.length > 0 && unknown.length === step.validations?.length
    ? { result: 'not_applicable', reasons: unknown }
    : { result: 'passed', reasons: unknown };
}

function capture({ context }: Run, { context_outputs: outputs = [] }: Step, reply: Reply): void {
  for (const { name, key, path, generate } of outputs) {
    const target = name ?? key ?? '';
    if (path === undefined) context.set(target, generate === undefined ? null : randomUUID());
    else {
      const [value] = valuesAt(reply.data, path);
      if (value !== undefined) context.set(target, value);
    }
  }
}

function contribute({ contributed, passed }: Run, { branch_set: set }: Phase, step: Step): void {
  passed.add(step.id);
  const wanted = /^prior_step\.(.+)\.passed$/.exec(step.contributes_if ?? '')?.[1];
  if (wanted !== undefined && !passed.has(wanted)) return;
  const flag = step.contributes_to ?? (step.contributes === true ? set?.id : undefined);
  if (flag !== undefined) contributed.add(flag);
}

/** Of several branches one is enough: failures of the others do not count once one has contributed. */
function forgiveOtherBranches(results: readonly StepResult[], { storyboard, contributed }: Run): StepResult[] {
  const others = new Set(
    storyboard.phases.filter(({ branch_set: set }) => set !== undefined && contributed.has(set.id)).map(({ id }) => id),
  );
  return results.map((one) =>
    one.result === 'failed' && others.has(one.phase)
      ? { ...one, result: 'not_applicable', reasons: ['the seller took another branch', ...one.reasons] }
      : one,
  );
}
