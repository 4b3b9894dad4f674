import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type SearchHit, searchObjects } from '../api/bookings/search.ts';
import { planStatus } from '../changes/bulk-plan.ts';
import { say } from '../messages/say.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { recordRecent, type RecentObject, recentObjects } from '../session/recent-objects.ts';
import { useCanEdit } from '../session/session.ts';
import type { ChosenPlan, PaletteEntry } from './palette-entry.ts';
import {
  addressOf,
  isPossible,
  kindsOf,
  readTyped,
  recentFirst,
  reportFilter,
  type Verb,
  VERBS,
} from './palette-rules.ts';

const TYPING_MS = 120;

/** The objects that fit what is typed, and what can be done with the first of them; without a text those that were opened last. */
export function useObjectEntries(
  typed: string,
  onPlan: (chosen: ChosenPlan) => void,
): { readonly entries: readonly PaletteEntry[]; readonly isPending: boolean; readonly error: Error | null } {
  const scope = useDeskScope();
  const act = useActs(onPlan);
  const canEdit = useCanEdit();
  const [lagging] = useDebouncedValue(typed, TYPING_MS);
  const words = { pause: say('palette.pause'), resume: say('palette.resume'), report: say('palette.report') };
  const { verb, text } = readTyped(lagging, words);
  const found = useQuery({
    queryKey: [...deskKey(scope), 'search', text, verb],
    queryFn: ({ signal }) => searchObjects(scope, { text, kinds: kindsOf(verb) }, signal),
    enabled: text !== '' && scope.networkId !== '',
    placeholderData: keepPreviousData,
  });
  const recent = recentObjects(scope);
  const state = { isPending: found.isFetching || lagging !== typed, error: found.error };
  if (text === '') return { ...state, entries: recent.map((object) => openEntry(object, null, act)) };
  const hits = recentFirst(found.data ?? [], recent);
  const doable = (hit: SearchHit, one: Verb): boolean => isPossible(one, hit) && (one === 'report' || canEdit);
  const verbEntries = (hit: SearchHit, verbs: readonly Verb[]): PaletteEntry[] =>
    verbs.filter((one) => doable(hit, one)).map((one) => verbEntry(hit, one, `${words[one]} ${hit.name}`, act));
  if (verb !== null) return { ...state, entries: hits.flatMap((hit) => verbEntries(hit, [verb])) };
  const [first] = hits;
  return {
    ...state,
    entries: [
      ...hits.map((hit) => openEntry(hit, hit, act)),
      ...(first === undefined ? [] : verbEntries(first, VERBS)),
    ],
  };
}

interface Acts {
  open: (object: RecentObject) => void;
  act: (hit: SearchHit, verb: Verb) => void;
}

function useActs(onPlan: (chosen: ChosenPlan) => void): Acts {
  const navigate = useNavigate();
  const scope = useDeskScope();
  return {
    open: (object) => {
      recordRecent(scope, object);
      void navigate(addressOf(object));
    },
    act: (hit, verb) => {
      if (verb === 'report') return void navigate({ to: '/lens', search: { f: reportFilter(hit) ?? '' } });
      return onPlan({ kind: hit.kind === 'CAMPAIGN' ? 'campaign' : 'lineItem', plan: planStatus(verb, [hit]) });
    },
  };
}

function openEntry(object: RecentObject, hit: SearchHit | null, { open }: Acts): PaletteEntry {
  const detail = [hit?.parentName ?? null, hit?.code ?? null].filter((part) => part !== null).join(' · ');
  return {
    id: `open/${object.kind}/${object.id}`,
    label: object.name,
    object: { kind: object.kind, status: hit?.status ?? null, detail: detail === '' ? null : detail },
    run: () => open(object),
  };
}

function verbEntry(hit: SearchHit, verb: Verb, label: string, { act }: Acts): PaletteEntry {
  return {
    id: `${verb}/${hit.kind}/${hit.id}`,
    label,
    object: { kind: hit.kind, status: hit.status, detail: hit.parentName },
    run: () => act(hit, verb),
  };
}
