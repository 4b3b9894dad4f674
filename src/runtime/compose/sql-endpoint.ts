import type { FastifyInstance } from 'fastify';
import type { AccessService } from '../../access/access-service.ts';
import { SqlError } from '../../sql-endpoint/wire/sql-error.ts';
import type { CallReports } from '../../sql-endpoint/session/report-api.ts';
import { type SqlEndpoint, startSqlEndpoint } from '../../sql-endpoint/sql-endpoint.ts';
import type { Transport } from '../../http/tls/tls.ts';
import type { ChildContext } from '../supervisor/part.ts';

/** Opens the SQL endpoint of the core, where the settings want one. Its statements are requests of the core's own Reports API. */
export async function openSqlEndpoint(
  { settings, endpoints, log }: ChildContext,
  { app, transport, access }: { app: FastifyInstance; transport: Transport; access: Pick<AccessService, 'isKnown'> },
): Promise<SqlEndpoint | null> {
  if (endpoints.sqlPort === null) return null;
  return startSqlEndpoint({
    bind: endpoints.bind,
    port: endpoints.sqlPort,
    tls: transport.tls,
    isPlainAllowed: settings.sqlPlain === 'any',
    connectionsMax: settings.sqlConnections,
    connectionsPerNetworkMax: settings.sqlConnectionsPerNetwork,
    callReports: callsOf(app),
    isCallerKnown: ({ headers, remoteAddress, networkId, pathPrefix }) =>
      access.isKnown({
        headers,
        remoteAddress,
        networkId,
        environment: pathPrefix === '' ? 'production' : 'staging',
        operation: 'reports.load',
      }),
    log,
    nowMs: Date.now,
  });
}

/** Sends requests to a server of this process: the same checks, limits and audit log as from outside. */
export function callsOf(app: FastifyInstance): CallReports {
  return async ({ method, path, headers, body, remoteAddress, signal }) => {
    const reply = await app.inject({
      method,
      url: path,
      remoteAddress,
      headers: { host: 'localhost', 'x-forwarded-proto': 'https', ...headers },
      signal,
      ...(body === undefined ? {} : { payload: body as object }),
    });
    return { status: reply.statusCode, body: parse(reply.body) };
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new SqlError('XX000', 'The report could not be read.', { cause: error });
  }
}
