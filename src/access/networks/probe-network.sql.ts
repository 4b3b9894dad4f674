import { sql } from 'kysely';

/** Whether a network is that in which the installation tries itself. */
export const isProbe = sql<boolean>`networks.settings->>'probe' = 'true'`;

/** Lists leave the probe out: it is nobody's network. */
export const isNoProbe = sql<boolean>`networks.settings->>'probe' IS DISTINCT FROM 'true'`;
