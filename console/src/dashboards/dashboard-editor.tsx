import { Button, Group, Menu, Paper, Stack, Switch, Text, VisuallyHidden } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { Scope } from '../api/transport/scope.ts';
import { createSavedView, type SavedView, updateSavedView } from '../api/reports/saved-views.ts';
import { savedViewsKey } from '../saved-views/use-saved-views.ts';
import { say } from '../messages/say.ts';
import { NameField } from '../ui/form-dialog.tsx';
import { Icon } from '../ui/icons.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { type WidgetAction, WidgetControls, WidgetDialog } from './widget-controls.tsx';
import { useWidgetDrag } from './widget-drag.tsx';
import { titleOf } from './widget-frame.tsx';
import { WidgetGrid } from './widget-grid.tsx';
import { WIDGET_KIND_NAMES, WIDGET_KINDS } from './widget-kinds.tsx';
import {
  freeId,
  type KnownWidget,
  moveWidget,
  moveWidgetTo,
  readWidgets,
  type Widget,
  type WidgetKindName,
  WIDGETS_MAX,
  writeWidgets,
  type KnownViews,
} from './widgets.ts';

interface EditorProps {
  readonly scope: Scope;
  readonly views: KnownViews;
  /** Null: a new one. */
  readonly dashboard: SavedView | null;
  onSaved: (id: string) => void;
  onClose: () => void;
}

/** A dashboard while it is edited: nothing is stored before Save. */
export function DashboardEditor(props: EditorProps) {
  const { views } = props;
  const draft = useDraft(props);
  const { widgets, setWidgets } = draft;
  const [dialog, setDialog] = useState<WidgetKindName | KnownWidget | null>(null);
  const { heard, moveTo, setHeard } = useFocusAfter();
  const { show, drag, markOf } = useWidgetMoves(draft, views, setHeard);
  const act = (widget: Widget, action: WidgetAction): void => {
    if (action === 'configure') return setDialog(widget.kind === null ? null : widget);
    if (action === 'remove') {
      setWidgets(widgets.filter((one) => one !== widget));
      return moveTo(null);
    }
    if (action === 'width') {
      const width = widget.width === 'full' ? 'half' : 'full';
      return setWidgets(widgets.map((one) => (one === widget ? { ...widget, width } : one)));
    }
    show(moveWidget(widgets, widget.id, action === 'earlier' ? -1 : 1), widget);
    return moveTo({ id: widget.id, action });
  };
  const finish = (made: Omit<KnownWidget, 'id'>): void => {
    const id = dialog === null || typeof dialog === 'string' ? freeId(widgets) : dialog.id;
    const widget = { ...made, id } as KnownWidget;
    const isNew = widgets.every((one) => one.id !== id);
    setWidgets(isNew ? [...widgets, widget] : widgets.map((one) => (one.id === id ? widget : one)));
    setDialog(null);
  };
  return (
    <Stack gap="lg">
      <EditForm draft={draft} onAdd={setDialog} onClose={props.onClose} />
      <VisuallyHidden component="output">{heard}</VisuallyHidden>
      <WidgetGrid
        widgets={widgets}
        views={views}
        markOf={markOf}
        controlsOf={(widget, at) => (
          <WidgetControls
            widget={widget}
            title={titleOf(widget, views)}
            isFirst={at === 0}
            isLast={at === widgets.length - 1}
            drag={drag}
            onAction={(action) => act(widget, action)}
          />
        )}
      />
      <LeaveGuard isChanged={draft.isChanged} />
      {dialog === null ? null : (
        <WidgetDialog
          kind={typeof dialog === 'string' ? dialog : dialog.kind}
          widget={typeof dialog === 'string' ? null : dialog}
          views={views}
          onDone={(made) => finish(made as Omit<KnownWidget, 'id'>)}
          onClose={() => setDialog(null)}
        />
      )}
    </Stack>
  );
}

/** Widgets moved and resized by drag; the result is heard. */
function useWidgetMoves(
  { widgets, setWidgets }: Pick<ReturnType<typeof useDraft>, 'widgets' | 'setWidgets'>,
  views: KnownViews,
  setHeard: (text: string) => void,
) {
  /** Shows widgets in another order; the position of the one that moved is heard. */
  const show = (next: readonly Widget[], moved: Widget): void => {
    setWidgets(next);
    const at = next.indexOf(moved) + 1;
    setHeard(say('dashboards.moved', { name: titleOf(moved, views), at, count: next.length }));
  };
  const { drag, markOf } = useWidgetDrag({
    move: (id, overId) => {
      const widget = widgets.find((one) => one.id === id);
      const to = widgets.findIndex((one) => one.id === overId);
      if (widget !== undefined && to >= 0) show(moveWidgetTo(widgets, id, to), widget);
    },
    resize: (id, width) => {
      const widget = widgets.find((one) => one.id === id);
      if (widget === undefined) return;
      setWidgets(widgets.map((one) => (one === widget ? { ...widget, width } : one)));
      setHeard(say('dashboards.resized', { name: titleOf(widget, views), width: say(`dashboards.width_${width}`) }));
    },
  });
  return { show, drag, markOf };
}

