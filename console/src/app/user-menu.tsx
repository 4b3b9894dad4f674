import { ActionIcon, Menu, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { signOut } from '../api/account/auth.ts';
import { currentLanguage, switchLanguage } from '../messages/language.ts';
import { isLanguage, LANGUAGE_CODES, LANGUAGES } from '../messages/languages.ts';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';
import { useSession } from '../session/session.ts';

/** Ends the session, and leaves nothing of it in memory. */
export async function signOutAndLeave(): Promise<void> {
  await signOut();
  window.location.assign('/sign-in');
}

/** Who is signed in, and the way out. */
export function UserMenu() {
  const { user } = useSession();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon size="lg" aria-label={say('user.menu')}>
          <Icon name="user" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" truncate c="dimmed">
            {user.email}
          </Text>
        </Menu.Label>
        <Menu.Item renderRoot={(props) => <Link to="/settings/account" search={{}} {...props} />}>
          {say('nav.account')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{say('language.title')}</Menu.Label>
        <Menu.RadioGroup
          value={currentLanguage()}
          onChange={(language) => {
            if (isLanguage(language)) switchLanguage(language);
          }}
        >
          {LANGUAGE_CODES.map((language) => (
            <Menu.RadioItem key={language} value={language} lang={language}>
              {LANGUAGES[language].name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item onClick={() => void signOutAndLeave()}>{say('action.sign_out')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
