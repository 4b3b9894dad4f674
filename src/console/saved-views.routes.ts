import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { PlacardError } from '../domain/errors.ts';
import type { Principal } from '../domain/tenancy/principal.ts';
import { inNfc } from '../domain/text/one-form.ts';
import { type Environment, ENVIRONMENTS, pathPrefix } from '../domain/tenancy/workspace.ts';
import type { Database } from '../storage/sql/schema.ts';
import { dashboardBody, storableText } from './dashboard-widgets.ts';
import {
  deleteSavedView,
  insertSavedView,
  isSuspended,
  listSavedViews,
  type SavedKind,
  type SavedViewInput,
  type SavedViewScope,
  updateSavedView,
} from './saved-views.sql.ts';

/** Dependencies of the routes of saved views. */
export interface SavedViewDeps {
  readonly sql: Kysely<Database>;
  /** @throws PlacardError of the authentication codes */
  authenticate(
    request: FastifyRequest,
    options: { readonly operation: string; readonly environment: Environment },
  ): Promise<Principal>;
  nowMs(): number;
}

const facts = { name: storableText.trim().overwrite(inNfc).min(1).max(200), shared: z.boolean() };
const viewBody = z.strictObject({ search: storableText.max(8_000) });
const input = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('view' satisfies SavedKind), ...facts, body: viewBody }),
  z.object({ kind: z.literal('dashboard' satisfies SavedKind), ...facts, body: dashboardBody }),
]);
const change = z.intersection(input, z.object({ version: z.int32().min(1) }));

/** Adds `/console-api/views` and its staging twin: what people keep of the Lens. Sessions only; keys have no views. */
export function registerSavedViews(app: FastifyInstance, deps: SavedViewDeps): void {
  for (const environment of ENVIRONMENTS) {
    const base = `${pathPrefix(environment)}/console-api/views`;
    const now = (): Date => new Date(deps.nowMs());
    const callers = new WeakMap<FastifyRequest, Principal>();
    const opens = {
      bodyLimit: 65_536,
      // Before the body is read: strangers cannot make us parse anything.
      onRequest: async (request: FastifyRequest): Promise<void> => {
        callers.set(request, await deps.authenticate(request, { operation: 'console.views', environment }));
      },
    };
    const scopeOf = (request: FastifyRequest): SavedViewScope => {
      const principal = callers.get(request);
      if (principal === undefined) throw new PlacardError('authentication_required');
      return { workspaceId: principal.workspaceId, userId: principal.id };
    };
    const writerOf = async (request: FastifyRequest): Promise<SavedViewScope> => {
      const scope = scopeOf(request);
      if (await isSuspended(deps.sql, scope)) throw new PlacardError('network_suspended');
      return scope;
    };
    app.get(base, opens, async (request, reply) => {
      const views = await listSavedViews(deps.sql, scopeOf(request));
      return reply.header('cache-control', 'no-store').send({ views });
    });
    app.post(base, opens, async (request, reply) => {
      const scope = await writerOf(request);
      const view = await insertSavedView(deps.sql, scope, parse(input, request.body) as SavedViewInput, now());
      return reply.code(201).send(view);
    });
    app.put<{ Params: { id: string } }>(`${base}/:id`, opens, async (request) => {
      const scope = await writerOf(request);
      const changed = parse(change, request.body) as SavedViewInput & { version: number };
      return updateSavedView(deps.sql, scope, { ...changed, id: request.params.id }, now());
    });
    app.delete<{ Params: { id: string } }>(`${base}/:id`, opens, async (request) => {
      await deleteSavedView(deps.sql, await writerOf(request), request.params.id);
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
