import { MEDIA, type MediaType } from '../../domain/creative-format.ts';
import type {
  CompanionMode,
  CreativeRotation,
  DealKind,
  DeliveryStatus,
  GoalKind,
  GoalPeriod,
  LineItemType,
  Pacing,
  Roadblock,
} from '../../domain/booking/line-item.ts';
import type { ForecastPrecision } from '../../domain/booking/delivery-insight.ts';
import type { FrequencyWindow } from '../../domain/frequency/frequency-cap.ts';
import { OPTIMISATION_GOALS, type OptimisationGoal } from '../../domain/booking/optimisation-goal.ts';
import { PRICING, type PricingModel } from '../../domain/pricing/pricing-models.ts';
import type {
  CreativeReview,
  GoalCompetition,
  ImpressionTouches,
  NetworkStatus,
} from '../../domain/tenancy/workspace.ts';
import { builder } from '../kernel/builder.ts';

/** Values of an enumeration with their descriptions; the compiler checks that every value of the domain is here. */
type Described<Value extends string> = Record<Value, { readonly description: string }>;

export const LifecycleRef = builder.enumType('Lifecycle', {
  description: 'Whether an object is in use.',
  values: {
    ACTIVE: { description: 'In use.' },
    ARCHIVED: { description: 'Out of use; kept for its history. Giving it the status ACTIVE restores it.' },
  } satisfies Described<'ACTIVE' | 'ARCHIVED'>,
});

export const DeliveryStatusRef = builder.enumType('DeliveryStatus', {
  description: 'Status of a campaign or line item. Only ACTIVE serves, and only while all parents are ACTIVE.',
  values: {
    DRAFT: { description: 'Being prepared.' },
    RESERVED: { description: 'Holds inventory in forecasts, does not serve.' },
    ACTIVE: { description: 'Serves within its flight.' },
    PAUSED: { description: 'Stopped for now.' },
    COMPLETED: { description: 'Has reached its end or goal.' },
    ARCHIVED: { description: 'Out of use; kept for its history.' },
  } satisfies Described<DeliveryStatus>,
});

export const CreativeStatusRef = builder.enumType('CreativeStatus', {
  description: 'Status of a creative.',
  values: {
    ACTIVE: { description: 'May serve.' },
    PAUSED: { description: 'Stopped for now.' },
    ARCHIVED: { description: 'Out of use; kept for its history.' },
  } satisfies Described<'ACTIVE' | 'PAUSED' | 'ARCHIVED'>,
});

export const ReviewStateRef = builder.enumType('ReviewState', {
  description: 'The result of the review of a creative. Only APPROVED serves.',
  values: {
    PENDING: { description: 'Not reviewed yet.' },
    APPROVED: { description: 'May serve.' },
    REJECTED: { description: 'Must not serve.' },
  } satisfies Described<'PENDING' | 'APPROVED' | 'REJECTED'>,
});

export const LineItemTypeRef = builder.enumType('LineItemType', {
  description:
    'The tier of a line item, highest first: a lower tier is decided only when higher ones leave the slot unfilled.',
  values: {
    SPONSORSHIP: { description: 'Share of voice in percent; the rest of 100 % goes to lower tiers.' },
    STANDARD: { description: 'Guaranteed goal, by urgency.' },
    PRICE: { description: 'Highest effective price wins.' },
    HOUSE: { description: 'Own ads, by weight, when nothing else serves.' },
  } satisfies Described<LineItemType>,
});

export const GoalKindRef = builder.enumType('GoalKind', {
  description: 'What a goal counts.',
  values: {
    IMPRESSIONS: { description: 'Impressions.' },
    VIEWABLE_IMPRESSIONS: { description: 'Impressions measured as viewable.' },
    CLICKS: { description: 'Clicks.' },
    CONVERSIONS: { description: 'Attributed activities.' },
  } satisfies Described<GoalKind>,
});

export const GoalPeriodRef = builder.enumType('GoalPeriod', {
  description: 'The span that a goal is for.',
  values: {
    LIFETIME: { description: 'The whole flight.' },
    DAY: { description: "Each day, in the line item's time zone." },
  } satisfies Described<GoalPeriod>,
});

export const PacingRef = builder.enumType('Pacing', {
  description: 'How delivery is spread over the flight.',
  values: {
    EVEN: { description: 'Along the expected traffic.' },
    ASAP: { description: 'As fast as possible.' },
    FRONT_LOADED: { description: 'Up to 40 % faster early in the flight.' },
  } satisfies Described<Pacing>,
});

export const ForecastPrecisionRef = builder.enumType('ForecastPrecision', {
  description: 'How much a forecast replays.',
  values: {
    ROUGH: {
      description: 'So few sampled users that it takes about a second. The interval is wider, as it should be.',
    },
    FULL: { description: 'All that can be replayed.' },
  } satisfies Described<ForecastPrecision>,
});

export const PricingModelRef = builder.enumType('PricingModel', {
  description: 'Which event earns the price.',
  values: PRICING satisfies Described<PricingModel>,
});

