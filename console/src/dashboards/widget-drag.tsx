import { Box } from '@mantine/core';
import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { Icon, type IconName } from '../ui/icons.tsx';
import type { WidgetWidth } from './widgets.ts';

/** How far a corner is pulled before the width changes. */
const PULL_PX = 40;
/** So near to an edge of the window, the page scrolls. */
const EDGE_PX = 60;
const SCROLL_PX = 12;

/** How a widget looks while one is dragged; null: as always. */
export type DragMark = 'dragged' | 'target' | null;

interface Dragged {
  readonly id: string;
  /** The widget whose position it gets; null: none. */
  readonly overId: string | null;
}

/** What a drag does; the same as the buttons of a widget. */
export interface DragActions {
  /** Gives a widget the position of another one. */
  move: (id: string, overId: string) => void;
  resize: (id: string, width: WidgetWidth) => void;
}

/** What the handles of a widget tell. */
export interface WidgetDrag {
  begin: (id: string) => void;
  moveTo: (x: number, y: number) => void;
  /** Drops it where it is, or nowhere. */
  end: (isDropped: boolean) => void;
  resize: DragActions['resize'];
}

/** The drag of a dashboard: where its widget would go, and what happens when it is dropped. Escape drops it nowhere. */
export function useWidgetDrag({ move, resize }: DragActions) {
  const [dragged, setDragged] = useState<Dragged | null>(null);
  // A drop right after a move comes before the move is rendered.
  const latest = useRef<Dragged | null>(null);
  const at = useRef({ x: 0, y: 0 });
  const isDragging = dragged !== null;
  const change = (next: Dragged | null): void => {
    latest.current = next;
    setDragged(next);
  };
  const moveTo = (x: number, y: number): void => {
    at.current = { x, y };
    change(overAt(latest.current, at.current));
  };
  const end = (isDropped: boolean): void => {
    const { id, overId = null } = latest.current ?? {};
    change(null);
    if (isDropped && id !== undefined && overId !== null) move(id, overId);
  };
  useEffect(() => {
    if (!isDragging) return undefined;
    const cancel = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      latest.current = null;
      setDragged(null);
    };
    let frame = 0;
    const scroll = (): void => {
      const { y } = at.current;
      const by = y < EDGE_PX ? -SCROLL_PX : y > window.innerHeight - EDGE_PX ? SCROLL_PX : 0;
      if (by !== 0) {
        window.scrollBy(0, by);
        // Another widget is under the pointer, which has not moved.
        latest.current = overAt(latest.current, at.current);
        setDragged(latest.current);
      }
      frame = requestAnimationFrame(scroll);
    };
    window.addEventListener('keydown', cancel);
    frame = requestAnimationFrame(scroll);
    return () => {
      window.removeEventListener('keydown', cancel);
      cancelAnimationFrame(frame);
    };
  }, [isDragging]);
  const markOf = (id: string): DragMark => (dragged?.id === id ? 'dragged' : dragged?.overId === id ? 'target' : null);
  const begin = (id: string): void => change({ id, overId: null });
  const drag: WidgetDrag = { begin, moveTo, end, resize };
  return { drag, markOf };
}

/** A drag whose pointer is at a point of the window. */
function overAt(dragged: Dragged | null, { x, y }: { readonly x: number; readonly y: number }): Dragged | null {
  return dragged === null ? null : { id: dragged.id, overId: widgetAt(x, y, dragged.id) };
}

/** The id of the widget at a point of the window; null: none, or the one that is dragged. */
function widgetAt(x: number, y: number, draggedId: string): string | null {
  const frame = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-widget]');
  const id = frame?.dataset['widget'] ?? null;
  return id === draggedId ? null : id;
}

/** A handle for a mouse or a finger. Screen readers do not see it: the buttons beside it do the same by keyboard. */
function Handle({
  name,
  icon,
  title,
  onDown,
  onMove,
  onEnd,
}: {
  readonly name: 'move' | 'resize';
  readonly icon: IconName;
  readonly title: string;
  onDown: (event: PointerEvent<HTMLElement>) => void;
  onMove: (event: PointerEvent<HTMLElement>) => void;
  onEnd: (isDropped: boolean) => void;
}) {
  const isDown = useRef(false);
  const down = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    isDown.current = true;
    onDown(event);
  };
  const end = (isDropped: boolean): void => {
    if (isDown.current) onEnd(isDropped);
    isDown.current = false;
  };
  return (
    <Box
      aria-hidden
      data-drag={name}
      title={title}
      onPointerDown={down}
      onPointerMove={(event) => (isDown.current ? onMove(event) : undefined)}
      onPointerUp={() => end(true)}
      onPointerCancel={() => end(false)}
      {...(name === 'resize' ? { visibleFrom: 'lg' as const, pos: 'absolute' as const, right: 2, bottom: 2 } : {})}
      style={{ cursor: name === 'move' ? 'grab' : 'ew-resize', touchAction: 'none', lineHeight: 0, padding: 6 }}
    >
      <Icon name={icon} size={16} />
    </Box>
  );
}

/** Drags a widget to the position of another one. */
export function MoveHandle({
  id,
  title,
  drag,
}: {
  readonly id: string;
  readonly title: string;
  readonly drag: WidgetDrag;
}) {
  return (
    <Handle
      name="move"
      icon="grip"
      title={title}
      onDown={() => drag.begin(id)}
      onMove={({ clientX, clientY }) => drag.moveTo(clientX, clientY)}
      onEnd={drag.end}
    />
  );
}

/** The width that a pull of a corner means: a narrow widget grows towards the other column, a wide one shrinks to the left. */
export function pulledWidth(
  width: WidgetWidth,
  { pulledPx, isRight }: { readonly pulledPx: number; readonly isRight: boolean },
): WidgetWidth {
  if (width === 'full') return pulledPx < -PULL_PX ? 'half' : 'full';
  return (isRight ? -pulledPx : pulledPx) > PULL_PX ? 'full' : 'half';
}

/** Pulls a widget to half or all of a wide page. */
export function ResizeHandle({
  id,
  width,
  title,
  drag,
}: {
  readonly id: string;
  readonly width: WidgetWidth;
  readonly title: string;
  readonly drag: WidgetDrag;
}) {
  const from = useRef({ x: 0, isRight: false, width });
  const down = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): void => {
    const frame = currentTarget.closest('[data-widget]');
    const grid = frame?.parentElement;
    const isRight = (frame?.getBoundingClientRect().left ?? 0) > (grid?.getBoundingClientRect().left ?? 0) + PULL_PX;
    from.current = { x: clientX, isRight, width };
  };
  const pull = ({ clientX }: PointerEvent<HTMLElement>): void => {
    const { x, isRight, width: before } = from.current;
    const next = pulledWidth(before, { pulledPx: clientX - x, isRight });
    if (next !== width) drag.resize(id, next);
  };
  return <Handle name="resize" icon="corner" title={title} onDown={down} onMove={pull} onEnd={() => undefined} />;
}
