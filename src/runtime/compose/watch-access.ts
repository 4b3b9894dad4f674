import type { AccessService } from '../../access/access-service.ts';
import type { Stores } from './stores.ts';

/** Tells the directory of known callers about changes in PostgreSQL. */
export function watchAccess(
  { changes }: Pick<Stores, 'changes'>,
  access: AccessService,
): ReturnType<Stores['changes']['watch']> {
  return changes.watch({ onChange: (batch) => access.onChange(batch), onReconnect: () => access.onChange(null) });
}
