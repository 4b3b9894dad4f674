import { Text, Title } from '@mantine/core';
import { formatMoney } from '../format/desk-format.ts';
import { formatInstant } from '../format/format-value.ts';
import { say } from '../messages/say.ts';
import { useCellContext } from '../session/desk-scope.ts';
import { Fact } from './fact.tsx';
import { cutText, LongText } from './long-text.tsx';
import { type AskedPackage, readAsked } from './read-request.ts';

const CREATIVES_SHOWN = 10;
const NAME_CHARS = 100;
/** An instant of the protocol; agents also send `asap`. */
const INSTANT = /^[12]\d{3}-\d\d-\d\dT/;

/** The parts of an agent's request, in words for people. */
export function AskedParts({
  request,
  products,
}: {
  readonly request: unknown;
  readonly products: ReadonlyMap<string, string>;
}) {
  const { timezone } = useCellContext();
  const { brand, orderNumber, buyId, startsAt, endsAt, packages, creatives, isPaused, isCanceled } = readAsked(request);
  const flight = [startsAt, endsAt].flatMap((one) => (one === null ? [] : instantWords(one, timezone)));
  return (
    <section aria-label={say('agents.asked')}>
      <Title order={3} size="h5">
        {say('agents.asked')}
      </Title>
      <dl className="agent-facts">
        {brand === null ? null : <TextFact name={say('agents.brand')} text={brand} />}
        {orderNumber === null ? null : <TextFact name={say('agents.order')} text={orderNumber} />}
        {buyId === null ? null : <TextFact name={say('agents.buy')} text={buyId} />}
        {flight.length === 0 ? null : <TextFact name={say('agents.flight')} text={flight.join(' – ')} />}
        {packages.length === 0 ? null : (
          <Fact name={say('agents.packages', { count: packages.length })}>
            <ul className="desk-history">
              {packages.map((one, index) => (
                <li key={index}>
                  <PackageWords asked={one} products={products} />
                </li>
              ))}
            </ul>
          </Fact>
        )}
        {creatives.length === 0 ? null : (
          <Fact name={say('agents.creatives', { count: creatives.length })}>
            <bdi>
              {creatives
                .slice(0, CREATIVES_SHOWN)
                .map((name) => cutText(name, NAME_CHARS))
                .join(', ')}
            </bdi>{' '}
            {creatives.length > CREATIVES_SHOWN
              ? say('agents.more_creatives', { count: creatives.length - CREATIVES_SHOWN })
              : ''}
          </Fact>
        )}
      </dl>
      {isPaused || packages.some((one) => one.isPaused) ? <Text size="sm">{say('agents.paused')}</Text> : null}
      {isCanceled ? <Text size="sm">{say('agents.canceled')}</Text> : null}
    </section>
  );
}

function TextFact({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <Fact name={name}>
      <LongText text={text} />
    </Fact>
  );
}

function PackageWords({
  asked: { productId, packageId, budget },
  products,
}: {
  readonly asked: AskedPackage;
  readonly products: ReadonlyMap<string, string>;
}) {
  const { currency } = useCellContext();
  const product = productId === null ? null : (products.get(productId) ?? productId);
  const name = product ?? (packageId === null ? say('value.none') : say('agents.package_one', { id: packageId }));
  return (
    <>
      <LongText text={name} />
      {budget === null ? '' : ` · ${formatMoney(budget.toFixed(2), currency)}`}
    </>
  );
}

/** An instant as people read it, or what the agent sent in its place. */
function instantWords(text: string, timezone: string | undefined): string {
  return INSTANT.test(text) && !Number.isNaN(Date.parse(text)) ? formatInstant(text, timezone) : text;
}
