import { useMantineColorScheme } from '@mantine/core';
import { createSpotlight, Spotlight, type SpotlightActionData } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';
import type { AppSearch } from './app-search.ts';
import { useScope, useSession } from './session.ts';
import { useNavigation } from './shell.tsx';
import { signOutAndLeave } from './user-menu.tsx';

const [store, actions] = createSpotlight();

/** Opens the list of everything that can be done. */
export function openCommandPalette(): void {
  actions.open();
}

/** Everything that can be done, found by typing (Ctrl or ⌘ with K). */
export function CommandPalette() {
  const navigate = useNavigate();
  const pages = useNavigation();
  const { networks } = useSession();
  const { environment } = useScope();
  const { setColorScheme } = useMantineColorScheme();
  const change = (search: AppSearch): void => void navigate({ to: '.', search: (previous: AppSearch) => ({ ...previous, ...search }) });
  const entries: SpotlightActionData[] = [
    ...pages.map((page) => ({
      id: page.to,
      label: say(page.label),
      description: say('palette.go'),
      leftSection: <Icon name={page.icon} />,
      onClick: () => void navigate({ to: page.to, search: {} }),
    })),
    {
      id: 'environment',
      label: say(environment === 'staging' ? 'palette.to_production' : 'palette.to_staging'),
      onClick: () => change({ env: environment === 'staging' ? '' : 'staging' }),
    },
    ...networks.map((one) => ({ id: `network-${one.id}`, label: say('palette.to_network', { name: one.name }), onClick: () => change({ network: one.id }) })),
    { id: 'dark', label: say('scheme.to_dark'), onClick: () => setColorScheme('dark') },
    { id: 'light', label: say('scheme.to_light'), onClick: () => setColorScheme('light') },
    { id: 'sign-out', label: say('action.sign_out'), onClick: () => void signOutAndLeave() },
  ];
  return (
    <Spotlight
      store={store}
      actions={entries}
      shortcut={['mod + K']}
      nothingFound={say('palette.nothing')}
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{ placeholder: say('palette.placeholder'), 'aria-label': say('palette.placeholder'), leftSection: <Icon name="search" /> }}
    />
  );
}
