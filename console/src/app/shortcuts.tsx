import { Group, Kbd, Stack, Switch, Table, Text } from '@mantine/core';
import { useDisclosure, useLocalStorage } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { type MessageKey, say } from '../messages/say.ts';
import { Dialog } from '../ui/dialog.tsx';
import { isField, SINGLE_KEYS, usePageKeys } from '../ui/page-keys.ts';

const PAGES: Readonly<Record<string, { readonly to: string; readonly label: MessageKey }>> = {
  t: { to: '/desk', label: 'nav.today' },
  i: { to: '/desk/line-items', label: 'nav.line_items' },
  c: { to: '/desk/campaigns', label: 'nav.campaigns' },
  y: { to: '/desk/activity', label: 'nav.activity' },
  l: { to: '/lens', label: 'nav.lens' },
  d: { to: '/dashboards', label: 'nav.dashboards' },
  k: { to: '/settings/api-keys', label: 'nav.api_keys' },
  u: { to: '/settings/users', label: 'nav.users' },
  a: { to: '/settings/audit-log', label: 'nav.audit' },
  n: { to: '/settings/network', label: 'nav.network' },
};
const SEQUENCE_MS = 1_200;
/** Not 0, which is when the page began to load: a single key soon after that would count as the second of two. */
const NEVER = Number.NEGATIVE_INFINITY;

/** Keys that work anywhere but in fields, listed under `?`; single keys can be switched off (WCAG 2.1.4). */
export function Shortcuts() {
  const [opened, { open, close }] = useDisclosure(false);
  const [enabled, setEnabled] = useLocalStorage(SINGLE_KEYS);
  const navigate = useNavigate();
  const pageKeys = usePageKeys();
  const startedAt = useRef(NEVER);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return;
      if (event.key === '?') return open();
      if (!enabled) return;
      const page = PAGES[event.key];
      if (event.key === 'g') startedAt.current = event.timeStamp;
      else if (page !== undefined && event.timeStamp - startedAt.current < SEQUENCE_MS) {
        startedAt.current = NEVER;
        event.preventDefault();
        void navigate({ to: page.to, search: {} });
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [enabled, navigate, open]);
  return (
    <Dialog opened={opened} onClose={close} title={say('shortcuts.title')}>
      <Stack>
        <Table>
          <Table.Tbody>
            <ShortcutRow keys={['Ctrl', 'K']} label={say('palette.open')} />
            <ShortcutRow keys={['?']} label={say('shortcuts.title')} />
            {pageKeys.map(({ key, label }) => (
              <ShortcutRow key={key} keys={[key]} label={say(label)} />
            ))}
            {Object.entries(PAGES).map(([key, { label }]) => (
              <ShortcutRow key={key} keys={['g', key]} label={say(label)} />
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          checked={enabled}
          onChange={(event) => setEnabled(event.currentTarget.checked)}
          label={say('shortcuts.single_keys')}
        />
      </Stack>
    </Dialog>
  );
}

function ShortcutRow({ keys, label }: { readonly keys: readonly string[]; readonly label: string }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap={4}>
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
        </Group>
      </Table.Td>
      <Table.Td>
        <Text size="sm">{label}</Text>
      </Table.Td>
    </Table.Tr>
  );
}
