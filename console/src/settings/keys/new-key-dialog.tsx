import { Checkbox, Group, Radio, Stack, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldMessage } from '../../api/transport/problem.ts';
import type { Scope } from '../../api/transport/scope.ts';
import { createApiKey, type Module, MODULES, type Permission, PERMISSIONS } from '../../api/account/settings.ts';
import { say } from '../../messages/say.ts';
import { FormDialog, NameField } from '../../ui/form-dialog.tsx';
import { ExpirySelect } from './expiry-select.tsx';
import { expiresAfter, readAddresses } from './expiry.ts';

/** Asks what a new key is to be. */
export function NewKeyDialog({
  scope,
  onMade,
  onClose,
}: {
  readonly scope: Scope;
  onMade: (value: string) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState('');
  const [permission, setPermission] = useState<Permission>('READ_ONLY');
  const [environment, setEnvironment] = useState(scope.environment);
  const [modules, setModules] = useState<readonly Module[] | null>(null);
  const [days, setDays] = useState<number | null>(90);
  const [addresses, setAddresses] = useState('');
  const making = useMutation({
    mutationFn: () =>
      createApiKey(scope, {
        name,
        permission,
        environment: environment === 'staging' ? 'STAGING' : 'PRODUCTION',
        modules,
        expiresAt: expiresAfter(days, Date.now()),
        ipAllowlist: readAddresses(addresses),
      }),
    onSuccess: onMade,
  });
  return (
    <FormDialog
      title={say('keys.generate')}
      action={say('keys.generate')}
      submission={making}
      size="lg"
      onClose={onClose}
    >
      <NameField value={name} error={making.error} onChange={setName} />
      <Radio.Group
        label={say('column.permission')}
        value={permission}
        onChange={(value) => setPermission(value as Permission)}
      >
        <Stack gap={6} mt={6}>
          {PERMISSIONS.map((one) => (
            <Radio key={one} value={one} label={say(`permission.${one}`)} description={say(`permission_text.${one}`)} />
          ))}
        </Stack>
      </Radio.Group>
      <EnvironmentField environment={environment} onChange={setEnvironment} />
      <ModulesField modules={modules} error={fieldMessage(making.error, 'modules')} onChange={setModules} />
      <ExpirySelect days={days} onChange={setDays} />
      <Textarea
        label={say('keys.allowlist')}
        description={say('keys.allowlist_hint')}
        autosize
        minRows={2}
        value={addresses}
        onChange={(event) => setAddresses(event.currentTarget.value)}
        error={fieldMessage(making.error, 'ipAllowlist')}
      />
    </FormDialog>
  );
}

function EnvironmentField({
  environment,
  onChange,
}: {
  readonly environment: Scope['environment'];
  onChange: (environment: Scope['environment']) => void;
}) {
  return (
    <Radio.Group
      label={say('scope.environment')}
      value={environment}
      onChange={(value) => onChange(value as Scope['environment'])}
    >
      <Group mt={6}>
        <Radio value="production" label={say('scope.production')} />
        <Radio value="staging" label={say('scope.staging')} />
      </Group>
    </Radio.Group>
  );
}

/** The modules that a key is for; null: all. */
function ModulesField({
  modules,
  error,
  onChange,
}: {
  readonly modules: readonly Module[] | null;
  readonly error: string | null;
  onChange: (modules: readonly Module[] | null) => void;
}) {
  return (
    <Checkbox.Group
      label={say('column.modules')}
      value={modules === null ? ['ALL'] : [...modules]}
      onChange={(value) => {
        const wantsAll = value.length === 0 || (value.includes('ALL') && modules !== null);
        onChange(wantsAll ? null : MODULES.filter((one) => value.includes(one)));
      }}
      error={error}
    >
      <Stack gap={6} mt={6}>
        <Checkbox value="ALL" label={say('module.ALL')} />
        {MODULES.map((one) => (
          <Checkbox key={one} value={one} label={say(`module.${one}`)} description={say(`module_text.${one}`)} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
