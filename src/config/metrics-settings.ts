import { z } from 'zod';
import { addressList, integer, setting } from './setting-spec.ts';

const TOKEN_CHARS_MIN = 16;
const tokenMessage = `write a token of at least ${TOKEN_CHARS_MIN} printable characters without spaces`;

/** Settings of the metrics of all processes of a machine. */
export const metricsSettings = {
  metricsPort: setting({
    name: 'PLACARD_METRICS_PORT',
    kind: 'port',
    default: null,
    defaultTitle: 'none',
    secret: false,
    description:
      'Port at which the metrics of all processes of this machine are read together (`/metrics`, plain HTTP), each with the label `process`.',
    example: '9464',
    schema: integer(0, 65_535).nullable(),
  }),
  metricsToken: setting({
    name: 'PLACARD_METRICS_TOKEN',
    kind: 'text',
    default: null,
    defaultTitle: 'none',
    secret: true,
    reload: true,
    description: 'Bearer token that callers of the metrics port send; PLACARD_METRICS_ALLOWED then does not count.',
    example: 'a-long-random-text',
    schema: z
      .string()
      .regex(/^[\x21-\x7e]+$/, tokenMessage)
      .min(TOKEN_CHARS_MIN, tokenMessage)
      .nullable(),
  }),
  metricsAllowed: setting({
    name: 'PLACARD_METRICS_ALLOWED',
    kind: 'list of addresses and CIDR ranges',
    default: '127.0.0.0/8,::1',
    defaultTitle: '127.0.0.0/8,::1',
    secret: false,
    reload: true,
    description: 'Who may read the metrics port when there is no token.',
    example: '10.0.0.0/8',
    schema: addressList(),
  }),
} as const;
