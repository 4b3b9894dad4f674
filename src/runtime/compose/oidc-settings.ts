import { INSTALLATION_PROVIDER } from '../../access/sign-in/identity-providers.sql.ts';
import type { OidcSettings } from '../../access/sign-in/oidc.ts';
import type { Settings } from '../../config/settings-table.ts';

/** The settings of sign-in by OpenID Connect. */
export function oidcSettings(settings: Settings): OidcSettings {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret, oidcName: name } = settings;
  const isSet = issuer !== null && clientId !== null && clientSecret !== null;
  return {
    provider: isSet ? { id: INSTALLATION_PROVIDER, name, issuer, clientId, clientSecret } : null,
    networkIssuers: settings.oidcNetworkIssuers,
    allowedRanges: settings.oidcAllowedRanges,
    allowHttpLoopback: settings.oidcHttpLoopback === 'true',
  };
}
