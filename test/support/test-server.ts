import fastify, { type FastifyInstance } from 'fastify';
import { toFrameworkLog } from '../../src/http/core/framework-log.ts';
import { silentLog } from './stores.ts';

/** A server for routes of the core, with its logger: `request.log.event` exists as in production. */
export function createTestServer(): FastifyInstance {
  return fastify({ loggerInstance: toFrameworkLog(silentLog) });
}
