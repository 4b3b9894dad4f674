import type { FastifyInstance } from 'fastify';
import { previewRoutes } from '../../delivery/preview/preview.routes.ts';
import { mountRoutes } from '../../http/core/core-server.ts';
import type { AssetStore } from '../../storage/assets.ts';
import type { ChildContext } from '../supervisor/part.ts';
import type { Stores } from './stores.ts';

/** Adds the pages of previews to the core. Returns what the management API knows of their address, and of stored files. */
export function mountPreviews(
  app: FastifyInstance,
  { stores, assets }: { readonly stores: Stores; readonly assets: Pick<AssetStore, 'get'> },
  endpoints: ChildContext['endpoints'],
) {
  const { sql, secrets } = stores;
  const deliveryUrl = endpoints.deliveryPublicUrl;
  mountRoutes(app, previewRoutes({ sql: sql.db, secret: secrets.pepper, deliveryUrl, nowMs: Date.now }));
  return {
    publicUrl: endpoints.corePublicUrl,
    hasAsset: async (name: string): Promise<boolean> => (await assets.get(name)) !== null,
  };
}
