import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import type { GivenPasskey } from './passkeys.ts';

const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/);
const common = {
  id: base64url(1_400),
  rawId: base64url(1_400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['cross-platform', 'platform']).optional(),
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
};
const attempt = z.string().min(1).max(100);
const signature = z.object({
  clientDataJSON: base64url(4_000),
  authenticatorData: base64url(4_000),
  signature: base64url(8_000),
  // Some browsers write null when the authenticator returned no user handle.
  userHandle: base64url(200)
    .nullish()
    .transform((handle) => handle ?? undefined),
});
const attestation = z.object({
  clientDataJSON: base64url(4_000),
  attestationObject: base64url(14_000),
  transports: z.array(z.string().max(30)).max(10).optional(),
});

/** The response of a browser to a request for a passkey. */
export const givenPasskey = z.object({
  attempt,
  response: z
    .object({ ...common, response: signature })
    .transform((response) => response as AuthenticationResponseJSON),
}) satisfies z.ZodType<GivenPasskey>;

/** The response of a browser that has made a passkey, and its owner's name for it. */
export const madePasskey = z.object({
  attempt,
  name: z.string().max(200),
  response: z
    .object({ ...common, response: attestation })
    .transform((response) => response as RegistrationResponseJSON),
});
