import type { Kysely } from 'kysely';
import type { Creative } from '../../domain/booking/creative.ts';
import type { PreviewLink } from '../../domain/booking/preview-link.ts';
import type { Database } from '../../storage/sql/schema.ts';

/** What a preview shows of a creative, whatever its state. */
export type Previewed = Pick<Creative, 'id' | 'name' | 'width' | 'height' | 'content' | 'clickUrl' | 'reviewState'>;

const TABLES = { creative: 'creatives', library: 'library_creatives' } as const;

/** Reads the creative of a link; undefined when it is gone. */
export async function readPreviewed(
  sql: Kysely<Database>,
  { workspaceId, kind, id }: PreviewLink,
): Promise<Previewed | undefined> {
  const row = await sql
    .selectFrom(TABLES[kind])
    .select(['id', 'name', 'width', 'height', 'content', 'click_url', 'review_state'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', BigInt(id))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { name, width, height, content } = row;
  return {
    id: String(row.id),
    name,
    width,
    height,
    content,
    clickUrl: row.click_url,
    reviewState: row.review_state,
  };
}
