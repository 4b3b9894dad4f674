import type { Reply } from './agent-client.ts';
import { includes, isSame, valuesAt } from './paths.ts';
import type { ResponseSchemas } from './response-schemas.ts';
import type { Step, Validation } from './storyboard.ts';

/** What a check looks at. */
export interface Checked {
  readonly reply: Reply;
  readonly step: Step;
  readonly schemas: ResponseSchemas;
  /** Values that earlier steps captured. */
  readonly context: ReadonlyMap<string, unknown>;
  readonly contributed: ReadonlySet<string>;
}

/** The result of a check: null when it passes, else what is wrong. `unknown`: this runner has no such check. */
export type CheckResult = string | null | { readonly unknown: string };

type Check = (validation: Validation, checked: Checked) => CheckResult;

const shown = (value: unknown) => JSON.stringify(value)?.slice(0, 200) ?? 'nothing';

const fieldPresent: Check = ({ path = '' }, { reply }) =>
  valuesAt(reply.data, path).some((one) => one !== null) ? null : `${path} is missing`;
const fieldAbsent: Check = ({ path = '' }, { reply }) =>
  valuesAt(reply.data, path).every((one) => one === null) ? null : `${path} is present`;

/** The code of the error of a response, wherever the protocol has it. */
function errorCode({ data }: Reply): unknown {
  return valuesAt(data, 'adcp_error.code')[0] ?? valuesAt(data, 'errors[0].code')[0];
}

const CHECKS: Readonly<Record<string, Check>> = {
  response_schema: (_validation, { reply, step, schemas }) => schemas.check(step.response_schema_ref ?? '', reply.data),
  field_present: fieldPresent,
  field_absent: fieldAbsent,
  envelope_field_present: fieldPresent,
  envelope_field_absent: fieldAbsent,
  envelope_field_pattern: ({ path = '', pattern = '' }, { reply }) =>
    new RegExp(pattern).test(String(valuesAt(reply.data, path)[0])) ? null : `${path} does not match ${pattern}`,
  field_value: ({ path = '', value, allowed_values: allowed }, { reply }) => {
    const [found] = valuesAt(reply.data, path);
    const isFine = allowed === undefined ? isSame(found, value) : allowed.some((one) => isSame(found, one));
    return isFine ? null : `${path} is ${shown(found)}, not ${shown(allowed ?? value)}`;
  },
  field_value_or_absent: ({ path = '', value, allowed_values: allowed = [value] }, { reply }) => {
    const [found = null] = valuesAt(reply.data, path);
    return found === null || allowed.some((one) => isSame(found, one)) ? null : `${path} is ${shown(found)}`;
  },
  field_contains: ({ path = '', value, allowed_values: allowed = [value] }, { reply }) => {
    const found = valuesAt(reply.data, path);
    return found.some((one) => allowed.some((wanted) => includes(one, wanted)))
      ? null
      : `${path} has ${shown(found)}, not ${shown(allowed)}`;
  },
  field_equals_context: ({ path = '', context_key: key = '' }, { reply, context }) =>
    isSame(valuesAt(reply.data, path)[0], context.get(key)) ? null : `${path} is not ${shown(context.get(key))}`,
  field_less_than: ({ path = '', value }, { reply }) =>
    Number(valuesAt(reply.data, path)[0]) < Number(value) ? null : `${path} is not below ${shown(value)}`,
  error_code: ({ value, allowed_values: allowed = value === undefined ? [] : [value] }, { reply }) => {
    const code = errorCode(reply);
    if (typeof code !== 'string') return `the response has no error code: ${shown(reply.data)}`;
    return allowed.length === 0 || allowed.includes(code)
      ? null
      : `the error is ${code}, not ${allowed.join(' or ')}: ${shown(reply.data)}`;
  },
  http_status: ({ value }, { reply }) => (reply.status === value ? null : `the status is ${reply.status}`),
  http_status_in: ({ allowed_values: allowed = [] }, { reply }) =>
    allowed.includes(reply.status) ? null : `the status is ${reply.status}`,
  on_401_require_header: ({ value }, { reply }) =>
    reply.status !== 401 || String(value).toLowerCase() in reply.headers ? null : `there is no header ${String(value)}`,
  any_of: ({ allowed_values: allowed = [] }, { contributed }) =>
    allowed.some((one) => contributed.has(String(one))) ? null : `none of ${allowed.join(', ')} was contributed`,
};

/** Runs one check of a step. */
export function runCheck(validation: Validation, checked: Checked): CheckResult {
  const check = CHECKS[validation.check];
  return check === undefined ? { unknown: validation.check } : check(validation, checked);
}
