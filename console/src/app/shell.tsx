import {
  AppShell,
  Badge,
  Burger,
  Group,
  NavLink,
  ScrollArea,
  Stack,
  Text,
  UnstyledButton,
  ActionIcon,
  useComputedColorScheme,
  Kbd,
  Divider,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation, useSearch } from '@tanstack/react-router';
import { Fragment, useEffect, useRef } from 'react';
import { say } from '../messages/say.ts';
import { NotificationsButton } from '../team/notifications-button.tsx';
import { Icon } from '../ui/icons.tsx';
import { UnknownNetworkPage } from '../ui/state-pages.tsx';
import type { AppSearch } from '../session/app-search.ts';
import { BusyMark, CONTENT_ID } from './busy-mark.tsx';
import { CommandPalette, openCommandPalette } from './command-palette.tsx';
import { ScopeSwitchers } from './scope-switchers.tsx';
import { guideOf, isOpenPage, NAV_GROUPS, type NavEntry, useNavigation } from './navigation.ts';
import { useChooseScheme } from './scheme.ts';
import { useScope, useSession } from '../session/session.ts';
import { Shortcuts } from './shortcuts.tsx';
import { UserMenu } from './user-menu.tsx';
import { VerificationDialog } from './verification-dialog.tsx';

/** The frame around every page of a signed-in person. */
export function Shell() {
  const [opened, { toggle, close }] = useDisclosure(false);
  const { environment, membership } = useScope();
  const { networks } = useSession();
  const asked = (useSearch({ strict: false }) as AppSearch)['network'];
  const staging = environment === 'staging';
  const { pathname } = useLocation();
  useEffect(close, [pathname, close]);
  return (
    <AppShell
      header={{ height: staging ? 62 : 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <a className="skip-link" href={`#${CONTENT_ID}`}>
        {say('a11y.skip')}
      </a>
      <AppShell.Header className="app-header">
        {staging ? <div className="staging-bar" aria-hidden="true" /> : null}
        <div className="app-header-row">
          <Burger
            opened={opened}
            onClick={toggle}
            hiddenFrom="sm"
            size="sm"
            aria-label={say('a11y.menu')}
            aria-expanded={opened}
          />
          <Link to="/desk" className="brand">
            <img src="/favicon.svg" alt="" width={24} height={24} />
            Placard
          </Link>
          {staging ? (
            <Badge color="yellow" c="black" variant="filled" radius="sm">
              {say('scope.staging')}
            </Badge>
          ) : null}
          <Group visibleFrom="sm" gap="xs" ml="md">
            <ScopeSwitchers />
          </Group>
          <Group gap={4} ml="auto" wrap="nowrap">
            <PaletteButton />
            <NotificationsButton />
            <GuideLink />
            <SchemeToggle />
            <UserMenu />
          </Group>
        </div>
      </AppShell.Header>
      <Navbar isOpened={opened} />
      <AppShell.Main id={CONTENT_ID} tabIndex={-1}>
        {asked !== undefined && membership === null ? (
          <UnknownNetworkPage networkId={asked} others={networks} />
        ) : (
          <Outlet />
        )}
      </AppShell.Main>
      <BusyMark />
      <CommandPalette />
      <VerificationDialog />
      <Shortcuts />
    </AppShell>
  );
}

function Navbar({ isOpened }: { readonly isOpened: boolean }) {
  const list = useRef<HTMLDivElement>(null);
  const { pathname } = useLocation();
  const { length } = useNavigation();
  // The list is longer than most windows: its open page stays in sight.
  useEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [pathname, length, isOpened]);
  return (
    <AppShell.Navbar p="xs" aria-label={say('a11y.navigation')}>
      <Stack gap="xs" hiddenFrom="sm" pb="sm">
        <ScopeSwitchers />
      </Stack>
      <ScrollArea viewportRef={list} className="nav-list">
        {NAV_GROUPS.map((group, at) => (
          <Fragment key={group}>
            {at === 0 ? null : <Divider my="xs" />}
            <NavGroup group={group} title={say(`nav.${group}`)} />
          </Fragment>
        ))}
      </ScrollArea>
    </AppShell.Navbar>
  );
}

function NavGroup({ group, title }: { readonly group: NavEntry['group']; readonly title: string }) {
  const { pathname } = useLocation();
  const entries = useNavigation().filter((entry) => entry.group === group);
  return (
    <>
      <Text size="xs" fw={650} c="dimmed" px="xs" py={4}>
        {title}
      </Text>
      {entries.map((entry) => (
        <NavLink
          key={entry.to}
          label={say(entry.label)}
          leftSection={<Icon name={entry.icon} />}
          active={isOpenPage(entry, pathname)}
          aria-current={pathname === entry.to ? 'page' : undefined}
          variant="light"
          renderRoot={(props) => <Link to={entry.to} search={{}} activeOptions={{ exact: true }} {...props} />}
        />
      ))}
    </>
  );
}

function PaletteButton() {
  return (
    <UnstyledButton
      onClick={openCommandPalette}
      aria-label={say('palette.open')}
      px="xs"
      mih={32}
      style={{ display: 'inline-flex', alignItems: 'center', gap: 6 }}
    >
      <Icon name="search" />
      <Text component="span" size="xs" c="dimmed" visibleFrom="md">
        <Kbd size="xs">Ctrl K</Kbd>
      </Text>
    </UnstyledButton>
  );
}

/** Leads to the page of the guide about what is open, in another tab: a form stays as it is. */
function GuideLink() {
  const { pathname } = useLocation();
  return (
    <ActionIcon size="lg" component="a" href={guideOf(pathname)} target="_blank" aria-label={say('guide.open')}>
      <Icon name="help" />
    </ActionIcon>
  );
}

function SchemeToggle() {
  const choose = useChooseScheme();
  const scheme = useComputedColorScheme('light');
  return (
    <ActionIcon
      size="lg"
      aria-label={say(scheme === 'dark' ? 'scheme.to_light' : 'scheme.to_dark')}
      onClick={() => choose(scheme === 'dark' ? 'light' : 'dark')}
    >
      <Icon name={scheme === 'dark' ? 'sun' : 'moon'} />
    </ActionIcon>
  );
}
