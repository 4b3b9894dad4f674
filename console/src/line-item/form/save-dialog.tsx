import { Button, Group, List, Stack, Table, Text, Title } from '@mantine/core';
import type { LineItemDetail } from '../../api/bookings/desk-object.ts';
import type { ObjectResult } from '../../api/bookings/object-updates.ts';
import { BeforeAfterHead } from '../../changes/before-after-head.tsx';
import { remarkOf } from '../../changes/bulk-plan.ts';
import type { BothSides } from '../../changes/compare-sides.ts';
import { fieldName } from '../../changes/field-words.ts';
import { say } from '../../messages/say.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ProblemAlert } from '../../ui/problem-alert.tsx';
import { type EffectFacts, sayEffects } from './delivery-effect.ts';
import { describeSetting, type DraftChanges, settingsAfter } from './item-settings.ts';
import type { WordContext } from './setting-words.ts';
import { useItemSaving } from './use-settings.ts';

/** The properties of the dialog. */
export interface SaveDialogProps {
  /** As the form began. */
  readonly base: LineItemDetail;
  readonly changes: DraftChanges;
  readonly validation: ObjectResult | undefined;
  readonly words: WordContext;
  readonly likely: EffectFacts['likely'];
  readonly nowMs: number;
  onSaved: () => void;
  onConflict: (sides: BothSides) => void;
  onClose: () => void;
}

/** Each setting before and after, and what the change does to delivery; then it is saved. */
export function SaveDialog(props: SaveDialogProps) {
  const { base, changes, validation, words, likely, nowMs, onSaved, onConflict, onClose } = props;
  const { saving, refused } = useItemSaving(
    base,
    { changes: changes.changes, words },
    { saved: onSaved, conflict: onConflict },
  );
  const effects = sayEffects({
    before: base,
    after: settingsAfter(base, changes.changes),
    changed: changes.changes.map(({ name }) => name),
    status: base.status,
    campaign: base.campaign,
    delivered: base.delivery?.progress?.delivered ?? null,
    likely,
    nowMs,
    zone: words.zone,
  });
  const remark = remarkOf(refused ?? validation);
  return (
    <Dialog opened onClose={onClose} size="lg" title={say('item_form.save_title', { name: base.name })}>
      <Stack>
        <ProblemAlert error={saving.error} />
        <Difference changes={changes} words={words} />
        <div>
          <Title order={3} size="h4" mb="xs">
            {say('item_form.effect')}
          </Title>
          <List>
            {effects.map((effect) => (
              <List.Item key={effect}>{effect}</List.Item>
            ))}
          </List>
        </div>
        {remark === null ? null : (
          <Text role="alert" {...((refused ?? validation)?.code === null ? {} : { c: 'var(--mantine-color-error)' })}>
            {remark}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {say('item_form.back')}
          </Button>
          <Button loading={saving.isPending} data-autofocus onClick={() => saving.mutate()}>
            {say('action.save')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function Difference({ changes: { changes }, words }: Pick<SaveDialogProps, 'changes' | 'words'>) {
  return (
    <Table.ScrollContainer minWidth={280} mah="40vh" type="native" tabIndex={0}>
      <Table verticalSpacing={6}>
        <BeforeAfterHead />
        <Table.Tbody>
          {changes.map(({ name, before, after }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{fieldName(name)}</Table.Th>
              <Table.Td className="desk-value diff-before">{describeSetting(name, before, words)}</Table.Td>
              <Table.Td className="desk-value diff-after">{describeSetting(name, after, words)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
