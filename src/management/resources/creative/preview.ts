import { type PreviewLink, sealPreview } from '../../../domain/booking/preview-link.ts';
import { builder } from '../../kernel/builder.ts';
import type { ManagementContext } from '../../kernel/context.ts';
import type { StoredRow } from '../../kernel/field.ts';
import { objectRefOf } from '../../kernel/resource-types.ts';
import { PlacardError } from '../../../domain/errors.ts';

const HOUR_MS = 3_600_000;
const HOURS_MAX = 720;
const HOURS_DEFAULT = 72;

interface Preview {
  readonly url: string;
  readonly expiresAt: Date;
}

const PreviewRef = builder.objectRef<Preview>('CreativePreview').implement({
  description: 'An address that shows a creative as it would serve, to anybody who has it. Nothing is counted there.',
  fields: (t) => ({
    url: t.exposeString('url', {
      description: 'The address; with `?bare` it shows the ad alone, for a frame of its size.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      description: 'When it stops to work.',
      resolve: ({ expiresAt }) => expiresAt,
    }),
  }),
});

const KINDS: Readonly<Record<string, PreviewLink['kind']>> = { Creative: 'creative', LibraryCreative: 'library' };

/** Adds `preview` to creatives, of line items and of the library. */
export function definePreviews(): void {
  for (const [type, kind] of Object.entries(KINDS)) {
    builder.objectField(objectRefOf(type), 'preview', (t) =>
      t.field({
        type: PreviewRef,
        description: 'A signed address that shows it, in whatever state it is.',
        args: {
          hours: t.arg.int({ description: `How long it works, 1…${HOURS_MAX} hours; default ${HOURS_DEFAULT}.` }),
        },
        resolve: (row, { hours }, context) => makePreview(context, { row, kind, hours: hours ?? HOURS_DEFAULT }),
      }),
    );
  }
}

function makePreview(
  { principal, secrets, publicUrl = '', nowMs }: ManagementContext,
  { row, kind, hours }: { readonly row: StoredRow; readonly kind: PreviewLink['kind']; readonly hours: number },
): Preview {
  if (hours < 1 || hours > HOURS_MAX)
    throw new PlacardError('invalid_request', `A preview works for 1 to ${HOURS_MAX} hours; ${hours} were asked for.`);
  const expiresAtMs = nowMs() + hours * HOUR_MS;
  const { workspaceId } = principal;
  const token = sealPreview({ workspaceId, kind, id: String(row.id), expiresAtMs }, secrets.pepper);
  return { url: `${publicUrl}/preview/${token}`, expiresAt: new Date(expiresAtMs) };
}