export const CreativeRotationRef = builder.enumType('CreativeRotation', {
  description: 'How one of several fitting creatives is chosen.',
  values: {
    EVEN: { description: 'All alike.' },
    WEIGHTED: { description: 'By their weights.' },
    OPTIMISED: { description: 'By the rate of the event of `optimisationGoal`; without one, by click rate.' },
    SEQUENTIAL: { description: 'One after the other for each user.' },
  } satisfies Described<CreativeRotation>,
});

export const OptimisationGoalRef = builder.enumType('OptimisationGoal', {
  description: 'What a line item maximises besides reaching its goal.',
  values: OPTIMISATION_GOALS satisfies Described<OptimisationGoal>,
});

export const RoadblockRef = builder.enumType('Roadblock', {
  description: 'Whether creatives of a line item fill several slots of one request together.',
  values: {
    ONE: { description: 'At most one slot a request.' },
    AS_MANY_AS_POSSIBLE: { description: 'As many slots as fit.' },
    ALL: { description: 'All creatives together, or none.' },
  } satisfies Described<Roadblock>,
});

export const CompanionModeRef = builder.enumType('CompanionMode', {
  description:
    'Whether the companions of a creative stand beside it: banners of the same line item that name it as their master.',
  values: {
    NONE: { description: 'Companions are not shown.' },
    OPTIONAL: { description: 'As many companions as find a slot.' },
    AT_LEAST_ONE: { description: 'The master is shown only with at least one companion.' },
    ALL: { description: 'The master is shown only with all its companions.' },
  } satisfies Described<CompanionMode>,
});

export const FrequencyWindowRef = builder.enumType('FrequencyWindow', {
  description: "Unit of a frequency cap's window, which opens at the user's first event.",
  values: {
    MINUTE: { description: 'Minutes.' },
    HOUR: { description: 'Hours.' },
    DAY: { description: 'Days of 24 hours.' },
    WEEK: { description: 'Weeks.' },
    MONTH: { description: 'Months of 30 days.' },
    LIFETIME: { description: 'For as long as the user is known.' },
  } satisfies Described<FrequencyWindow>,
});

export const FrequencyEventRef = builder.enumType('FrequencyEvent', {
  description: 'What a frequency cap counts.',
  values: { IMPRESSIONS: { description: 'Impressions.' }, CLICKS: { description: 'Clicks.' } } satisfies Described<
    'IMPRESSIONS' | 'CLICKS'
  >,
});

export const FrequencyPerRef = builder.enumType('FrequencyPer', {
  description: 'Whose events a frequency cap counts.',
  values: {
    USER: { description: "The user's." },
    HOUSEHOLD: { description: "The household's, where the request names it (`ids.hh`) with consent; else the user's." },
  } satisfies Described<'USER' | 'HOUSEHOLD'>,
});

export const MediaTypeRef = builder.enumType('MediaType', {
  description: 'What an ad unit can show.',
  values: {
    BANNER: { description: MEDIA.banner.description, value: 'banner' },
    VIDEO: { description: MEDIA.video.description, value: 'video' },
    NATIVE: { description: MEDIA.native.description, value: 'native' },
    AUDIO: { description: MEDIA.audio.description, value: 'audio' },
  } as const satisfies { [Each in MediaType as Uppercase<Each>]: { description: string; value: Each } },
});

export const NetworkStatusRef = builder.enumType('NetworkStatus', {
  description: 'Status of a network.',
  values: {
    ACTIVE: { description: 'Serves.' },
    PAUSED: { description: 'Serves nothing; reads and changes work.' },
    SUSPENDED: { description: 'Serves nothing; reads work, changes fail. Only the operator sets and lifts it.' },
  } satisfies Described<NetworkStatus>,
});

export const GoalCompetitionRef = builder.enumType('GoalCompetition', {
  description: 'How guaranteed line items meet what is sold by price.',
  values: {
    BIDS: { description: 'A goal bids more the further it is behind, and is compared with prices by value.' },
    LEVELS: { description: 'Goals come before all prices, by level and urgency.' },
  } satisfies Described<GoalCompetition>,
});

export const ImpressionTouchesRef = builder.enumType('ImpressionTouches', {
  description: 'Which impressions a conversion may be credited to when there was no click.',
  values: {
    IMPRESSIONS: { description: 'Every impression.' },
    VIEWABLE_IMPRESSIONS: { description: 'Only viewable impressions.' },
  } satisfies Described<ImpressionTouches>,
});

export const CreativeReviewRef = builder.enumType('CreativeReview', {
  description: 'Whether creatives are reviewed before they serve.',
  values: {
    NONE: { description: 'New creatives serve at once, unless they are given another review state.' },
    REQUIRED: {
      description: 'New creatives, and those whose content changes, wait in PENDING; a rejection needs a reason.',
    },
  } satisfies Described<CreativeReview>,
});

export const DealKindRef = builder.enumType('DealKind', {
  description: 'What a deal agrees on.',
  values: {
    PRIVATE: { description: 'A price for a buyer.' },
    PROGRAMMATIC_GUARANTEED: {
      description:
        'An amount at a fixed price for a buyer. Its line items are STANDARD, with an impression goal at CPM; no floor of the network, an ad unit, a rule or a slot binds them.',
    },
  } satisfies Described<DealKind>,
});
