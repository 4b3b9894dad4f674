/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows and cells are laid out as a CSS grid, which takes the roles of a table from its tags */
import { Button, Group, Text } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { dateFormat } from '../format/intl-formats.ts';
import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';
import { ALL_HOURS, type Cell, DAYS, HOURS, paint, type WeekHours } from './week-hours.ts';

/** The first Monday of 2024: its week names the days. */
const MONDAY_MS = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;
const STEPS: Readonly<Record<string, Cell>> = {
  ArrowUp: { day: -1, hour: 0 },
  ArrowDown: { day: 1, hour: 0 },
  ArrowLeft: { day: 0, hour: -1 },
  ArrowRight: { day: 0, hour: 1 },
};

function dayName(day: number, weekday: 'short' | 'long'): string {
  return dateFormat(currentLocale(), { weekday, timeZone: 'UTC' }).format(MONDAY_MS + day * DAY_MS);
}

/** Painting of hours: a stroke of the pointer gives all its hours the value that its first hour gets; keys move, paint and extend. */
function usePainting(hours: WeekHours, change: (hours: WeekHours) => void) {
  const [active, setActive] = useState<Cell>({ day: 0, hour: 0 });
  const stroke = useRef<{ readonly from: Cell; readonly before: WeekHours; readonly value: boolean } | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  const isChosen = ({ day, hour }: Cell): boolean => hours[day * HOURS + hour] === true;
  const begin = (cell: Cell): void => {
    stroke.current = { from: cell, before: hours, value: !isChosen(cell) };
    setActive(cell);
    change(paint(hours, cell, cell, !isChosen(cell)));
  };
  const extend = (cell: Cell): void => {
    if (stroke.current === null) return;
    const { from, before, value } = stroke.current;
    change(paint(before, from, cell, value));
  };
  const end = (): void => {
    stroke.current = null;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (event.key === ' ') change(paint(hours, active, active, !isChosen(active)));
    else if (step === undefined) return;
    else {
      const next = {
        day: Math.min(DAYS - 1, Math.max(0, active.day + step.day)),
        hour: Math.min(HOURS - 1, Math.max(0, active.hour + step.hour)),
      };
      if (event.shiftKey) change(paint(hours, active, next, isChosen(active)));
      setActive(next);
      grid.current?.querySelector<HTMLElement>(`[data-cell="${next.day}-${next.hour}"]`)?.focus();
    }
    event.preventDefault();
  };
  return { grid, active, isChosen, begin, extend, end, onKeyDown };
}

/** The hours of a week, to paint by pointer or by keys. */
export function WeekGrid({ hours, change }: { readonly hours: WeekHours; change: (hours: WeekHours) => void }) {
  const { grid, active, isChosen, begin, extend, end, onKeyDown } = usePainting(hours, change);
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <Text size="sm" fw={600} id="week-title">
          {say('booking.week')}
        </Text>
        <Button size="compact-xs" variant="subtle" onClick={() => change(ALL_HOURS)}>
          {say('booking.week_all')}
        </Button>
      </Group>
      <div className="week-scroll">
        <div
          className="week-grid"
          role="grid"
          aria-labelledby="week-title"
          aria-describedby="week-hint"
          tabIndex={-1}
          ref={grid}
          onKeyDown={onKeyDown}
          onPointerUp={end}
          onPointerLeave={end}
        >
          {Array.from({ length: DAYS }, (_none, day) => (
            <div key={day} role="row" className="week-row">
              <span role="rowheader" className="week-day">
                {dayName(day, 'short')}
              </span>
              {Array.from({ length: HOURS }, (_empty, hour) => (
                <span
                  key={hour}
                  role="gridcell"
                  data-cell={`${day}-${hour}`}
                  className="week-cell"
                  aria-selected={isChosen({ day, hour })}
                  aria-label={say('booking.week_cell', { day: dayName(day, 'long'), hour })}
                  tabIndex={active.day === day && active.hour === hour ? 0 : -1}
                  onPointerDown={(event) => {
                    event.preventDefault();
                    begin({ day, hour });
                  }}
                  onPointerEnter={() => extend({ day, hour })}
                />
              ))}
            </div>
          ))}
        </div>
      </div>
      <Text size="xs" c="dimmed" id="week-hint" mt={4}>
        {hours.includes(true) ? say('booking.week_hint') : say('booking.week_none')}
      </Text>
    </div>
  );
}
