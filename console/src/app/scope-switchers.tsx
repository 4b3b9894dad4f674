import { SegmentedControl, Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { isolate } from '../messages/isolate.ts';
import { say } from '../messages/say.ts';
import type { AppSearch } from '../session/app-search.ts';
import { useScope, useSession } from '../session/session.ts';

/** Chooses the network and the environment that everything is about. */
export function ScopeSwitchers() {
  const { networks } = useSession();
  const { networkId, environment } = useScope();
  const navigate = useNavigate();
  const go = (change: AppSearch): void => {
    void navigate({ to: '.', search: (previous: AppSearch) => ({ ...previous, ...change }) });
  };
  return (
    <>
      <Select
        aria-label={say('scope.network')}
        data={networks.map((one) => ({ value: one.id, label: `${isolate(one.name)} (${one.id})` }))}
        value={networkId === '' ? null : networkId}
        allowDeselect={false}
        searchable={networks.length > 8}
        size="xs"
        w={200}
        onChange={(value) => go({ network: value ?? '' })}
      />
      <SegmentedControl
        aria-label={say('scope.environment')}
        size="xs"
        value={environment}
        data={[
          { value: 'production', label: say('scope.production') },
          { value: 'staging', label: say('scope.staging') },
        ]}
        onChange={(value) => go({ env: value === 'staging' ? 'staging' : '' })}
      />
    </>
  );
}
