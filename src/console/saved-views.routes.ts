import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { PlacardError } from '../domain/errors.ts';
import type { Principal } from '../domain/principal.ts';
import { type Environment, ENVIRONMENTS, pathPrefix } from '../domain/workspace.ts';
import type { Database } from '../storage/sql/schema.ts';
import {
  deleteSavedView,
  insertSavedView,
  listSavedViews,
  SAVED_KINDS,
  type SavedViewInput,
  type SavedViewScope,
  updateSavedView,
} from './saved-views.sql.ts';

/** What the routes of saved views need. */
export interface SavedViewDeps {
  readonly sql: Kysely<Database>;
  /** @throws PlacardError of the authentication codes */
  authenticate(
    request: FastifyRequest,
    options: { readonly operation: string; readonly environment: Environment },
  ): Promise<Principal>;
  nowMs(): number;
}

const viewBody = z.object({ search: z.string().max(8_000) });
const dashboardBody = z.object({ views: z.array(z.string().regex(/^\d{1,18}$/)).max(24) });
const input = z
  .object({
    kind: z.enum(SAVED_KINDS),
    name: z.string().trim().min(1).max(200),
    shared: z.boolean(),
    body: z.union([viewBody.strict(), dashboardBody.strict()]),
  })
  .refine((value) => 'search' in value.body === (value.kind === 'view'), {
    path: ['body'],
    message: 'does not fit the kind',
  });
const change = z.intersection(input, z.object({ version: z.int().min(1) }));

/** Adds `/console-api/views` and its staging twin: what people keep of the Lens. Sessions only; keys have no views. */
export function registerSavedViews(app: FastifyInstance, deps: SavedViewDeps): void {
  for (const environment of ENVIRONMENTS) {
    const base = `${pathPrefix(environment)}/console-api/views`;
    const now = (): Date => new Date(deps.nowMs());
    const scopeOf = async (request: FastifyRequest): Promise<SavedViewScope> => {
      const principal = await deps.authenticate(request, { operation: 'console.views', environment });
      return { workspaceId: principal.workspaceId, userId: principal.id };
    };
    app.get(base, async (request, reply) => {
      const views = await listSavedViews(deps.sql, await scopeOf(request));
      return reply.header('cache-control', 'no-store').send({ views });
    });
    app.post(base, { bodyLimit: 65_536 }, async (request, reply) => {
      const scope = await scopeOf(request);
      const view = await insertSavedView(deps.sql, scope, parse(input, request.body) as SavedViewInput, now());
      return reply.code(201).send(view);
    });
    app.put<{ Params: { id: string } }>(`${base}/:id`, { bodyLimit: 65_536 }, async (request) => {
      const scope = await scopeOf(request);
      const changed = parse(change, request.body) as SavedViewInput & { version: number };
      return updateSavedView(deps.sql, scope, { ...changed, id: request.params.id }, now());
    });
    app.delete<{ Params: { id: string } }>(`${base}/:id`, async (request) => {
      await deleteSavedView(deps.sql, await scopeOf(request), request.params.id);
      return {};
    });
  }
}

/** @throws PlacardError `validation_failed` naming each field */
function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map((issue) => ({
    path: issue.path.join('.') || 'body',
    code: issue.code,
    message: issue.message,
  }));
  throw new PlacardError('validation_failed', 'Some fields are missing or wrong.', { fields });
}
