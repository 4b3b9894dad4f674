import { builder } from '../../kernel/builder.ts';
import { FieldProblemRef } from '../../kernel/field-problem.ts';
import { PayloadRef, type Refusable } from '../../kernel/interfaces.ts';
import { objectRefOf } from '../../kernel/resource-types.ts';
import { withUserErrors } from '../../kernel/user-errors.ts';
import { defineSettingInput, type FurtherField } from '../../kernel/setting-input.ts';
import type { WriteInput } from '../../kernel/drafts.ts';
import { CAMPAIGN } from '../campaign/campaign.ts';
import { CREATIVE } from '../creative/creative.ts';
import { LINE_ITEM } from '../line-item/line-item.ts';
import { type SavedObject, type SavedTree, saveTree, TREE_MAX } from './save-tree.ts';

const identity: Readonly<Record<string, FurtherField>> = {
  id: {
    type: 'ID',
    description:
      'The object to change. Absent: externalId finds it; without both, or when there is none, it is created.',
  },
  version: {
    type: 'Int',
    description: 'The version that was read; a newer version fails as `conflict`. Absent: no check.',
  },
  key: {
    type: 'String',
    description: 'Your own name of the object inside this call; the payload has it beside the id.',
  },
};

function defineInputs() {
  const creative = defineSettingInput(CREATIVE, {
    name: 'SaveCreativeInput',
    description: 'One creative of a campaign that is saved as a whole.',
    without: ['lineItemId'],
    more: {
      ...identity,
      masterCreativeKey: {
        type: 'String',
        description: 'Key of the creative of this line item that it accompanies; instead of masterCreativeId.',
      },
    },
  });
  const lineItem = defineSettingInput(LINE_ITEM, {
    name: 'SaveLineItemInput',
    description: 'One line item of a campaign that is saved as a whole.',
    without: ['campaignId'],
    more: {
      ...identity,
      creatives: { type: [creative], description: 'Its creatives. Absent: they stay as they are.' },
    },
  });
  return defineSettingInput(CAMPAIGN, {
    name: 'SaveCampaignInput',
    description: 'A campaign with its line items and creatives. Of an existing object, absent fields stay as they are.',
    without: [],
    more: {
      ...identity,
      lineItems: { type: [lineItem], description: 'Its line items. Absent: they stay as they are.' },
    },
  });
}

/** The result; without a campaign when a mistake in the input kept all of it from being saved. */
type ShownTree = Omit<SavedTree, 'campaign'> & Refusable & { readonly campaign: SavedTree['campaign'] | null };

interface ShownObject extends SavedObject {
  readonly isTrial: boolean;
}

function definePayload() {
  const kind = builder.enumType('SavedKind', {
    description: 'What an object of a saved campaign is.',
    values: {
      Campaign: { value: 'Campaign', description: 'The campaign itself.' },
      LineItem: { value: 'LineItem', description: 'A line item.' },
      Creative: { value: 'Creative', description: 'A creative.' },
    } as const,
  });
  const saved = builder.objectRef<ShownObject>('SavedObject').implement({
    description: 'One object of a saved campaign.',
    fields: (t) => ({
      path: t.exposeString('path', { description: 'Where it is in the request, such as `input.lineItems.2`.' }),
      key: t.exposeString('key', { nullable: true, description: 'Its key in the input.' }),
      kind: t.field({ type: kind, description: 'What it is.', resolve: (object) => object.kind as 'Campaign' }),
      id: t.id({
        nullable: true,
        description: 'Its id; null for a new object that was only validated.',
        resolve: ({ row, isCreated, isTrial }) => (isCreated && isTrial ? null : String(row.id)),
      }),
      isCreated: t.exposeBoolean('isCreated', { description: 'Whether it is new.' }),
    }),
  });
  return builder.objectRef<ShownTree>('SaveCampaignPayload').implement({
    description: 'The result of saving a campaign as a whole.',
    interfaces: [PayloadRef as never],
    fields: (t) => ({
      campaign: t.field({
        type: objectRefOf('Campaign'),
        nullable: true,
        description: 'The campaign after the change; null when it was only validated.',
        resolve: (tree) => (tree.validatedOnly ? null : tree.campaign),
      }),
      objects: t.field({
        type: [saved],
        description: 'The objects of the input, each parent before its children.',
        resolve: (tree) => tree.objects.map((object) => ({ ...object, isTrial: tree.validatedOnly })),
      }),
      archivedCount: t.exposeInt('archivedCount', { description: 'How many children archiveOthers archived.' }),
      warnings: t.field({
        type: [FieldProblemRef],
        description: 'Warnings: allowed, but probably unintended.',
        resolve: (tree) => [...tree.warnings],
      }),
      validatedOnly: t.exposeBoolean('validatedOnly', {
        description: 'Whether only validation was requested, so that nothing was changed.',
      }),
    }),
  });
}

/** Adds `saveCampaign`. */
export function defineSaveCampaign(): void {
  const [input, payload] = [defineInputs(), definePayload()];
  builder.mutationField('saveCampaign', (t) =>
    t.field({
      type: payload,
      nullable: true,
      description: `Creates or changes a campaign with its line items and creatives in one transaction: all of it, or nothing when anything is wrong. At most ${TREE_MAX} objects.`,
      args: {
        input: t.arg({ type: input, required: true, description: 'The campaign.' }),
        archiveOthers: t.arg.boolean({
          description: 'Archives the children that a given list leaves out. Default: they stay as they are.',
        }),
        validateOnly: t.arg.boolean({
          description: 'Validates everything and returns problems and warnings without a change.',
        }),
      },
      resolve: (_root, args, context, info) => {
        const trial = args.validateOnly ?? false;
        return withUserErrors<ShownTree>(
          context,
          info,
          () =>
            saveTree(context, {
              input: args.input as unknown as WriteInput,
              archiveOthers: args.archiveOthers ?? false,
              trial,
            }),
          (userErrors) => ({
            campaign: null,
            objects: [],
            archivedCount: 0,
            warnings: [],
            validatedOnly: trial,
            userErrors,
          }),
        );
      },
    }),
  );
}
