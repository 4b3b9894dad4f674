import { isMessageKey, say } from '../messages/say.ts';
import { describeValue } from './change-preview.ts';

/** Fields whose values are words of the API, with the texts of those. */
const WORDED: Readonly<Record<string, (value: string) => string>> = {
  status: (value) => `status.${value}`,
  reviewState: (value) => `review.${value}`,
  type: (value) => `line_item_type.${value}`,
};

/** The name of a field for people; its name in the API where it has none. @param name such as `caps.clicksPerDay` */
export function fieldName(name: string): string {
  const key = `field.${name}`;
  return isMessageKey(key) ? say(key) : name;
}

/** The value of a field for people. */
export function describeField(name: string, value: unknown): string {
  const key = typeof value === 'string' ? WORDED[name]?.(value) : undefined;
  return key !== undefined && isMessageKey(key) ? say(key) : describeValue(value);
}
