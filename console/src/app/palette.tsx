/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a combobox with a list that is always open has no tag */
import { ScrollArea, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { StatusWord } from '../delivery/state-words.tsx';
import { say } from '../messages/say.ts';
import type { AppSearch } from '../session/app-search.ts';
import { useScope, useSession } from '../session/session.ts';
import { Icon } from '../ui/icons.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { useNavigation } from './navigation.ts';
import { useChooseScheme } from './scheme.ts';
import { signOutAndLeave } from './user-menu.tsx';
import type { ChosenPlan, PaletteEntry } from './palette-entry.ts';
import { useObjectEntries } from './use-object-entries.ts';

/** The pages and commands. */
function useCommands(): readonly PaletteEntry[] {
  const navigate = useNavigate();
  const pages = useNavigation();
  const { networks } = useSession();
  const { environment } = useScope();
  const choose = useChooseScheme();
  const change = (search: AppSearch): void =>
    void navigate({ to: '.', search: (previous: AppSearch) => ({ ...previous, ...search }) });
  const command = (id: string, label: string, run: () => void): PaletteEntry => ({ id, label, object: null, run });
  return [
    ...pages.map((page) => command(page.to, say(page.label), () => void navigate({ to: page.to, search: {} }))),
    command('environment', say(environment === 'staging' ? 'palette.to_production' : 'palette.to_staging'), () =>
      change({ env: environment === 'staging' ? '' : 'staging' }),
    ),
    ...networks.map((one) =>
      command(`network-${one.id}`, say('palette.to_network', { name: one.name }), () => change({ network: one.id })),
    ),
    command('dark', say('scheme.to_dark'), () => choose('dark')),
    command('light', say('scheme.to_light'), () => choose('light')),
    command('sign-out', say('action.sign_out'), () => void signOutAndLeave()),
  ];
}

/** The entries in their order. A page that begins with the text stays in front, whatever the search finds later. */
function joinEntries(
  text: string,
  objects: readonly PaletteEntry[],
  all: readonly PaletteEntry[],
): readonly PaletteEntry[] {
  const commands = all.filter(({ label }) => label.toLowerCase().includes(text));
  const [named, others] = [true, false].map((wanted) => commands.filter((one) => isNamed(text, one) === wanted));
  return [...(named ?? []), ...objects, ...(others ?? [])];
}

function isNamed(text: string, entry: PaletteEntry | undefined): boolean {
  return entry?.object === null && text !== '' && entry.label.toLowerCase().startsWith(text);
}

/**
 * Runs an action once the list is that of the typed text: what a person chose by Enter is never an entry of an earlier text.
 * @returns asks for the action, or takes that back
 */
function useWhenFinal(isFinal: boolean, action: () => void): (isAsked: boolean) => void {
  const asked = useRef(false);
  const latest = useRef(action);
  useEffect(() => {
    latest.current = action;
  }, [action]);
  useEffect(() => {
    if (!isFinal || !asked.current) return;
    asked.current = false;
    latest.current();
  }, [isFinal]);
  return (isAsked) => {
    if (isAsked && isFinal) action();
    else asked.current = isAsked;
  };
}

/**
 * A combobox with its list always open: the arrows move, Enter does. Pages that begin with the text, objects, then other pages and commands. Enter waits
 * for the list of the typed text, unless the arrows chose an entry, or the first entry is a page that begins with the text.
 */
export function Palette({ onClose, onPlan }: { onClose: () => void; onPlan: (chosen: ChosenPlan) => void }) {
  const [query, setQuery] = useState('');
  const [position, setPosition] = useState(0);
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  // The dialog has drawn itself before this part was loaded.
  useEffect(() => field.current?.focus(), []);
  const objects = useObjectEntries(query, onPlan);
  const typed = query.trim().toLowerCase();
  const found = joinEntries(typed, objects.entries, useCommands());
  const active = Math.max(0, Math.min(position, found.length - 1));
  const run = (entry: PaletteEntry | undefined): void => {
    if (entry !== undefined) onClose();
    entry?.run();
  };
  const ask = useWhenFinal(!objects.isPending || position > 0 || isNamed(typed, found[0]), () => run(found[active]));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') ask(true);
    else if (event.key === 'ArrowDown') setPosition(Math.min(active + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setPosition(Math.max(active - 1, 0));
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        ref={field}
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
          ask(false);
        }}
        onKeyDown={onKeyDown}
      />
      <ProblemAlert error={objects.error} />
      <ScrollArea.Autosize
        mah="50vh"
        mt="sm"
        viewportProps={{
          tabIndex: 0,
          'aria-label': say('palette.open'),
          role: 'group',
          'aria-busy': objects.isPending,
        }}
      >
        {found.length === 0 && !objects.isPending ? <Text c="dimmed">{say('palette.nothing')}</Text> : null}
        <div id={listId} role="listbox" aria-label={say('palette.open')}>
          {found.map((entry, index) => (
            <Option
              key={entry.id}
              id={`${listId}-${index}`}
              entry={entry}
              isActive={index === active}
              onChoose={() => run(entry)}
            />
          ))}
        </div>
      </ScrollArea.Autosize>
    </>
  );
}

/** A line of the palette: an object with its kind and state, or a command. */
function Option({
  id,
  entry: { label, object },
  isActive,
  onChoose,
}: {
  readonly id: string;
  readonly entry: PaletteEntry;
  readonly isActive: boolean;
  onChoose: () => void;
}) {
  const own = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) own.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    // The input keeps the focus and hears the keys; the options are for pointers.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div ref={own} id={id} role="option" aria-selected={isActive} className="palette-option" onClick={onChoose}>
      <bdi>{label}</bdi>
      {object === null ? null : (
        <span className="palette-object">
          {object.detail === null ? null : <bdi className="palette-detail">{object.detail}</bdi>}
          <span>{say(`palette.kind_${object.kind}`)}</span>
          {object.status === null ? null : <StatusWord status={object.status} />}
        </span>
      )}
    </div>
  );
}
