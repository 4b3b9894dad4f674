import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';

/** A line item by its name, with the way to it. */
export function LineItemLink({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <Anchor
      inherit
      underline="always"
      renderRoot={(props) => <Link to="/desk/line-items/$id" params={{ id }} search={{}} {...props} />}
    >
      <bdi>{name === '' ? id : name}</bdi>
    </Anchor>
  );
}
