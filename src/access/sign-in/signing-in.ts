import type { FastifyInstance } from 'fastify';
import { registerAccountMail } from './account-mail.routes.ts';
import { type OidcRoutesDeps, registerOidc } from './oidc.routes.ts';
import { Oidc, type OidcSettings } from './oidc.ts';
import { newStartLimit, registerPasskeys } from './passkeys.routes.ts';
import { Passkeys } from './passkeys.ts';
import { registerSignIn } from './sign-in.routes.ts';
import { SignIn, type SignInDeps } from './sign-in.ts';
import type { StartLink } from './start-link.ts';
import { Verifier } from './verifier.ts';

/** Dependencies of all ways to sign in. */
export interface SigningInDeps extends SignInDeps {
  /** The address under which browsers reach the core. */
  readonly publicUrl: string | undefined;
  readonly oidc: OidcSettings | undefined;
  readonly startLink: StartLink | undefined;
}

const NO_OIDC: OidcSettings = { provider: null, networkIssuers: [], allowedRanges: [], allowHttpLoopback: false };

/** Adds every route below `/auth`: password, passkeys, OpenID Connect, mail, and one's own account. */
export function registerSigningIn(
  app: FastifyInstance,
  deps: SigningInDeps,
  authenticate: OidcRoutesDeps['authenticate'],
): void {
  const { publicUrl = 'https://localhost', oidc: settings = NO_OIDC, startLink, ...signInDeps } = deps;
  const passkeys = new Passkeys({ ...signInDeps, publicUrl });
  const routes = { ...signInDeps, signIn: new SignIn(signInDeps, passkeys), verifier: new Verifier(signInDeps) };
  registerSignIn(app, startLink === undefined ? routes : { ...routes, startLink });
  registerAccountMail(app, routes);
  const withPasskeys = { ...routes, passkeys, starts: newStartLimit(signInDeps) };
  registerPasskeys(app, withPasskeys);
  registerOidc(app, { ...withPasskeys, oidc: new Oidc({ ...signInDeps, publicUrl, settings }), authenticate });
}
