import { z } from 'zod';
import { domainForm } from '../domain/text/one-form.ts';
import { addressList, oneOf, setting } from './setting-spec.ts';

const issuerMessage = 'write the address of the issuer, such as https://login.example.com';
const hostsMessage = 'write host names, separated by commas, such as login.example.com,accounts.google.com, or *';
const HOST = /^(\*|[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?)$/;

/** Text between commas or spaces. */
function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '');
}

/** Sign-in by OpenID Connect: rows of the settings table. */
export const signInSettings = {
  oidcIssuer: setting({
    name: 'PLACARD_OIDC_ISSUER',
    kind: 'address',
    default: null,
    defaultTitle: 'none',
    secret: false,
    description: 'Issuer of the OpenID Connect provider for everyone in this installation.',
    example: 'https://login.example.com',
    schema: z
      .string()
      .regex(/^https?:\/\/[^\s?#]+$/, issuerMessage)
      .nullable(),
  }),
  oidcClientId: setting({
    name: 'PLACARD_OIDC_CLIENT_ID',
    kind: 'text',
    default: null,
    defaultTitle: 'none',
    secret: false,
    description: 'The client ID of this installation at the provider.',
    example: 'placard',
    schema: z.string().nullable(),
  }),
  oidcClientSecret: setting({
    name: 'PLACARD_OIDC_CLIENT_SECRET',
    kind: 'text',
    default: null,
    defaultTitle: 'none',
    secret: true,
    description: 'The client secret from the provider.',
    example: 'wJalrXUtnFEMI',
    schema: z.string().nullable(),
  }),
  oidcName: setting({
    name: 'PLACARD_OIDC_NAME',
    kind: 'text',
    default: 'single sign-on',
    defaultTitle: 'single sign-on',
    secret: false,
    description: 'How the sign-in page names the provider: "Continue with …".',
    example: 'Example Corp',
    schema: z.string().min(1).max(60, 'write at most 60 characters'),
  }),
  oidcNetworkIssuers: setting({
    name: 'PLACARD_OIDC_NETWORK_ISSUERS',
    kind: 'list of host names',
    default: '',
    defaultTitle: 'none',
    secret: false,
    description:
      'Hosts of the providers that admins may set for their own network; * allows any. Without it, networks cannot set a provider.',
    example: 'accounts.google.com,login.microsoftonline.com',
    schema: z
      .string({ error: hostsMessage })
      .transform((text) => listOf(text).map(domainForm))
      .refine((parts) => parts.every((part) => HOST.test(part)), hostsMessage)
      .transform((parts): readonly string[] => Object.freeze(parts)),
  }),
  oidcAllowedRanges: setting({
    name: 'PLACARD_OIDC_ALLOWED_RANGES',
    kind: 'list of addresses and CIDR ranges',
    default: '',
    defaultTitle: 'none',
    secret: false,
    description: 'Private addresses that providers of networks may have; public addresses are always allowed.',
    example: '10.20.0.0/16',
    schema: addressList(),
  }),
  oidcHttpLoopback: setting({
    name: 'PLACARD_OIDC_HTTP_LOOPBACK',
    kind: 'true or false',
    default: 'false',
    defaultTitle: 'false',
    secret: false,
    description: 'Whether a provider on this machine may use plain HTTP, for testing.',
    example: 'true',
    schema: oneOf(['true', 'false']),
  }),
} as const;
