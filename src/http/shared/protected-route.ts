import type { Principal } from '../../domain/tenancy/principal.ts';
import type { HttpReply, HttpRequest, Route } from './route.ts';

/**
 * A route that opens only to an authenticated caller. It names its operation in the permission table; `runtime/compose`
 * wraps it into a plain {@link Route} that authenticates, authorises and counts limits before the handler runs.
 */
export interface ProtectedRoute extends Omit<Route, 'handler' | 'corsCredentials'> {
  /** The operation's name in the permission table of the access module, such as `ads.request`. */
  readonly operation: string;
  handler(request: HttpRequest, principal: Principal): HttpReply | Promise<HttpReply>;
}
