import { Anchor, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type CatalogKind, type CatalogRows, loadCatalogObject } from '../api/bookings/catalog.ts';
import { useCanEdit } from '../session/session.ts';
import { deskKey, useCellContext, useDeskScope } from '../session/desk-scope.ts';
import { formatInstant } from '../format/format-value.ts';
import { say } from '../messages/say.ts';
import { actorWords } from '../ui/actor-words.ts';
import { SidePanel } from '../ui/dialog.tsx';
import { later } from '../ui/later.tsx';
import { ProblemAlert } from '../ui/problem-alert.tsx';
import { LoadingPage } from '../ui/state-pages.tsx';
import { AdPicture } from './ad-columns.tsx';
import { columnsOf } from './catalog-kinds.tsx';
import { type DrawnKind, isDrawn, PAGES } from './gallery.tsx';
import { NEW } from './catalog-state.ts';
import { ObjectForm } from './object-form.tsx';
import { PixelCode } from '../audience/pixel-code.tsx';
import { TryEvent } from '../audience/try-event.tsx';
import { DealItems } from './deal-items.tsx';

const SizeSection = later(
  async () => (await import('../audience/size-section.tsx')).SizeSection,
  ['audience', 'catalog'],
);
const UploadSection = later(async () => (await import('../audience/upload-section.tsx')).UploadSection, ['audience']);

/** One object beside the table: what is known of it, and its fields to edit. The table stays. */
export function ObjectPanel({
  kind,
  id,
  onOpen,
  onClose,
}: {
  readonly kind: CatalogKind;
  /** `NEW` for one that is being made. */
  readonly id: string;
  onOpen: (id: string) => void;
  onClose: () => void;
}) {
  const scope = useDeskScope();
  const canEdit = useCanEdit();
  const isNew = id === NEW;
  const found = useQuery({
    queryKey: [...deskKey(scope), 'catalog-object', kind, id],
    queryFn: ({ signal }) => loadCatalogObject(scope, kind, id, signal),
    enabled: !isNew && scope.networkId !== '',
  });
  const object = found.data ?? null;
  const title = isNew ? say('catalog.new_title', { kind: say(`catalog_one.${kind}`) }) : (object?.name ?? id);
  return (
    <SidePanel opened onClose={onClose} position="right" size="lg" title={<bdi>{title}</bdi>}>
      <Stack>
        <ProblemAlert error={found.error} onRetry={() => void found.refetch()} />
        {!isNew && found.isPending ? <LoadingPage /> : null}
        {!isNew && found.data === null ? <Text>{say('catalog.missing', { id })}</Text> : null}
        {isDrawn(kind) && object !== null ? <AdPicture ad={object as CatalogRows[DrawnKind]} box={PICTURE} /> : null}
        {canEdit && (isNew || object !== null) ? (
          <ObjectForm
            key={`form/${id}`}
            kind={kind}
            object={isNew ? null : object}
            onSaved={(saved) => (isNew ? onOpen(saved) : undefined)}
            onReload={() => void found.refetch()}
          />
        ) : null}
        {kind === 'segments' && object !== null ? (
          <SizeSection key={`size/${id}`} segmentId={id} present={(object as CatalogRows['segments']).sizeEstimate} />
        ) : null}
        {canEdit && kind === 'segments' && object?.status === 'ACTIVE' ? <UploadSection segmentId={id} /> : null}
        {kind === 'activities' && object?.status === 'ACTIVE' ? (
          <TryEvent key={`event/${id}`} actgid={(object as CatalogRows['activities']).actgid} />
        ) : null}
        {kind === 'activities' && (object as CatalogRows['activities'] | null)?.acceptsPixel === true ? (
          <PixelCode key={`pixel/${id}`} actgid={(object as CatalogRows['activities']).actgid} />
        ) : null}
        {kind === 'deals' && object !== null ? <DealItems key={`items/${id}`} deal={object} /> : null}
        {object === null ? null : <Facts kind={kind} object={object} />}
      </Stack>
    </SidePanel>
  );
}

function Facts<Kind extends CatalogKind>({
  kind,
  object,
}: {
  readonly kind: Kind;
  readonly object: CatalogRows[Kind];
}) {
  const { currency } = useCellContext();
  const facts = columnsOf(kind, currency).filter(({ id }) => id !== 'name' && id !== 'updated');
  const instant = formatInstant(object.updatedAt);
  return (
    <>
      <Related kind={kind} id={object.id} />
      <Table verticalSpacing={6} layout="fixed">
        <Table.Tbody>
          {facts.map(({ id, title, render }) => (
            <Table.Tr key={id}>
              <Table.Th scope="row" w="40%">
                {title}
              </Table.Th>
              <Table.Td className="desk-value">{render(object)}</Table.Td>
            </Table.Tr>
          ))}
          <Table.Tr>
            <Table.Th scope="row">{say('catalog.changed')}</Table.Th>
            <Table.Td className="desk-value">
              {object.updatedBy === '' ? instant : say('catalog.by', { instant, who: actorWords(object.updatedBy) })}
            </Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
    </>
  );
}

const PICTURE = { width: 400, height: 320 };

/** The way to what belongs to the object. */
function Related({ kind, id }: { readonly kind: CatalogKind; readonly id: string }) {
  if (kind === 'advertisers')
    return (
      <Anchor renderRoot={(props) => <Link to="/desk/line-items" search={{ advertiser: id }} {...props} />}>
        {say('catalog.line_items')}
      </Anchor>
    );
  if (isDrawn(kind))
    return (
      <Anchor renderRoot={(props) => <Link to={PAGES[kind].one} params={{ id }} search={{}} {...props} />}>
        {say('catalog.creative_page')}
      </Anchor>
    );
  if (kind === 'sites')
    return (
      <Anchor renderRoot={(props) => <Link to="/desk/ad-units" search={{ site: id }} {...props} />}>
        {say('catalog.ad_units')}
      </Anchor>
    );
  return null;
}
