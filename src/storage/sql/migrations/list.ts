import type { Migration } from 'kysely';
import * as networksAndBooking from './0001-networks-and-booking.sql.ts';
import * as access from './0002-access.sql.ts';

/** Every migration by name, in the order of their numbers. A migration that has shipped is never edited. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-networks-and-booking': networksAndBooking as Migration,
  '0002-access': access as Migration,
};
