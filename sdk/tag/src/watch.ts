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
      inView = (entries.at(-1)?.intersectionRatio ?? 0) >= part;
      look();
    },
    { threshold: [0, part] },
  );
  const timer = setInterval(look, 100);
  observer.observe(element);
  return stop;

  function look(): void {
    if (!inView || document.hidden || !isRunning()) {
      since = 0;
      return;
    }
    since ||= performance.now();
    if (performance.now() - since < durationMs) return;
    stop();
    seen();
  }

  function stop(): void {
    observer.disconnect();
    clearInterval(timer);
  }
}

/** True while any part of the element is within the viewport. */
export function isInView(element: Element): boolean {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  return bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
}

/** Fires a tracking address. */
export function fire(url: string | null | undefined): void {
  if (url && /^https?:/.test(url)) new Image().src = url;
}
