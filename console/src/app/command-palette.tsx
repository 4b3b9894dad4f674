/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a combobox with a list that is always open has no tag */
import { ScrollArea, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { say } from '../messages/say.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import type { AppSearch } from '../session/app-search.ts';
import { useChooseScheme } from './scheme.ts';
import { useScope, useSession } from '../session/session.ts';
import { useNavigation } from './navigation.ts';
import { signOutAndLeave } from './user-menu.tsx';

const OPEN_EVENT = 'placard-open-palette';

/** Opens the list of everything that can be done. */
export function openCommandPalette(): void {
  window.dispatchEvent(new Event(OPEN_EVENT));
}

interface Entry {
  readonly id: string;
  readonly label: string;
  run: () => void;
}

/** Everything that can be done, found by typing (Ctrl or ⌘ with K). */
export function CommandPalette() {
  const [opened, { open, close }] = useDisclosure(false);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', onKey);
    window.addEventListener(OPEN_EVENT, open);
    return () => {
      window.removeEventListener('keydown', onKey);
      window.removeEventListener(OPEN_EVENT, open);
    };
  }, [open]);
  return (
    <Dialog opened={opened} onClose={close} title={say('palette.open')} centered={false} yOffset="10vh">
      {opened ? <Palette onClose={close} /> : null}
    </Dialog>
  );
}

function useEntries(): Entry[] {
  const navigate = useNavigate();
  const pages = useNavigation();
  const { networks } = useSession();
  const { environment } = useScope();
  const choose = useChooseScheme();
  const change = (search: AppSearch): void =>
    void navigate({ to: '.', search: (previous: AppSearch) => ({ ...previous, ...search }) });
  return [
    ...pages.map((page) => ({
      id: page.to,
      label: say(page.label),
      run: () => void navigate({ to: page.to, search: {} }),
    })),
    {
      id: 'environment',
      label: say(environment === 'staging' ? 'palette.to_production' : 'palette.to_staging'),
      run: () => change({ env: environment === 'staging' ? '' : 'staging' }),
    },
    ...networks.map((one) => ({
      id: `network-${one.id}`,
      label: say('palette.to_network', { name: one.name }),
      run: () => change({ network: one.id }),
    })),
    { id: 'dark', label: say('scheme.to_dark'), run: () => choose('dark') },
    { id: 'light', label: say('scheme.to_light'), run: () => choose('light') },
    { id: 'sign-out', label: say('action.sign_out'), run: () => void signOutAndLeave() },
  ];
}

/** A combobox with its list always open: the arrows move, Enter does. */
function Palette({ onClose }: { onClose: () => void }) {
  const entries = useEntries();
  const [query, setQuery] = useState('');
  const [position, setPosition] = useState(0);
  const listId = useId();
  const found = entries.filter((entry) => entry.label.toLowerCase().includes(query.trim().toLowerCase()));
  const active = Math.min(position, found.length - 1);
  const run = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') run(found[active]);
    else if (event.key === 'ArrowDown') setPosition(Math.min(active + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setPosition(Math.max(active - 1, 0));
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        data-autofocus
        aria-label={say('palette.placeholder')}
        placeholder={say('palette.placeholder')}
        leftSection={<Icon name="search" />}
        role="combobox"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found[active] === undefined ? undefined : `${listId}-${active}`}
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setPosition(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ScrollArea.Autosize
        mah="50vh"
        mt="sm"
        viewportProps={{ tabIndex: 0, 'aria-label': say('palette.open'), role: 'group' }}
      >
        {found.length === 0 ? <Text c="dimmed">{say('palette.nothing')}</Text> : null}
        <div id={listId} role="listbox" aria-label={say('palette.open')}>
          {found.map((entry, index) => (
            // The input keeps the focus and hears the keys; the options are for pointers.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={entry.id}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              className="palette-option"
              onClick={() => run(entry)}
            >
              {entry.label}
            </div>
          ))}
        </div>
      </ScrollArea.Autosize>
    </>
  );
}
