import type { FieldProblem } from '../../../domain/errors.ts';
import { findUrlProblem, type WebhookPolicy } from '../../../http/webhooks/webhook-target.ts';
import { NOTICE_SCHEMES, type NoticeTarget } from '../../changes/agent-notice-target.ts';
import { builder } from '../../kernel/builder.ts';
import { enumOf } from '../../kernel/described-enum.ts';
import { report } from '../../kernel/field.ts';
import { checkText } from '../../kernel/scalar-fields.ts';

const CREDENTIALS = { min: 32, max: 1_000 };
const TOKEN = { min: 16, max: 4_096 };
const OPERATION_ID = /^[A-Za-z0-9_.:-]{1,255}$/;
/** What a header can hold. */
const PRINTABLE = /^[\x21-\x7e]*$/;

const SchemeRef = enumOf('AgentNoticeScheme', 'How the receiver of a notice knows its sender.', NOTICE_SCHEMES);

export const StatusRef = enumOf('AgentNoticeStatus', 'How far the notice of a decision is.', {
  WAITING: 'There is no decision yet.',
  PENDING: 'It waits for its next try.',
  DELIVERED: 'The receiver accepted it.',
  FAILED: 'It was given up after its last try.',
});

/** Where an agent wants to be told of a decision. */
export const NoticeInput = builder.inputType('AgentNoticeInput', {
  description:
    'Where the caller is told of the decision, where a person decides: one message, tried again until it is accepted, in the form of the task webhooks of the Ad Context Protocol.',
  fields: (t) => ({
    url: t.string({ required: true, description: 'A public https:// address.' }),
    scheme: t.field({ type: SchemeRef, description: 'Default: HTTP_SIGNATURE.' }),
    credentials: t.string({
      description: `The shared secret or token, ${CREDENTIALS.min}…${CREDENTIALS.max} characters; for HMAC_SHA256 and BEARER. It is stored sealed, and deleted after the message.`,
    }),
    token: t.string({ description: `A text that comes back in the message, ${TOKEN.min}…${TOKEN.max} characters.` }),
    operationId: t.string({
      description: "The caller's own id, which comes back in the message; default: the request's.",
    }),
  }),
});

/** The target of an input. Reports each wrong field. */
export function readNotice(
  given: typeof NoticeInput.$inferInput,
  path: string,
  { policy, problems }: { readonly policy: WebhookPolicy; readonly problems: FieldProblem[] },
): NoticeTarget {
  const address = findUrlProblem(given.url, policy);
  if (address !== null) report(problems, `${path}.url`, 'invalid_webhook_url', address);
  const scheme = given.scheme ?? 'HTTP_SIGNATURE';
  const credentials = given.credentials ?? null;
  if (scheme === 'HTTP_SIGNATURE' && credentials !== null)
    report(problems, `${path}.credentials`, 'not_allowed', 'A signature with the key of the network has none.');
  if (scheme !== 'HTTP_SIGNATURE') checkSecret(credentials ?? '', `${path}.credentials`, CREDENTIALS, problems);
  if (given.token !== null && given.token !== undefined) checkSecret(given.token, `${path}.token`, TOKEN, problems);
  const operationId = given.operationId ?? null;
  if (operationId !== null)
    checkText(
      operationId,
      `${path}.operationId`,
      { lengthMax: 255, pattern: OPERATION_ID, wants: 'letters, digits and _ . : -' },
      problems,
    );
  return { url: given.url, scheme, credentials, token: given.token ?? null, operationId };
}

function checkSecret(
  text: string,
  path: string,
  { min, max }: { readonly min: number; readonly max: number },
  problems: FieldProblem[],
): void {
  if (text.length < min || text.length > max || !PRINTABLE.test(text))
    report(problems, path, 'invalid', `Give ${min} to ${max} printable characters without spaces.`);
}
