import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import {
  book,
  type Booking,
  type BookingForecast,
  type ForecastPrecision,
  loadForecast,
} from '../api/bookings/booking.ts';
import { requestApproval } from '../api/bookings/team.ts';
import { ApiProblem, describeProblem, type FieldProblem, problemOf } from '../api/transport/problem.ts';
import type { Scope } from '../api/transport/scope.ts';
import type { AppSearch } from '../session/app-search.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { say } from '../messages/say.ts';
import { recordDefaults, loadDefaults } from './booking-defaults.ts';
import { needsApproval, withoutApproval } from './booking-faults.ts';
import {
  type BookingDraft,
  emptyDraft,
  lineItemInput,
  readStoredDraft,
  storeDraft,
  unreadable,
} from './booking-draft.ts';

const TYPING_MS = 400;
/** No object has this id: the server then validates the rest. */
const NO_ID = '0';

/** Where the browser stores the draft of a network and environment. */
function storageKey({ networkId, environment }: Scope): string {
  return `placard-booking-${environment}-${networkId}`;
}

/** What a person is booking, stored as it changes. */
export function useBookingDraft(nowMs: number, timezone: string) {
  const scope = useDeskScope();
  const search = useSearch({ strict: false }) as AppSearch;
  const usual = emptyDraft(nowMs, timezone, loadDefaults(scope));
  const campaignId = campaignOf(search);
  const [stored] = useState(() => readStoredDraft(localStorage.getItem(storageKey(scope)), usual));
  const [draft, setDraft] = useState<BookingDraft>(() => inCampaign(stored ?? usual, campaignId));
  const change = useCallback(
    (next: Partial<BookingDraft>): void =>
      setDraft((known) => {
        const changed = { ...known, ...next };
        localStorage.setItem(storageKey(scope), storeDraft(changed));
        return changed;
      }),
    [scope],
  );
  const discard = useCallback((): void => {
    localStorage.removeItem(storageKey(scope));
    setDraft(emptyDraft(Date.now(), timezone, loadDefaults(scope)));
  }, [scope, timezone]);
  return { draft, change, discard, isRestored: stored !== null };
}

/** The campaign whose page led here; null: none. */
function campaignOf({ campaign }: AppSearch): string | null {
  return campaign !== undefined && /^\d{1,19}$/.test(campaign) ? campaign : null;
}

function inCampaign(draft: BookingDraft, campaignId: string | null): BookingDraft {
  return campaignId === null ? draft : { ...draft, campaignId, campaignName: '' };
}

function bookingOf(draft: BookingDraft, timezone: string, status: 'DRAFT' | 'ACTIVE'): Booking {
  const campaign =
    draft.campaignId === null && draft.campaignName !== ''
      ? { advertiserId: draft.advertiserId ?? NO_ID, name: draft.campaignName }
      : { id: draft.campaignId ?? NO_ID };
  return { lineItem: lineItemInput(draft, timezone, status), campaign };
}

