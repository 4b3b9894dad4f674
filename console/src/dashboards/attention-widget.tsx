import { AttentionList } from '../today/attention-list.tsx';
import { ScrollRegion } from '../ui/scroll-region.tsx';
import type { WidgetOptions, WidgetBodyProps } from './widgets.ts';

/** About as high as a chart with its title, so that neighbours fit each other. */
const HEIGHT_MAX_PX = 420;

/** What needs a person, as on Today. */
export function AttentionWidget({ options: { about }, title }: WidgetBodyProps<WidgetOptions['attention']>) {
  return (
    <ScrollRegion label={title} heightMaxPx={HEIGHT_MAX_PX}>
      <AttentionList part={about} />
    </ScrollRegion>
  );
}
