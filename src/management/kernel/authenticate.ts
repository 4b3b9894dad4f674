import type { FastifyRequest } from 'fastify';
import type { AuthenticatedPrincipal } from '../../access/permissions/permissions.ts';
import type { Environment } from '../../domain/tenancy/workspace.ts';

/** Admits a request, or throws the error that the caller gets. The access module provides the function. */
export type Authenticate = (
  request: FastifyRequest,
  options: { readonly environment: Environment; readonly operation: string },
) => Promise<AuthenticatedPrincipal>;
