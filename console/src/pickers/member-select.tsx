import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Colleague, loadColleagues } from '../api/bookings/team.ts';
import { say } from '../messages/say.ts';
import { deskKey, useDeskScope } from '../session/desk-scope.ts';

/** A choice of a member of the network. The value is an e-mail address; empty: nobody. A member who has left stays chosen. */
export function MemberSelect({
  label,
  value,
  error,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly error?: string | null;
  onChange: (email: string) => void;
}) {
  const known = memberChoices(useMembers());
  const isGone = value !== '' && known.every((one) => one.value !== value);
  return (
    <Select
      label={label}
      placeholder={say('value.none')}
      data={isGone ? [{ value, label: value }, ...known] : known}
      value={value === '' ? null : value}
      error={error}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': say('action.clear') }}
      nothingFoundMessage={say('palette.nothing')}
      onChange={(email) => onChange(email ?? '')}
    />
  );
}

/** The members of the network by name; none until they are read. */
export function useMembers() {
  const scope = useDeskScope();
  const found = useQuery({
    queryKey: [...deskKey(scope), 'colleagues'],
    queryFn: ({ signal }) => loadColleagues(scope, signal),
    staleTime: 60_000,
    enabled: scope.networkId !== '',
  });
  return found.data ?? [];
}

/** The members as choices of a list: the value is the e-mail address. */
export function memberChoices(members: readonly Colleague[]) {
  return members.map(({ name, email }) => ({ value: email, label: name === '' ? email : name }));
}
