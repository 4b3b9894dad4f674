import { AttentionList } from '../desk/attention-list.tsx';
import type { WidgetBodyProps } from './widget-kinds.tsx';
import type { WidgetOptions } from './widgets.ts';

/** What needs a person, as on Today. */
export function AttentionWidget({ options: { about } }: WidgetBodyProps<WidgetOptions['attention']>) {
  return <AttentionList part={about} />;
}
