import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { notifications } from '@mantine/notifications';
import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks';
import {
  associateCreatives,
  type CreatedCreative,
  createLibraryCreatives,
  findStudioLineItems,
  loadAdUnitSizes,
  loadStudioCampaign,
  type Size,
  type StudioCampaign,
  type StudioLineItem,
} from '../api/bookings/creative-files.ts';
import { describeProblem } from '../api/transport/problem.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { joinLineItems, matchLineItems, targetedAdUnits } from './match-line-items.ts';
import type { TypedKind } from '../creative/content-draft.ts';
import { prepareFile } from '../creative/file-content.ts';
import { creativeOf, newFile, newTyped, type StudioFile } from './studio-file.ts';

const UPLOADS_AT_ONCE = 3;
/** Nothing is asked while a person types. */
const CHECK_AFTER_MS = 500;
export const FILES_MAX = 100;

const NO_SIZES: ReadonlyMap<string, readonly Size[]> = new Map();

/** The files of the creative studio of a campaign, and what happens to them. */
export function useStudio(campaignId: string) {
  const scope = useDeskScope();
  const [files, setFiles] = useState<readonly StudioFile[]>([]);
  const [clickUrl, setClickUrl] = useState<string | null>(null);
  const nextKey = useKeys();
  const booked = useStudioCampaign(campaignId);
  const { campaign, lineItems, sizesOf } = booked;
  const landing = clickUrl ?? usualClickUrl(campaign.data);

  /** What the last save said of a file holds until it changes. */
  const change = (key: string, next: Partial<StudioFile>): void =>
    setFiles((all) => all.map((one) => (one.key === key ? { ...one, checked: null, ...next } : one)));

  /** What is known of a file decides which line items are proposed. */
  const finish = (key: string, next: Partial<StudioFile>): void =>
    setFiles((all) =>
      all.map((one) => {
        if (one.key !== key) return one;
        const merged = { ...one, ...next };
        return { ...merged, lineItemIds: matchLineItems(merged.size, lineItems, sizesOf) };
      }),
    );

  const uploads = useUploads(async ({ key, file }) => {
    try {
      const { size, ...prepared } = await prepareFile(scope, file, (sent) => change(key, { sent }));
      finish(key, { ...prepared, sent: 1, ...(size === undefined ? {} : { size, isMeasured: true }) });
    } catch (error) {
      change(key, { failure: describeProblem(error) });
    }
  });

  const add = (chosen: readonly File[]): void => {
    const taken = chosen.slice(0, Math.max(0, FILES_MAX - files.length));
    const made = taken.map((file) => ({ key: nextKey(), file }));
    setFiles((all) => [...all, ...made.map(({ key, file }) => newFile(key, file))]);
    uploads.add(made);
  };

  /** Adds content that is typed, with the line items that need one. */
  const begin = (kind: TypedKind): void => {
    const made = newTyped(nextKey(), kind);
    const lineItemIds = made.isMeasured ? matchLineItems(made.size, lineItems, sizesOf) : [];
    setFiles((all) => [...all, { ...made, lineItemIds }]);
  };

  const resize = (key: string, size: Size): void => finish(key, { size });
  const remove = (key: string): void => {
    uploads.remove(key);
    setFiles((all) => all.filter((one) => one.key !== key));
  };

  const filled = { scope, files, landing, advertiserId: campaign.data?.advertiserId ?? '' };
  const checks = useChecks(filled);
  const checkedFiles = files.map((file) => ({ ...file, checked: file.checked ?? checks.get(file.key) ?? null }));

  const saving = useSaving(filled, change);

  return { ...booked, files: checkedFiles, landing, setClickUrl, add, begin, change, resize, remove, saving };
}

/** Keys of files, each once. */
function useKeys(): () => string {
  const counter = useRef(0);
  return () => {
    counter.current += 1;
    return String(counter.current);
  };
}

function useSaving(filled: Filled, change: (key: string, next: Partial<StudioFile>) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => save(filled, change),
    onSettled: () => client.invalidateQueries({ queryKey: deskKey(filled.scope) }),
  });
}

