import type { CreatedCreative, NewCreative, Size } from '../api/bookings/creative-files.ts';
import { type ContentDraft, contentOfDraft, newDraft, type TypedKind } from '../creative/content-draft.ts';
import type { ReadyContent } from '../creative/file-content.ts';
import { say } from '../messages/say.ts';
import { sizesInName } from './match-line-items.ts';

/** A file on its way to become a creative. */
export interface StudioFile {
  readonly key: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  /** 0…1. */
  readonly sent: number;
  /** Why it cannot be used; null: nothing is wrong so far. */
  readonly failure: string | null;
  readonly ready: ReadyContent | null;
  /** The content as a person types it; null: the file has it. */
  readonly draft: ContentDraft | null;
  readonly name: string;
  readonly size: Size;
  /** Whether its bytes say the size; otherwise a person does. */
  readonly isMeasured: boolean;
  readonly lineItemIds: readonly string[];
  readonly checked: CreatedCreative | null;
  /** The library creative that it became; null: not yet. */
  readonly creativeId: string | null;
  readonly isDone: boolean;
}

/** The name that a creative gets from its file: without the ending. */
export function nameOfFile(fileName: string): string {
  return fileName.replace(/\.[a-z0-9]{2,5}$/i, '').slice(0, 200) || fileName.slice(0, 200);
}

/** A file that was just chosen. */
export function newFile(key: string, file: { readonly name: string; readonly size: number }): StudioFile {
  return {
    key,
    fileName: file.name,
    sizeBytes: file.size,
    sent: 0,
    failure: null,
    ready: null,
    draft: null,
    name: nameOfFile(file.name),
    size: sizesInName(file.name)[0] ?? { width: 0, height: 0 },
    isMeasured: false,
    lineItemIds: [],
    checked: null,
    creativeId: null,
    isDone: false,
  };
}

/** Content without a file, which a person types. */
export function newTyped(key: string, kind: TypedKind): StudioFile {
  const name = say(`studio.kind_${kind}`);
  const ready = { kind, url: null, content: {} };
  const isMeasured = kind !== 'markup';
  return { ...newFile(key, { name, size: 0 }), sent: 1, name: '', ready, isMeasured, draft: newDraft(kind) };
}

/** Kinds whose creatives fit ad units of any size. */
const SIZELESS: readonly (string | undefined)[] = ['video', 'audio', 'vast', 'native'];
const hasNoSize = ({ ready }: StudioFile): boolean => SIZELESS.includes(ready?.kind);

/** What of a file is still to be done before it can be saved; null: nothing. */
export function missingOf(file: StudioFile, clickUrl: string): 'content' | 'size' | 'click' | 'name' | null {
  if (file.name.trim() === '') return 'name';
  if (file.draft !== null && contentOfDraft(file.draft, file.name) === null) return 'content';
  if (!hasNoSize(file) && (file.size.width === 0 || file.size.height === 0)) return 'size';
  return clickUrl.trim() === '' ? 'click' : null;
}

/** The creative of a file, as the API takes it; null while something is missing. */
export function creativeOf(file: StudioFile, advertiserId: string, clickUrl: string): NewCreative | null {
  if (file.ready === null || file.creativeId !== null || missingOf(file, clickUrl) !== null) return null;
  const { name, size, ready, draft } = file;
  const content = draft === null ? ready.content : contentOfDraft(draft, name);
  return content === null ? null : { advertiserId, name: name.trim(), clickUrl: clickUrl.trim(), content, ...size };
}
