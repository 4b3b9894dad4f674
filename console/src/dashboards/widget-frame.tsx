import { Alert, Anchor, Box, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { CatchBoundary } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ROLES, type Role } from '../api/account/auth.ts';
import { useScope, useSession } from '../session/session.ts';
import { say } from '../messages/say.ts';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { usePrinting } from '../ui/use-printing.ts';
import type { DragMark } from './widget-drag.tsx';
import { WIDGET_KINDS, widgetTitle } from './widget-kinds.tsx';
import type { UnknownWidget, Widget, WidgetKindName, WidgetOf, KnownViews } from './widgets.ts';

/** A widget is loaded when it comes this near to what is in sight. */
const NEAR = '300px';
const EMPTY_HEIGHT_PX = 160;

const MARKS = {
  dragged: { opacity: 0.5 },
  target: { outline: '3px solid var(--mantine-primary-color-filled)', outlineOffset: 2 },
} as const;

/** The title of a widget, whether its kind is known or not. */
export function titleOf(widget: Widget, views: KnownViews): string {
  if (widget.kind !== null) return widgetTitle(widget, views);
  return widget.title === '' ? widget.kindName : widget.title;
}

/** A widget with its title. If it fails, its frame shows the error and a button to try again, and the other widgets stay. */
export function WidgetFrame({
  widget,
  views,
  controls,
  mark,
}: {
  readonly widget: Widget;
  readonly views: KnownViews;
  /** What changes it; null while the dashboard is only looked at. */
  readonly controls: ReactNode;
  readonly mark: DragMark;
}) {
  const title = titleOf(widget, views);
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-label={title}
      data-widget={widget.id}
      miw={0}
      pos="relative"
      style={{ ...(widget.width === 'full' ? { gridColumn: '1 / -1' } : {}), ...(mark === null ? {} : MARKS[mark]) }}
    >
      <Stack gap="xs">
        <Group justify="space-between" wrap="wrap">
          <Title order={2} size="h3" style={{ overflowWrap: 'anywhere' }}>
            {widget.kind === null ? <bdi>{title}</bdi> : <LinkedTitle widget={widget} title={title} views={views} />}
          </Title>
          {controls}
        </Group>
        {widget.kind === null ? (
          <Unknown widget={widget} />
        ) : (
          <Permitted role={WIDGET_KINDS[widget.kind].role}>
            <Near>
              <Guarded>
                <Body widget={widget} title={title} views={views} />
              </Guarded>
            </Near>
          </Permitted>
        )}
      </Stack>
    </Paper>
  );
}

interface KnownProps<Kind extends WidgetKindName> {
  readonly widget: WidgetOf<Kind>;
  readonly title: string;
  readonly views: KnownViews;
}

function LinkedTitle<Kind extends WidgetKindName>({ widget, title, views }: KnownProps<Kind>) {
  const root = WIDGET_KINDS[widget.kind].linkOf(widget.options, views);
  return root === null ? (
    <bdi>{title}</bdi>
  ) : (
    <Anchor inherit renderRoot={root}>
      <bdi>{title}</bdi>
    </Anchor>
  );
}

function Body<Kind extends WidgetKindName>({ widget, title, views }: KnownProps<Kind>) {
  const { Body: Shown } = WIDGET_KINDS[widget.kind];
  return <Shown options={widget.options} title={title} views={views} />;
}

function Unknown({ widget: { kindName } }: { readonly widget: UnknownWidget }) {
  return (
    <Alert variant="outline" color="gray" styles={{ message: { color: 'var(--mantine-color-text)' } }}>
      {say('dashboards.unknown', { kind: kindName })}
    </Alert>
  );
}

/** Whether a role includes the rights of another. */
export function includesRole(role: Role | undefined, needed: Role): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

function Permitted({ role, children }: { readonly role: Role; readonly children: ReactNode }) {
  const { user } = useSession();
  const { membership } = useScope();
  return user.operator || includesRole(membership?.role, role) ? (
    children
  ) : (
    <Text c="dimmed">{say('dashboards.forbidden')}</Text>
  );
}

/** Shows what is in it once it has come near to what is in sight, and on paper. */
function Near({ children }: { readonly children: ReactNode }) {
  const { ref, entry } = useIntersection<HTMLDivElement>({ rootMargin: NEAR });
  const [wasNear, setWasNear] = useState(false);
  const isPrinting = usePrinting();
  if (!wasNear && (isPrinting || entry?.isIntersecting === true)) setWasNear(true);
  return (
    <Box ref={ref} miw={0} {...(wasNear ? {} : { mih: EMPTY_HEIGHT_PX, 'data-waiting': '' })}>
      {wasNear ? children : null}
    </Box>
  );
}

/** What is thrown while a widget is loaded or drawn is said in its frame. */
function Guarded({ children }: { readonly children: ReactNode }) {
  return (
    <CatchBoundary
      getResetKey={() => 0}
      errorComponent={({ error, reset }) => <ProblemAlert error={error} onRetry={reset} />}
    >
      <Stack gap="xs">{children}</Stack>
    </CatchBoundary>
  );
}
