import type { Environment } from '../../domain/tenancy/workspace.ts';

/** The environment that a route of the core belongs to, by its pattern (an address can be written in many ways): everything below `/staging/` is staging (conformance E2). */
export function environmentOf(pattern: string): Environment {
  return pattern.startsWith('/staging/') ? 'staging' : 'production';
}
