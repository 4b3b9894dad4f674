/** The API description of `/graphql`. The engine validates requests; contract/schema.graphql describes documents. */
import { z } from 'zod';

/** A GraphQL request. */
export const GraphqlRequest = z.looseObject({
  query: z.string().min(1).describe('A GraphQL document.'),
  variables: z.record(z.string(), z.unknown()).nullable().optional(),
  operationName: z.string().nullable().optional(),
});

/** A GraphQL response. */
export const GraphqlAnswer = z.looseObject({
  data: z.unknown().optional(),
  errors: z.array(z.looseObject({ message: z.string() })).optional(),
});
