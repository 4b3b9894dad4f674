import {
  CO_BRANDING,
  COUNTING_PARTIES,
  type CreativePolicy,
  LANDING_PAGES,
  type ProductMeasurement,
} from '../../../domain/booking/product.ts';
import type { FieldProblem } from '../../../domain/errors.ts';
import { builder } from '../../kernel/builder.ts';
import { enumOf } from '../../kernel/described-enum.ts';
import { columnField, type Field, report } from '../../kernel/field.ts';
import { checkText } from '../../kernel/scalar-fields.ts';

const VENDOR_LENGTH_MAX = 200;
const TERMS_LENGTH_MAX = 2_000;

const CountingPartyRef = enumOf('CountingParty', 'Who counts what is billed.', COUNTING_PARTIES);
const CoBrandingRef = enumOf('CoBranding', "Whether creatives show the publisher's brand.", CO_BRANDING);
const LandingPageRef = enumOf('LandingPage', 'Where clicks may lead.', LANDING_PAGES);

const measured = {
  countedBy: 'Who counts what is billed.',
  vendor: 'The vendor that counts, where a third party does; else null.',
  viewabilityVendor: 'The vendor that measures viewability; null = this ad server.',
  terms: 'Further terms of measurement, in words; null = none.',
} as const;

const MeasurementRef = builder.objectRef<ProductMeasurement>('ProductMeasurement').implement({
  description: 'How delivery of a product is measured.',
  fields: (t) => ({
    countedBy: t.field({
      type: CountingPartyRef,
      description: measured.countedBy,
      resolve: ({ countedBy }) => countedBy,
    }),
    vendor: t.exposeString('vendor', { nullable: true, description: measured.vendor }),
    viewabilityVendor: t.exposeString('viewabilityVendor', { nullable: true, description: measured.viewabilityVendor }),
    terms: t.exposeString('terms', { nullable: true, description: measured.terms }),
  }),
});

const MeasurementInput = builder.inputType('ProductMeasurementInput', {
  description: 'How delivery of a product is measured.',
  fields: (t) => ({
    countedBy: t.field({ type: CountingPartyRef, required: true, description: measured.countedBy }),
    vendor: t.string({ description: measured.vendor }),
    viewabilityVendor: t.string({ description: measured.viewabilityVendor }),
    terms: t.string({ description: measured.terms }),
  }),
});

const allowed = {
  coBranding: "Whether they show the publisher's brand; default OPTIONAL.",
  landingPage: 'Where their clicks may lead; default ANY.',
  templatesAvailable: 'Whether the publisher has templates for them; default false.',
  provenanceRequired: 'Whether they have to say how they were made (by a camera, by a model …); default false.',
  terms: 'Further rules, in words; null = none.',
} as const;

const CreativePolicyRef = builder.objectRef<CreativePolicy>('CreativePolicy').implement({
  description: 'What creatives of a product have to be like.',
  fields: (t) => ({
    coBranding: t.field({
      type: CoBrandingRef,
      description: allowed.coBranding,
      resolve: ({ coBranding }) => coBranding,
    }),
    landingPage: t.field({
      type: LandingPageRef,
      description: allowed.landingPage,
      resolve: ({ landingPage }) => landingPage,
    }),
    templatesAvailable: t.exposeBoolean('templatesAvailable', { description: allowed.templatesAvailable }),
    provenanceRequired: t.exposeBoolean('provenanceRequired', { description: allowed.provenanceRequired }),
    terms: t.exposeString('terms', { nullable: true, description: allowed.terms }),
  }),
});

const CreativePolicyInput = builder.inputType('CreativePolicyInput', {
  description: 'What creatives of a product have to be like.',
  fields: (t) => ({
    coBranding: t.field({ type: CoBrandingRef, description: allowed.coBranding }),
    landingPage: t.field({ type: LandingPageRef, description: allowed.landingPage }),
    templatesAvailable: t.boolean({ description: allowed.templatesAvailable }),
    provenanceRequired: t.boolean({ description: allowed.provenanceRequired }),
    terms: t.string({ description: allowed.terms }),
  }),
});

/** How a product is measured, as one field. */
export function measurementField(): Field {
  return columnField(
    { name: 'measurement', description: 'How its delivery is measured; null = not agreed.' },
    {
      input: MeasurementInput,
      output: MeasurementRef,
      initial: null,
      isJson: true,
      check: checkMeasurement,
      asInput: withoutNulls,
    },
  );
}

/** The creative policy of a product, as one field. */
export function creativePolicyField(): Field {
  return columnField(
    { name: 'creativePolicy', description: 'What its creatives have to be like; null = nothing besides its formats.' },
    {
      input: CreativePolicyInput,
      output: CreativePolicyRef,
      initial: null,
      isJson: true,
      check: checkPolicy,
      asInput: withoutNulls,
    },
  );
}

function withoutNulls(stored: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(stored as object).filter(([, value]) => value !== null));
}

function optionalText(
  value: string | null | undefined,
  at: { path: string; lengthMax: number },
  problems: FieldProblem[],
): string | null {
  if (value === null || value === undefined || value.trim() === '') return null;
  return checkText(value, at.path, at, problems);
}

function checkMeasurement(value: unknown, path: string, problems: FieldProblem[]): ProductMeasurement {
  const given = value as Partial<ProductMeasurement> & Pick<ProductMeasurement, 'countedBy'>;
  const textAt = (name: 'vendor' | 'viewabilityVendor' | 'terms', lengthMax: number): string | null =>
    optionalText(given[name], { path: `${path}.${name}`, lengthMax }, problems);
  const vendor = textAt('vendor', VENDOR_LENGTH_MAX);
  const isThird = given.countedBy === 'THIRD_PARTY';
  if (isThird && vendor === null)
    report(problems, `${path}.vendor`, 'required', 'Name the third party whose counts are billed.');
  if (!isThird && vendor !== null)
    report(problems, `${path}.vendor`, 'not_allowed', 'Only a third party is named here; leave it out.');
  return {
    countedBy: given.countedBy,
    vendor,
    viewabilityVendor: textAt('viewabilityVendor', VENDOR_LENGTH_MAX),
    terms: textAt('terms', TERMS_LENGTH_MAX),
  };
}

function checkPolicy(value: unknown, path: string, problems: FieldProblem[]): CreativePolicy {
  const given = value as { readonly [name in keyof CreativePolicy]?: CreativePolicy[name] | null };
  return {
    coBranding: given.coBranding ?? 'OPTIONAL',
    landingPage: given.landingPage ?? 'ANY',
    templatesAvailable: given.templatesAvailable ?? false,
    provenanceRequired: given.provenanceRequired ?? false,
    terms: optionalText(given.terms, { path: `${path}.terms`, lengthMax: TERMS_LENGTH_MAX }, problems),
  };
}
