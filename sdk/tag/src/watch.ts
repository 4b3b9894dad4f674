import { ownScript } from './own-script.ts';

/** An ad of so many pixels counts as seen with 30 % of them in view, smaller ones with 50 % (MRC). */
const LARGE_AD_PX = 242_500;

/** Ends what was begun. */
export type Stop = () => void;

/** Calls back once the element comes within `marginPx` of the viewport. */
export function whenNear(element: Element, marginPx: number, near: () => void): Stop {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      near();
    },
    { rootMargin: `${marginPx}px` },
  );
  observer.observe(element);
  return () => observer.disconnect();
}

/**
 * Calls back once enough of the element was in view without a break for `durationMs`, in a page that is itself seen. `isRunning` is asked
 * too: a video must play meanwhile.
 */
export function whenSeen(element: HTMLElement, durationMs: number, seen: () => void, isRunning = () => true): Stop {
  const part = element.offsetWidth * element.offsetHeight >= LARGE_AD_PX ? 0.3 : 0.5;
  let inView = false;
  let since = 0;
  const observer = new IntersectionObserver(
    (entries) => {
      const { intersectionRatio = 0, time } = entries.at(-1) ?? {};
      look(time);
      inView = intersectionRatio >= part;
    },
    { threshold: [0, part] },
  );
  const timer = setInterval(() => look(), 100);
  // A page that is left, or kept for the back button, stops timers: what was seen until then counts, what comes after does not.
  const looked = (): void => look();
  document.addEventListener('visibilitychange', looked);
  observer.observe(element);
  return stop;

  function look(now = performance.now()): void {
    const isShown = inView && isRunning();
    if (isShown && since > 0 && now - since >= durationMs) {
      stop();
      seen();
    } else if (!isShown || document.hidden) since = 0;
    else since ||= now;
  }

  function stop(): void {
    observer.disconnect();
    clearInterval(timer);
    document.removeEventListener('visibilitychange', looked);
  }
}

let hidden = 0;
document.addEventListener('visibilitychange', () => {
  if (document.hidden) hidden += 1;
});

/** How often the page was left or covered. */
export function timesHidden(): number {
  return hidden;
}

/** Waits until the page is shown: not while it is prerendered, in a background tab, or kept for the back button. */
export function whenShown(): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    look();
  });
}

/** True while any part of the element is within the viewport. */
export function isInView(element: Element): boolean {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
}

const OWN = new URL('.', ownScript?.src ?? document.baseURI).href;

/** Fires a tracking address. Those of the ad server are sent although the page is left meanwhile. */
export function fire(url: string | null | undefined): void {
  if (!url || !/^https?:/.test(url)) return;
  if (url.startsWith(OWN)) {
    fetch(url, { mode: 'no-cors', credentials: 'include', keepalive: true }).catch(() => {});
  } else new Image().src = url;
}