/** The campaign with its line items, and the sizes of the ad units that they target. */
function useStudioCampaign(campaignId: string) {
  const scope = useDeskScope();
  const [found, setFound] = useState<readonly StudioLineItem[]>([]);
  const campaign = useQuery({
    queryKey: [...deskKey(scope), 'studio', campaignId],
    queryFn: ({ signal }) => loadStudioCampaign(scope, campaignId, signal),
    enabled: scope.networkId !== '',
  });
  const read = campaign.data?.lineItems;
  const lineItems = joinLineItems(read?.nodes ?? [], found);
  /** Finds further line items by name where the campaign has more than were read. */
  const find = useDebouncedCallback(async (text: string) => {
    if (text.trim() === '' || read === undefined || read.totalCount <= read.nodes.length) return;
    try {
      const further = await findStudioLineItems(scope, campaignId, text.trim());
      setFound((all) => joinLineItems(all, further));
    } catch (error) {
      notifications.show({ color: 'red', message: describeProblem(error) });
    }
  }, CHECK_AFTER_MS);
  const unitIds = [...new Set(lineItems.flatMap(({ targeting }) => targetedAdUnits(targeting)))].toSorted();
  const units = useQuery({
    queryKey: [...deskKey(scope), 'studio-units', ...unitIds],
    queryFn: ({ signal }) => loadAdUnitSizes(scope, unitIds, signal),
    enabled: unitIds.length > 0,
  });
  const sizesOf = units.data ?? NO_SIZES;
  return { campaign, lineItems, sizesOf, find };
}

interface Waiting {
  readonly key: string;
  readonly file: File;
}

/** Files that wait until one of the few uploads at once is over. */
function useUploads(upload: (next: Waiting) => Promise<void>) {
  const waiting = useRef<readonly Waiting[]>([]);
  const running = useRef(0);
  const begin = (): void => {
    const [next, ...others] = waiting.current;
    if (next === undefined || running.current >= UPLOADS_AT_ONCE) return;
    waiting.current = others;
    running.current += 1;
    void upload(next).finally(() => {
      running.current -= 1;
      begin();
    });
    begin();
  };
  return {
    add: (files: readonly Waiting[]): void => {
      waiting.current = [...waiting.current, ...files];
      begin();
    },
    remove: (key: string): void => {
      waiting.current = waiting.current.filter((one) => one.key !== key);
    },
  };
}

/** The landing page of the creatives that the campaign has. */
function usualClickUrl(campaign: StudioCampaign | null | undefined): string {
  const known = campaign?.lineItems.nodes.flatMap(({ creatives }) => creatives.nodes) ?? [];
  return known.find(({ clickUrl }) => clickUrl !== '')?.clickUrl ?? '';
}

interface Filled {
  readonly scope: ReturnType<typeof useDeskScope>;
  readonly files: readonly StudioFile[];
  readonly landing: string;
  readonly advertiserId: string;
}

/** The API's own findings about what is complete, by file, once nobody types. A check that fails says nothing: saving tells. */
function useChecks({ scope, files, landing, advertiserId }: Filled): ReadonlyMap<string, CreatedCreative> {
  const complete = files.flatMap((file) => {
    const creative = file.failure === null ? creativeOf(file, advertiserId, landing) : null;
    return creative === null ? [] : [{ key: file.key, creative }];
  });
  const [asked] = useDebouncedValue(JSON.stringify(complete), CHECK_AFTER_MS);
  const wanted = JSON.parse(asked) as typeof complete;
  const found = useQuery({
    queryKey: [...deskKey(scope), 'studio-check', asked],
    queryFn: () =>
      createLibraryCreatives(
        scope,
        wanted.map(({ creative }) => creative),
        true,
      ),
    enabled: wanted.length > 0,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return new Map(found.data?.map((result, at) => [wanted[at]?.key ?? '', result]));
}

/** Creates what is complete, then lets it serve in its line items. What was created by an earlier try is not created again. */
async function save(
  { scope, files, landing, advertiserId }: Filled,
  onFile: (key: string, next: Partial<StudioFile>) => void,
): Promise<number> {
  const fresh = files.flatMap((file) => {
    const creative = file.failure === null ? creativeOf(file, advertiserId, landing) : null;
    return creative === null ? [] : [{ file, creative }];
  });
  const results =
    fresh.length === 0
      ? []
      : await createLibraryCreatives(
          scope,
          fresh.map(({ creative }) => creative),
          false,
        );
  const ids = new Map(files.map(({ key, creativeId }) => [key, creativeId]));
  for (const [at, { file }] of fresh.entries()) {
    const result = results[at];
    ids.set(file.key, result?.id ?? null);
    onFile(file.key, { creativeId: result?.id ?? null, checked: result ?? null });
  }
  const made = files.filter((file) => !file.isDone && (ids.get(file.key) ?? null) !== null);
  const pairs = made.flatMap(({ key, lineItemIds }) =>
    lineItemIds.map((lineItemId) => ({ libraryCreativeId: ids.get(key) ?? '', lineItemId })),
  );
  if (pairs.length > 0) await associateCreatives(scope, pairs);
  for (const { key } of made) onFile(key, { isDone: true });
  return made.length;
}
