import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';

/** An instant for people, exact in its title; a word for "never". */
export function Instant({ at, never }: { readonly at: string | null; readonly never?: string }) {
  if (at === null) return <>{never ?? say('value.never')}</>;
  const date = new Date(at);
  return (
    <time dateTime={at} title={date.toISOString()}>
      {new Intl.DateTimeFormat(currentLocale(), { dateStyle: 'medium', timeStyle: 'short' }).format(date)}
    </time>
  );
}
