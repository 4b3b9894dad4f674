import { ActionIcon, Button, Group, MultiSelect, Paper, Skeleton, Stack, Text, Textarea, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { BookedKind } from '../api/bookings/desk-list.ts';
import { addComment, type Comment, deleteComment, loadComments } from '../api/bookings/team.ts';
import { useCanEdit, useIsAdmin, useSession } from '../session/session.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';
import { say } from '../messages/say.ts';
import { Icon } from '../ui/icons.tsx';
import { Instant } from '../ui/instant.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';

/** What members say about an object. */
export function CommentsSection({ kind, id }: { readonly kind: BookedKind; readonly id: string }) {
  const scope = useDeskScope();
  const canEdit = useCanEdit();
  const queryKey = [...deskKey(scope), 'comments', kind, id];
  const comments = useQuery({ queryKey, queryFn: ({ signal }) => loadComments(scope, kind, id, signal) });
  const { data } = comments;
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="comments-title">
      <Stack gap="sm">
        <Title order={2} size="h3" id="comments-title">
          {say('comments.title')}
        </Title>
        <ProblemAlert error={comments.error} onRetry={() => void comments.refetch()} />
        {comments.isPending ? <Skeleton height={48} /> : null}
        {data?.comments.length === 0 ? <Text c="dimmed">{say('comments.empty')}</Text> : null}
        {data?.comments.toReversed().map((comment) => (
          <Said key={comment.id} comment={comment} queryKey={queryKey} />
        ))}
        {canEdit ? <NewComment {...{ kind, id, queryKey }} colleagues={data?.colleagues ?? []} /> : null}
      </Stack>
    </Paper>
  );
}

function Said({ comment, queryKey }: { readonly comment: Comment; readonly queryKey: readonly string[] }) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const isAdmin = useIsAdmin();
  const { user } = useSession();
  const removal = useMutation({
    mutationFn: () => deleteComment(scope, comment.id),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
  return (
    <div>
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <Text size="sm" c="dimmed">
          <bdi>{comment.authorName}</bdi>
          {' · '}
          <Instant at={comment.createdAt} />
        </Text>
        {isAdmin || comment.authorId === user.id ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            loading={removal.isPending}
            aria-label={say('comments.delete', { name: comment.authorName })}
            onClick={() => removal.mutate()}
          >
            <Icon name="close" size={16} />
          </ActionIcon>
        ) : null}
      </Group>
      <ProblemAlert error={removal.error} />
      <Text dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {comment.body}
      </Text>
    </div>
  );
}

interface NewCommentProps {
  readonly kind: BookedKind;
  readonly id: string;
  readonly queryKey: readonly string[];
  readonly colleagues: readonly { readonly id: string; readonly name: string }[];
}

function NewComment({ kind, id, queryKey, colleagues }: NewCommentProps) {
  const scope = useDeskScope();
  const client = useQueryClient();
  const { user } = useSession();
  const [body, setBody] = useState('');
  const [mentionedIds, setMentioned] = useState<string[]>([]);
  const submission = useMutation({
    mutationFn: () => addComment(scope, { kind, id, body, mentionedIds }),
    onSuccess: async () => {
      setBody('');
      setMentioned([]);
      await client.invalidateQueries({ queryKey });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (body.trim() !== '') submission.mutate();
  };
  const others = colleagues.filter((one) => one.id !== user.id).map((one) => ({ value: one.id, label: one.name }));
  return (
    <form onSubmit={submit} className="screen-only">
      <Stack gap="xs">
        <ProblemAlert error={submission.error} />
        <Textarea
          label={say('comments.label')}
          autosize
          minRows={2}
          maxRows={10}
          maxLength={4_000}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
        />
        {others.length === 0 ? null : (
          <MultiSelect
            label={say('comments.mention')}
            data={others}
            value={mentionedIds}
            onChange={setMentioned}
            searchable
            maxValues={20}
          />
        )}
        <Group>
          <Button type="submit" variant="default" loading={submission.isPending} disabled={body.trim() === ''}>
            {say('comments.add')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
