const running = document.currentScript as HTMLScriptElement | null;

/** The tag's script element. Modules and proxies that hold scripts back run the tag without naming it as the running one. */
export const ownScript: HTMLScriptElement | null = running?.dataset.network
  ? running
  : document.querySelector<HTMLScriptElement>('script[data-network]:is([src*="tag.js"], [src*="gpt.js"])');