/** What the server says of the draft, as a person types. */
export function useValidation(draft: BookingDraft, timezone: string) {
  const scope = useDeskScope();
  const [typed] = useDebouncedValue(draft, TYPING_MS);
  const booking = bookingOf(typed, timezone, 'ACTIVE');
  const validation = useQuery({
    queryKey: ['booking-validation', scope.environment, scope.networkId, booking],
    queryFn: async ({ signal }): Promise<Validation> => {
      try {
        const { warnings } = await book(scope, booking, { validateOnly: true, signal });
        return { problem: null, warnings };
      } catch (error) {
        if (error instanceof ApiProblem && error.fields.length > 0) return { problem: error, warnings: [] };
        throw error;
      }
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
    enabled: scope.networkId !== '',
  });
  const { problem = null, warnings = [] } = validation.data ?? {};
  return {
    problem: withLocal(draft, timezone, withoutApproval(problem)),
    warnings,
    /** Whether another member has to approve the draft before it goes live. */
    needsApproval: needsApproval(problem),
  };
}

/** The server's problem with the faults of texts that it never gets. */
function withLocal(draft: BookingDraft, timezone: string, problem: ApiProblem | null): ApiProblem | null {
  const local = unreadable(draft, timezone).map(({ path, fault }) => ({ path, code: 'invalid', message: say(fault) }));
  if (local.length === 0) return problem;
  const others = (problem?.fields ?? []).filter(({ path }) =>
    local.every((one) => !path.split(/[.[\]]/).includes(one.path)),
  );
  return new ApiProblem({ code: 'validation_failed', message: '', status: 400, fields: [...local, ...others] });
}

interface Validation {
  readonly problem: ApiProblem | null;
  readonly warnings: readonly FieldProblem[];
}

/** The fault of a field, in words; null when there is none. */
export function faultOf(error: unknown, name: string): string | null {
  const fault = problemOf(error, name);
  if (fault !== null && name === 'campaignId') return say('booking.campaign_missing');
  if (fault !== null && name === 'advertiserId') return say('booking.advertiser_missing');
  return fault;
}

/** The forecast on the page. */
export interface ShownForecast {
  readonly forecast: BookingForecast | undefined;
  /** Whether another one is on its way. */
  readonly isAsking: boolean;
  /** Whether it is that of an earlier draft. */
  readonly isOutdated: boolean;
  readonly error: unknown;
}

/**
 * The forecast of a draft, asked again when it changes: a rough one at once, then the full one, once a person types no more. What is no
 * longer needed is cancelled.
 * @param input null: the draft does not say enough for a forecast
 * @param wanted `ROUGH`: the rough one is enough, such as for who only reads the page
 */
export function useForecast(input: object | null, wanted: ForecastPrecision = 'FULL'): ShownForecast {
  const present = input === null ? '' : JSON.stringify(input);
  const [typed] = useDebouncedValue(present, TYPING_MS);
  const isResting = typed === present;
  const rough = useForecastOf('ROUGH', typed);
  const isBetterAhead = wanted === 'FULL' && isResting && rough.data?.precision === 'ROUGH';
  const full = useForecastOf('FULL', isBetterAhead ? typed : '');
  const current = isResting ? (full.data ?? rough.data) : undefined;
  const [last, setLast] = useState(current);
  if (current !== undefined && current !== last) setLast(current);
  return {
    forecast: current ?? last,
    isAsking: rough.isFetching || full.isFetching,
    isOutdated: current === undefined,
    error: full.error ?? rough.error,
  };
}

/** @param typed the draft as JSON; '' asks nothing */
function useForecastOf(precision: ForecastPrecision, typed: string) {
  const scope = useDeskScope();
  return useQuery({
    queryKey: ['booking-forecast', scope.environment, scope.networkId, precision, typed],
    queryFn: ({ signal }) => loadForecast(scope, { input: JSON.parse(typed) as object, precision }, signal),
    enabled: typed !== '' && scope.networkId !== '',
    staleTime: 60_000,
    retry: false,
  });
}

/** How a draft is saved. `APPROVAL`: as a draft whose approval is asked for at once. */
export type SavedAs = 'DRAFT' | 'ACTIVE' | 'APPROVAL';

/** Books the draft. */
export function useSaving(draft: BookingDraft, timezone: string, onBooked: (id: string) => void) {
  const scope = useDeskScope();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (as: SavedAs) => {
      const problem = withLocal(draft, timezone, null);
      if (problem !== null) throw problem;
      const booking = bookingOf(draft, timezone, as === 'ACTIVE' ? 'ACTIVE' : 'DRAFT');
      const booked = await book(scope, booking, { validateOnly: false });
      if (as === 'APPROVAL' && booked.id !== null) await askForApproval(scope, booked.id);
      return booked;
    },
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: deskKey(scope) });
      recordDefaults(scope, draft);
      if (id !== null) onBooked(id);
    },
  });
}

/** The booking exists by then: where asking fails, its page asks again. */
async function askForApproval(scope: Scope, id: string): Promise<void> {
  try {
    await requestApproval(scope, id);
    notifications.show({ message: say('approval.asked', { count: 1 }) });
  } catch (error) {
    notifications.show({ color: 'red', message: describeProblem(error) });
  }
}
