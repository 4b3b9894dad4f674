import type { PlacardCommand, PlacardQueue, PlacardTag, PlacardTarget } from '../tag.d.ts';
import { AdUnit } from './ad-unit.ts';
import { ownScript } from './own-script.ts';
import { readSettings, type TagSettings } from './settings.ts';
import { dataOf, elementOf, setTargeting, Slot } from './slots.ts';

const SELECTOR = '[data-ad-unit]';
const page = window as unknown as { placard?: PlacardTag | PlacardQueue };
const settings = ownScript === null ? null : readSettings(ownScript);
if (settings !== null && !(page.placard && 'refresh' in page.placard)) start(settings);

/** Finds the ad units of the page, now and as they come and go, and runs what the page has queued. */
function start(known: TagSettings): void {
  const adUnits = new Map<Element, AdUnit>();
  const look = (): void => {
    for (const [element, adUnit] of adUnits) {
      if (element.isConnected && element.matches(SELECTOR)) continue;
      adUnit.close();
      adUnits.delete(element);
    }
    for (const element of document.querySelectorAll<HTMLElement>(SELECTOR))
      if (!adUnits.has(element)) adUnits.set(element, new AdUnit(element, known));
  };
  const find = (target: PlacardTarget): HTMLElement | null =>
    typeof target === 'object' && 'setTargeting' in target ? target.element : elementOf(target);
  /** The newest first. */
  let slots: Slot[] = [];
  const run = (command: PlacardCommand): void => {
    try {
      command(tag);
    } catch (error) {
      // The page's own error ends neither the tag nor the other commands.
      reportError(error);
    }
  };
  const tag: PlacardTag = {
    cmd: { push: (...commands) => commands.forEach(run) },
    defineSlot(adUnit, sizes, where, options = {}) {
      const slot = new Slot(dataOf(adUnit, sizes, options), where);
      slots.unshift(slot);
      return slot;
    },
    display(target) {
      const element = find(target);
      const slot = slots.find((one) => one === target || (element !== null && one.element === element));
      if (slot === undefined && element === null) throw new Error(`placard: no element #${target as string}`);
      slot?.show();
      look();
    },
    refresh(target) {
      const wanted = target === undefined ? null : find(target);
      for (const [one, adUnit] of adUnits) if (target === undefined || one === wanted) adUnit.refresh();
    },
    destroy(target) {
      const element = find(target);
      element?.removeAttribute('data-ad-unit');
      slots = slots.filter((one) => one !== target && one.element !== element);
      look();
    },
    setTargeting: (key, value) => setTargeting(known.script, key, value),
    on: (name, listener) => addEventListener(`placard:${name}`, listener as unknown as (event: Event) => void),
  };
  const queued = page.placard?.cmd as readonly PlacardCommand[] | undefined;
  page.placard = tag;
  queued?.forEach(run);
  look();
  new MutationObserver(look).observe(document.documentElement, { childList: true, subtree: true });
  if (known.singlePage) watchAddress(() => tag.refresh());
}

/** Calls back when the page shows another address without being loaded again; a fragment alone is none. */
function watchAddress(changed: () => void): void {
  const addressOf = (): string => location.href.replace(/#.*/, '');
  let shown = addressOf();
  const check = (): void => {
    if (addressOf() === shown) return;
    shown = addressOf();
    changed();
  };
  const { navigation } = window as unknown as { navigation?: EventTarget };
  navigation?.addEventListener('navigatesuccess', check);
  navigation?.addEventListener('currententrychange', check);
  addEventListener('popstate', check);
}
