/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing of many elements is one picture */
import { BarChart, HeatmapChart, LineChart, PieChart } from 'echarts/charts';
import {
  AriaComponent,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapComponent,
} from 'echarts/components';
import { type EChartsType, init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { EChartsOption } from 'echarts';
import { useEffect, useRef } from 'react';

use([
  BarChart,
  HeatmapChart,
  LineChart,
  PieChart,
  AriaComponent,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
  VisualMapComponent,
  SVGRenderer,
]);

/** A drawing, sharp at any zoom. Its description is its name for those who do not see it; the table below has every value. */
export function ChartView({
  option,
  heightPx,
  onPick,
}: {
  readonly option: EChartsOption;
  readonly heightPx: number;
  readonly onPick: (position: number) => void;
}) {
  const holder = useRef<HTMLDivElement>(null);
  const chart = useRef<EChartsType | null>(null);
  const pick = useRef(onPick);
  useEffect(() => {
    pick.current = onPick;
  }, [onPick]);
  useEffect(() => {
    if (holder.current === null) return undefined;
    const made = init(holder.current, null, { renderer: 'svg' });
    chart.current = made;
    made.on('click', (event) => pick.current(event.dataIndex));
    const observer = new ResizeObserver(() => made.resize());
    observer.observe(holder.current);
    return () => {
      observer.disconnect();
      made.dispose();
      chart.current = null;
    };
  }, []);
  useEffect(() => {
    chart.current?.setOption(option, { notMerge: true });
  }, [option]);
  return <div ref={holder} role="img" aria-label={descriptionOf(option)} style={{ width: '100%', height: heightPx }} />;
}

/** The drawing library names the picture only when it has drawn it, which it does not while the picture has no width. */
function descriptionOf({ aria }: EChartsOption): string | undefined {
  return (Array.isArray(aria) ? aria[0] : aria)?.label?.description;
}
