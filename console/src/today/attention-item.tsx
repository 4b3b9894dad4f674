import { Badge, Group, Text } from '@mantine/core';
import { numberFormat } from '../format/intl-formats.ts';
import type { TroubleCause } from '../api/bookings/diagnosis.ts';
import { sayDelivery } from '../delivery/say-delivery.ts';
import { formatCount, formatMoney } from '../format/desk-format.ts';
import { formatInstant } from '../format/format-value.ts';
import { currentLocale } from '../messages/language.ts';
import { say } from '../messages/say.ts';
import { type CellContext, useCellContext } from '../session/desk-scope.ts';
import { useCanEdit, useSession } from '../session/session.ts';
import { ObjectLink } from '../tables/column-parts.tsx';
import { actorWords } from '../ui/actor-words.ts';
import { type AttentionEntry, type AttentionKind, remedyOf } from './attention.ts';
import { sayCause } from './say-cause.ts';
import { EntryMenu } from './entry-menu.tsx';
import { RemedyButton } from './remedy-button.tsx';

const TONES: Readonly<Record<AttentionKind, string>> = {
  AT_RISK: 'state-bad',
  BEHIND: 'state-warn',
  SILENT: 'state-bad',
  REJECTED: 'state-bad',
  NO_CREATIVE: 'state-warn',
  PENDING: 'state-warn',
  ENDING: '',
};
/** Shapes beside the words: colour is never the only sign. */
const SHAPES: Readonly<Record<AttentionKind, string>> = {
  AT_RISK: '◆',
  BEHIND: '▼',
  SILENT: '✕',
  REJECTED: '✕',
  NO_CREATIVE: '○',
  PENDING: '○',
  ENDING: '◔',
};
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A change of the last days may be the cause. */
const CHANGED_MS = 3 * DAY_MS;

/** One line item that needs a person: what is at stake, why, and the button that mends it. */
export function AttentionItem({
  entry,
  cause,
  isDiagnosed,
}: {
  readonly entry: AttentionEntry;
  readonly cause: TroubleCause | null;
  /** Whether the cause is known by now. */
  readonly isDiagnosed: boolean;
}) {
  const context = useCellContext();
  const { kind, item, atRisk, endsAt, sentence } = entry;
  const { snoozedUntil } = item.attention;
  const canEdit = useCanEdit();
  const remedy = remedyOf(entry, cause);
  const progress = item.delivery?.progress ?? null;
  const facts = [
    endsAt === null ? null : timeLeft(Date.parse(endsAt) - context.nowMs),
    progress === null || progress.expected === null || progress.isHistoryLoading
      ? null
      : say('attention.delivered', {
          delivered: formatCount(progress.delivered),
          expected: formatCount(progress.expected),
        }),
  ].filter((fact) => fact !== null);
  return (
    <li className="today-entry">
      <div className="today-entry-text">
        <Group gap="xs">
          <span className={`state-word ${TONES[kind]}`}>
            <span aria-hidden="true">{SHAPES[kind]}</span>
            {say(`attention.${kind}`)}
          </span>
          <ObjectLink to="/desk/line-items/$id" id={item.id} name={item.name} />
          <HandedTo entry={entry} />
          {snoozedUntil === null ? null : (
            <Badge variant="default" size="sm">
              {say('attention.snoozed_until', { at: formatInstant(snoozedUntil, context.timezone) })}
            </Badge>
          )}
        </Group>
        <Text size="sm">
          {atRisk > 0 ? (
            <Text span fw={600} inherit>
              {say('attention.money', { money: formatMoney(atRisk.toFixed(2), context.currency) })}
            </Text>
          ) : null}
          {[...(atRisk > 0 ? [''] : []), ...facts].join(' · ')}
        </Text>
        <Text size="sm" c="dimmed">
          {(cause === null ? null : sayCause(cause, context)) ?? sentence}
        </Text>
        {remedy.kind === 'change' && canEdit ? (
          <Text size="sm">{`→ ${sayDelivery({ sentence: remedy.change.sentence, texts: [remedy.change.text] }, context)}`}</Text>
        ) : null}
        <Changed entry={entry} context={context} />
      </div>
      <Group gap={4} wrap="nowrap">
        <RemedyButton entry={entry} remedy={remedy} isReady={isDiagnosed} />
        <EntryMenu entry={entry} />
      </Group>
    </li>
  );
}

/** Who looks after it. */
function HandedTo({ entry: { item, isWithOther } }: { readonly entry: AttentionEntry }) {
  const { handedTo, handedBy } = item.attention;
  if (handedTo === null) return null;
  return (
    <Badge variant="default" size="sm">
      {isWithOther
        ? say('attention.with', { name: handedTo.name })
        : say('attention.from', { name: handedBy?.name ?? '' })}
    </Badge>
  );
}

/** Who changed the line item in the last days: what went wrong since may come from it. */
function Changed({
  entry: { item, kind },
  context: { nowMs, timezone },
}: {
  readonly entry: AttentionEntry;
  readonly context: CellContext;
}) {
  const { user } = useSession();
  const isRecent = nowMs - Date.parse(item.updatedAt) < CHANGED_MS;
  const name = actorWords(item.updatedBy);
  if (!isRecent || kind === 'ENDING' || name === '') return null;
  const at = formatInstant(item.updatedAt, timezone);
  return (
    <Text size="sm" c="dimmed">
      {name === user.email ? say('attention.changed_by_you', { at }) : say('attention.changed', { at, name })}
    </Text>
  );
}

/** The time until the end of a flight: days, or hours on the last ones. */
function timeLeft(leftMs: number): string | null {
  if (leftMs <= 0) return null;
  const isDays = leftMs >= 2 * DAY_MS;
  const time = numberFormat(currentLocale(), {
    style: 'unit',
    unit: isDays ? 'day' : 'hour',
    unitDisplay: 'long',
  }).format(Math.max(1, Math.floor(leftMs / (isDays ? DAY_MS : HOUR_MS))));
  return say('attention.left', { time });
}
