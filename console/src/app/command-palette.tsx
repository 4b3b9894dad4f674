import { useDisclosure } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { ChangesDialog } from '../changes/later-changes.ts';
import { say } from '../messages/say.ts';
import { Dialog } from '../ui/dialog.tsx';
import { later } from '../ui/later.tsx';
import { laterCode } from '../ui/load-part.ts';
import type { ChosenPlan } from './palette-entry.ts';

const OPEN_EVENT = 'placard-open-palette';

/** Its code comes with its first use: most pages are left without it. */
const Palette = later(async () => (await import('./palette.tsx')).Palette, ['desk', 'desk-table']);
const loadPalette = laterCode(() => import('./palette.tsx'), ['desk', 'desk-table']);
/** A page has drawn itself by then. */
const IDLE_MS = 3_000;

/** Opens the search over everything. */
export function openCommandPalette(): void {
  window.dispatchEvent(new Event(OPEN_EVENT));
}

/** Every object, page and command, found by typing (Ctrl or ⌘ with K). */
export function CommandPalette() {
  const [opened, { open, close }] = useDisclosure(false);
  const [chosen, setChosen] = useState<ChosenPlan | null>(null);
  const forget = (): void => setChosen(null);
  useEffect(() => {
    // So that the first letters after the first Ctrl K are not lost.
    const idle = window.setTimeout(() => void loadPalette(), IDLE_MS);
    return () => window.clearTimeout(idle);
  }, []);
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', onKey);
    window.addEventListener(OPEN_EVENT, open);
    return () => {
      window.removeEventListener('keydown', onKey);
      window.removeEventListener(OPEN_EVENT, open);
    };
  }, [open]);
  return (
    <>
      <Dialog opened={opened} onClose={close} title={say('palette.open')} centered={false} yOffset="10vh" size="lg">
        {opened ? <Palette onClose={close} onPlan={setChosen} /> : null}
      </Dialog>
      {chosen === null ? null : (
        <ChangesDialog kind={chosen.kind} plan={chosen.plan} onDone={forget} onClose={forget} />
      )}
    </>
  );
}
