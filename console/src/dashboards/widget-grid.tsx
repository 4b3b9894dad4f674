import { SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { say } from '../messages/say.ts';
import type { DragMark } from './widget-drag.tsx';
import { WidgetFrame } from './widget-frame.tsx';
import type { Widget, KnownViews } from './widgets.ts';

/** The widgets of a dashboard: two beside each other on a wide page. */
export function WidgetGrid({
  widgets,
  views,
  controlsOf,
  markOf,
}: {
  readonly widgets: readonly Widget[];
  readonly views: KnownViews;
  controlsOf?: (widget: Widget, at: number) => ReactNode;
  markOf?: (id: string) => DragMark;
}) {
  if (widgets.length === 0) return <Text c="dimmed">{say('dashboards.no_widgets')}</Text>;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      {widgets.map((widget, at) => (
        <WidgetFrame
          key={widget.id}
          widget={widget}
          views={views}
          controls={controlsOf?.(widget, at) ?? null}
          mark={markOf?.(widget.id) ?? null}
        />
      ))}
    </SimpleGrid>
  );
}
