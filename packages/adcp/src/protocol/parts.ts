import { z } from 'zod';

/** Longest name or label, in characters. */
const NAME_MAX = 255;
/** Longest text in words, in characters: a brief, a reason. */
const TEXT_MAX = 10_000;
const ID_MAX = 255;
const URL_MAX = 2_048;
/** Most entries of a list without a bound of its own. */
export const LIST_MAX = 100;

export const Name = z.string().min(1).max(NAME_MAX);
export const Text = z.string().max(TEXT_MAX);
export const Id = z.string().min(1).max(ID_MAX);
export const Url = z.url({ protocol: /^https?$/ }).max(URL_MAX);
export const Instant = z.iso.datetime({ offset: true });
export const Amount = z.number().min(0).max(1e12);

export const Domain = z
  .string()
  .max(253)
  .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/);

export const BrandRef = z.looseObject({ domain: Domain, brand_id: z.string().max(ID_MAX).optional() });

/** An account by its id, or by its brand and the operator that buys for it. */
export const AccountRef = z.union([
  z.strictObject({ account_id: Id }),
  z.strictObject({ brand: BrandRef, operator: Domain, sandbox: z.boolean().optional() }),
]);
export type AccountRef = z.infer<typeof AccountRef>;

export const FormatId = z.looseObject({
  agent_url: Url,
  id: z
    .string()
    .max(ID_MAX)
    .regex(/^[a-zA-Z0-9_-]+$/),
  width: z.int().min(1).max(100_000).optional(),
  height: z.int().min(1).max(100_000).optional(),
  duration_ms: z.number().min(1).max(86_400_000).optional(),
});
export type FormatId = z.infer<typeof FormatId>;

/** Data of the caller that comes back unchanged. */
export const Context = z.record(z.string(), z.unknown());

export const IdempotencyKey = z.string().regex(/^[A-Za-z0-9_.:-]{16,255}$/);

/** A page of a list. */
export const PageRequest = z.strictObject({
  max_results: z.int().min(1).max(100).optional(),
  cursor: z.string().max(1_000).optional(),
});
export type PageRequest = z.infer<typeof PageRequest>;

/** The address at which the buyer is told of a publisher's decision. A task that ends at once is told by its response alone. */
export const PushConfig = z.looseObject({
  url: Url,
  operation_id: z
    .string()
    .regex(/^[A-Za-z0-9_.:-]{1,255}$/)
    .optional(),
  token: z.string().min(16).max(4_096).optional(),
  authentication: z
    .strictObject({
      schemes: z.array(z.enum(['Bearer', 'HMAC-SHA256'])).length(1),
      credentials: z.string().min(32).max(1_000),
    })
    .optional(),
});
export type PushConfig = z.infer<typeof PushConfig>;

/** What every request may have. */
export const RequestBase = {
  adcp_version: z.string().max(40).optional(),
  adcp_major_version: z.int().min(1).max(99).optional(),
  context: Context.optional(),
  ext: z.record(z.string(), z.unknown()).optional(),
};
