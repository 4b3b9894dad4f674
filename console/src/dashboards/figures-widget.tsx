import { DayFigures } from '../desk/day-figures.tsx';
import { useCellContext } from '../desk/use-desk-list.ts';

/** The figures of the day, as on Today. */
export function FiguresWidget() {
  return <DayFigures context={useCellContext()} />;
}