/** What a member has changed, and how it is stored. */
function useDraft({ scope, dashboard, onSaved }: Pick<EditorProps, 'scope' | 'dashboard' | 'onSaved'>) {
  const [name, setName] = useState(dashboard?.name ?? '');
  const [shared, setShared] = useState(dashboard?.shared ?? false);
  const [before] = useState(() => (dashboard === null ? [] : readWidgets(dashboard.body, WIDGET_KINDS)));
  const [widgets, setWidgets] = useState(before);
  const isSaved = useRef(false);
  const client = useQueryClient();
  const saving = useMutation({
    mutationFn: () => {
      const input = { kind: 'dashboard' as const, name, shared, body: writeWidgets(widgets) };
      return dashboard === null ? createSavedView(scope, input) : updateSavedView(scope, dashboard, input);
    },
    onSuccess: async (saved) => {
      isSaved.current = true;
      await client.invalidateQueries({ queryKey: savedViewsKey(scope) });
      onSaved(saved.id);
    },
  });
  const isChanged = (): boolean =>
    !isSaved.current &&
    (widgets !== before || name !== (dashboard?.name ?? '') || shared !== (dashboard?.shared ?? false));
  return { name, setName, shared, setShared, widgets, setWidgets, saving, isChanged };
}

function EditForm({
  draft: { name, setName, shared, setShared, widgets, saving },
  onAdd,
  onClose,
}: {
  readonly draft: ReturnType<typeof useDraft>;
  onAdd: (kind: WidgetKindName) => void;
  onClose: () => void;
}) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Paper withBorder p="md" component="section" aria-label={say('dashboards.edit')}>
      <form noValidate onSubmit={submit}>
        <Stack gap="sm">
          <ProblemAlert error={saving.error} />
          <NameField value={name} error={saving.error} onChange={setName} />
          <Group justify="space-between">
            <Switch
              label={say('dashboards.shared')}
              checked={shared}
              onChange={(event) => setShared(event.currentTarget.checked)}
            />
            <Group>
              <AddMenu isFull={widgets.length >= WIDGETS_MAX} onAdd={onAdd} />
              <Button variant="default" onClick={onClose}>
                {say('action.cancel')}
              </Button>
              <Button type="submit" loading={saving.isPending}>
                {say('action.save')}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

function AddMenu({ isFull, onAdd }: { readonly isFull: boolean; onAdd: (kind: WidgetKindName) => void }) {
  if (isFull) return <Text size="sm">{say('dashboards.at_most', { max: WIDGETS_MAX })}</Text>;
  return (
    <Menu width={300} position="bottom-end">
      <Menu.Target>
        <Button variant="default" data-add="" leftSection={<Icon name="plus" size={16} />}>
          {say('dashboards.add')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {WIDGET_KIND_NAMES.map((kind) => (
          <Menu.Item key={kind} onClick={() => onAdd(kind)}>
            {say(WIDGET_KINDS[kind].name)}
            <Text size="xs" c="dimmed">
              {say(WIDGET_KINDS[kind].about)}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** A widget that moves or goes takes the focused button with it: the focus follows, and what happened is heard. */
function useFocusAfter() {
  const [heard, setHeard] = useState('');
  const [target, moveTo] = useState<{ readonly id: string; readonly action: WidgetAction } | null | undefined>();
  const done = useRef(target);
  useEffect(() => {
    if (target === undefined || done.current === target) return;
    done.current = target;
    if (target === null) {
      document.querySelector<HTMLElement>('[data-add]')?.focus();
      return;
    }
    const { id, action } = target;
    const other = action === 'earlier' ? 'later' : 'earlier';
    const buttonOf = (name: WidgetAction): HTMLElement | null =>
      document.querySelector(`[data-widget="${CSS.escape(id)}"] [data-action="${name}"]:not(:disabled)`);
    (buttonOf(action) ?? buttonOf(other))?.focus();
  }, [target]);
  return { heard, setHeard, moveTo };
}
