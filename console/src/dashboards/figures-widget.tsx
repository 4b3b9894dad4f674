import { DayFigures } from '../today/day-figures.tsx';
import { useCellContext } from '../session/desk-scope.ts';

/** The figures of the day, as on Today. */
export function FiguresWidget() {
  return <DayFigures context={useCellContext()} />;
}
