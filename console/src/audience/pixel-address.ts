import type { Scope } from '../api/transport/scope.ts';

/** The tag of a page that sends an event of an activity without a key. What is in capitals is the page's to fill in. */
export function writePixel(delivery: string, { environment, networkId }: Scope, actgid: string): string {
  const prefix = environment === 'staging' ? '/staging' : '';
  const members = `actgid=${encodeURIComponent(actgid)}&event=purchased&cost=AMOUNT&ord=ORDER&clickId=CLICK_ID`;
  const address = `${delivery}${prefix}/${networkId}/activity?${members}`;
  return `<img src="${address.replaceAll('&', '&amp;')}" width="1" height="1" alt="">`;
}
