import Bowser from 'bowser';
import { say } from '../messages/say.ts';

/** What a person calls the browser of a session: `Chrome 140 on Linux`. A client of another kind is named as it names itself. */
export function nameBrowser(userAgent: string): string {
  if (userAgent === '') return say('sessions.unknown');
  const { browser, os } = Bowser.parse(userAgent);
  if (!browser.name) return userAgent.slice(0, 60);
  const name = `${browser.name} ${browser.version?.split('.', 1)[0] ?? ''}`.trim();
  return os.name ? say('sessions.on', { browser: name, system: os.name }) : name;
}
