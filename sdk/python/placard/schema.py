"""Types of the management API, and what selections of fields must know of arguments.

Generated from contract/schema.graphql; do not edit. "npx vitest run src/management/schema/schema.test.ts -u" writes it.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, TypedDict, Union

API_VERSION = "2026-11-29"

ActivityCreditKind = Literal["CLICK", "VIEW"]


ActivityEventOutcome = Literal["ACCEPTED", "DUPLICATE", "REFUSED"]


ActivityNoCredit = Literal["NONE_COUNTS", "NO_CONTACT", "NO_USER"]


ActivityOrderField = Literal["ACCEPTS_PIXEL", "ACTGID", "CLICK_WINDOW_SECONDS", "CREATED_AT", "ID", "NAME", "NOTES", "OWNER", "REPEAT_INTERVAL_SECONDS", "STATUS", "UPDATED_AT", "UPDATED_BY", "VERSION", "VIEW_WINDOW_SECONDS"]


AdUnitOrderField = Literal["CREATED_AT", "FLOOR", "ID", "NAME", "NOTES", "OWNER", "STATUS", "UPDATED_AT", "UPDATED_BY", "VERSION"]


AdvertiserOrderField = Literal["CREATED_AT", "CREDIT", "DSA_BEHALF", "DSA_PAID", "EXTERNAL_ID", "ID", "NAME", "NOTES", "OWNER", "STATUS", "UPDATED_AT", "UPDATED_BY", "VERSION"]


AdvertisingProductOrderField = Literal["CANCELLATION_NOTICE_DAYS", "CREATED_AT", "DELIVERY", "DESCRIPTION", "ID", "LEAD_TIME_HOURS", "MAXIMUM_DAYS", "MINIMUM_DAYS", "MINIMUM_SPEND", "NAME", "NOTES", "OFFERED_TO_BUYERS", "OWNER", "STATUS", "UPDATED_AT", "UPDATED_BY", "VERSION"]


AgentNoticeScheme = Literal["BEARER", "HMAC_SHA256", "HTTP_SIGNATURE"]


AgentNoticeStatus = Literal["DELIVERED", "FAILED", "PENDING", "WAITING"]


AgentRequestBeginning = Literal["CONFLICT", "IN_FLIGHT", "NEW", "REPLAY"]


AgentRequestDecision = Literal["APPROVE", "REJECT"]


AgentRequestState = Literal["COMPLETED", "FAILED", "REJECTED", "RUNNING", "SUBMITTED"]


AreaOrderField = Literal["CODE", "CREATED_AT", "ID", "NAME", "NOTES", "OWNER", "STATUS", "UPDATED_AT", "UPDATED_BY", "VERSION"]


AssetKind = Literal["AUDIO", "BUNDLE", "HTML", "IMAGE", "VIDEO"]


BookingApprovalState = Literal["APPROVED", "MISSING", "NOT_NEEDED", "REQUESTED"]


BulkMode = Literal["ALL_OR_NOTHING", "ROW_BY_ROW"]


CampaignOrderField = Literal["CREATED_AT", "ENDS_AT", "EXTERNAL_ID", "ID", "NAME", "NOTES", "ORDER_NUMBER", "OWNER", "SALESPERSON", "STARTS_AT", "STATUS", "UPDATED_AT", "UPDATED_BY", "VERSION"]


ChangeKind = Literal["ACTIVITY", "ADVERTISER", "ADVERTISING_PRODUCT", "AD_UNIT", "AREA", "BOOKING_APPROVAL", "CAMPAIGN", "COMMENT", "CREATIVE", "CUSTOM_FIELD", "DEAL", "EXPERIMENT", "FLOOR", "KEY_VALUE", "LIBRARY_CREATIVE", "LINE_ITEM", "SEGMENT", "SITE", "TARGETING_PRESET", "TEAM"]


ChangeVerb = Literal["ARCHIVE", "COMPLETE", "CREATE", "PROGRESS", "UPDATE", "UPLOAD"]


Channel = Literal["CONNECTED_TV", "DIGITAL_OUT_OF_HOME", "DISPLAY", "EMAIL", "GAMING", "ONLINE_VIDEO", "PODCAST", "RETAIL_MEDIA", "STREAMING_AUDIO"]


CoBranding = Literal["NONE", "OPTIONAL", "REQUIRED"]


CompanionMode = Literal["ALL", "AT_LEAST_ONE", "NONE", "OPTIONAL"]


CountingParty = Literal["ADVERTISER", "PUBLISHER", "THIRD_PARTY"]


CreativeFormat = Literal["AUDIO", "HTML", "IMAGE", "NATIVE", "VIDEO"]


CreativeOrderField = Literal["CLICK_URL", "CREATED_AT", "ENDS_AT", "EXTERNAL_ID", "FORMAT", "HEIGHT", "ID", "LANGUAGE", "NAME", "NOTES", "OWNER", "REVIEW_REASON", "REVIEW_STATE", "SECURE", "STARTS_AT", "STATUS", "UPDATED_AT", "UPDATED_BY", "VERSION", "WEIGHT", "WIDTH"]


CreativeReview = Literal["NONE", "REQUIRED"]


CreativeRotation = Literal["EVEN", "OPTIMISED", "SEQUENTIAL", "WEIGHTED"]


CreativeStatus = Literal["ACTIVE", "ARCHIVED", "PAUSED"]


CustomFieldOrderField = Literal["CREATED_AT", "DESCRIPTION", "ID", "KEY", "NAME", "STATUS", "TYPE", "UPDATED_AT", "UPDATED_BY", "VERSION"]


CustomFieldType = Literal["BOOLEAN", "CHOICE", "DATE", "NUMBER", "TEXT"]


DealKind = Literal["PRIVATE", "PROGRAMMATIC_GUARANTEED"]


DealOrderField = Literal["CODE", "CREATED_AT", "FIXED_PRICE", "FLOOR", "ID", "KIND", "NAME", "NOTES", "OWNER", "STATUS", "UPDATED_AT", "UPDATED_BY", "VERSION"]


DeliveryCause = Literal["ARCHIVED", "BEHIND", "BETTER_UNIT", "BLOCKED", "BUDGET", "CAPPED", "COMPANION", "COMPLETED", "CONSENT", "CREATIVE", "CURRENCY", "DAYPART", "DELIVERING", "DRAFT", "DSA_MISSING", "EXCLUSION", "FLOOR", "FORMAT", "GOAL_REACHED", "LATE", "LOST", "NOT_IN_FLIGHT", "NOT_SHOWN", "NO_SAMPLE", "NO_TRAFFIC", "PACING", "PAUSED", "RESERVED", "ROADBLOCK", "SECURE", "SIZE", "SUSPENDED", "TARGETING", "UNKNOWN", "WON"]


DeliveryStatus = Literal["ACTIVE", "ARCHIVED", "COMPLETED", "DRAFT", "PAUSED", "RESERVED"]


DeliveryTextCode = Literal["ACTIVATE", "ACTIVATE_CREATIVE", "ACTIVATE_TARGET", "ADD_CREATIVE", "ADD_CREATIVE_OF_FORMAT", "ADD_CREATIVE_OF_SIZE", "ADVISE_CURRENCY", "ADVISE_EXCLUSION", "ADVISE_LABEL_FREQUENCY", "ADVISE_LATE", "ADVISE_LOST_DRAW", "ADVISE_LOST_PLAN", "ADVISE_LOST_TIER", "ADVISE_NOT_ASKED", "ADVISE_NOT_SHOWN", "ADVISE_NO_SAMPLE", "ADVISE_NO_TRAFFIC", "ADVISE_SUSPENDED", "ADVISE_TOO_LITTLE", "ADVISE_UNKNOWN", "ALONE", "AND_BECAUSE", "APPROVE_CREATIVE", "APPROVE_REJECTED", "AVAILABILITY_FIRST_ONLY", "AVAILABILITY_LEFT_OUT", "AVAILABILITY_NO_TRAFFIC", "AVAILABILITY_SHORT_HISTORY", "BECAUSE_ARCHIVED", "BECAUSE_BETTER_UNIT", "BECAUSE_BLOCKED", "BECAUSE_BLOCKED_ADVERTISER", "BECAUSE_BLOCKED_ATTRIBUTE", "BECAUSE_BLOCKED_CATEGORY", "BECAUSE_BLOCKED_LANGUAGE", "BECAUSE_BLOCKED_PRIVATE_AUCTION", "BECAUSE_BLOCKED_SEAT", "BECAUSE_BUDGET", "BECAUSE_BUDGET_REACHED", "BECAUSE_CAPPED", "BECAUSE_CAPPED_ADVERTISER_FREQUENCY", "BECAUSE_CAPPED_CAMPAIGN_FREQUENCY", "BECAUSE_CAPPED_CREATIVE", "BECAUSE_CAPPED_LABEL_FREQUENCY", "BECAUSE_CAPPED_LINE_ITEM_FREQUENCY", "BECAUSE_CAPPED_NO_USER", "BECAUSE_CAP_REACHED", "BECAUSE_COMPANION", "BECAUSE_COMPLETED", "BECAUSE_CONSENT", "BECAUSE_CONSENT_SEGMENTS", "BECAUSE_CREATIVE", "BECAUSE_CREATIVE_ARCHIVED", "BECAUSE_CREATIVE_COMPANIONS", "BECAUSE_CREATIVE_ENDED", "BECAUSE_CREATIVE_NONE", "BECAUSE_CREATIVE_NOT_STARTED", "BECAUSE_CREATIVE_PAUSED", "BECAUSE_CREATIVE_PENDING", "BECAUSE_CREATIVE_REJECTED", "BECAUSE_CURRENCY", "BECAUSE_DAILY_BUDGET_REACHED", "BECAUSE_DAILY_CAP_REACHED", "BECAUSE_DAILY_GOAL_USED", "BECAUSE_DAYPART", "BECAUSE_DRAFT", "BECAUSE_DSA_MISSING", "BECAUSE_EXCLUSION", "BECAUSE_EXCLUSION_LABEL", "BECAUSE_FLIGHT_NOT_BEGUN", "BECAUSE_FLIGHT_OVER", "BECAUSE_FLOOR", "BECAUSE_FLOOR_AD_UNIT", "BECAUSE_FLOOR_DEAL", "BECAUSE_FLOOR_NETWORK", "BECAUSE_FLOOR_REQUEST", "BECAUSE_FLOOR_RULE", "BECAUSE_FORMAT", "BECAUSE_GOAL_REACHED", "BECAUSE_GOAL_USED", "BECAUSE_LATE", "BECAUSE_LINE_ITEM_STATUS", "BECAUSE_LOST_DRAW", "BECAUSE_LOST_PLAN", "BECAUSE_LOST_PRICE", "BECAUSE_LOST_TIER", "BECAUSE_NETWORK_STATUS", "BECAUSE_NOT_IN_FLIGHT", "BECAUSE_NOT_IN_FLIGHT_CREATIVE", "BECAUSE_OTHER", "BECAUSE_PACING", "BECAUSE_PARENT_FLIGHT_NOT_BEGUN", "BECAUSE_PARENT_FLIGHT_OVER", "BECAUSE_PARENT_STATUS", "BECAUSE_PAUSED", "BECAUSE_RESERVED", "BECAUSE_ROADBLOCK", "BECAUSE_SECURE", "BECAUSE_SIZE", "BECAUSE_SUSPENDED", "BECAUSE_TARGETING", "BECAUSE_TARGETING_KEY", "BECAUSE_TARGET_STATUS", "BEGIN_CREATIVE_NOW", "BEGIN_NOW", "CANNOT_SERVE", "CHANGE_TYPE", "CHECK_CATEGORIES", "CHECK_DOMAINS", "CORRECT_ATTRIBUTES", "CORRECT_LANGUAGE", "DELIVERING", "DELIVER_SOON", "DID_NOT_SERVE", "DOUBLE_CREATIVE_CAPS", "DOUBLE_FREQUENCY_CAPS", "DOUBLE_LABEL_CAPS", "DROP_DAY_PARTS", "DROP_DIMENSION", "DROP_EXCLUSIONS", "DROP_KEY", "DROP_OPTIMISATION", "FORECAST_BEGUN", "FORECAST_LITTLE_TRAFFIC", "FORECAST_NO_SAMPLE", "FORECAST_PARTS", "FORECAST_SHORT_SAMPLE", "FORECAST_SMALL_SAMPLE", "FORECAST_THINNED", "FORECAST_UNCERTAIN", "FORECAST_UNMATCHED", "FORECAST_VOLUME", "GOAL", "GOAL_EXPECTED", "INSPECTION_ENDED", "INSPECTION_LIKE_IT", "INSPECTION_NOT_LOGGED", "INSPECTION_NO_BOOKINGS", "INSPECTION_NO_LOG", "INSPECTION_SAME_PLAN", "MOST_LOST", "MOVE_CREATIVE_END", "MOVE_CREATIVE_FLIGHT", "MOVE_END", "MOVE_LEVEL", "NOT_SHOWN", "NO_SAMPLE", "NO_TRAFFIC", "NO_TRAFFIC_FOR", "RAISE_CREDIT", "RAISE_DAILY_CAP", "RAISE_GOAL", "RAISE_LIFETIME_CAP", "RAISE_PRICE", "RAISE_PRICE_TO", "RAISE_SHARE", "RAISE_WEIGHT", "RESTORE_CREATIVE", "RIVAL", "SEEN", "SELL_IN_AUCTION", "SELL_TO_SEAT", "SELL_WITHOUT_DEAL", "SERVE_SECURELY", "SERVE_UNKNOWN_USERS", "SERVE_WITHOUT_COMPANIONS", "SHOW_ONE_AT_A_TIME", "STATE_PAYER", "TOGETHER", "TOO_LITTLE", "UNKNOWN"]


DeliveryTextValueKind = Literal["CONSTANT", "COUNT", "DIMENSION", "INSTANT", "MONEY", "NAME", "PERCENT", "TERM"]


DiscussedKind = Literal["CAMPAIGN", "LINE_ITEM"]


Environment = Literal["PRODUCTION", "STAGING"]


ErrorCode = Literal["AUTHENTICATION_REQUIRED", "CONFLICT", "CSRF_REFUSED", "DISK_SPACE_LOW", "GONE", "HTTPS_REQUIRED", "IDEMPOTENCY_CONFLICT", "INSUFFICIENT_PERMISSIONS", "INTERNAL_ERROR", "INVALID_CREDENTIALS", "INVALID_REQUEST", "IP_NOT_ALLOWED", "METHOD_NOT_ALLOWED", "NETWORK_SUSPENDED", "NOT_ACCEPTABLE", "NOT_FOUND", "OVERLOADED", "PAYLOAD_TOO_LARGE", "QUERY_TIMEOUT", "QUERY_TOO_COMPLEX", "QUOTA_EXCEEDED", "RANGE_NOT_SATISFIABLE", "RATE_LIMIT_EXCEEDED", "REPORT_SPACE_USED_UP", "REQUEST_TIMEOUT", "UNAVAILABLE", "UNKNOWN_ACTIVITY", "UNKNOWN_AD_UNIT", "UNKNOWN_NETWORK", "UNSUPPORTED_MEDIA_TYPE", "VALIDATION_FAILED", "VERIFICATION_REQUIRED"]


ExperimentArm = Literal["REST", "RULE"]


ExperimentMeasure = Literal["CLICKS", "CONVERSIONS", "GUARANTEED_IMPRESSIONS", "IMPRESSIONS", "REVENUE"]


ExperimentOrderField = Literal["CREATED_AT", "ENDS_AT", "ID", "NAME", "RULE", "SHARE_PERCENT", "STARTS_AT", "STATUS", "UPDATED_AT", "UPDATED_BY", "VERSION"]


ExperimentRule = Literal["NO_LEARNING", "NO_PRICES"]


ExperimentState = Literal["ENDED", "RUNNING", "SCHEDULED"]


FloorOrderField = Literal["CREATED_AT", "FLOOR", "ID", "NAME", "NOTES", "OWNER", "PRIORITY", "STATUS", "UPDATED_AT", "UPDATED_BY", "VERSION"]


ForecastPrecision = Literal["FULL", "ROUGH"]


ForecastRecordReason = Literal["ARCHIVED", "CHANGED", "PAUSED", "SAMPLE_TOO_YOUNG", "TOO_LARGE"]


ForecastRecordState = Literal["NOT_SCORED", "OPEN", "SCORED", "SKIPPED"]


FrequencyEvent = Literal["CLICKS", "IMPRESSIONS"]


FrequencyPer = Literal["HOUSEHOLD", "USER"]


FrequencyWindow = Literal["DAY", "HOUR", "LIFETIME", "MINUTE", "MONTH", "WEEK"]


GoalCompetition = Literal["BIDS", "LEVELS"]


GoalCourseStep = Literal["DAY", "HOUR"]


GoalKind = Literal["CLICKS", "CONVERSIONS", "IMPRESSIONS", "VIEWABLE_IMPRESSIONS"]


GoalPeriod = Literal["DAY", "LIFETIME"]


GoalStatus = Literal["AHEAD", "AT_RISK", "BEHIND", "MISSED", "NOT_STARTED", "ON_TRACK", "REACHED"]


ImaginedStatus = Literal["ACTIVE", "PAUSED"]


ImpressionTouches = Literal["IMPRESSIONS", "VIEWABLE_IMPRESSIONS"]


InspectionDevice = Literal["DESKTOP", "MOBILE", "TABLET", "TV"]


InvitationDelivery = Literal["FAILED", "OPERATOR", "QUEUED", "SENT"]


KeyScope = Literal["BUYER", "NETWORK"]


KeyValueOrderField = Literal["CREATED_AT", "DESCRIPTION", "ID", "KEY", "NAME", "NOTES", "OWNER", "REPORTABLE", "STATUS", "UPDATED_AT", "UPDATED_BY", "VERSION"]


LandingPage = Literal["ANY", "PUBLISHER_INCLUDED", "PUBLISHER_ONLY"]


LibraryCreativeOrderField = Literal["CLICK_URL", "CREATED_AT", "EXTERNAL_ID", "FORMAT", "HEIGHT", "ID", "LANGUAGE", "NAME", "NOTES", "OWNER", "REVIEW_REASON", "REVIEW_STATE", "SECURE", "STATUS", "UPDATED_AT", "UPDATED_BY", "VERSION", "WIDTH"]


Lifecycle = Literal["ACTIVE", "ARCHIVED"]


LineItemOrderField = Literal["BUDGET", "COMPANION_MODE", "CREATED_AT", "CREATIVE_ROTATION", "ENDS_AT", "EXTERNAL_ID", "ID", "LEVEL", "NAME", "NOTES", "OPTIMISATION_GOAL", "OWNER", "PACING", "PAUSE_AFTER_GOAL", "PRICE", "PRICING_MODEL", "REPRESENTATIVE_PERCENT", "ROADBLOCK", "SERVE_WITHOUT_USER", "SHARE_PERCENT", "STARTS_AT", "STATUS", "TIMEZONE", "TYPE", "UPDATED_AT", "UPDATED_BY", "VERSION"]


LineItemTab = Literal["BEHIND", "DELIVERING", "DRAFT", "ENDED", "NOT_DELIVERING", "UPCOMING"]


LineItemTableSort = Literal["AT_RISK", "CREATED_AT", "ENDS_AT", "ID", "IMPRESSIONS", "NAME", "PACE", "SPEND", "STARTS_AT", "UPDATED_AT"]


LineItemType = Literal["HOUSE", "PRICE", "SPONSORSHIP", "STANDARD"]


MediaType = Literal["AUDIO", "BANNER", "NATIVE", "VIDEO"]


Module = Literal["AUDIENCE", "DELIVERY", "INVENTORY", "REPORTS"]


NetworkStatus = Literal["ACTIVE", "PAUSED", "SUSPENDED"]


NoFillCause = Literal["BUDGET", "CAPPED", "FLOOR", "HEADER_BID", "NETWORK_PAUSED", "NO_MATCH"]


NodeType = Literal["Activity", "AdUnit", "Advertiser", "AdvertisingProduct", "ApiKey", "Area", "Campaign", "Creative", "CustomField", "Deal", "Experiment", "Floor", "HeaderCredential", "KeyValue", "LibraryCreative", "LineItem", "ReportSchedule", "Segment", "Site", "TargetingPreset", "Team", "User", "Webhook"]


NotificationEvent = Literal["APPROVAL_REQUESTED", "APPROVED", "BEHIND_GOAL", "COMMENTED", "CREATIVE_REJECTED", "HANDED_OVER", "MENTIONED", "REVIEW_REQUESTED"]


OptimisationGoal = Literal["CLICKS", "COMPLETED_VIEWS", "CONVERSIONS", "VIEWABLE_IMPRESSIONS"]


Pacing = Literal["ASAP", "EVEN", "FRONT_LOADED"]


Permission = Literal["ADMIN", "READ_ONLY", "READ_WRITE"]


PricingModel = Literal["CPA", "CPC", "CPCV", "CPM", "FLAT", "VCPM"]


ProblemCode = Literal["AMBIGUOUS", "APPROVAL_REQUIRED", "ARCHIVED", "BAD_CHARACTER", "BAD_LENGTH", "BAD_LOGIN", "BEFORE_START", "BELOW_FLOOR", "BELOW_SPENT", "CANNOT_CHANGE", "COMPANIONS_UNUSED", "CONFLICT", "CONTROL_CHARACTERS", "CUSTOM", "DOCUMENT_WRITE", "DSA_INCOMPLETE", "DUPLICATE", "EMPTY", "FIXED", "FROM_LIBRARY", "GOAL_REACHED", "GUARANTEED_DEAL", "HAS_CREDENTIALS", "HOLDS_EMAIL", "INTERNAL_ERROR", "INVALID", "INVALID_CRON", "INVALID_DATE", "INVALID_ELEMENT", "INVALID_FORMAT", "INVALID_KEY", "INVALID_LENGTH", "INVALID_NAME", "INVALID_QUERY", "INVALID_REQUEST", "INVALID_TYPE", "INVALID_TYPES", "INVALID_UNION", "INVALID_VALUE", "INVALID_VALUES", "INVALID_WEBHOOK_URL", "IN_FUTURE", "IN_THE_PAST", "IS_COMPANION", "IS_MEMBER", "LINE_ITEMS_DIFFER", "MALFORMED", "MISSING_FILE", "NEEDS_GOAL", "NEGATIVE", "NOT_ALLOWED", "NOT_AN_ADDRESS", "NOT_AN_EMAIL", "NOT_AN_ID", "NOT_ASSOCIATED", "NOT_A_MEMBER", "NOT_BOOLEAN", "NOT_CLICK_ID", "NOT_COUNT", "NOT_CURRENCY", "NOT_DECIMAL", "NOT_FOR_IDS", "NOT_HTTPS", "NOT_INSTANT", "NOT_MONEY", "NOT_MULTIPLE_OF", "NOT_PRODUCTS", "NOT_SHOWN", "NOT_TEXT", "NOT_UPLOADED", "NO_CLICK_MACRO", "NO_COMPANIONS", "NO_CREATIVE", "NO_EFFECT", "NULL_NOT_ALLOWED", "ONE_EXPERIMENT", "ONE_OBJECT", "ONE_OF", "ONE_SOURCE", "OTHER_ADVERTISER", "OTHER_CURRENCY", "OTHER_DURATION", "OTHER_LINE_ITEM", "OTHER_PARENT", "OTHER_PROPORTIONS", "OTHER_SITE", "OTHER_TERMS", "OUTSIDE_CAMPAIGN", "OUT_OF_RANGE", "OVER_CEILING", "OVER_LIFETIME", "PARENT_NOT_ACTIVE", "RANGE_TOO_LONG", "REASON_MISSING", "REPEATED", "REQUIRED", "REVIEW_PENDING", "SAME", "SIZE_NOT_OFFERED", "SPEND_LIMIT", "TAKEN", "TOO_BIG", "TOO_DEEP", "TOO_LARGE", "TOO_LONG", "TOO_MANY", "TOO_MANY_KEYS", "TOO_OLD", "TOO_SHORT", "TOO_SIMPLE", "TOO_SMALL", "UNDEFINED_KEY", "UNKNOWN", "UNKNOWN_DEFINITION", "UNKNOWN_DIMENSION", "UNKNOWN_FILTER_TYPE", "UNKNOWN_GRANULARITY", "UNKNOWN_KIND", "UNKNOWN_MACRO", "UNKNOWN_METRIC", "UNKNOWN_MODULE", "UNKNOWN_PERMISSION", "UNKNOWN_ROLE", "UNKNOWN_TIMEZONE", "UNKNOWN_VALUE", "UNKNOWN_WORKSPACE", "UNREACHABLE", "UNRECOGNIZED_KEYS", "USES_COOKIES", "USES_STORAGE", "VALIDATION_FAILED", "WRONG_CODE", "WRONG_PASSKEY", "WRONG_TYPE"]


ProductDelivery = Literal["GUARANTEED", "NON_GUARANTEED"]


ReportDeliveryStatus = Literal["DELIVERED", "FAILED", "NONE", "PENDING"]


ReportFileFormat = Literal["CSV", "CSV_BOM", "XLSX"]


ReportScheduleStatus = Literal["ACTIVE", "PAUSED"]


ReportTaskStatus = Literal["DONE", "FAILED", "PENDING", "PROCESSING"]


ReviewState = Literal["APPROVED", "PENDING", "REJECTED"]


Roadblock = Literal["ALL", "AS_MANY_AS_POSSIBLE", "ONE"]


Role = Literal["ADMIN", "EDITOR", "VIEWER"]


SavedKind = Literal["Campaign", "Creative", "LineItem"]


SearchedKind = Literal["ACTIVITY", "ADVERTISER", "AD_UNIT", "AREA", "CAMPAIGN", "CREATIVE", "DEAL", "FLOOR", "KEY_VALUE", "LIBRARY_CREATIVE", "LINE_ITEM", "PRODUCT", "SEGMENT", "SITE", "TARGETING_PRESET", "TEAM"]


SegmentOrderField = Literal["CREATED_AT", "DESCRIPTION", "ID", "MEMBERSHIP_DAYS", "NAME", "NOTES", "OWNER", "STATUS", "UPDATED_AT", "UPDATED_BY", "UPLOADED_AT", "VERSION"]


SiteOrderField = Literal["CODE", "CREATED_AT", "DOMAIN", "ID", "NAME", "NOTES", "OWNER", "STATUS", "UPDATED_AT", "UPDATED_BY", "VERSION"]


SortDirection = Literal["ASC", "DESC"]


SortField = Literal["CREATED_AT", "ID", "NAME", "UPDATED_AT"]


StandingReason = Literal["ARCHIVED", "AT_RISK", "BEHIND", "CAMPAIGN_STOPPED", "COMPLETED", "DRAFT", "FLIGHT_OVER", "NOT_BEGUN", "NO_CREATIVE", "PAUSED", "QUIET", "RESERVED", "REVIEW_PENDING", "REVIEW_REJECTED", "SERVING"]


StorageUnit = Literal["bytes", "count"]


TargetingDimension = Literal["AD_UNIT", "AREA", "BROWSER", "BROWSER_LANGUAGE", "CITY", "COUNTRY", "DAY_PART", "DEAL", "DEVICE_TYPE", "DOMAIN", "KEYWORD", "KEY_VALUE", "LANGUAGE", "MEDIA_TYPE", "OS", "PAGE_URL", "POSITION", "REGION", "SEGMENT", "SITE", "SIZE"]


TargetingOperator = Literal["BEGINS_WITH", "CONTAINS", "IS", "IS_NOT"]


TargetingPresetOrderField = Literal["CREATED_AT", "DESCRIPTION", "ID", "NAME", "STATUS", "UPDATED_AT", "UPDATED_BY", "VERSION"]


TeamOrderField = Literal["CREATED_AT", "DESCRIPTION", "ID", "NAME", "STATUS", "UPDATED_AT", "UPDATED_BY", "VERSION"]


UserErrorCode = Literal["AMBIGUOUS", "APPROVAL_REQUIRED", "ARCHIVED", "BAD_CHARACTER", "BAD_LENGTH", "BAD_LOGIN", "BEFORE_START", "BELOW_FLOOR", "BELOW_SPENT", "CANNOT_CHANGE", "COMPANIONS_UNUSED", "CONFLICT", "CONTROL_CHARACTERS", "CUSTOM", "DOCUMENT_WRITE", "DSA_INCOMPLETE", "DUPLICATE", "EMPTY", "FIXED", "FROM_LIBRARY", "GOAL_REACHED", "GONE", "GUARANTEED_DEAL", "HAS_CREDENTIALS", "HOLDS_EMAIL", "INTERNAL_ERROR", "INVALID", "INVALID_CRON", "INVALID_DATE", "INVALID_ELEMENT", "INVALID_FORMAT", "INVALID_KEY", "INVALID_LENGTH", "INVALID_NAME", "INVALID_QUERY", "INVALID_REQUEST", "INVALID_TYPE", "INVALID_TYPES", "INVALID_UNION", "INVALID_VALUE", "INVALID_VALUES", "INVALID_WEBHOOK_URL", "IN_FUTURE", "IN_THE_PAST", "IS_COMPANION", "IS_MEMBER", "LINE_ITEMS_DIFFER", "MALFORMED", "MISSING_FILE", "NEEDS_GOAL", "NEGATIVE", "NOT_ALLOWED", "NOT_AN_ADDRESS", "NOT_AN_EMAIL", "NOT_AN_ID", "NOT_ASSOCIATED", "NOT_A_MEMBER", "NOT_BOOLEAN", "NOT_CLICK_ID", "NOT_COUNT", "NOT_CURRENCY", "NOT_DECIMAL", "NOT_FOR_IDS", "NOT_FOUND", "NOT_HTTPS", "NOT_INSTANT", "NOT_MONEY", "NOT_MULTIPLE_OF", "NOT_PRODUCTS", "NOT_SHOWN", "NOT_TEXT", "NOT_UPLOADED", "NO_CLICK_MACRO", "NO_COMPANIONS", "NO_CREATIVE", "NO_EFFECT", "NULL_NOT_ALLOWED", "ONE_EXPERIMENT", "ONE_OBJECT", "ONE_OF", "ONE_SOURCE", "OTHER_ADVERTISER", "OTHER_CURRENCY", "OTHER_DURATION", "OTHER_LINE_ITEM", "OTHER_PARENT", "OTHER_PROPORTIONS", "OTHER_SITE", "OTHER_TERMS", "OUTSIDE_CAMPAIGN", "OUT_OF_RANGE", "OVER_CEILING", "OVER_LIFETIME", "PARENT_NOT_ACTIVE", "QUOTA_EXCEEDED", "RANGE_TOO_LONG", "REASON_MISSING", "REPEATED", "REPORT_SPACE_USED_UP", "REQUIRED", "REVIEW_PENDING", "SAME", "SIZE_NOT_OFFERED", "SPEND_LIMIT", "TAKEN", "TOO_BIG", "TOO_DEEP", "TOO_LARGE", "TOO_LONG", "TOO_MANY", "TOO_MANY_KEYS", "TOO_OLD", "TOO_SHORT", "TOO_SIMPLE", "TOO_SMALL", "UNDEFINED_KEY", "UNKNOWN", "UNKNOWN_ACTIVITY", "UNKNOWN_AD_UNIT", "UNKNOWN_DEFINITION", "UNKNOWN_DIMENSION", "UNKNOWN_FILTER_TYPE", "UNKNOWN_GRANULARITY", "UNKNOWN_KIND", "UNKNOWN_MACRO", "UNKNOWN_METRIC", "UNKNOWN_MODULE", "UNKNOWN_NETWORK", "UNKNOWN_PERMISSION", "UNKNOWN_ROLE", "UNKNOWN_TIMEZONE", "UNKNOWN_VALUE", "UNKNOWN_WORKSPACE", "UNREACHABLE", "UNRECOGNIZED_KEYS", "USES_COOKIES", "USES_STORAGE", "VALIDATION_FAILED", "WRONG_CODE", "WRONG_PASSKEY", "WRONG_TYPE"]


WebhookDeliveryStatus = Literal["DELIVERED", "FAILED", "PENDING"]


WebhookStatus = Literal["ACTIVE", "PAUSED"]


class Activity(TypedDict, total=False):
    """What an advertiser counts as success; the activity pixel names it by its actgid."""
    acceptsPixel: bool
    """Whether pages may send its events without a key, to `GET /<network>/activity`. Anybody can then send them:
    do not bill by such events alone.
    """
    actgid: str
    """Its id in pixels; unique in the network; cannot change."""
    advertiser: Optional[Advertiser]
    """The advertiser."""
    advertiserId: Optional[str]
    """The advertiser: only clicks and impressions of its ads are credited. null = the last click or impression of
    any advertiser.
    """
    clickWindowSeconds: int
    """How long after a click it is credited; up to 90 days."""
    createdAt: str
    """When it was made."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    isArchived: bool
    """Whether it is archived: it does not serve."""
    labels: List[str]
    """Labels to find it by. At most 10."""
    name: str
    """Name."""
    notes: str
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    repeatIntervalSeconds: int
    """Without an order reference, a second event of a user within this time does not count; up to 30 days."""
    status: Lifecycle
    """Whether it is in use."""
    team: Optional[Team]
    """The team that looks after it."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    updatedAt: str
    """When it was last changed."""
    updatedBy: str
    """Who changed it last, as the audit log names them; empty: the system."""
    version: int
    """Grows with every change; send it with an update to detect concurrent changes."""
    viewWindowSeconds: int
    """How long after an impression it is credited when there was no click; up to 30 days."""


class ActivityBulkPayload(TypedDict, total=False):
    """The result of a bulk change of activities."""
    changedCount: int
    """How many rows were changed (0 when only validated, or all undone)."""
    failedCount: int
    """How many rows were wrong."""
    results: List[ActivityBulkResult]
    """One result for each row, in the order of the input."""
    userErrors: List[UserError]
    """The mistakes in all rows, and those of the call as a whole; empty when all is valid."""


class ActivityBulkResult(TypedDict, total=False):
    """The result of one row of a bulk change of activities."""
    activity: Optional[Activity]
    """The object after the change; null when this row was not changed."""
    code: Optional[UserErrorCode]
    """Error code of this row; null when the row is valid."""
    index: int
    """Its index in the input, from 0."""
    message: Optional[str]
    """What to do about the error."""
    problems: List[FieldProblem]
    """Wrong fields of this row."""
    userErrors: List[UserError]
    """The mistakes in this row; empty when it is valid."""
    warnings: List[FieldProblem]
    """Doubtful fields of this row."""


class ActivityConnection(TypedDict, total=False):
    """A page of a list of activities."""
    edges: List[ActivityEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[Activity]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class ActivityCredit(TypedDict, total=False):
    """The ad that an event is credited to."""
    creative: Optional[Creative]
    """Its creative."""
    earned: str
    """What the event earns, if the budgets allow it."""
    earnedMoney: Optional[Money]
    """What the event earns, if the budgets allow it. With its currency."""
    kind: ActivityCreditKind
    """The contact."""
    lineItem: Optional[LineItem]
    """Its line item."""
    touchedAt: str
    """When it was seen or clicked."""


class ActivityEdge(TypedDict, total=False):
    """One activity in a list."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: Activity
    """The object."""


class ActivityEventInspection(TypedDict, total=False):
    """What the activity pixel API would make of an event. Nothing is recorded."""
    activity: Optional[Activity]
    """Its activity; null when it is refused."""
    credit: Optional[ActivityCredit]
    """The ad that it is credited to; null: none."""
    noCredit: Optional[ActivityNoCredit]
    """Why an accepted event is credited to no ad."""
    outcome: ActivityEventOutcome
    """Whether it would be counted."""
    refusal: Optional[ActivityEventRefusal]
    """Why it is refused."""
    segmentIds: List[str]
    """Segments that it makes its user a member of."""


class ActivityEventRefusal(TypedDict, total=False):
    """Why an event is refused."""
    code: ErrorCode
    """The code of the error."""
    fields: List[FieldProblem]
    """What is wrong with which field."""
    message: str
    """What to do about it."""


class ActivityFilter(TypedDict, total=False):
    """Filters a list of activities. All given parts must match; a list means any of its values."""
    actgids: Optional[List[str]]
    """Only with one of these actgids."""
    advertiserIds: Optional[List[str]]
    """Only of these advertisers."""
    customFields: Any
    """Only with all of these values of custom fields, such as {"region": "North"}."""
    ids: Optional[List[str]]
    """Only these."""
    labels: Optional[List[str]]
    """Only with one of these labels."""
    owners: Optional[List[str]]
    """Only of these owners."""
    search: Optional[str]
    """Only those whose name (or code, or external id) contains this text, in any case; or that have this very id."""
    statuses: Optional[List[Lifecycle]]
    """Only with one of these statuses."""
    teamIds: Optional[List[str]]
    """Only of these teams."""
    updatedSince: Optional[str]
    """Only those changed at or after this instant."""


class _ActivityOrderRequired(TypedDict):
    field: ActivityOrderField
    """What to sort by."""


class ActivityOrder(_ActivityOrderRequired, total=False):
    """The order of a list of activities."""
    direction: Optional[SortDirection]
    """The direction; default ASC."""


class ActivityPayload(TypedDict, total=False):
    """The result of a change of one activity."""
    activity: Optional[Activity]
    """The object after the change; null when it was only validated."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


# A filter of activities by any field, at most 100 comparisons. All that is given must hold.
ActivityWhere = TypedDict(
    "ActivityWhere",
    {
        "acceptsPixel": "Optional[BooleanWhere]",
        "actgid": "Optional[StringWhere]",
        "advertiser": "Optional[AdvertiserWhere]",
        "advertiserId": "Optional[IDWhere]",
        "and": "Optional[List[ActivityWhere]]",
        "clickWindowSeconds": "Optional[IntWhere]",
        "createdAt": "Optional[DateTimeWhere]",
        "id": "Optional[IDWhere]",
        "labels": "Optional[StringListWhere]",
        "name": "Optional[StringWhere]",
        "not": "Optional[ActivityWhere]",
        "notes": "Optional[StringWhere]",
        "or": "Optional[List[ActivityWhere]]",
        "owner": "Optional[StringWhere]",
        "repeatIntervalSeconds": "Optional[IntWhere]",
        "status": "Optional[LifecycleWhere]",
        "team": "Optional[TeamWhere]",
        "teamId": "Optional[IDWhere]",
        "updatedAt": "Optional[DateTimeWhere]",
        "updatedBy": "Optional[StringWhere]",
        "version": "Optional[IntWhere]",
        "viewWindowSeconds": "Optional[IntWhere]",
    },
    total=False,
)


class AdUnit(TypedDict, total=False):
    """A placement on a site."""
    area: Optional[Area]
    """Its area."""
    areaId: Optional[str]
    """Its area; null = the site as a whole."""
    createdAt: str
    """When it was made."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    floor: str
    """Lowest CPM; 0 = none."""
    floorMoney: Money
    """Lowest CPM; 0 = none. With its currency."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    isArchived: bool
    """Whether it is archived: it does not serve."""
    labels: List[str]
    """Labels to find it by. At most 10."""
    mediaTypes: List[MediaType]
    """What it can show."""
    name: str
    """Its code in requests; unique in the network."""
    notes: str
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    site: Optional[Site]
    """Its site."""
    siteId: str
    """Its site; cannot change."""
    sizes: List[Size]
    """The sizes it takes, at most 50; empty = as the request says."""
    status: Lifecycle
    """Whether it is in use."""
    team: Optional[Team]
    """The team that looks after it."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    updatedAt: str
    """When it was last changed."""
    updatedBy: str
    """Who changed it last, as the audit log names them; empty: the system."""
    version: int
    """Grows with every change; send it with an update to detect concurrent changes."""


class AdUnitBulkPayload(TypedDict, total=False):
    """The result of a bulk change of ad units."""
    changedCount: int
    """How many rows were changed (0 when only validated, or all undone)."""
    failedCount: int
    """How many rows were wrong."""
    results: List[AdUnitBulkResult]
    """One result for each row, in the order of the input."""
    userErrors: List[UserError]
    """The mistakes in all rows, and those of the call as a whole; empty when all is valid."""


class AdUnitBulkResult(TypedDict, total=False):
    """The result of one row of a bulk change of ad units."""
    adUnit: Optional[AdUnit]
    """The object after the change; null when this row was not changed."""
    code: Optional[UserErrorCode]
    """Error code of this row; null when the row is valid."""
    index: int
    """Its index in the input, from 0."""
    message: Optional[str]
    """What to do about the error."""
    problems: List[FieldProblem]
    """Wrong fields of this row."""
    userErrors: List[UserError]
    """The mistakes in this row; empty when it is valid."""
    warnings: List[FieldProblem]
    """Doubtful fields of this row."""


class AdUnitChildrenWhere(TypedDict, total=False):
    """A filter by the ad units that belong to an object."""
    none: Optional[AdUnitWhere]
    """None of them is so."""
    some: Optional[AdUnitWhere]
    """At least one of them is so."""


class AdUnitConnection(TypedDict, total=False):
    """A page of a list of ad units."""
    edges: List[AdUnitEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[AdUnit]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class AdUnitEdge(TypedDict, total=False):
    """One ad unit in a list."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: AdUnit
    """The object."""


class AdUnitFilter(TypedDict, total=False):
    """Filters a list of ad units. All given parts must match; a list means any of its values."""
    areaIds: Optional[List[str]]
    """Only of these areas."""
    customFields: Any
    """Only with all of these values of custom fields, such as {"region": "North"}."""
    ids: Optional[List[str]]
    """Only these."""
    labels: Optional[List[str]]
    """Only with one of these labels."""
    mediaTypes: Optional[List[MediaType]]
    """Only those that can show one of these."""
    names: Optional[List[str]]
    """Only with one of these names."""
    owners: Optional[List[str]]
    """Only of these owners."""
    search: Optional[str]
    """Only those whose name (or code, or external id) contains this text, in any case; or that have this very id."""
    siteIds: Optional[List[str]]
    """Only of these sites."""
    statuses: Optional[List[Lifecycle]]
    """Only with one of these statuses."""
    teamIds: Optional[List[str]]
    """Only of these teams."""
    updatedSince: Optional[str]
    """Only those changed at or after this instant."""


class _AdUnitOrderRequired(TypedDict):
    field: AdUnitOrderField
    """What to sort by."""


class AdUnitOrder(_AdUnitOrderRequired, total=False):
    """The order of a list of ad units."""
    direction: Optional[SortDirection]
    """The direction; default ASC."""


class AdUnitPayload(TypedDict, total=False):
    """The result of a change of one ad unit."""
    adUnit: Optional[AdUnit]
    """The object after the change; null when it was only validated."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


# A filter of ad units by any field, at most 100 comparisons. All that is given must hold.
AdUnitWhere = TypedDict(
    "AdUnitWhere",
    {
        "and": "Optional[List[AdUnitWhere]]",
        "area": "Optional[AreaWhere]",
        "areaId": "Optional[IDWhere]",
        "createdAt": "Optional[DateTimeWhere]",
        "floor": "Optional[DecimalWhere]",
        "id": "Optional[IDWhere]",
        "labels": "Optional[StringListWhere]",
        "mediaTypes": "Optional[MediaTypeListWhere]",
        "name": "Optional[StringWhere]",
        "not": "Optional[AdUnitWhere]",
        "notes": "Optional[StringWhere]",
        "or": "Optional[List[AdUnitWhere]]",
        "owner": "Optional[StringWhere]",
        "site": "Optional[SiteWhere]",
        "siteId": "Optional[IDWhere]",
        "status": "Optional[LifecycleWhere]",
        "team": "Optional[TeamWhere]",
        "teamId": "Optional[IDWhere]",
        "updatedAt": "Optional[DateTimeWhere]",
        "updatedBy": "Optional[StringWhere]",
        "version": "Optional[IntWhere]",
    },
    total=False,
)


class Advertiser(TypedDict, total=False):
    """Who pays for campaigns, with the facts that the Digital Services Act requires."""
    campaigns: CampaignConnection
    """Its campaigns, by id."""
    categories: List[str]
    """IAB content categories, such as "IAB2-3"."""
    createdAt: str
    """When it was made."""
    credit: Optional[str]
    """The total budget; null = no limit."""
    creditMoney: Optional[Money]
    """The total budget; null = no limit. With its currency."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    delivery: Optional[Delivery]
    """What it has delivered so far; null while the counters are unavailable."""
    domains: List[str]
    """Domains that its ads lead to, as `adomain` in bids. Domains in Unicode are stored in their form of ASCII
    (`xn--…`).
    """
    dsaBehalf: Optional[str]
    """On whose behalf its ads are shown (DSA); at most 100 characters."""
    dsaPaid: Optional[str]
    """Who pays for them (DSA); at most 100 characters."""
    exclusionLabels: List[str]
    """Two ads that share a label never appear in one response."""
    externalId: Optional[str]
    """Id in your own system."""
    frequencyCaps: List[FrequencyCap]
    """Limits per user; the strictest applies. At most 20."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    isArchived: bool
    """Whether it is archived: it does not serve."""
    labels: List[str]
    """Labels of all its line items. Caps of the network by label (`labelCaps`) count all ads that bear one. At
    most 10.
    """
    libraryCreatives: LibraryCreativeConnection
    """Its creatives in the library, by id."""
    name: str
    """Name."""
    notes: str
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    status: Lifecycle
    """Whether it is in use; none of its campaigns serves while ARCHIVED."""
    team: Optional[Team]
    """The team that looks after it."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    updatedAt: str
    """When it was last changed."""
    updatedBy: str
    """Who changed it last, as the audit log names them; empty: the system."""
    version: int
    """Grows with every change; send it with an update to detect concurrent changes."""


class AdvertiserBulkPayload(TypedDict, total=False):
    """The result of a bulk change of advertisers."""
    changedCount: int
    """How many rows were changed (0 when only validated, or all undone)."""
    failedCount: int
    """How many rows were wrong."""
    results: List[AdvertiserBulkResult]
    """One result for each row, in the order of the input."""
    userErrors: List[UserError]
    """The mistakes in all rows, and those of the call as a whole; empty when all is valid."""


class AdvertiserBulkResult(TypedDict, total=False):
    """The result of one row of a bulk change of advertisers."""
    advertiser: Optional[Advertiser]
    """The object after the change; null when this row was not changed."""
    code: Optional[UserErrorCode]
    """Error code of this row; null when the row is valid."""
    index: int
    """Its index in the input, from 0."""
    message: Optional[str]
    """What to do about the error."""
    problems: List[FieldProblem]
    """Wrong fields of this row."""
    userErrors: List[UserError]
    """The mistakes in this row; empty when it is valid."""
    warnings: List[FieldProblem]
    """Doubtful fields of this row."""


class AdvertiserConnection(TypedDict, total=False):
    """A page of a list of advertisers."""
    edges: List[AdvertiserEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[Advertiser]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class AdvertiserEdge(TypedDict, total=False):
    """One advertiser in a list."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: Advertiser
    """The object."""


class AdvertiserFilter(TypedDict, total=False):
    """Filters a list of advertisers. All given parts must match; a list means any of its values."""
    customFields: Any
    """Only with all of these values of custom fields, such as {"region": "North"}."""
    externalIds: Optional[List[str]]
    """Only with one of these external ids."""
    ids: Optional[List[str]]
    """Only these."""
    labels: Optional[List[str]]
    """Only with one of these labels."""
    owners: Optional[List[str]]
    """Only of these owners."""
    search: Optional[str]
    """Only those whose name (or code, or external id) contains this text, in any case; or that have this very id."""
    statuses: Optional[List[Lifecycle]]
    """Only with one of these statuses."""
    teamIds: Optional[List[str]]
    """Only of these teams."""
    updatedSince: Optional[str]
    """Only those changed at or after this instant."""


class _AdvertiserOrderRequired(TypedDict):
    field: AdvertiserOrderField
    """What to sort by."""


class AdvertiserOrder(_AdvertiserOrderRequired, total=False):
    """The order of a list of advertisers."""
    direction: Optional[SortDirection]
    """The direction; default ASC."""


class AdvertiserPayload(TypedDict, total=False):
    """The result of a change of one advertiser."""
    advertiser: Optional[Advertiser]
    """The object after the change; null when it was only validated."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


# A filter of advertisers by any field, at most 100 comparisons. All that is given must hold.
AdvertiserWhere = TypedDict(
    "AdvertiserWhere",
    {
        "and": "Optional[List[AdvertiserWhere]]",
        "campaigns": "Optional[CampaignChildrenWhere]",
        "categories": "Optional[StringListWhere]",
        "createdAt": "Optional[DateTimeWhere]",
        "credit": "Optional[DecimalWhere]",
        "domains": "Optional[StringListWhere]",
        "dsaBehalf": "Optional[StringWhere]",
        "dsaPaid": "Optional[StringWhere]",
        "exclusionLabels": "Optional[StringListWhere]",
        "externalId": "Optional[StringWhere]",
        "id": "Optional[IDWhere]",
        "labels": "Optional[StringListWhere]",
        "libraryCreatives": "Optional[LibraryCreativeChildrenWhere]",
        "name": "Optional[StringWhere]",
        "not": "Optional[AdvertiserWhere]",
        "notes": "Optional[StringWhere]",
        "or": "Optional[List[AdvertiserWhere]]",
        "owner": "Optional[StringWhere]",
        "status": "Optional[LifecycleWhere]",
        "team": "Optional[TeamWhere]",
        "teamId": "Optional[IDWhere]",
        "updatedAt": "Optional[DateTimeWhere]",
        "updatedBy": "Optional[StringWhere]",
        "version": "Optional[IntWhere]",
    },
    total=False,
)


class AdvertisingProduct(TypedDict, total=False):
    """A product of the publisher's price list: inventory, formats, prices and terms. Line items are sold as it,
    and reports group by it.
    """
    buyerDimensions: List[TargetingDimension]
    """The dimensions of targeting that a buyer may add; empty = none."""
    cancellationNoticeDays: int
    """Days from a cancellation to its effect."""
    channels: List[Channel]
    """The media channels that it is sold in."""
    createdAt: str
    """When it was made."""
    creativePolicy: Optional[CreativePolicy]
    """What its creatives have to be like; null = nothing besides its formats."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    delivery: ProductDelivery
    """Whether it promises an amount; default: NON_GUARANTEED."""
    description: str
    """What buyers get."""
    formats: List[ProductFormat]
    """The formats that its creatives may have; empty = all that the inventory shows. At most 20."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    isArchived: bool
    """Whether it is archived: it does not serve."""
    labels: List[str]
    """Labels to find it by. At most 10."""
    leadTimeHours: int
    """Hours from a booking to its earliest start."""
    lineItems: LineItemConnection
    """The line items sold as it, by id."""
    maximumDays: Optional[int]
    """Longest flight of a booking in days; null = none."""
    measurement: Optional[ProductMeasurement]
    """How its delivery is measured; null = not agreed."""
    minimumDays: Optional[int]
    """Shortest flight of a booking in days; null = none."""
    minimumSpend: Optional[str]
    """The lowest budget of a booking; null = none."""
    minimumSpendMoney: Optional[Money]
    """The lowest budget of a booking; null = none. With its currency."""
    name: str
    """Name."""
    notes: str
    """Notes for people, with line breaks; at most 2000 characters."""
    offeredAdvertiserIds: List[str]
    """The advertisers whose keys of buyers see it, by id; empty = all. At most 1000."""
    offeredToBuyers: bool
    """Whether keys of buyers, such as their agents', see it and may book it."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    priceGuidance: List[PriceGuidance]
    """Percentiles of the prices that its bidders paid, by price option. An option is left out while fewer than 3
    advertisers beside the caller's or fewer than 100 billable events are behind it, and where its price is
    fixed.
    """
    priceOptions: List[PriceOption]
    """The ways to pay for it; empty = it has no price yet. The whole list is replaced. At most 100."""
    status: Lifecycle
    """Whether it is in use."""
    targeting: Optional[Targeting]
    """Its inventory and audiences; null = all inventory and all users."""
    team: Optional[Team]
    """The team that looks after it."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    updatedAt: str
    """When it was last changed."""
    updatedBy: str
    """Who changed it last, as the audit log names them; empty: the system."""
    version: int
    """Grows with every change; send it with an update to detect concurrent changes."""


class AdvertisingProductBulkPayload(TypedDict, total=False):
    """The result of a bulk change of advertising products."""
    changedCount: int
    """How many rows were changed (0 when only validated, or all undone)."""
    failedCount: int
    """How many rows were wrong."""
    results: List[AdvertisingProductBulkResult]
    """One result for each row, in the order of the input."""
    userErrors: List[UserError]
    """The mistakes in all rows, and those of the call as a whole; empty when all is valid."""


class AdvertisingProductBulkResult(TypedDict, total=False):
    """The result of one row of a bulk change of advertising products."""
    advertisingProduct: Optional[AdvertisingProduct]
    """The object after the change; null when this row was not changed."""
    code: Optional[UserErrorCode]
    """Error code of this row; null when the row is valid."""
    index: int
    """Its index in the input, from 0."""
    message: Optional[str]
    """What to do about the error."""
    problems: List[FieldProblem]
    """Wrong fields of this row."""
    userErrors: List[UserError]
    """The mistakes in this row; empty when it is valid."""
    warnings: List[FieldProblem]
    """Doubtful fields of this row."""


class AdvertisingProductConnection(TypedDict, total=False):
    """A page of a list of advertising products."""
    edges: List[AdvertisingProductEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[AdvertisingProduct]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class AdvertisingProductEdge(TypedDict, total=False):
    """One advertising product in a list."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: AdvertisingProduct
    """The object."""


class AdvertisingProductFilter(TypedDict, total=False):
    """Filters a list of advertising products. All given parts must match; a list means any of its values."""
    channels: Optional[List[Channel]]
    """Only those that are sold in one of these channels."""
    customFields: Any
    """Only with all of these values of custom fields, such as {"region": "North"}."""
    deliveries: Optional[List[ProductDelivery]]
    """Only those that promise an amount, or those that do not."""
    ids: Optional[List[str]]
    """Only these."""
    labels: Optional[List[str]]
    """Only with one of these labels."""
    owners: Optional[List[str]]
    """Only of these owners."""
    search: Optional[str]
    """Only those whose name (or code, or external id) contains this text, in any case; or that have this very id."""
    statuses: Optional[List[Lifecycle]]
    """Only with one of these statuses."""
    teamIds: Optional[List[str]]
    """Only of these teams."""
    updatedSince: Optional[str]
    """Only those changed at or after this instant."""


class _AdvertisingProductOrderRequired(TypedDict):
    field: AdvertisingProductOrderField
    """What to sort by."""


class AdvertisingProductOrder(_AdvertisingProductOrderRequired, total=False):
    """The order of a list of advertising products."""
    direction: Optional[SortDirection]
    """The direction; default ASC."""


class AdvertisingProductPayload(TypedDict, total=False):
    """The result of a change of one advertising product."""
    advertisingProduct: Optional[AdvertisingProduct]
    """The object after the change; null when it was only validated."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


# A filter of advertising products by any field, at most 100 comparisons. All that is given must hold.
AdvertisingProductWhere = TypedDict(
    "AdvertisingProductWhere",
    {
        "and": "Optional[List[AdvertisingProductWhere]]",
        "buyerDimensions": "Optional[TargetingDimensionListWhere]",
        "cancellationNoticeDays": "Optional[IntWhere]",
        "channels": "Optional[ChannelListWhere]",
        "createdAt": "Optional[DateTimeWhere]",
        "delivery": "Optional[ProductDeliveryWhere]",
        "description": "Optional[StringWhere]",
        "id": "Optional[IDWhere]",
        "labels": "Optional[StringListWhere]",
        "leadTimeHours": "Optional[IntWhere]",
        "lineItems": "Optional[LineItemChildrenWhere]",
        "maximumDays": "Optional[IntWhere]",
        "minimumDays": "Optional[IntWhere]",
        "minimumSpend": "Optional[DecimalWhere]",
        "name": "Optional[StringWhere]",
        "not": "Optional[AdvertisingProductWhere]",
        "notes": "Optional[StringWhere]",
        "offeredToBuyers": "Optional[BooleanWhere]",
        "or": "Optional[List[AdvertisingProductWhere]]",
        "owner": "Optional[StringWhere]",
        "status": "Optional[LifecycleWhere]",
        "team": "Optional[TeamWhere]",
        "teamId": "Optional[IDWhere]",
        "updatedAt": "Optional[DateTimeWhere]",
        "updatedBy": "Optional[StringWhere]",
        "version": "Optional[IntWhere]",
    },
    total=False,
)


class _AgentNoticeInputRequired(TypedDict):
    url: str
    """A public https:// address."""


class AgentNoticeInput(_AgentNoticeInputRequired, total=False):
    """Where the caller is told of the decision, where a person decides: one message, tried again until it is
    accepted, in the form of the task webhooks of the Ad Context Protocol.
    """
    credentials: Optional[str]
    """The shared secret or token, 32…1000 characters; for HMAC_SHA256 and BEARER. It is stored sealed, and deleted
    after the message.
    """
    operationId: Optional[str]
    """The caller's own id, which comes back in the message; default: the request's."""
    scheme: Optional[AgentNoticeScheme]
    """Default: HTTP_SIGNATURE."""
    token: Optional[str]
    """A text that comes back in the message, 16…4096 characters."""


class AgentRequest(TypedDict, total=False):
    """What a buyer's agent asked for, and what it was told."""
    advertiserId: Optional[str]
    """The advertiser that it is for."""
    agent: str
    """The agent, as it names itself."""
    caller: str
    """Kind and id of the credential."""
    campaignId: Optional[str]
    """The campaign that it booked or changed."""
    createdAt: str
    """When it came."""
    decidedAt: Optional[str]
    """When it was decided."""
    decidedBy: Optional[str]
    """Who decided."""
    id: str
    """Its id."""
    noticeStatus: Optional[AgentNoticeStatus]
    """How far the notice of the decision is; null: its caller wants none, or there was nothing to decide."""
    reason: Optional[str]
    """Why it was rejected, or a remark."""
    request: Any
    """Its arguments, without secrets."""
    response: Any
    """What the agent was told; null while it runs."""
    state: AgentRequestState
    """How far it is."""
    terms: Any
    """Terms of the booking that the campaign itself does not have, such as the buyer's own ids."""
    tool: str
    """The tool that it called."""
    updatedAt: str
    """When it last changed."""


class AgentRequestPayload(TypedDict, total=False):
    """The result of a change of a request."""
    agentRequest: Optional[AgentRequest]
    """The request after it, or as it was."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class ApiKey(TypedDict, total=False):
    """An API key as listings show it; its value was shown once, at creation."""
    advertiserIds: List[str]
    """The advertisers that a buyer's key is bound to, by id; empty for other keys."""
    createdAt: str
    """When it was made."""
    createdBy: str
    """Who made it."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    environment: Environment
    """The environment that it opens."""
    expiresAt: Optional[str]
    """When it stops working; null = never."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    ipAllowlist: List[str]
    """Addresses it may be used from; empty = any."""
    lastFour: str
    """How its value ends."""
    lastUsedAt: Optional[str]
    """When it was last used, at most 60 s behind."""
    modules: Optional[List[Module]]
    """The modules it is limited to; null = all."""
    name: str
    """Name."""
    permission: Permission
    """What it may do."""
    prefix: str
    """How its value begins."""
    revokedAt: Optional[str]
    """When it was revoked."""
    scope: KeyScope
    """Whose key it is."""
    spendLimit: Optional[str]
    """The most that keys of buyers may have booked for its advertisers together; null = no limit. Archived
    bookings count from their start on.
    """
    spendLimitMoney: Optional[Money]
    """The most that keys of buyers may have booked for its advertisers together; null = no limit. Archived
    bookings count from their start on. With its currency.
    """


class Archivable(TypedDict, total=False):
    """An object with a history: it is archived instead of deleted, and another status restores it."""
    isArchived: bool
    """Whether it is archived: it does not serve."""


class Area(TypedDict, total=False):
    """A section of a site."""
    adUnits: AdUnitConnection
    """Its ad units, by id."""
    code: str
    """Its value of `site.ext.area` in requests; unique in its site."""
    createdAt: str
    """When it was made."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    isArchived: bool
    """Whether it is archived: it does not serve."""
    labels: List[str]
    """Labels to find it by. At most 10."""
    name: str
    """Name."""
    notes: str
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    site: Optional[Site]
    """Its site."""
    siteId: str
    """Its site; cannot change."""
    status: Lifecycle
    """Whether it is in use."""
    team: Optional[Team]
    """The team that looks after it."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    updatedAt: str
    """When it was last changed."""
    updatedBy: str
    """Who changed it last, as the audit log names them; empty: the system."""
    version: int
    """Grows with every change; send it with an update to detect concurrent changes."""


class AreaBulkPayload(TypedDict, total=False):
    """The result of a bulk change of areas."""
    changedCount: int
    """How many rows were changed (0 when only validated, or all undone)."""
    failedCount: int
    """How many rows were wrong."""
    results: List[AreaBulkResult]
    """One result for each row, in the order of the input."""
    userErrors: List[UserError]
    """The mistakes in all rows, and those of the call as a whole; empty when all is valid."""


class AreaBulkResult(TypedDict, total=False):
    """The result of one row of a bulk change of areas."""
    area: Optional[Area]
    """The object after the change; null when this row was not changed."""
    code: Optional[UserErrorCode]
    """Error code of this row; null when the row is valid."""
    index: int
    """Its index in the input, from 0."""
    message: Optional[str]
    """What to do about the error."""
    problems: List[FieldProblem]
    """Wrong fields of this row."""
    userErrors: List[UserError]
    """The mistakes in this row; empty when it is valid."""
    warnings: List[FieldProblem]
    """Doubtful fields of this row."""


class AreaChildrenWhere(TypedDict, total=False):
    """A filter by the areas that belong to an object."""
    none: Optional[AreaWhere]
    """None of them is so."""
    some: Optional[AreaWhere]
    """At least one of them is so."""


class AreaConnection(TypedDict, total=False):
    """A page of a list of areas."""
    edges: List[AreaEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[Area]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class AreaEdge(TypedDict, total=False):
    """One area in a list."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: Area
    """The object."""


class AreaFilter(TypedDict, total=False):
    """Filters a list of areas. All given parts must match; a list means any of its values."""
    codes: Optional[List[str]]
    """Only with one of these codes."""
    customFields: Any
    """Only with all of these values of custom fields, such as {"region": "North"}."""
    ids: Optional[List[str]]
    """Only these."""
    labels: Optional[List[str]]
    """Only with one of these labels."""
    owners: Optional[List[str]]
    """Only of these owners."""
    search: Optional[str]
    """Only those whose name (or code, or external id) contains this text, in any case; or that have this very id."""
    siteIds: Optional[List[str]]
    """Only of these sites."""
    statuses: Optional[List[Lifecycle]]
    """Only with one of these statuses."""
    teamIds: Optional[List[str]]
    """Only of these teams."""
    updatedSince: Optional[str]
    """Only those changed at or after this instant."""


class _AreaOrderRequired(TypedDict):
    field: AreaOrderField
    """What to sort by."""


class AreaOrder(_AreaOrderRequired, total=False):
    """The order of a list of areas."""
    direction: Optional[SortDirection]
    """The direction; default ASC."""


class AreaPayload(TypedDict, total=False):
    """The result of a change of one area."""
    area: Optional[Area]
    """The object after the change; null when it was only validated."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


# A filter of areas by any field, at most 100 comparisons. All that is given must hold.
AreaWhere = TypedDict(
    "AreaWhere",
    {
        "adUnits": "Optional[AdUnitChildrenWhere]",
        "and": "Optional[List[AreaWhere]]",
        "code": "Optional[StringWhere]",
        "createdAt": "Optional[DateTimeWhere]",
        "id": "Optional[IDWhere]",
        "labels": "Optional[StringListWhere]",
        "name": "Optional[StringWhere]",
        "not": "Optional[AreaWhere]",
        "notes": "Optional[StringWhere]",
        "or": "Optional[List[AreaWhere]]",
        "owner": "Optional[StringWhere]",
        "site": "Optional[SiteWhere]",
        "siteId": "Optional[IDWhere]",
        "status": "Optional[LifecycleWhere]",
        "team": "Optional[TeamWhere]",
        "teamId": "Optional[IDWhere]",
        "updatedAt": "Optional[DateTimeWhere]",
        "updatedBy": "Optional[StringWhere]",
        "version": "Optional[IntWhere]",
    },
    total=False,
)


class Asset(TypedDict, total=False):
    """An uploaded file. The content of a creative names it by its `url`."""
    bitrateKbps: Optional[int]
    """Mean bit rate of a sound in kbit/s. Null: the file does not say it, or was uploaded before files were
    measured.
    """
    bundle: Optional[AssetBundle]
    """What is inside; null for any other file."""
    contentType: str
    """Its media type."""
    durationMs: Optional[int]
    """Length of an MP4 video or of a sound in milliseconds. Null: the file does not say it, or was uploaded before
    files were measured.
    """
    height: Optional[int]
    """Height in pixels. Null: the file does not say it, or was uploaded before files were measured."""
    kind: AssetKind
    """What it is."""
    sizeBytes: int
    """Its bytes."""
    uploadedAt: str
    """When it was uploaded last."""
    url: str
    """Its address, which never changes its meaning."""
    usedAt: Optional[str]
    """When the clean-up last saw a creative that uses it; null: never."""
    width: Optional[int]
    """Width in pixels; of a bundle, as its `ad.size` states it. Null: the file does not say it, or was uploaded
    before files were measured.
    """


class AssetBundle(TypedDict, total=False):
    """What is inside an HTML5 bundle."""
    clickTag: str
    """The click tag as its code has it."""
    entry: str
    """Path of the page that is shown."""
    files: int
    """How many files there are."""
    unpackedBytes: int
    """Bytes of all files, unpacked."""


class AssetConnection(TypedDict, total=False):
    """A page of uploaded files."""
    edges: List[AssetEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[Asset]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class AssetEdge(TypedDict, total=False):
    """One uploaded file."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: Asset
    """The object."""


class AssetFilter(TypedDict, total=False):
    """Which files."""
    heights: Optional[List[int]]
    """Only of one of these heights."""
    kinds: Optional[List[AssetKind]]
    """Only of these kinds."""
    widths: Optional[List[int]]
    """Only of one of these widths."""


class _AssociateCreativeInputRequired(TypedDict):
    libraryCreativeId: str
    """The library creative."""
    lineItemId: str
    """A line item of the same advertiser."""


class AssociateCreativeInput(_AssociateCreativeInputRequired, total=False):
    """A library creative in one line item, with what holds there alone."""
    endsAt: Optional[str]
    """End of serving, exclusive; null = with the line item."""
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user of this creative in this line item."""
    startsAt: Optional[str]
    """Start of serving; null = with the line item."""
    weight: Optional[int]
    """Share of the draw among the creatives of the line item, 1 to 1000; default 100, or what an archived
    association had.
    """


class AudioContent(TypedDict, total=False):
    """An audio ad: own media files, or the address of a third party's VAST tag."""
    durationMs: int
    """Length in milliseconds."""
    mediaFiles: List[AudioFile]
    """The encodings; empty with a VAST tag."""
    skipOffsetMs: Optional[int]
    """When it can be skipped, in milliseconds; null = never."""
    title: str
    """Title."""
    vastTagUrl: Optional[str]
    """Address of a third party's VAST tag."""


class _AudioContentInputRequired(TypedDict):
    durationMs: int
    """Length in milliseconds, up to an hour."""
    title: str
    """Title."""


class AudioContentInput(_AudioContentInputRequired, total=False):
    """An audio ad: media files, or a VAST tag; not both."""
    mediaFiles: Optional[List[AudioFileInput]]
    """The encodings."""
    skipOffsetMs: Optional[int]
    """When it can be skipped, in milliseconds; absent = never."""
    vastTagUrl: Optional[str]
    """Address of a third party's VAST tag."""


class AudioFile(TypedDict, total=False):
    """One encoding of an audio ad."""
    bitrateKbps: Optional[int]
    """Bit rate in kbit/s."""
    mimeType: str
    """Its type, such as "audio/mpeg"."""
    url: str
    """Its address."""


class _AudioFileInputRequired(TypedDict):
    mimeType: str
    """Its type, such as "audio/mpeg"."""
    url: str
    """Its address."""


class AudioFileInput(_AudioFileInputRequired, total=False):
    """One encoding of an audio ad."""
    bitrateKbps: Optional[int]
    """Bit rate in kbit/s."""


class AuditConnection(TypedDict, total=False):
    """A page of the audit log."""
    edges: List[AuditEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[AuditEntry]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class AuditEdge(TypedDict, total=False):
    """One entry of the audit log."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: AuditEntry
    """The object."""


class AuditEntry(TypedDict, total=False):
    """One recorded action. The log is append-only."""
    action: str
    """What was done, such as `campaign.update`."""
    actor: str
    """Who did it."""
    at: str
    """When."""
    changeSet: Optional[str]
    """The change of many objects that it is a part of: the value of the header `X-Placard-Change-Set` of its
    request; null: it stands alone.
    """
    changeSetSize: int
    """How many changes of objects of this kind its change set has by the same actor; 1 where it stands alone."""
    details: Any
    """Values before and after, and further facts."""
    environment: Optional[Environment]
    """The environment; null = settings of the network, which hold for both."""
    hash: str
    """SHA-256 over this entry and the hash of the one before."""
    objectId: str
    """Id of the object."""
    objectKind: str
    """Kind of the object."""
    remoteAddress: str
    """Address of the caller."""
    sequence: str
    """Its number in the network's log; numbers grow by one."""


# Narrows the audit log; all given parts must hold.
AuditFilter = TypedDict(
    "AuditFilter",
    {
        "action": "Optional[str]",
        "actor": "Optional[str]",
        "actorContains": "Optional[str]",
        "changeSet": "Optional[str]",
        "from": "Optional[str]",
        "objectId": "Optional[str]",
        "objectKind": "Optional[str]",
        "to": "Optional[str]",
    },
    total=False,
)


class Availability(TypedDict, total=False):
    """Sold, reserved and free impressions by day. What is left of a goal spreads evenly over the time that is
    left, and over the ad units that its targeting leaves, by their traffic. What its other targeting keeps from
    it is not known in advance: `free` and `freeUpTo` are the bounds.
    """
    days: List[AvailableDay]
    """The days, from today on."""
    elsewhere: List[AvailableElsewhere]
    """Where nothing of the inventory is free: other ad units of its sizes with free impressions, of the 5 with the
    most requests.
    """
    historyDays: int
    """Days of the last 28 with requests."""
    lineItems: List[AvailabilityLineItem]
    """Who takes most, at most 50."""
    notes: List[str]
    """Remarks, as sentences."""
    remarks: List[DeliveryText]
    """The same as data, a text for each."""
    shownPercent: float
    """Share of served ads that were shown: by it, opportunities become impressions."""


class AvailabilityInput(TypedDict, total=False):
    """Which inventory, and how many days."""
    adUnitIds: Optional[List[str]]
    """These ad units, at most 200."""
    countries: Optional[List[str]]
    """Requests of these countries alone, as ISO 3166-1 alpha-2 codes, at most 200. Empty: of any."""
    days: Optional[int]
    """How many days from today on, 1…92; default 28."""
    deviceTypes: Optional[List[str]]
    """Requests of these devices alone: desktop, mobile, tablet, tv. Empty: of any."""
    siteIds: Optional[List[str]]
    """All ad units of these sites. Neither: the whole network."""


class AvailabilityLineItem(TypedDict, total=False):
    """What a line item takes of the inventory in these days."""
    impressions: int
    """Impressions."""
    isReserved: bool
    """Whether it is reserved, not active."""
    lineItemId: str
    """Its id."""
    name: str
    """Its name."""


class AvailableDay(TypedDict, total=False):
    """Impressions of one day of the network’s time zone."""
    day: str
    """The day, `YYYY-MM-DD`."""
    expected: Optional[int]
    """Expected impressions: the mean of the same weekday of the last 28 days; null without history."""
    free: Optional[int]
    """`expected` less both, at least 0: so much is free at least."""
    freeUpTo: Optional[int]
    """So much is free at most: only line items that are certain to take of the asked requests count. It equals
    `free` where all are certain.
    """
    high: Optional[int]
    """Its upper end."""
    low: Optional[int]
    """Lower end of a 95 % interval of `expected` by how such weekdays differed; null with fewer than two."""
    reserved: int
    """What reserved ones would take."""
    sold: int
    """What active line items with a goal or a share of voice will take."""


class AvailableElsewhere(TypedDict, total=False):
    """Another ad unit with free impressions."""
    adUnitId: str
    """Its id."""
    free: int
    """Free impressions over all days, at least."""
    name: str
    """Its name."""


class _BeginAgentRequestInputRequired(TypedDict):
    digest: str
    """A digest of its arguments: the same for the same request."""
    idempotencyKey: str
    """The agent's own key of it, 1…255 characters."""
    request: Any
    """Its arguments, without secrets."""
    tool: str
    """The tool, 1…60 characters."""


class BeginAgentRequestInput(_BeginAgentRequestInputRequired, total=False):
    """What a buyer's agent asks for."""
    advertiserId: Optional[str]
    """The advertiser that it is for."""
    notice: Optional[AgentNoticeInput]
    """Where its caller is told of a decision; default: nowhere."""


class BeginAgentRequestPayload(TypedDict, total=False):
    """The result of a request that begins."""
    agentRequest: Optional[AgentRequest]
    """The request of its key; null for a CONFLICT."""
    beginning: Optional[AgentRequestBeginning]
    """What it is to the ones before it; null when its input was refused."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class _BookProductInputRequired(TypedDict):
    campaignId: str
    """The campaign that gets the line item."""
    endsAt: str
    """End of the flight, exclusive."""
    priceOptionId: str
    """The id of one of its price options."""
    productId: str
    """The product."""
    startsAt: str
    """Start of the flight."""


class BookProductInput(_BookProductInputRequired, total=False):
    """A booking from a product."""
    bid: Optional[str]
    """The price that is bid over the floor of the option, in the unit of its pricing model; for options with a
    floor only.
    """
    budget: Optional[str]
    """What the booking may cost. The price turns it into a quantity. Instead of `quantity`."""
    externalId: Optional[str]
    """Id in your own system."""
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user; default none."""
    name: Optional[str]
    """Name of the line item; default: that of the product."""
    pacing: Optional[Pacing]
    """How delivery is spread; default EVEN."""
    quantity: Optional[int]
    """How many units are booked: impressions, viewable impressions, clicks … as the option pays for. Instead of
    `budget`.
    """
    targeting: Optional[TargetingInput]
    """Targeting that narrows the inventory of the product, by the dimensions that it admits; default none."""


class BookingApproval(TypedDict, total=False):
    """The approval of a guaranteed booking: of its campaign, tier, goal, share, price and flight. Without dates of
    its own, its flight is that of its campaign.
    """
    approvedAt: Optional[str]
    """When they approved."""
    approvedBy: Optional[str]
    """Name of the member who approved last."""
    mayApprove: bool
    """Whether the caller may approve it now: it is not approved, and the caller is a signed-in admin who neither
    wrote it since its last approval nor asked for it.
    """
    requestedAt: Optional[str]
    """When they asked."""
    requestedBy: Optional[str]
    """Who asked last."""
    state: BookingApprovalState
    """How far it is."""


class BookingApprovalPayload(TypedDict, total=False):
    """The result of asking for the approval of a booking, or of giving it."""
    lineItem: Optional[LineItem]
    """The line item."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class BookingPayload(TypedDict, total=False):
    """The result of a booking from a product."""
    lineItem: Optional[LineItem]
    """The line item of the booking; null when nothing was booked."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


# Comparisons of a field; all that are given must hold.
BooleanWhere = TypedDict(
    "BooleanWhere",
    {
        "eq": "Optional[bool]",
        "not": "Optional[BooleanWhere]",
    },
    total=False,
)


class BulkPayload(TypedDict, total=False):
    """The result of a bulk change."""
    changedCount: int
    """How many rows were changed (0 when only validated, or all undone)."""
    failedCount: int
    """How many rows were wrong."""
    userErrors: List[UserError]
    """The mistakes in all rows, and those of the call as a whole; empty when all is valid."""


class BulkResult(TypedDict, total=False):
    """The result of one row of a bulk change."""
    code: Optional[UserErrorCode]
    """Error code of this row; null when the row is valid."""
    index: int
    """Its index in the input, from 0."""
    message: Optional[str]
    """What to do about the error."""
    problems: List[FieldProblem]
    """Wrong fields of this row."""
    userErrors: List[UserError]
    """The mistakes in this row; empty when it is valid."""
    warnings: List[FieldProblem]
    """Doubtful fields of this row."""


class Caller(TypedDict, total=False):
    """The caller."""
    actor: str
    """How the audit log names them."""
    environment: Environment
    """The environment they work in."""
    modules: Optional[List[Module]]
    """The modules they are limited to; null = all."""
    networkId: str
    """The network they work in."""
    permission: Permission
    """What they may do."""


class Campaign(TypedDict, total=False):
    """An order of an advertiser: line items serve only while their campaign is ACTIVE, in its flight, and within
    its caps.
    """
    advertiser: Optional[Advertiser]
    """The advertiser."""
    advertiserId: str
    """The advertiser; cannot change."""
    caps: DeliveryCaps
    """Hard limits per day and in total."""
    contacts: List[str]
    """People of the order outside of the network, such as "Ann Lee, ann@example.com". At most 20."""
    createdAt: str
    """When it was made."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    delivery: Optional[Delivery]
    """What it has delivered so far; null while the counters are unavailable."""
    endsAt: Optional[str]
    """End of serving, exclusive; null = open-ended."""
    externalId: Optional[str]
    """Id in your own system."""
    frequencyCaps: List[FrequencyCap]
    """Limits per user; the strictest applies. At most 20."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    isArchived: bool
    """Whether it is archived: it does not serve."""
    labels: List[str]
    """Labels of all its line items. Caps of the network by label (`labelCaps`) count all ads that bear one. At
    most 10.
    """
    lineItems: LineItemConnection
    """Its line items, by id."""
    name: str
    """Name."""
    notes: str
    """Notes for people, with line breaks; at most 2000 characters."""
    orderNumber: Optional[str]
    """Number of the order, as invoices name it."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    salesperson: Optional[str]
    """The e-mail address of the member of the network who sold the order; null = nobody."""
    startsAt: Optional[str]
    """Start of serving; null = at once."""
    status: DeliveryStatus
    """Status; DRAFT at first."""
    team: Optional[Team]
    """The team that looks after it."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    updatedAt: str
    """When it was last changed."""
    updatedBy: str
    """Who changed it last, as the audit log names them; empty: the system."""
    version: int
    """Grows with every change; send it with an update to detect concurrent changes."""


class CampaignBulkPayload(TypedDict, total=False):
    """The result of a bulk change of campaigns."""
    changedCount: int
    """How many rows were changed (0 when only validated, or all undone)."""
    failedCount: int
    """How many rows were wrong."""
    results: List[CampaignBulkResult]
    """One result for each row, in the order of the input."""
    userErrors: List[UserError]
    """The mistakes in all rows, and those of the call as a whole; empty when all is valid."""


class CampaignBulkResult(TypedDict, total=False):
    """The result of one row of a bulk change of campaigns."""
    campaign: Optional[Campaign]
    """The object after the change; null when this row was not changed."""
    code: Optional[UserErrorCode]
    """Error code of this row; null when the row is valid."""
    index: int
    """Its index in the input, from 0."""
    message: Optional[str]
    """What to do about the error."""
    problems: List[FieldProblem]
    """Wrong fields of this row."""
    userErrors: List[UserError]
    """The mistakes in this row; empty when it is valid."""
    warnings: List[FieldProblem]
    """Doubtful fields of this row."""


class CampaignChildrenWhere(TypedDict, total=False):
    """A filter by the campaigns that belong to an object."""
    none: Optional[CampaignWhere]
    """None of them is so."""
    some: Optional[CampaignWhere]
    """At least one of them is so."""


class CampaignConnection(TypedDict, total=False):
    """A page of a list of campaigns."""
    edges: List[CampaignEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[Campaign]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class CampaignEdge(TypedDict, total=False):
    """One campaign in a list."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: Campaign
    """The object."""


class CampaignFilter(TypedDict, total=False):
    """Filters a list of campaigns. All given parts must match; a list means any of its values."""
    advertiserIds: Optional[List[str]]
    """Only of these advertisers."""
    customFields: Any
    """Only with all of these values of custom fields, such as {"region": "North"}."""
    endsSince: Optional[str]
    """Only with an end at or after this instant."""
    externalIds: Optional[List[str]]
    """Only with one of these external ids."""
    ids: Optional[List[str]]
    """Only these."""
    labels: Optional[List[str]]
    """Only with one of these labels."""
    orderNumbers: Optional[List[str]]
    """Only with one of these order numbers."""
    owners: Optional[List[str]]
    """Only of these owners."""
    salespeople: Optional[List[str]]
    """Only sold by these members, by their e-mail addresses."""
    search: Optional[str]
    """Only those whose name (or code, or external id) contains this text, in any case; or that have this very id."""
    startsBefore: Optional[str]
    """Only with a start before this instant."""
    statuses: Optional[List[DeliveryStatus]]
    """Only with one of these statuses."""
    teamIds: Optional[List[str]]
    """Only of these teams."""
    updatedSince: Optional[str]
    """Only those changed at or after this instant."""


class _CampaignOrderRequired(TypedDict):
    field: CampaignOrderField
    """What to sort by."""


class CampaignOrder(_CampaignOrderRequired, total=False):
    """The order of a list of campaigns."""
    direction: Optional[SortDirection]
    """The direction; default ASC."""


class CampaignPayload(TypedDict, total=False):
    """The result of a change of one campaign."""
    campaign: Optional[Campaign]
    """The object after the change; null when it was only validated."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


# A filter of campaigns by any field, at most 100 comparisons. All that is given must hold.
CampaignWhere = TypedDict(
    "CampaignWhere",
    {
        "advertiser": "Optional[AdvertiserWhere]",
        "advertiserId": "Optional[IDWhere]",
        "and": "Optional[List[CampaignWhere]]",
        "contacts": "Optional[StringListWhere]",
        "createdAt": "Optional[DateTimeWhere]",
        "endsAt": "Optional[DateTimeWhere]",
        "externalId": "Optional[StringWhere]",
        "id": "Optional[IDWhere]",
        "labels": "Optional[StringListWhere]",
        "lineItems": "Optional[LineItemChildrenWhere]",
        "name": "Optional[StringWhere]",
        "not": "Optional[CampaignWhere]",
        "notes": "Optional[StringWhere]",
        "or": "Optional[List[CampaignWhere]]",
        "orderNumber": "Optional[StringWhere]",
        "owner": "Optional[StringWhere]",
        "salesperson": "Optional[StringWhere]",
        "startsAt": "Optional[DateTimeWhere]",
        "status": "Optional[DeliveryStatusWhere]",
        "team": "Optional[TeamWhere]",
        "teamId": "Optional[IDWhere]",
        "updatedAt": "Optional[DateTimeWhere]",
        "updatedBy": "Optional[StringWhere]",
        "version": "Optional[IntWhere]",
    },
    total=False,
)


class Change(TypedDict, total=False):
    """One change of one object: what it was, and what it became."""
    actor: str
    """Who made it; `system:…` for Placard itself."""
    after: Any
    """The changed fields after; all fields of a new object."""
    at: str
    """When."""
    before: Any
    """The changed fields before, by their names in this API; null for a new object."""
    changeSet: Optional[str]
    """The change of many objects that it is a part of: the value of the header `X-Placard-Change-Set` of its
    request; null: it stands alone.
    """
    changeSetSize: int
    """How many changes of objects of this kind its change set has by the same actor; 1 where it stands alone."""
    environment: Environment
    """The environment of the object."""
    isTooLong: bool
    """Whether the values are too long for the log, so that `before` and `after` are null: read the object."""
    kind: ChangeKind
    """Kind of the object."""
    objectId: str
    """Id of the object."""
    objectKind: str
    """Kind of the object, such as `lineItem`."""
    sequence: str
    """Its number: a later change has a higher one. It is also its cursor."""
    type: str
    """Kind and verb, such as `lineItem.update`."""
    verb: Optional[ChangeVerb]
    """What happened to it; null: something of its own kind, which `type` names."""


class ChangeBookingInput(TypedDict, total=False):
    """New terms of a booking from a product. Absent terms stay as they are."""
    bid: Optional[str]
    """The price that is bid over the floor of the option, in the unit of its pricing model; for options with a
    floor only.
    """
    budget: Optional[str]
    """What the booking may cost. The price turns it into a quantity. Instead of `quantity`."""
    endsAt: Optional[str]
    """End of the flight, exclusive."""
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user."""
    pacing: Optional[Pacing]
    """How delivery is spread."""
    priceOptionId: Optional[str]
    """The id of another price option of the product."""
    quantity: Optional[int]
    """How many units are booked: impressions, viewable impressions, clicks … as the option pays for. Instead of
    `budget`.
    """
    startsAt: Optional[str]
    """Start of the flight."""
    targeting: Optional[TargetingInput]
    """Targeting that replaces what the booking added to the product."""


class ChangeConnection(TypedDict, total=False):
    """A page of changes."""
    edges: List[ChangeEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[Change]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class ChangeEdge(TypedDict, total=False):
    """One change."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: Change
    """The object."""


# Comparisons of a field; all that are given must hold.
ChannelListWhere = TypedDict(
    "ChannelListWhere",
    {
        "has": "Optional[Channel]",
        "hasAny": "Optional[List[Channel]]",
        "not": "Optional[ChannelListWhere]",
    },
    total=False,
)


class ChooseNotificationsPayload(TypedDict, total=False):
    """The result of choosing where one is told of events."""
    choices: Optional[List[NotificationChoice]]
    """The choices for all events."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class Comment(TypedDict, total=False):
    """What a member says about an object."""
    authorId: str
    """Account of its author."""
    authorName: str
    """Name of its author."""
    body: str
    """Plain text."""
    createdAt: str
    """When."""
    id: str
    """Its id."""
    mentionedIds: List[str]
    """Accounts of the members whom it mentions."""
    objectId: str
    """Id of the object."""
    objectKind: DiscussedKind
    """Kind of the object."""


class CommentPayload(TypedDict, total=False):
    """The result of a change of a comment."""
    comment: Optional[Comment]
    """The comment, as it is or was."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


# Comparisons of a field; all that are given must hold.
CompanionModeWhere = TypedDict(
    "CompanionModeWhere",
    {
        "eq": "Optional[CompanionMode]",
        "in": "Optional[List[CompanionMode]]",
        "not": "Optional[CompanionModeWhere]",
    },
    total=False,
)


class Connection(TypedDict, total=False):
    """A page of a list."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class CopyCampaignPayload(TypedDict, total=False):
    """The result of copying a campaign."""
    campaign: Campaign
    """The copy; with `validateOnly`, the campaign that would be copied."""
    copy: Optional[Campaign]
    """The copy; null when nothing was copied, or when it was only validated."""
    creativeCount: int
    """How many creatives were copied, or would be."""
    lineItemCount: int
    """How many line items were copied, or would be."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class CopyLineItemsPayload(TypedDict, total=False):
    """The result of copying line items."""
    creativeCount: int
    """How many creatives were copied."""
    lineItems: List[LineItem]
    """The copies, in the order of the ids; none with `validateOnly`."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class CountedActivity(TypedDict, total=False):
    """An activity whose conversions a line item counts and pays for."""
    activityId: str
    """The activity, by id."""
    events: List[str]
    """Only these events of it; empty = every one."""


class _CountedActivityInputRequired(TypedDict):
    activityId: str
    """The activity, by id."""


class CountedActivityInput(_CountedActivityInputRequired, total=False):
    """An activity whose conversions a line item counts and pays for."""
    events: Optional[List[str]]
    """Only these events of it, as pixels name them, at most 20; absent or empty = every one."""


class _CreateActivityInputRequired(TypedDict):
    actgid: str
    """Its id in pixels; unique in the network; cannot change."""
    name: str
    """Name."""


class CreateActivityInput(_CreateActivityInputRequired, total=False):
    """The fields of a new activity."""
    acceptsPixel: Optional[bool]
    """Whether pages may send its events without a key, to `GET /<network>/activity`. Anybody can then send them:
    do not bill by such events alone.
    """
    advertiserId: Optional[str]
    """The advertiser: only clicks and impressions of its ads are credited. null = the last click or impression of
    any advertiser.
    """
    clickWindowSeconds: Optional[int]
    """How long after a click it is credited; up to 90 days."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    repeatIntervalSeconds: Optional[int]
    """Without an order reference, a second event of a user within this time does not count; up to 30 days."""
    status: Optional[Lifecycle]
    """Whether it is in use."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    viewWindowSeconds: Optional[int]
    """How long after an impression it is credited when there was no click; up to 30 days."""


class _CreateAdUnitInputRequired(TypedDict):
    name: str
    """Its code in requests; unique in the network."""
    siteId: str
    """Its site; cannot change."""


class CreateAdUnitInput(_CreateAdUnitInputRequired, total=False):
    """The fields of a new ad unit."""
    areaId: Optional[str]
    """Its area; null = the site as a whole."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    floor: Optional[str]
    """Lowest CPM; 0 = none."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    mediaTypes: Optional[List[MediaType]]
    """What it can show."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    sizes: Optional[List[SizeInput]]
    """The sizes it takes, at most 50; empty = as the request says."""
    status: Optional[Lifecycle]
    """Whether it is in use."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""


class _CreateAdvertiserInputRequired(TypedDict):
    name: str
    """Name."""


class CreateAdvertiserInput(_CreateAdvertiserInputRequired, total=False):
    """The fields of a new advertiser."""
    categories: Optional[List[str]]
    """IAB content categories, such as "IAB2-3"."""
    credit: Optional[str]
    """The total budget; null = no limit."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    domains: Optional[List[str]]
    """Domains that its ads lead to, as `adomain` in bids. Domains in Unicode are stored in their form of ASCII
    (`xn--…`).
    """
    dsaBehalf: Optional[str]
    """On whose behalf its ads are shown (DSA); at most 100 characters."""
    dsaPaid: Optional[str]
    """Who pays for them (DSA); at most 100 characters."""
    exclusionLabels: Optional[List[str]]
    """Two ads that share a label never appear in one response."""
    externalId: Optional[str]
    """Id in your own system."""
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user; the strictest applies. At most 20."""
    labels: Optional[List[str]]
    """Labels of all its line items. Caps of the network by label (`labelCaps`) count all ads that bear one. At
    most 10.
    """
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    status: Optional[Lifecycle]
    """Whether it is in use; none of its campaigns serves while ARCHIVED."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""


class _CreateAdvertisingProductInputRequired(TypedDict):
    name: str
    """Name."""


class CreateAdvertisingProductInput(_CreateAdvertisingProductInputRequired, total=False):
    """The fields of a new advertising product."""
    buyerDimensions: Optional[List[TargetingDimension]]
    """The dimensions of targeting that a buyer may add; empty = none."""
    cancellationNoticeDays: Optional[int]
    """Days from a cancellation to its effect."""
    channels: Optional[List[Channel]]
    """The media channels that it is sold in."""
    creativePolicy: Optional[CreativePolicyInput]
    """What its creatives have to be like; null = nothing besides its formats."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    delivery: Optional[ProductDelivery]
    """Whether it promises an amount; default: NON_GUARANTEED."""
    description: Optional[str]
    """What buyers get."""
    formats: Optional[List[ProductFormatInput]]
    """The formats that its creatives may have; empty = all that the inventory shows. At most 20."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    leadTimeHours: Optional[int]
    """Hours from a booking to its earliest start."""
    maximumDays: Optional[int]
    """Longest flight of a booking in days; null = none."""
    measurement: Optional[ProductMeasurementInput]
    """How its delivery is measured; null = not agreed."""
    minimumDays: Optional[int]
    """Shortest flight of a booking in days; null = none."""
    minimumSpend: Optional[str]
    """The lowest budget of a booking; null = none."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    offeredAdvertiserIds: Optional[List[str]]
    """The advertisers whose keys of buyers see it, by id; empty = all. At most 1000."""
    offeredToBuyers: Optional[bool]
    """Whether keys of buyers, such as their agents', see it and may book it."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    priceOptions: Optional[List[PriceOptionInput]]
    """The ways to pay for it; empty = it has no price yet. The whole list is replaced. At most 100."""
    status: Optional[Lifecycle]
    """Whether it is in use."""
    targeting: Optional[TargetingInput]
    """Its inventory and audiences; null = all inventory and all users."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""


class _CreateApiKeyInputRequired(TypedDict):
    name: str
    """Name, 1 to 200 characters."""
    permission: Permission
    """What it may do."""


class CreateApiKeyInput(_CreateApiKeyInputRequired, total=False):
    """The fields of a new key."""
    advertiserIds: Optional[List[str]]
    """The advertisers that a buyer's key is bound to, by id; for BUYER only."""
    environment: Optional[Environment]
    """Where it works; default: where this request works. A key can only make keys of its own environment."""
    expiresAt: Optional[str]
    """When it stops working; 90 days are a good choice. Absent = never."""
    ipAllowlist: Optional[List[str]]
    """Addresses and CIDR ranges it may be used from; absent = any."""
    modules: Optional[List[Module]]
    """The modules to limit it to; absent or null = all."""
    scope: Optional[KeyScope]
    """Whose key it is; default NETWORK."""
    spendLimit: Optional[str]
    """The most that keys of buyers may have booked for its advertisers together; null = no limit. Archived
    bookings count from their start on. For BUYER only.
    """


class _CreateAreaInputRequired(TypedDict):
    code: str
    """Its value of `site.ext.area` in requests; unique in its site."""
    name: str
    """Name."""
    siteId: str
    """Its site; cannot change."""


class CreateAreaInput(_CreateAreaInputRequired, total=False):
    """The fields of a new area."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    status: Optional[Lifecycle]
    """Whether it is in use."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""


class _CreateCampaignInputRequired(TypedDict):
    advertiserId: str
    """The advertiser; cannot change."""
    name: str
    """Name."""


class CreateCampaignInput(_CreateCampaignInputRequired, total=False):
    """The fields of a new campaign."""
    caps: Optional[DeliveryCapsInput]
    """Hard limits per day and in total."""
    contacts: Optional[List[str]]
    """People of the order outside of the network, such as "Ann Lee, ann@example.com". At most 20."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    endsAt: Optional[str]
    """End of serving, exclusive; null = open-ended."""
    externalId: Optional[str]
    """Id in your own system."""
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user; the strictest applies. At most 20."""
    labels: Optional[List[str]]
    """Labels of all its line items. Caps of the network by label (`labelCaps`) count all ads that bear one. At
    most 10.
    """
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    orderNumber: Optional[str]
    """Number of the order, as invoices name it."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    salesperson: Optional[str]
    """The e-mail address of the member of the network who sold the order; null = nobody."""
    startsAt: Optional[str]
    """Start of serving; null = at once."""
    status: Optional[DeliveryStatus]
    """Status; DRAFT at first."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""


class _CreateCreativeInputRequired(TypedDict):
    clickUrl: str
    """Landing address, http or https."""
    content: CreativeContentInput
    """What is shown; its shape is the format."""
    lineItemId: str
    """Its line item; cannot change."""
    name: str
    """Name."""


class CreateCreativeInput(_CreateCreativeInputRequired, total=False):
    """The fields of a new creative."""
    attributes: Optional[List[int]]
    """OpenRTB creative attributes, which publishers can block."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    endsAt: Optional[str]
    """End of serving, exclusive; null = with its line item."""
    externalId: Optional[str]
    """Id in your own system."""
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user; the strictest applies. At most 20."""
    height: Optional[int]
    """Height in CSS pixels; 0 × 0 fits any size (native, video)."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    language: Optional[str]
    """Language of its text, ISO 639, such as "pl"."""
    masterCreativeId: Optional[str]
    """For a companion: the creative of the same line item beside which this banner stands; null = it is shown by
    itself. Cannot change.
    """
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    reviewReason: Optional[str]
    """Why it was rejected, or a remark of the review; a new review state without one clears it."""
    reviewState: Optional[ReviewState]
    """The result of its review; only APPROVED serves."""
    startsAt: Optional[str]
    """Start of serving; null = with its line item."""
    status: Optional[CreativeStatus]
    """Status; ACTIVE at first."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    trackers: Optional[ThirdPartyTrackersInput]
    """Third-party tracking addresses."""
    weight: Optional[int]
    """Share of the draw among its siblings."""
    width: Optional[int]
    """Width in CSS pixels; 0 × 0 fits any size (native, video)."""


class _CreateCustomFieldInputRequired(TypedDict):
    key: str
    """Its key in `customFields`; unique in the network; cannot change."""
    name: str
    """Name for people."""
    type: CustomFieldType
    """What its values are; cannot change."""


class CreateCustomFieldInput(_CreateCustomFieldInputRequired, total=False):
    """The fields of a new custom field."""
    choices: Optional[List[str]]
    """The values to choose from, for CHOICE."""
    description: Optional[str]
    """What it means."""
    kinds: Optional[List[str]]
    """The kinds of objects that have it, among advertiser, advertisingProduct, deal, site, area, adUnit, floor,
    activity, keyValue, segment, campaign, lineItem, creative, libraryCreative, experiment; empty = all.
    """
    status: Optional[Lifecycle]
    """Whether it is in use."""


class _CreateDealInputRequired(TypedDict):
    code: str
    """Its code in bid requests and responses, unique in the network."""
    name: str
    """Name."""


class CreateDealInput(_CreateDealInputRequired, total=False):
    """The fields of a new deal."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    fixedPrice: Optional[str]
    """Fixed CPM; null = the line item's price."""
    floor: Optional[str]
    """Lowest CPM; 0 = none."""
    kind: Optional[DealKind]
    """The kind of agreement; default: PRIVATE."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    seats: Optional[List[str]]
    """Buyers that may use it; empty = all."""
    status: Optional[Lifecycle]
    """Whether it is in use."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""


class _CreateExperimentInputRequired(TypedDict):
    endsAt: str
    """When it ends, at most 366 days after it begins. The present instant stops it. It is fixed once the
    experiment has ended.
    """
    name: str
    """Name."""
    rule: ExperimentRule
    """How its share of the traffic is decided. It cannot change."""
    sharePercent: int
    """The share of users, and of requests without a user, that the rule decides, in percent: 1…50. It is fixed
    once the experiment has begun.
    """
    startsAt: str
    """When it begins. It is fixed once the experiment has begun."""


class CreateExperimentInput(_CreateExperimentInputRequired, total=False):
    """The fields of a new experiment."""
    status: Optional[Lifecycle]
    """Whether it is kept in lists. Archiving ends it."""


class _CreateFloorInputRequired(TypedDict):
    floor: str
    """Lowest CPM."""
    name: str
    """Name."""


class CreateFloorInput(_CreateFloorInputRequired, total=False):
    """The fields of a new floor."""
    adUnitId: Optional[str]
    """Only in this ad unit."""
    areaId: Optional[str]
    """Only in this area."""
    countries: Optional[List[str]]
    """Only for users in these countries, ISO 3166 alpha-2; empty = any. An unknown country matches no listed one."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    dealId: Optional[str]
    """Only for line items of this deal. Without one, it does not apply to what is bid under a deal that the
    request offers: deals have floors of their own.
    """
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    mediaTypes: Optional[List[MediaType]]
    """Only for these kinds of ads; empty = any."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    priority: Optional[int]
    """The higher goes first."""
    siteId: Optional[str]
    """Only on this site."""
    sizes: Optional[List[SizeInput]]
    """Only for ads of these sizes, at most 50; empty = any."""
    status: Optional[Lifecycle]
    """Whether it is in use."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""


class _CreateKeyValueInputRequired(TypedDict):
    key: str
    """The key as requests write it; unique in the network; cannot change."""
    name: str
    """Name for people."""


class CreateKeyValueInput(_CreateKeyValueInputRequired, total=False):
    """The fields of a new key-value."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    description: Optional[str]
    """What it means."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    reportable: Optional[bool]
    """Whether reports list its values separately, in a dimension `kv_<key>`; this holds for events after it is
    set. At most 10 keys of a network; archived ones count, because reports still cover their past.
    """
    status: Optional[Lifecycle]
    """Whether it is in use."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    values: Optional[List[str]]
    """Known values, to choose from; requests may carry others."""


class _CreateLibraryCreativeInputRequired(TypedDict):
    advertiserId: str
    """Its advertiser; cannot change."""
    clickUrl: str
    """Landing address, http or https."""
    content: CreativeContentInput
    """What is shown; its shape is the format."""
    name: str
    """Name."""


class CreateLibraryCreativeInput(_CreateLibraryCreativeInputRequired, total=False):
    """The fields of a new library creative."""
    attributes: Optional[List[int]]
    """OpenRTB creative attributes, which publishers can block."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    externalId: Optional[str]
    """Id in your own system."""
    height: Optional[int]
    """Height in CSS pixels; 0 × 0 fits any size (native, video)."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    language: Optional[str]
    """Language of its text, ISO 639, such as "pl"."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    reviewReason: Optional[str]
    """Why it was rejected, or a remark of the review; a new review state without one clears it."""
    reviewState: Optional[ReviewState]
    """The result of its review; only APPROVED serves."""
    status: Optional[Lifecycle]
    """Whether it is in use. ARCHIVED archives all its associations; ACTIVE again restores none of them."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    trackers: Optional[ThirdPartyTrackersInput]
    """Third-party tracking addresses."""
    width: Optional[int]
    """Width in CSS pixels; 0 × 0 fits any size (native, video)."""


class _CreateLineItemInputRequired(TypedDict):
    campaignId: str
    """Its campaign; cannot change."""
    name: str
    """Name."""
    type: LineItemType
    """Its tier."""


class CreateLineItemInput(_CreateLineItemInputRequired, total=False):
    """The fields of a new line item."""
    advertisingProductId: Optional[str]
    """The product it is sold as; null = none."""
    caps: Optional[DeliveryCapsInput]
    """Hard limits per day and in total."""
    companionMode: Optional[CompanionMode]
    """Whether its companions stand beside their masters; other than NONE only with roadblock ONE."""
    countedActivities: Optional[List[CountedActivityInput]]
    """The activities whose conversions are credited to it: they count toward its goal, and CPA pays for them.
    Empty = every activity. At most 50.
    """
    creativeRotation: Optional[CreativeRotation]
    """How one of several fitting creatives is chosen."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    dayParts: Optional[List[DayPartInput]]
    """When in the week it serves; empty = always. At most 50."""
    dealId: Optional[str]
    """The deal it serves; null = open."""
    endsAt: Optional[str]
    """End of serving, exclusive; null = open-ended."""
    exclusionLabels: Optional[List[str]]
    """Two ads that share a label never appear in one response."""
    externalId: Optional[str]
    """Id in your own system."""
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user; the strictest applies. At most 20."""
    goal: Optional[GoalInput]
    """Its goal; null = none."""
    labels: Optional[List[str]]
    """Labels of the line item. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10."""
    level: Optional[int]
    """Rank within its tier (SPONSORSHIP, STANDARD): 1 is decided first, 16 last."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    optimisationGoal: Optional[OptimisationGoal]
    """What it maximises: OPTIMISED rotation chooses the creative by the rate of this event, and a paced line item
    that has more opportunities than its goal needs chooses the ad units. null = nothing.
    """
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    pacing: Optional[Pacing]
    """How delivery is spread."""
    pauseAfterGoal: Optional[bool]
    """Whether it stops at its goal."""
    price: Optional[str]
    """CPM, VCPM: per thousand; CPC, CPA, CPCV: each; FLAT: per day."""
    pricingModel: Optional[PricingModel]
    """Which event earns the price."""
    representativePercent: Optional[float]
    """No effect: goals bid for opportunities (docs/pacing.md). Was the percentage of its goal that is spread
    evenly over all of its traffic.
    """
    roadblock: Optional[Roadblock]
    """Whether its creatives fill several slots of one request."""
    serveWithoutUser: Optional[bool]
    """Whether it serves to unidentified users although it has frequency caps."""
    sharePercent: Optional[float]
    """Share of voice in percent (SPONSORSHIP) or weight of the draw (HOUSE); null elsewhere."""
    startsAt: Optional[str]
    """Start of serving; null = at once."""
    status: Optional[DeliveryStatus]
    """Status; DRAFT at first."""
    targeting: Optional[TargetingInput]
    """Its targeting; null = all inventory and all users."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    timezone: Optional[str]
    """IANA time zone of its days and day-parts; null = the network's."""


class _CreateReportScheduleInputRequired(TypedDict):
    cron: str
    """Five fields in the time zone of the network, such as "0 6 * * 1"; runs at least 15 minutes apart."""
    name: str
    """Name, 1…200 characters."""
    query: Any
    """A query of the Reports API, as /load accepts it. Without a limit it returns all rows."""


class CreateReportScheduleInput(_CreateReportScheduleInputRequired, total=False):
    """The fields of a new schedule."""
    fileFormat: Optional[ReportFileFormat]
    """The form of its files; default CSV. Runs before the change have it, too."""
    mailTo: Optional[List[str]]
    """Addresses of members of the network who get each result by mail, at most 20; empty: nobody."""
    status: Optional[ReportScheduleStatus]
    """ACTIVE (default) or PAUSED."""
    webhookUrl: Optional[str]
    """https:// address of a public host. null: none."""


class _CreateSegmentInputRequired(TypedDict):
    name: str
    """Name."""


class CreateSegmentInput(_CreateSegmentInputRequired, total=False):
    """The fields of a new segment."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    description: Optional[str]
    """Who is in it."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    membershipDays: Optional[int]
    """How long a user stays a member, in days: from the upload (which may set another time), or from the last
    match of the rule.
    """
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    rule: Optional[SegmentRuleInput]
    """The rule that makes users members for `membershipDays` days after their last match; null = uploads only.
    Users who may not be profiled are left out. A changed rule starts with an empty segment.
    """
    status: Optional[Lifecycle]
    """Whether it is in use."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""


class _CreateSiteInputRequired(TypedDict):
    code: str
    """Its value of `site.id` in requests; unique in the network."""
    domain: str
    """Domain, such as "news.example". A domain in Unicode is stored in its form of ASCII (`xn--…`)."""
    name: str
    """Name."""


class CreateSiteInput(_CreateSiteInputRequired, total=False):
    """The fields of a new site."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    status: Optional[Lifecycle]
    """Whether it is in use."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""


class _CreateTargetingPresetInputRequired(TypedDict):
    name: str
    """Name."""
    targeting: TargetingInput
    """The targeting."""


class CreateTargetingPresetInput(_CreateTargetingPresetInputRequired, total=False):
    """The fields of a new targeting preset."""
    description: Optional[str]
    """The purpose of the preset."""
    status: Optional[Lifecycle]
    """Whether it is in use."""


class _CreateTeamInputRequired(TypedDict):
    name: str
    """Name."""


class CreateTeamInput(_CreateTeamInputRequired, total=False):
    """The fields of a new team."""
    description: Optional[str]
    """What it looks after."""
    members: Optional[List[str]]
    """E-mail addresses of its people."""
    status: Optional[Lifecycle]
    """Whether it is in use."""


class _CreateWebhookInputRequired(TypedDict):
    name: str
    """Name, 1…200 characters."""
    types: List[str]
    """Which changes: "*" for all, "lineItem.*" for a kind, "lineItem.update" for one type; 1…50."""
    url: str
    """https:// address of a public host."""


class CreateWebhookInput(_CreateWebhookInputRequired, total=False):
    """The fields of a new webhook."""
    status: Optional[WebhookStatus]
    """ACTIVE (default) or PAUSED."""


class Creative(TypedDict, total=False):
    """What is shown for a line item: a picture, HTML, native parts or a video."""
    attributes: List[int]
    """OpenRTB creative attributes, which publishers can block."""
    clickUrl: str
    """Landing address, http or https."""
    companions: CreativeConnection
    """Its companions, by id."""
    content: CreativeContent
    """What is shown; its shape is the format."""
    createdAt: str
    """When it was made."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    endsAt: Optional[str]
    """End of serving, exclusive; null = with its line item."""
    externalId: Optional[str]
    """Id in your own system."""
    format: CreativeFormat
    """Its format, as the content has it."""
    frequencyCaps: List[FrequencyCap]
    """Limits per user; the strictest applies. At most 20."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    height: int
    """Height in CSS pixels; 0 × 0 fits any size (native, video)."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    isArchived: bool
    """Whether it is archived: it does not serve."""
    labels: List[str]
    """Labels to find it by. At most 10."""
    language: Optional[str]
    """Language of its text, ISO 639, such as "pl"."""
    libraryCreative: Optional[LibraryCreative]
    """The library creative that it follows."""
    libraryCreativeId: Optional[str]
    """The library creative that is associated with its line item here, so that its content follows it; null = it
    has content of its own.
    """
    lineItem: Optional[LineItem]
    """Its line item."""
    lineItemId: str
    """Its line item; cannot change."""
    masterCreative: Optional[Creative]
    """The master that it accompanies."""
    masterCreativeId: Optional[str]
    """For a companion: the creative of the same line item beside which this banner stands; null = it is shown by
    itself. Cannot change.
    """
    name: str
    """Name."""
    notes: str
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    preview: CreativePreview
    """A signed address that shows it, in whatever state it is."""
    reviewReason: Optional[str]
    """Why it was rejected, or a remark of the review; a new review state without one clears it."""
    reviewState: ReviewState
    """The result of its review; only APPROVED serves."""
    scan: CreativeScan
    """What its code and its addresses do."""
    secure: bool
    """Whether all its addresses are https, so that it may serve on https pages."""
    startsAt: Optional[str]
    """Start of serving; null = with its line item."""
    status: CreativeStatus
    """Status; ACTIVE at first."""
    team: Optional[Team]
    """The team that looks after it."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    trackers: ThirdPartyTrackers
    """Third-party tracking addresses."""
    updatedAt: str
    """When it was last changed."""
    updatedBy: str
    """Who changed it last, as the audit log names them; empty: the system."""
    version: int
    """Grows with every change; send it with an update to detect concurrent changes."""
    weight: int
    """Share of the draw among its siblings."""
    width: int
    """Width in CSS pixels; 0 × 0 fits any size (native, video)."""


class CreativeAssociationsPayload(TypedDict, total=False):
    """The result of a change of associations."""
    creatives: List[Creative]
    """The associations after the change, in the order of the inputs; empty when they were only validated."""
    results: List[CreativeBulkResult]
    """One result for each input, in their order."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


class CreativeBulkPayload(TypedDict, total=False):
    """The result of a bulk change of creatives."""
    changedCount: int
    """How many rows were changed (0 when only validated, or all undone)."""
    failedCount: int
    """How many rows were wrong."""
    results: List[CreativeBulkResult]
    """One result for each row, in the order of the input."""
    userErrors: List[UserError]
    """The mistakes in all rows, and those of the call as a whole; empty when all is valid."""


class CreativeBulkResult(TypedDict, total=False):
    """The result of one row of a bulk change of creatives."""
    code: Optional[UserErrorCode]
    """Error code of this row; null when the row is valid."""
    creative: Optional[Creative]
    """The object after the change; null when this row was not changed."""
    index: int
    """Its index in the input, from 0."""
    message: Optional[str]
    """What to do about the error."""
    problems: List[FieldProblem]
    """Wrong fields of this row."""
    userErrors: List[UserError]
    """The mistakes in this row; empty when it is valid."""
    warnings: List[FieldProblem]
    """Doubtful fields of this row."""


class CreativeChildrenWhere(TypedDict, total=False):
    """A filter by the creatives that belong to an object."""
    none: Optional[CreativeWhere]
    """None of them is so."""
    some: Optional[CreativeWhere]
    """At least one of them is so."""


class CreativeConnection(TypedDict, total=False):
    """A page of a list of creatives."""
    edges: List[CreativeEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[Creative]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class CreativeContentInput(TypedDict, total=False):
    """The content: set exactly one."""
    audio: Optional[AudioContentInput]
    """An audio ad."""
    html: Optional[HtmlContentInput]
    """HTML5 or a third-party tag."""
    html5: Optional[Html5ContentInput]
    """An uploaded HTML5 bundle (ZIP)."""
    image: Optional[ImageContentInput]
    """A picture banner."""
    native: Optional[NativeContentInput]
    """A native ad."""
    video: Optional[VideoContentInput]
    """A video."""


class CreativeEdge(TypedDict, total=False):
    """One creative in a list."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: Creative
    """The object."""


class CreativeFilter(TypedDict, total=False):
    """Filters a list of creatives. All given parts must match; a list means any of its values."""
    customFields: Any
    """Only with all of these values of custom fields, such as {"region": "North"}."""
    externalIds: Optional[List[str]]
    """Only with one of these external ids."""
    formats: Optional[List[CreativeFormat]]
    """Only of these formats (IMAGE, HTML, NATIVE, VIDEO, AUDIO)."""
    ids: Optional[List[str]]
    """Only these."""
    labels: Optional[List[str]]
    """Only with one of these labels."""
    libraryCreativeIds: Optional[List[str]]
    """Only associations of these library creatives."""
    lineItemIds: Optional[List[str]]
    """Only of these line items."""
    masterCreativeIds: Optional[List[str]]
    """Only companions of these creatives."""
    owners: Optional[List[str]]
    """Only of these owners."""
    reviewStates: Optional[List[ReviewState]]
    """Only in one of these review states."""
    search: Optional[str]
    """Only those whose name (or code, or external id) contains this text, in any case; or that have this very id."""
    statuses: Optional[List[CreativeStatus]]
    """Only with one of these statuses."""
    teamIds: Optional[List[str]]
    """Only of these teams."""
    updatedSince: Optional[str]
    """Only those changed at or after this instant."""


# Comparisons of a field; all that are given must hold.
CreativeFormatWhere = TypedDict(
    "CreativeFormatWhere",
    {
        "eq": "Optional[CreativeFormat]",
        "in": "Optional[List[CreativeFormat]]",
        "not": "Optional[CreativeFormatWhere]",
    },
    total=False,
)


class _CreativeOrderRequired(TypedDict):
    field: CreativeOrderField
    """What to sort by."""


class CreativeOrder(_CreativeOrderRequired, total=False):
    """The order of a list of creatives."""
    direction: Optional[SortDirection]
    """The direction; default ASC."""


class CreativePairInput(TypedDict):
    """A library creative and a line item."""
    libraryCreativeId: str
    """The library creative."""
    lineItemId: str
    """The line item."""


class CreativePayload(TypedDict, total=False):
    """The result of a change of one creative."""
    creative: Optional[Creative]
    """The object after the change; null when it was only validated."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


class CreativePolicy(TypedDict, total=False):
    """What creatives of a product have to be like."""
    coBranding: CoBranding
    """Whether they show the publisher's brand; default OPTIONAL."""
    landingPage: LandingPage
    """Where their clicks may lead; default ANY."""
    provenanceRequired: bool
    """Whether they have to say how they were made (by a camera, by a model …); default false."""
    templatesAvailable: bool
    """Whether the publisher has templates for them; default false."""
    terms: Optional[str]
    """Further rules, in words; null = none."""


class CreativePolicyInput(TypedDict, total=False):
    """What creatives of a product have to be like."""
    coBranding: Optional[CoBranding]
    """Whether they show the publisher's brand; default OPTIONAL."""
    landingPage: Optional[LandingPage]
    """Where their clicks may lead; default ANY."""
    provenanceRequired: Optional[bool]
    """Whether they have to say how they were made (by a camera, by a model …); default false."""
    templatesAvailable: Optional[bool]
    """Whether the publisher has templates for them; default false."""
    terms: Optional[str]
    """Further rules, in words; null = none."""


class CreativePreview(TypedDict, total=False):
    """An address that shows a creative as it would serve, to anybody who has it. Nothing is counted there."""
    expiresAt: str
    """When it stops to work."""
    url: str
    """The address; with `?bare` it shows the ad alone, for a frame of its size."""


# Comparisons of a field; all that are given must hold.
CreativeRotationWhere = TypedDict(
    "CreativeRotationWhere",
    {
        "eq": "Optional[CreativeRotation]",
        "in": "Optional[List[CreativeRotation]]",
        "not": "Optional[CreativeRotationWhere]",
    },
    total=False,
)


class CreativeScan(TypedDict, total=False):
    """What the text of a creative says that it does. Nothing is run or fetched."""
    hasClickMacro: Optional[bool]
    """Whether it has a click macro or a click tag; null where clicks need none."""
    hosts: List[str]
    """Hosts that it names, at most 50."""
    insecureUrls: List[str]
    """Addresses without https, at most 50."""
    usesCookies: bool
    """Whether it uses cookies."""
    usesDocumentWrite: bool
    """Whether it uses document.write."""
    usesStorage: bool
    """Whether it uses storage of the browser."""
    warnings: List[CreativeScanWarning]
    """What is doubtful, in words."""


class CreativeScanWarning(TypedDict, total=False):
    """Something in a creative that may keep it from working or from being counted."""
    code: str
    """Stable code, such as `insecure_address`."""
    message: str
    """What it means, and what to do."""


# Comparisons of a field; all that are given must hold.
CreativeStatusWhere = TypedDict(
    "CreativeStatusWhere",
    {
        "eq": "Optional[CreativeStatus]",
        "in": "Optional[List[CreativeStatus]]",
        "not": "Optional[CreativeStatusWhere]",
    },
    total=False,
)


# A filter of creatives by any field, at most 100 comparisons. All that is given must hold.
CreativeWhere = TypedDict(
    "CreativeWhere",
    {
        "and": "Optional[List[CreativeWhere]]",
        "clickUrl": "Optional[StringWhere]",
        "companions": "Optional[CreativeChildrenWhere]",
        "createdAt": "Optional[DateTimeWhere]",
        "endsAt": "Optional[DateTimeWhere]",
        "externalId": "Optional[StringWhere]",
        "format": "Optional[CreativeFormatWhere]",
        "height": "Optional[IntWhere]",
        "id": "Optional[IDWhere]",
        "labels": "Optional[StringListWhere]",
        "language": "Optional[StringWhere]",
        "libraryCreative": "Optional[LibraryCreativeWhere]",
        "libraryCreativeId": "Optional[IDWhere]",
        "lineItem": "Optional[LineItemWhere]",
        "lineItemId": "Optional[IDWhere]",
        "masterCreative": "Optional[CreativeWhere]",
        "masterCreativeId": "Optional[IDWhere]",
        "name": "Optional[StringWhere]",
        "not": "Optional[CreativeWhere]",
        "notes": "Optional[StringWhere]",
        "or": "Optional[List[CreativeWhere]]",
        "owner": "Optional[StringWhere]",
        "reviewReason": "Optional[StringWhere]",
        "reviewState": "Optional[ReviewStateWhere]",
        "secure": "Optional[BooleanWhere]",
        "startsAt": "Optional[DateTimeWhere]",
        "status": "Optional[CreativeStatusWhere]",
        "team": "Optional[TeamWhere]",
        "teamId": "Optional[IDWhere]",
        "updatedAt": "Optional[DateTimeWhere]",
        "updatedBy": "Optional[StringWhere]",
        "version": "Optional[IntWhere]",
        "weight": "Optional[IntWhere]",
        "width": "Optional[IntWhere]",
    },
    total=False,
)


class CustomField(TypedDict, total=False):
    """A field that the network adds to its objects; their values are in `customFields`."""
    choices: List[str]
    """The values to choose from, for CHOICE."""
    createdAt: str
    """When it was made."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    description: str
    """What it means."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    isArchived: bool
    """Whether it is archived: it does not serve."""
    key: str
    """Its key in `customFields`; unique in the network; cannot change."""
    kinds: List[str]
    """The kinds of objects that have it, among advertiser, advertisingProduct, deal, site, area, adUnit, floor,
    activity, keyValue, segment, campaign, lineItem, creative, libraryCreative, experiment; empty = all.
    """
    name: str
    """Name for people."""
    status: Lifecycle
    """Whether it is in use."""
    type: CustomFieldType
    """What its values are; cannot change."""
    updatedAt: str
    """When it was last changed."""
    updatedBy: str
    """Who changed it last, as the audit log names them; empty: the system."""
    version: int
    """Grows with every change; send it with an update to detect concurrent changes."""


class CustomFieldBulkPayload(TypedDict, total=False):
    """The result of a bulk change of custom fields."""
    changedCount: int
    """How many rows were changed (0 when only validated, or all undone)."""
    failedCount: int
    """How many rows were wrong."""
    results: List[CustomFieldBulkResult]
    """One result for each row, in the order of the input."""
    userErrors: List[UserError]
    """The mistakes in all rows, and those of the call as a whole; empty when all is valid."""


class CustomFieldBulkResult(TypedDict, total=False):
    """The result of one row of a bulk change of custom fields."""
    code: Optional[UserErrorCode]
    """Error code of this row; null when the row is valid."""
    customField: Optional[CustomField]
    """The object after the change; null when this row was not changed."""
    index: int
    """Its index in the input, from 0."""
    message: Optional[str]
    """What to do about the error."""
    problems: List[FieldProblem]
    """Wrong fields of this row."""
    userErrors: List[UserError]
    """The mistakes in this row; empty when it is valid."""
    warnings: List[FieldProblem]
    """Doubtful fields of this row."""


class CustomFieldConnection(TypedDict, total=False):
    """A page of a list of custom fields."""
    edges: List[CustomFieldEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[CustomField]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class CustomFieldEdge(TypedDict, total=False):
    """One custom field in a list."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: CustomField
    """The object."""


class CustomFieldFilter(TypedDict, total=False):
    """Filters a list of custom fields. All given parts must match; a list means any of its values."""
    ids: Optional[List[str]]
    """Only these."""
    keys: Optional[List[str]]
    """Only these keys."""
    search: Optional[str]
    """Only those whose name (or code, or external id) contains this text, in any case; or that have this very id."""
    statuses: Optional[List[Lifecycle]]
    """Only with one of these statuses."""
    updatedSince: Optional[str]
    """Only those changed at or after this instant."""


class _CustomFieldOrderRequired(TypedDict):
    field: CustomFieldOrderField
    """What to sort by."""


class CustomFieldOrder(_CustomFieldOrderRequired, total=False):
    """The order of a list of custom fields."""
    direction: Optional[SortDirection]
    """The direction; default ASC."""


class CustomFieldPayload(TypedDict, total=False):
    """The result of a change of one custom field."""
    customField: Optional[CustomField]
    """The object after the change; null when it was only validated."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


# Comparisons of a field; all that are given must hold.
CustomFieldTypeWhere = TypedDict(
    "CustomFieldTypeWhere",
    {
        "eq": "Optional[CustomFieldType]",
        "in": "Optional[List[CustomFieldType]]",
        "not": "Optional[CustomFieldTypeWhere]",
    },
    total=False,
)


# A filter of custom fields by any field, at most 100 comparisons. All that is given must hold.
CustomFieldWhere = TypedDict(
    "CustomFieldWhere",
    {
        "and": "Optional[List[CustomFieldWhere]]",
        "choices": "Optional[StringListWhere]",
        "createdAt": "Optional[DateTimeWhere]",
        "description": "Optional[StringWhere]",
        "id": "Optional[IDWhere]",
        "key": "Optional[StringWhere]",
        "kinds": "Optional[StringListWhere]",
        "name": "Optional[StringWhere]",
        "not": "Optional[CustomFieldWhere]",
        "or": "Optional[List[CustomFieldWhere]]",
        "status": "Optional[LifecycleWhere]",
        "type": "Optional[CustomFieldTypeWhere]",
        "updatedAt": "Optional[DateTimeWhere]",
        "updatedBy": "Optional[StringWhere]",
        "version": "Optional[IntWhere]",
    },
    total=False,
)


# Comparisons of a field; all that are given must hold.
DateTimeWhere = TypedDict(
    "DateTimeWhere",
    {
        "eq": "Optional[str]",
        "gte": "Optional[str]",
        "in": "Optional[List[str]]",
        "lt": "Optional[str]",
        "not": "Optional[DateTimeWhere]",
    },
    total=False,
)


class DayPart(TypedDict, total=False):
    """A span of some days of the week, in the line item's time zone."""
    days: List[int]
    """1 = Monday … 7 = Sunday."""
    endMinute: int
    """End, exclusive: minute of the day, 1…1440."""
    startMinute: int
    """Start: minute of the day, 0…1439."""


class DayPartInput(TypedDict):
    """A span of some days of the week, in the line item's time zone."""
    days: List[int]
    """1 = Monday … 7 = Sunday."""
    endMinute: int
    """End, exclusive: minute of the day, 1…1440."""
    startMinute: int
    """Start: minute of the day, 0…1439."""


class Deal(TypedDict, total=False):
    """An agreement with a buyer; its code is the deal id of OpenRTB."""
    code: str
    """Its code in bid requests and responses, unique in the network."""
    createdAt: str
    """When it was made."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    fixedPrice: Optional[str]
    """Fixed CPM; null = the line item's price."""
    fixedPriceMoney: Optional[Money]
    """Fixed CPM; null = the line item's price. With its currency."""
    floor: str
    """Lowest CPM; 0 = none."""
    floorMoney: Money
    """Lowest CPM; 0 = none. With its currency."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    isArchived: bool
    """Whether it is archived: it does not serve."""
    kind: DealKind
    """The kind of agreement; default: PRIVATE."""
    labels: List[str]
    """Labels to find it by. At most 10."""
    lineItems: LineItemConnection
    """The line items that serve it, by id."""
    name: str
    """Name."""
    notes: str
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    seats: List[str]
    """Buyers that may use it; empty = all."""
    status: Lifecycle
    """Whether it is in use."""
    team: Optional[Team]
    """The team that looks after it."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    updatedAt: str
    """When it was last changed."""
    updatedBy: str
    """Who changed it last, as the audit log names them; empty: the system."""
    version: int
    """Grows with every change; send it with an update to detect concurrent changes."""


class DealBulkPayload(TypedDict, total=False):
    """The result of a bulk change of deals."""
    changedCount: int
    """How many rows were changed (0 when only validated, or all undone)."""
    failedCount: int
    """How many rows were wrong."""
    results: List[DealBulkResult]
    """One result for each row, in the order of the input."""
    userErrors: List[UserError]
    """The mistakes in all rows, and those of the call as a whole; empty when all is valid."""


class DealBulkResult(TypedDict, total=False):
    """The result of one row of a bulk change of deals."""
    code: Optional[UserErrorCode]
    """Error code of this row; null when the row is valid."""
    deal: Optional[Deal]
    """The object after the change; null when this row was not changed."""
    index: int
    """Its index in the input, from 0."""
    message: Optional[str]
    """What to do about the error."""
    problems: List[FieldProblem]
    """Wrong fields of this row."""
    userErrors: List[UserError]
    """The mistakes in this row; empty when it is valid."""
    warnings: List[FieldProblem]
    """Doubtful fields of this row."""


class DealConnection(TypedDict, total=False):
    """A page of a list of deals."""
    edges: List[DealEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[Deal]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class DealEdge(TypedDict, total=False):
    """One deal in a list."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: Deal
    """The object."""


class DealFilter(TypedDict, total=False):
    """Filters a list of deals. All given parts must match; a list means any of its values."""
    codes: Optional[List[str]]
    """Only with one of these codes."""
    customFields: Any
    """Only with all of these values of custom fields, such as {"region": "North"}."""
    ids: Optional[List[str]]
    """Only these."""
    kinds: Optional[List[DealKind]]
    """Only of these kinds."""
    labels: Optional[List[str]]
    """Only with one of these labels."""
    owners: Optional[List[str]]
    """Only of these owners."""
    search: Optional[str]
    """Only those whose name (or code, or external id) contains this text, in any case; or that have this very id."""
    statuses: Optional[List[Lifecycle]]
    """Only with one of these statuses."""
    teamIds: Optional[List[str]]
    """Only of these teams."""
    updatedSince: Optional[str]
    """Only those changed at or after this instant."""


# Comparisons of a field; all that are given must hold.
DealKindWhere = TypedDict(
    "DealKindWhere",
    {
        "eq": "Optional[DealKind]",
        "in": "Optional[List[DealKind]]",
        "not": "Optional[DealKindWhere]",
    },
    total=False,
)


class _DealOrderRequired(TypedDict):
    field: DealOrderField
    """What to sort by."""


class DealOrder(_DealOrderRequired, total=False):
    """The order of a list of deals."""
    direction: Optional[SortDirection]
    """The direction; default ASC."""


class DealPayload(TypedDict, total=False):
    """The result of a change of one deal."""
    deal: Optional[Deal]
    """The object after the change; null when it was only validated."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


# A filter of deals by any field, at most 100 comparisons. All that is given must hold.
DealWhere = TypedDict(
    "DealWhere",
    {
        "and": "Optional[List[DealWhere]]",
        "code": "Optional[StringWhere]",
        "createdAt": "Optional[DateTimeWhere]",
        "fixedPrice": "Optional[DecimalWhere]",
        "floor": "Optional[DecimalWhere]",
        "id": "Optional[IDWhere]",
        "kind": "Optional[DealKindWhere]",
        "labels": "Optional[StringListWhere]",
        "lineItems": "Optional[LineItemChildrenWhere]",
        "name": "Optional[StringWhere]",
        "not": "Optional[DealWhere]",
        "notes": "Optional[StringWhere]",
        "or": "Optional[List[DealWhere]]",
        "owner": "Optional[StringWhere]",
        "seats": "Optional[StringListWhere]",
        "status": "Optional[LifecycleWhere]",
        "team": "Optional[TeamWhere]",
        "teamId": "Optional[IDWhere]",
        "updatedAt": "Optional[DateTimeWhere]",
        "updatedBy": "Optional[StringWhere]",
        "version": "Optional[IntWhere]",
    },
    total=False,
)


class DecidedArm(TypedDict, total=False):
    """The arm of the experiment in which a request is decided."""
    arm: ExperimentArm
    """The arm."""
    experimentId: str
    """The experiment."""
    rule: ExperimentRule
    """The rule of the experiment, by which the arm `RULE` is decided."""


# Comparisons of a field; all that are given must hold.
DecimalWhere = TypedDict(
    "DecimalWhere",
    {
        "eq": "Optional[str]",
        "gte": "Optional[str]",
        "in": "Optional[List[str]]",
        "lt": "Optional[str]",
        "not": "Optional[DecimalWhere]",
    },
    total=False,
)


class DecisionInspection(TypedDict, total=False):
    """A decision, with what led to it and what would change it. Nothing of it is counted, billed or shown."""
    ad: Optional[InspectedAd]
    """The ad behind `whyLink`."""
    bidRequest: Any
    """The request as the bid endpoint takes it; null for a logged decision."""
    changes: List[InspectedChange]
    """The line items for which `imagined` differs, winners first, at most 200."""
    imagined: Optional[InspectedDecision]
    """The logged decision, or else the present one, with the imagined changes."""
    logged: Optional[InspectedDecision]
    """The decision as the log has it, made again on the bookings of that time; null where it does not."""
    notes: List[str]
    """Remarks, as sentences."""
    present: InspectedDecision
    """The same request with the present bookings."""
    remarks: List[DeliveryText]
    """The same as data, a text for each."""
    request: InspectedRequest
    """What the request says."""


class DeleteReportSchedulePayload(TypedDict, total=False):
    """The result of deleting a schedule."""
    schedule: Optional[ReportSchedule]
    """The deleted schedule."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class DeleteWebhookPayload(TypedDict, total=False):
    """The result of deleting a webhook."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    webhook: Optional[Webhook]
    """The deleted webhook."""


class Delivery(TypedDict, total=False):
    """What an object has delivered so far."""
    lifetime: DeliveryFigures
    """In total."""
    progress: Optional[GoalProgress]
    """Progress to the goal; null without a goal."""
    today: DeliveryFigures
    """Today, in the object's time zone."""


class DeliveryCaps(TypedDict, total=False):
    """Hard limits; null = none. A day is a day of the object's time zone."""
    clicksLifetime: Optional[int]
    """Clicks in all."""
    clicksPerDay: Optional[int]
    """Clicks a day."""
    impressionsLifetime: Optional[int]
    """Impressions in all."""
    impressionsPerDay: Optional[int]
    """Impressions a day."""
    spendLifetime: Optional[str]
    """Money in all."""
    spendLifetimeMoney: Optional[Money]
    """Money in all. With its currency."""
    spendPerDay: Optional[str]
    """Money a day."""
    spendPerDayMoney: Optional[Money]
    """Money a day. With its currency."""


class DeliveryCapsInput(TypedDict, total=False):
    """Hard limits. The whole set is replaced: an absent or null limit is removed."""
    clicksLifetime: Optional[int]
    """Clicks in all."""
    clicksPerDay: Optional[int]
    """Clicks a day."""
    impressionsLifetime: Optional[int]
    """Impressions in all."""
    impressionsPerDay: Optional[int]
    """Impressions a day."""
    spendLifetime: Optional[str]
    """Money in all."""
    spendPerDay: Optional[str]
    """Money a day."""


class DeliveryChange(TypedDict, total=False):
    """A change of the bookings that removes what keeps a line item from delivering, ready to be carried out."""
    cause: DeliveryCause
    """The kind of that cause."""
    code: str
    """The cause that it removes."""
    document: Optional[str]
    """A GraphQL document with that mutation, to be sent with `variables`."""
    impressions: Optional[int]
    """The same in impressions, by the share of its ads that are shown."""
    missing: List[str]
    """Members that a person must add to the variables, as paths; empty = it can be sent as it is."""
    mutation: Optional[str]
    """The mutation that does it, such as `updateLineItem`; null where no change of the bookings helps."""
    opportunities: Optional[int]
    """Opportunities that it alone would gain, of those that were looked at; null = not known."""
    sentence: str
    """What to do, as a sentence."""
    text: Optional[DeliveryText]
    """That sentence as data; null where it has no code."""
    variables: Any
    """Its variables: the id, the version that was read, and the input."""


class DeliveryDiagnosis(TypedDict, total=False):
    """The delivery diagnosis of a line item."""
    advice: str
    """Advice; empty when none is needed."""
    adviceText: Optional[DeliveryText]
    """The advice as data; null when none is needed, or a change says it."""
    byHour: List[DeliveryReasonsOfHour]
    """The same by hour, the earliest first; hours without a sampled decision are left out."""
    cause: DeliveryCause
    """The kind of `code`."""
    change: Optional[DeliveryChange]
    """The change that removes the cause `code`; null when none is needed."""
    changes: List[DeliveryChange]
    """That change, and others that would gain something, at most 5."""
    changesTogether: int
    """So many of `changes`, from the first on, help only together; 1 where each helps alone, 0 where there are
    none. Make one, and ask again for the next: each carries the version that was read.
    """
    code: str
    """`delivering`, `no_traffic`, `no_sample`, `behind`, `unknown`, or what stands most in the way: the test whose
    passing alone would gain most, or the first of those that must be passed together.
    """
    hours: int
    """How many hours back the numbers go."""
    inReach: int
    """Those of them that match what it is booked for: targeting, day-parts, sizes and formats."""
    numbers: List[DeliveryReasonCount]
    """Outcomes, most frequent first: `won`, or all tests that were failed, joined by "+"."""
    opportunities: int
    """Sampled opportunities (estimated)."""
    rivals: List[DeliveryRival]
    """The line items that outbid or outranked it, most first, at most 5."""
    sentence: str
    """The status as a sentence."""
    texts: List[DeliveryText]
    """That sentence as data, part by part, at most 10."""


class DeliveryFigures(TypedDict, total=False):
    """What was delivered in a span, as counted at this moment (reports are the record for billing)."""
    clicks: int
    """Clicks."""
    conversions: int
    """Attributed activities."""
    impressions: int
    """Impressions."""
    spend: str
    """Money earned by these events."""
    spendMoney: Optional[Money]
    """Money earned by these events. With its currency."""
    videoCompletes: int
    """Videos and audio ads that were played to the end."""
    viewableImpressions: int
    """Impressions measured as viewable."""


class DeliveryReasonCount(TypedDict, total=False):
    """How often a line item met one outcome, estimated from a sample of decisions."""
    causes: List[DeliveryCause]
    """The causes that `reason` names: WON, or one for each test that was failed."""
    opportunities: int
    """Opportunities."""
    percent: float
    """Share of all sampled opportunities."""
    reason: str
    """`won`, or a reason for losing such as `targeting.country`, `capped.line_item`, `lost.price`."""


class DeliveryReasonsOfHour(TypedDict, total=False):
    """The outcomes of a line item in one hour, estimated from a sample of decisions."""
    hour: str
    """The beginning of the hour."""
    numbers: List[DeliveryReasonCount]
    """Outcomes, most frequent first, at most 10."""


class DeliveryRival(TypedDict, total=False):
    """A line item that had what another one lost."""
    bid: str
    """The expected earning of a thousand of its impressions."""
    bidMoney: Optional[Money]
    """The expected earning of a thousand of its impressions. With its currency."""
    level: int
    """Its level within the tier."""
    lineItemId: str
    """Its id."""
    name: str
    """Its name."""
    opportunities: int
    """How often it had them."""
    type: LineItemType
    """Its tier."""


# Comparisons of a field; all that are given must hold.
DeliveryStatusWhere = TypedDict(
    "DeliveryStatusWhere",
    {
        "eq": "Optional[DeliveryStatus]",
        "in": "Optional[List[DeliveryStatus]]",
        "not": "Optional[DeliveryStatusWhere]",
    },
    total=False,
)


class DeliveryText(TypedDict, total=False):
    """A part of a sentence as a stable code with values: programs write it in the language of their user, and show
    the sentence itself for a code that they do not know.
    """
    code: DeliveryTextCode
    """Its code."""
    values: List[DeliveryTextValue]
    """Its values, at most 6."""


class DeliveryTextValue(TypedDict, total=False):
    """A value of a text, independent of any language."""
    kind: DeliveryTextValueKind
    """Its form."""
    name: str
    """Its name in braces."""
    value: str
    """The value in that form."""


class _EndAgentRequestInputRequired(TypedDict):
    response: Any
    """The response."""
    state: AgentRequestState
    """COMPLETED, or SUBMITTED: a person decides."""


class EndAgentRequestInput(_EndAgentRequestInputRequired, total=False):
    """What a buyer's agent is told."""
    campaignId: Optional[str]
    """The campaign that it booked or changed."""
    terms: Any
    """Terms of the booking that the campaign itself does not have."""


# What another currency is worth. Bid requests with floors in that currency, or that accept it alone, get bids by this
# rate.
ExchangeRate = TypedDict(
    "ExchangeRate",
    {
        "currency": "str",
        "from": "str",
        "rate": "str",
    },
    total=False,
)


# What another currency is worth from a day on.
ExchangeRateInput = TypedDict(
    "ExchangeRateInput",
    {
        "currency": "str",
        "from": "str",
        "rate": "str",
    },
    total=False,
)


class Experiment(TypedDict, total=False):
    """A share of the traffic that another rule decides for a time, to see what the usual one earns. Of those that
    have not ended, a network environment has one at most.
    """
    createdAt: str
    """When it was made."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    endsAt: str
    """When it ends, at most 366 days after it begins. The present instant stops it. It is fixed once the
    experiment has ended.
    """
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    isArchived: bool
    """Whether it is archived: it does not serve."""
    name: str
    """Name."""
    results: Optional[ExperimentResults]
    """What both arms had so far; null where reports are not served."""
    rule: ExperimentRule
    """How its share of the traffic is decided. It cannot change."""
    sharePercent: int
    """The share of users, and of requests without a user, that the rule decides, in percent: 1…50. It is fixed
    once the experiment has begun.
    """
    startsAt: str
    """When it begins. It is fixed once the experiment has begun."""
    state: ExperimentState
    """How far it is."""
    status: Lifecycle
    """Whether it is kept in lists. Archiving ends it."""
    updatedAt: str
    """When it was last changed."""
    updatedBy: str
    """Who changed it last, as the audit log names them; empty: the system."""
    version: int
    """Grows with every change; send it with an update to detect concurrent changes."""


class ExperimentArmFigures(TypedDict, total=False):
    """What one arm of an experiment had so far."""
    arm: ExperimentArm
    """The arm."""
    clicks: int
    """Clicks."""
    conversions: int
    """Conversions that are attributed to its ads."""
    guaranteedImpressions: int
    """Those of SPONSORSHIP and STANDARD."""
    impressions: int
    """Impressions."""
    requests: int
    """Slots asked for."""
    revenue: str
    """Revenue."""
    revenueMoney: Optional[Money]
    """Revenue. With its currency."""
    revenuePerThousandRequests: Optional[str]
    """Revenue of a thousand requests, rounded down; null without requests."""
    revenuePerThousandRequestsMoney: Optional[Money]
    """Revenue of a thousand requests, rounded down; null without requests. With its currency."""


class ExperimentBulkPayload(TypedDict, total=False):
    """The result of a bulk change of experiments."""
    changedCount: int
    """How many rows were changed (0 when only validated, or all undone)."""
    failedCount: int
    """How many rows were wrong."""
    results: List[ExperimentBulkResult]
    """One result for each row, in the order of the input."""
    userErrors: List[UserError]
    """The mistakes in all rows, and those of the call as a whole; empty when all is valid."""


class ExperimentBulkResult(TypedDict, total=False):
    """The result of one row of a bulk change of experiments."""
    code: Optional[UserErrorCode]
    """Error code of this row; null when the row is valid."""
    experiment: Optional[Experiment]
    """The object after the change; null when this row was not changed."""
    index: int
    """Its index in the input, from 0."""
    message: Optional[str]
    """What to do about the error."""
    problems: List[FieldProblem]
    """Wrong fields of this row."""
    userErrors: List[UserError]
    """The mistakes in this row; empty when it is valid."""
    warnings: List[FieldProblem]
    """Doubtful fields of this row."""


class ExperimentConnection(TypedDict, total=False):
    """A page of a list of experiments."""
    edges: List[ExperimentEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[Experiment]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class ExperimentDifference(TypedDict, total=False):
    """How much the arm of the rule differs from the rest in one measure, for a thousand requests. Revenue is in
    units of the currency.
    """
    high: Optional[float]
    """Its upper end."""
    low: Optional[float]
    """The lower end of the 95 % interval, by the spread of the days; null with fewer than 3 days."""
    measure: ExperimentMeasure
    """What is compared."""
    rest: Optional[float]
    """The mean of the rest; null without a day."""
    value: Optional[float]
    """The rule less the rest: the mean of the days; null without a day."""


class ExperimentEdge(TypedDict, total=False):
    """One experiment in a list."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: Experiment
    """The object."""


class ExperimentFilter(TypedDict, total=False):
    """Filters a list of experiments. All given parts must match; a list means any of its values."""
    ids: Optional[List[str]]
    """Only these."""
    search: Optional[str]
    """Only those whose name (or code, or external id) contains this text, in any case; or that have this very id."""
    statuses: Optional[List[Lifecycle]]
    """Only with one of these statuses."""
    updatedSince: Optional[str]
    """Only those changed at or after this instant."""


class _ExperimentOrderRequired(TypedDict):
    field: ExperimentOrderField
    """What to sort by."""


class ExperimentOrder(_ExperimentOrderRequired, total=False):
    """The order of a list of experiments."""
    direction: Optional[SortDirection]
    """The direction; default ASC."""


class ExperimentPayload(TypedDict, total=False):
    """The result of a change of one experiment."""
    experiment: Optional[Experiment]
    """The object after the change; null when it was only validated."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


class ExperimentResults(TypedDict, total=False):
    """What both arms of an experiment had."""
    arms: List[ExperimentArmFigures]
    """Both arms, the rule first."""
    days: int
    """Days of the network that are over and on which both arms had requests: those that are compared."""
    differences: List[ExperimentDifference]
    """The rule against the rest, by measure."""


# Comparisons of a field; all that are given must hold.
ExperimentRuleWhere = TypedDict(
    "ExperimentRuleWhere",
    {
        "eq": "Optional[ExperimentRule]",
        "in": "Optional[List[ExperimentRule]]",
        "not": "Optional[ExperimentRuleWhere]",
    },
    total=False,
)


# A filter of experiments by any field, at most 100 comparisons. All that is given must hold.
ExperimentWhere = TypedDict(
    "ExperimentWhere",
    {
        "and": "Optional[List[ExperimentWhere]]",
        "createdAt": "Optional[DateTimeWhere]",
        "endsAt": "Optional[DateTimeWhere]",
        "id": "Optional[IDWhere]",
        "name": "Optional[StringWhere]",
        "not": "Optional[ExperimentWhere]",
        "or": "Optional[List[ExperimentWhere]]",
        "rule": "Optional[ExperimentRuleWhere]",
        "sharePercent": "Optional[IntWhere]",
        "startsAt": "Optional[DateTimeWhere]",
        "status": "Optional[LifecycleWhere]",
        "updatedAt": "Optional[DateTimeWhere]",
        "updatedBy": "Optional[StringWhere]",
        "version": "Optional[IntWhere]",
    },
    total=False,
)


class _ExplainDecisionInputRequired(TypedDict):
    bidRequest: Any
    """An OpenRTB bid request as the bid endpoint accepts it, with at most 10 impressions."""


class ExplainDecisionInput(_ExplainDecisionInputRequired, total=False):
    """A request to be explained."""
    at: Optional[str]
    """Decide as of this instant with the present bookings; default now."""
    lineItemId: Optional[str]
    """List only this line item among the losers."""


class ExplainedDecision(TypedDict, total=False):
    """What a request would get at an instant. It is never counted, billed or shown."""
    arm: Optional[DecidedArm]
    """The arm of the experiment that runs at that time; null: none does. A request without a user is explained in
    the arm `REST`; workers draw its arm.
    """
    at: str
    """The instant of the decision."""
    noFill: Optional[str]
    """The no-fill reason; null when a slot is filled."""
    noFillCause: Optional[NoFillCause]
    """The same as `noFill`."""
    slots: List[ExplainedSlot]
    """By impression."""


class ExplainedLoser(TypedDict, total=False):
    """A line item that would lose."""
    cause: DeliveryCause
    """The kind of that reason."""
    goalBid: Optional[str]
    """What its goal bids for the opportunity, per thousand impressions: more the further it is behind. Null: it
    has no guaranteed goal, or failed a test.
    """
    lineItemId: str
    """Its id."""
    name: str
    """Its name."""
    plannedPercent: Optional[float]
    """Always null: goals bid, see `goalBid`."""
    reason: str
    """Loss reason, as a code."""
    sentence: str
    """Loss reason, as a sentence."""
    texts: List[DeliveryText]
    """That sentence as data, part by part."""


class ExplainedSlot(TypedDict, total=False):
    """What one impression of the request would get."""
    furtherLosers: int
    """Losers beyond those listed."""
    losers: List[ExplainedLoser]
    """The losers, at most 500."""
    slotId: str
    """The id of the impression in the request."""
    winner: Optional[ExplainedWinner]
    """The winner; null = no fill."""


class ExplainedWinner(TypedDict, total=False):
    """The line item that would win a slot."""
    bid: str
    """The bid price per thousand impressions."""
    bidMoney: Optional[Money]
    """The bid price per thousand impressions. With its currency."""
    companionCreativeIds: List[str]
    """Companions that the video would bring; others fill slots of their own."""
    creativeId: str
    """The creative that would be shown."""
    goalBid: Optional[str]
    """What its goal bids for the opportunity, per thousand impressions: more the further it is behind. Null: it
    has no guaranteed goal, or failed a test.
    """
    lineItemId: str
    """Its id."""
    name: str
    """Its name."""
    plannedPercent: Optional[float]
    """Always null: goals bid, see `goalBid`."""


class FieldProblem(TypedDict, total=False):
    """One wrong or doubtful field of an input."""
    code: ProblemCode
    """What is wrong."""
    message: str
    """What to do about it."""
    path: str
    """Where it is, such as `input.frequencyCaps.0.count`."""


# Comparisons of a field; all that are given must hold.
FloatWhere = TypedDict(
    "FloatWhere",
    {
        "eq": "Optional[float]",
        "gte": "Optional[float]",
        "in": "Optional[List[float]]",
        "lt": "Optional[float]",
        "not": "Optional[FloatWhere]",
    },
    total=False,
)


class Floor(TypedDict, total=False):
    """A lowest price for a part of the inventory. Absent conditions match everything, and all given ones must
    match. The matching floor with the highest priority applies (among equals the highest price), and never less
    than the floors of the network and the ad unit.
    """
    adUnit: Optional[AdUnit]
    """Its ad unit."""
    adUnitId: Optional[str]
    """Only in this ad unit."""
    area: Optional[Area]
    """Its area."""
    areaId: Optional[str]
    """Only in this area."""
    countries: List[str]
    """Only for users in these countries, ISO 3166 alpha-2; empty = any. An unknown country matches no listed one."""
    createdAt: str
    """When it was made."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    deal: Optional[Deal]
    """Its deal."""
    dealId: Optional[str]
    """Only for line items of this deal. Without one, it does not apply to what is bid under a deal that the
    request offers: deals have floors of their own.
    """
    floor: str
    """Lowest CPM."""
    floorMoney: Money
    """Lowest CPM. With its currency."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    isArchived: bool
    """Whether it is archived: it does not serve."""
    labels: List[str]
    """Labels to find it by. At most 10."""
    mediaTypes: List[MediaType]
    """Only for these kinds of ads; empty = any."""
    name: str
    """Name."""
    notes: str
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    priority: int
    """The higher goes first."""
    site: Optional[Site]
    """Its site."""
    siteId: Optional[str]
    """Only on this site."""
    sizes: List[Size]
    """Only for ads of these sizes, at most 50; empty = any."""
    status: Lifecycle
    """Whether it is in use."""
    team: Optional[Team]
    """The team that looks after it."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    updatedAt: str
    """When it was last changed."""
    updatedBy: str
    """Who changed it last, as the audit log names them; empty: the system."""
    version: int
    """Grows with every change; send it with an update to detect concurrent changes."""


class FloorBulkPayload(TypedDict, total=False):
    """The result of a bulk change of floors."""
    changedCount: int
    """How many rows were changed (0 when only validated, or all undone)."""
    failedCount: int
    """How many rows were wrong."""
    results: List[FloorBulkResult]
    """One result for each row, in the order of the input."""
    userErrors: List[UserError]
    """The mistakes in all rows, and those of the call as a whole; empty when all is valid."""


class FloorBulkResult(TypedDict, total=False):
    """The result of one row of a bulk change of floors."""
    code: Optional[UserErrorCode]
    """Error code of this row; null when the row is valid."""
    floor: Optional[Floor]
    """The object after the change; null when this row was not changed."""
    index: int
    """Its index in the input, from 0."""
    message: Optional[str]
    """What to do about the error."""
    problems: List[FieldProblem]
    """Wrong fields of this row."""
    userErrors: List[UserError]
    """The mistakes in this row; empty when it is valid."""
    warnings: List[FieldProblem]
    """Doubtful fields of this row."""


class FloorConnection(TypedDict, total=False):
    """A page of a list of floors."""
    edges: List[FloorEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[Floor]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class FloorEdge(TypedDict, total=False):
    """One floor in a list."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: Floor
    """The object."""


class FloorFilter(TypedDict, total=False):
    """Filters a list of floors. All given parts must match; a list means any of its values."""
    adUnitIds: Optional[List[str]]
    """Only for these ad units."""
    countries: Optional[List[str]]
    """Only for one of these countries."""
    customFields: Any
    """Only with all of these values of custom fields, such as {"region": "North"}."""
    dealIds: Optional[List[str]]
    """Only for these deals."""
    ids: Optional[List[str]]
    """Only these."""
    labels: Optional[List[str]]
    """Only with one of these labels."""
    owners: Optional[List[str]]
    """Only of these owners."""
    search: Optional[str]
    """Only those whose name (or code, or external id) contains this text, in any case; or that have this very id."""
    siteIds: Optional[List[str]]
    """Only for these sites."""
    statuses: Optional[List[Lifecycle]]
    """Only with one of these statuses."""
    teamIds: Optional[List[str]]
    """Only of these teams."""
    updatedSince: Optional[str]
    """Only those changed at or after this instant."""


class _FloorOrderRequired(TypedDict):
    field: FloorOrderField
    """What to sort by."""


class FloorOrder(_FloorOrderRequired, total=False):
    """The order of a list of floors."""
    direction: Optional[SortDirection]
    """The direction; default ASC."""


class FloorPayload(TypedDict, total=False):
    """The result of a change of one floor."""
    floor: Optional[Floor]
    """The object after the change; null when it was only validated."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


class FloorSuggestion(TypedDict, total=False):
    """A floor of an ad unit that would have earned more with the bids of the sampled requests. A suggestion only:
    set it with `updateAdUnit`.
    """
    adUnitId: str
    """Id of the ad unit."""
    floor: str
    """The present floor of the ad unit, CPM."""
    floorMoney: Optional[Money]
    """The present floor of the ad unit, CPM. With its currency."""
    gain: str
    """What they would earn more with the suggested floor."""
    gainHigh: str
    """Upper end of that interval."""
    gainHighMoney: Optional[Money]
    """Upper end of that interval. With its currency."""
    gainLow: str
    """Lower end of the 95 % interval of `gain`."""
    gainLowMoney: Optional[Money]
    """Lower end of the 95 % interval of `gain`. With its currency."""
    gainMoney: Optional[Money]
    """What they would earn more with the suggested floor. With its currency."""
    name: str
    """Name of the ad unit."""
    paidSlots: int
    """Slots of the sampled time that somebody pays for with the present floor."""
    revenue: str
    """What the paid slots of the sampled time earn with the present floor, if no goal takes them."""
    revenueMoney: Optional[Money]
    """What the paid slots of the sampled time earn with the present floor, if no goal takes them. With its
    currency.
    """
    sampleSize: int
    """Sampled slots of the ad unit with a bid, at least 200."""
    sampledHours: float
    """How long the sample was gathered."""
    suggestedFloor: str
    """The floor that would have earned most, CPM."""
    suggestedFloorMoney: Optional[Money]
    """The floor that would have earned most, CPM. With its currency."""
    suggestedPaidSlots: int
    """The same with the suggested floor: the difference is what is lost or won."""


# A filter of floors by any field, at most 100 comparisons. All that is given must hold.
FloorWhere = TypedDict(
    "FloorWhere",
    {
        "adUnit": "Optional[AdUnitWhere]",
        "adUnitId": "Optional[IDWhere]",
        "and": "Optional[List[FloorWhere]]",
        "area": "Optional[AreaWhere]",
        "areaId": "Optional[IDWhere]",
        "countries": "Optional[StringListWhere]",
        "createdAt": "Optional[DateTimeWhere]",
        "deal": "Optional[DealWhere]",
        "dealId": "Optional[IDWhere]",
        "floor": "Optional[DecimalWhere]",
        "id": "Optional[IDWhere]",
        "labels": "Optional[StringListWhere]",
        "mediaTypes": "Optional[MediaTypeListWhere]",
        "name": "Optional[StringWhere]",
        "not": "Optional[FloorWhere]",
        "notes": "Optional[StringWhere]",
        "or": "Optional[List[FloorWhere]]",
        "owner": "Optional[StringWhere]",
        "priority": "Optional[IntWhere]",
        "site": "Optional[SiteWhere]",
        "siteId": "Optional[IDWhere]",
        "status": "Optional[LifecycleWhere]",
        "team": "Optional[TeamWhere]",
        "teamId": "Optional[IDWhere]",
        "updatedAt": "Optional[DateTimeWhere]",
        "updatedBy": "Optional[StringWhere]",
        "version": "Optional[IntWhere]",
    },
    total=False,
)


class Forecast(TypedDict, total=False):
    """What a draft could get over the rest of its flight. Sampled requests of the last days come again at the same
    hours of the week and are decided with the present bookings, with and without the draft. Goals continue from
    present delivery; limits, pacing, day-parts and frequency caps apply as in delivery. The draft starts from
    zero, also when it replaces a line item.
    """
    available: int
    """Matched slots that higher tiers and levels, or the allocation plan, leave to it."""
    contending: List[ForecastContender]
    """The line items that hold the matched slots without it, largest first, at most 20."""
    displaced: List[ForecastDisplaced]
    """The line items that get less with the draft, the largest loss of revenue first, at most 20."""
    displacedHeaderBidRevenue: str
    """The part of `displacedRevenue` that header bidders would have paid."""
    displacedRevenue: str
    """What all line items and header bidders earn less because of the draft during its flight; negative where they
    earn more.
    """
    impressions: int
    """How many of the possible slots are shown, by the share of this network's responses that were shown up to
    now.
    """
    likelyHigh: int
    """Upper end of that interval."""
    likelyLow: int
    """Lower end of an 80 % interval of `possible`."""
    matched: int
    """Slots that the draft matches by targeting, format and day-parts."""
    notes: List[str]
    """Remarks on the numbers, such as a small sample."""
    opportunities: int
    """Slots expected in the network over the flight."""
    possible: int
    """Matched slots that it wins in the replay, at this price and share, within its goal and limits."""
    possibleHigh: int
    """Upper end of that interval."""
    possibleLow: int
    """Lower end of a 95 % interval of `possible`: by the size of the sample, by how busy the flight may be, and by
    how the days of parts of the traffic differ. Future changes are left out.
    """
    precision: ForecastPrecision
    """How much was replayed: `FULL` also where a rough forecast was asked for and leaves nothing out."""
    remarks: List[DeliveryText]
    """The same as data, a text for each."""
    revenue: str
    """What the draft earns at its price, in the network's currency."""
    sampleSize: int
    """Requests in the sample."""
    sampledHours: float
    """How long the sample was gathered."""


class ForecastAccuracy(TypedDict, total=False):
    """How good the forecasts of flights were that ended in a span of time."""
    biasPercent: Optional[float]
    """How far all forecasts together were too high; negative: too low. null without a scored flight."""
    insideLikelyPercent: Optional[float]
    """How many of the scored flights the interval of 80 % held. null without a scored flight."""
    insidePossiblePercent: Optional[float]
    """How many of them the interval of 95 % held. null without a scored flight."""
    medianErrorPercent: Optional[float]
    """Half of them had at most this error, too high or too low. null without a scored flight."""
    notScored: int
    """Forecasts that were not: the line item was stopped or changed before its end."""
    scored: int
    """Flights whose forecasts were compared with their delivery."""


class ForecastContender(TypedDict, total=False):
    """A line item that holds some of the slots that a draft matches."""
    lineItemId: str
    """Its id."""
    name: str
    """Its name."""
    opportunities: int
    """Slots that it holds."""


class ForecastDisplaced(TypedDict, total=False):
    """A line item that gets less when the draft is booked."""
    goalUnits: Optional[int]
    """The same in units of its goal; null without a goal."""
    impressions: int
    """Impressions that it loses during the flight of the draft."""
    lineItemId: str
    """Its id."""
    name: str
    """Its name."""
    revenue: str
    """Revenue that it loses, in the network's currency."""


class _ForecastInputRequired(TypedDict):
    endsAt: str
    """End of its flight, at most a year on."""
    price: str
    """CPM."""
    startsAt: str
    """Start of its flight."""
    type: LineItemType
    """Its tier."""


class ForecastInput(_ForecastInputRequired, total=False):
    """A line item that is not booked yet."""
    caps: Optional[DeliveryCapsInput]
    """Hard limits; default none."""
    dayParts: Optional[List[DayPartInput]]
    """When in the week it serves; default always."""
    dealId: Optional[str]
    """Its deal; default none."""
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user; default none."""
    goal: Optional[GoalInput]
    """Its goal; default: none, all that it can get."""
    level: Optional[int]
    """Rank within its tier, 1…16; default 8."""
    lineItemId: Optional[str]
    """A booked line item that it would replace."""
    mediaTypes: Optional[List[MediaType]]
    """Kinds of its creatives; default banner."""
    pacing: Optional[Pacing]
    """How delivery is spread towards the goal; default EVEN."""
    serveWithoutUser: Optional[bool]
    """Whether it serves to unidentified users although it has frequency caps; default false."""
    sharePercent: Optional[float]
    """Share of voice (SPONSORSHIP) or weight of the draw (HOUSE)."""
    sizes: Optional[List[SizeInput]]
    """Sizes of its banners; default any."""
    targeting: Optional[TargetingInput]
    """Its targeting; default: all inventory and all users."""
    timezone: Optional[str]
    """IANA time zone of its days and day-parts; default the network's."""


class ForecastRecord(TypedDict, total=False):
    """The forecast that was made of a line item when it became active, or when its booking last changed. Its
    figures are of the time from then to the end of the flight, and null where none could be made.
    """
    available: Optional[int]
    """Matched slots that higher tiers and levels, or the allocation plan, leave to it."""
    displacedRevenue: Optional[str]
    """What all others were expected to earn less because of it."""
    endsAt: str
    """End of the flight."""
    goal: Optional[Goal]
    """The goal at that time; null = none."""
    impressions: Optional[int]
    """The impressions that it was expected to get."""
    likelyHigh: Optional[int]
    """Upper end of that interval."""
    likelyLow: Optional[int]
    """Lower end of an 80 % interval of `impressions`."""
    madeAt: str
    """When it was made."""
    matched: Optional[int]
    """Slots that it matches by targeting, format and day-parts."""
    model: int
    """The version of the model of forecasts."""
    possibleHigh: Optional[int]
    """Upper end of that interval."""
    possibleLow: Optional[int]
    """Lower end of a 95 % interval of `impressions`."""
    reason: Optional[ForecastRecordReason]
    """Why it was not made, or is not scored."""
    revenue: Optional[str]
    """What it was expected to earn, in the network's currency."""
    sampledHours: Optional[float]
    """How long the sample was gathered."""
    score: Optional[ForecastScore]
    """How it compares with the delivery; null unless it is scored."""
    startsAt: str
    """Start of the forecast time."""
    state: ForecastRecordState
    """Its state."""


class ForecastScore(TypedDict, total=False):
    """A stored forecast, compared with what was delivered."""
    delivered: int
    """Impressions that were counted from the forecast to the end of the flight."""
    errorPercent: float
    """How far the forecast was too high; negative: too low. In percent of the delivery."""
    isInsideLikely: bool
    """Whether the interval of 80 % holds what was delivered."""
    isInsidePossible: bool
    """Whether the interval of 95 % holds it."""
    scoredAt: str
    """When it was compared: a day after the end of the flight."""


class FrequencyCap(TypedDict, total=False):
    """At most `count` events per user within a window of `every` units."""
    count: int
    """How many at most."""
    event: FrequencyEvent
    """What is counted."""
    every: int
    """How many units the window is long."""
    per: FrequencyPer
    """Whose events it counts."""
    window: FrequencyWindow
    """Unit of the window."""


class _FrequencyCapInputRequired(TypedDict):
    count: int
    """How many at most, 1…100000."""
    window: FrequencyWindow
    """Unit of the window."""


class FrequencyCapInput(_FrequencyCapInputRequired, total=False):
    """At most `count` events per user within a window of `every` units."""
    event: Optional[FrequencyEvent]
    """What is counted; default IMPRESSIONS."""
    every: Optional[int]
    """How many units the window is long, at least 1, and at most 1000 (MINUTE, HOUR, DAY), 260 (WEEK), 60 (MONTH),
    1 (LIFETIME); default 1.
    """
    per: Optional[FrequencyPer]
    """Whose events it counts; default USER."""


class Goal(TypedDict, total=False):
    """The goal of a line item. It steers pacing; only caps stop delivery."""
    amount: int
    """How many, at most 2147483647: of a larger goal, `target` has the exact number."""
    kind: GoalKind
    """What is counted."""
    period: GoalPeriod
    """The span of the goal."""
    target: int
    """How many."""


class GoalCourse(TypedDict, total=False):
    """What the pacing of a line item promises over the span of its goal, from its start to its end."""
    isLeast: bool
    """Whether it delivers at least so much where traffic allows (ASAP), rather than so much."""
    points: List[GoalCoursePoint]
    """In order, at most 400."""
    step: GoalCourseStep
    """What a point covers."""


class GoalCoursePoint(TypedDict, total=False):
    """What a plan has by the end of an hour or day, or by now in the present one; in total."""
    planned: int
    """By the plan."""
    projected: Optional[GoalProjection]
    """What is expected; null for times that are over, and without a projection."""
    startsAt: str
    """When the hour or day begins, in the time zone of the line item."""


class _GoalInputRequired(TypedDict):
    kind: GoalKind
    """What is counted."""


class GoalInput(_GoalInputRequired, total=False):
    """The goal of a line item."""
    amount: Optional[int]
    """How many, 1…2147483647; instead of `target`."""
    period: Optional[GoalPeriod]
    """The span of the goal; default LIFETIME."""
    target: Optional[int]
    """How many, at least 1."""


class GoalProgress(TypedDict, total=False):
    """The progress of a line item to its goal, against its pacing plan."""
    course: Optional[GoalCourse]
    """Its plan from the start to the end of its span, as pacing makes it now; null without an end."""
    delivered: int
    """What has been reached in that span."""
    expected: Optional[int]
    """What its plan expects by now (traffic curve, day-parts, FRONT_LOADED); null without an end, and for ASAP."""
    goal: int
    """The goal for its span."""
    isHistoryLoading: bool
    """Whether the counters still get history of the environment, imported or of the demo: they say nothing of
    pacing until then.
    """
    pacingPercent: Optional[float]
    """Delivered in percent of the plan: 100 is on track. null before the start, without an end, for ASAP, and
    while the history is loading.
    """
    percent: float
    """Delivered in percent of the goal."""
    projected: Optional[GoalProjection]
    """What is expected at the end of its span; null outside of it, without a plan, and before half a percent of
    it.
    """
    status: Optional[GoalStatus]
    """Whether it is being reached; null without an end, for ASAP, and while the history is loading unless it is
    REACHED or NOT_STARTED.
    """


class GoalProjection(TypedDict, total=False):
    """What is expected at the end of the span of a goal: all of it, unless its bid is at its bound; then, its pace
    since that time goes on.
    """
    high: int
    """The upper end of a 95 % interval."""
    low: int
    """The lower end of a 95 % interval."""
    projected: int
    """What will be reached; at most the goal."""


class HeaderCredential(TypedDict, total=False):
    """A login and token for the Reports API and the legacy reports; the token was shown once, at creation."""
    createdAt: str
    """When it was made."""
    createdBy: str
    """Who made it."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    disabledAt: Optional[str]
    """When it was disabled."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    lastUsedAt: Optional[str]
    """When it was last used, at most 60 s behind."""
    login: str
    """The value of x-internal-auth-login."""
    name: str
    """Name."""


class _HistoryHourInputRequired(TypedDict):
    hour: str
    """Beginning of an hour of UTC that is over."""


class HistoryHourInput(_HistoryHourInputRequired, total=False):
    """What another ad server delivered in one hour, of one line item, creative and ad unit."""
    adUnitName: Optional[str]
    """Name of the ad unit; absent: not known."""
    clicks: Optional[int]
    """Clicks."""
    conversions: Optional[int]
    """Attributed activities."""
    creativeExternalId: Optional[str]
    """External id of a creative of the line item; absent: not known."""
    impressions: Optional[int]
    """Impressions."""
    lineItemExternalId: Optional[str]
    """External id of the line item; absent: requests of the ad unit that no line item served."""
    requests: Optional[int]
    """Requests; at least as many as impressions are counted."""
    revenue: Optional[str]
    """What the hour earned, in the currency of the network."""


class Html5ContentInput(TypedDict):
    """An HTML5 bundle."""
    zipUrl: str
    """The uploaded archive, as `POST /assets` returned it."""


class HtmlBundle(TypedDict, total=False):
    """An HTML5 bundle: a page with its files in an uploaded ZIP archive."""
    clickTag: str
    """The click tag as its code has it."""
    entry: str
    """Path of the page that is shown."""
    zipUrl: str
    """The uploaded archive, as `POST /assets` returned it."""


class HtmlContent(TypedDict, total=False):
    """HTML5 or a third-party tag, shown in a sandboxed frame."""
    bundle: Optional[HtmlBundle]
    """The uploaded HTML5 bundle that is shown instead; null: the markup is."""
    html: str
    """The markup; macros such as ${CLICK_URL} are replaced when it is served. Empty with a bundle."""


class HtmlContentInput(TypedDict):
    """HTML5 or a third-party tag."""
    html: str
    """The markup, at most 200000 characters."""


# Comparisons of a field; all that are given must hold.
IDWhere = TypedDict(
    "IDWhere",
    {
        "eq": "Optional[str]",
        "in": "Optional[List[str]]",
        "not": "Optional[IDWhere]",
    },
    total=False,
)


class ImageContent(TypedDict, total=False):
    """A picture banner."""
    alt: str
    """Alternative text."""
    imageUrl: str
    """Address of the picture; an uploaded file is named by its path."""


class ImageContentInput(TypedDict):
    """A picture banner."""
    alt: str
    """Alternative text."""
    imageUrl: str
    """Address of the picture; an uploaded file is named by its path."""


class ImportHistoryPayload(TypedDict, total=False):
    """The result of an import of history."""
    added: int
    """Rows that were added. Reports and counters have them within a minute; see `importedHistory`."""
    differing: List[int]
    """Positions of rows that were imported before with other figures; the earlier figures stay."""
    firstHour: Optional[str]
    """The first hour that is taken: by the retention of the network, and at most 1830 days ago."""
    tooOld: List[int]
    """Positions of rows that were left out, because their hours lie before `firstHour`."""
    unchanged: int
    """Rows that the source had imported before."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""


class ImportedHistory(TypedDict, total=False):
    """What one source has imported."""
    clicks: int
    """Clicks."""
    conversions: int
    """Conversions."""
    firstHour: str
    """Its first hour."""
    impressions: int
    """Impressions."""
    lastHour: str
    """Its last hour."""
    requests: int
    """Requests."""
    revenue: str
    """Revenue."""
    revenueMoney: Optional[Money]
    """Revenue. With its currency."""
    rows: int
    """Its rows."""
    source: str
    """The name of the source."""
    waitingRows: int
    """Rows that reports and counters do not have yet."""


class InspectDecisionInput(TypedDict, total=False):
    """A decision to inspect: exactly one of `bidRequest`, `form`, `whyLink` and `requestId`."""
    at: Optional[str]
    """Decide as of this instant with the present bookings; default now."""
    bidRequest: Any
    """An OpenRTB bid request as the bid endpoint accepts it, with at most 10 impressions."""
    form: Optional[InspectionFormInput]
    """A request as a person describes it."""
    requestId: Optional[str]
    """The id of a bid request of the last 24 hours, or `requestId` of an ad response: its logged decision."""
    seed: Optional[int]
    """The same seed repeats the draws; default 1."""
    whatIf: Optional[List[WhatIfInput]]
    """Imagined changes, at most 10."""
    whyLink: Optional[str]
    """The address of the page "Why this ad?" of an ad that was seen, or of its click or impression."""


class InspectedAd(TypedDict, total=False):
    """What the signed link of a served ad says of it."""
    adUnitId: Optional[str]
    """Its ad unit."""
    country: str
    """Country of the request."""
    creativeId: str
    """Its creative."""
    decidedAt: str
    """When it was decided."""
    deviceType: str
    """Device of the request."""
    lineItemId: str
    """Its line item."""
    lineItemName: str
    """Name of the line item; empty when it is gone."""
    npa: bool
    """Whether ads could not be personalised."""
    price: str
    """Price of the line item at that time."""
    priceMoney: Optional[Money]
    """Price of the line item at that time. With its currency."""
    siteId: Optional[str]
    """Its site."""
    size: str
    """Its size, such as 300x250."""
    test: bool
    """Whether it was a test, which counts nothing."""


class InspectedChange(TypedDict, total=False):
    """What imagined changes do to one line item in one slot."""
    after: str
    """`won`, or the loss reason."""
    before: str
    """`won`, or the loss reason."""
    lineItemId: str
    """The line item."""
    name: str
    """Its name."""
    slotId: str
    """The slot."""


class InspectedDecision(TypedDict, total=False):
    """A decision with its reasons. It is never counted, billed or shown."""
    arm: Optional[DecidedArm]
    """The arm of the experiment that runs at that time; null: none does. A request without a user is explained in
    the arm `REST`; workers draw its arm.
    """
    assumedValues: int
    """Counters that reasons use and that the log does not hold, because the decision did not need them."""
    at: str
    """The instant of the decision."""
    chances: List[WinChance]
    """How often each line item wins, most often first; empty for a logged decision, whose draws are known."""
    differences: List[str]
    """Of a logged decision: what the replay gives that the log does not have."""
    isSame: Optional[bool]
    """Of a logged decision: whether the replay gives the same ads at the same prices, bit by bit."""
    noFill: Optional[str]
    """The no-fill reason; null when a slot is filled."""
    slots: List[InspectedSlot]
    """By impression."""


class InspectedKeyValue(TypedDict, total=False):
    """A key of the page or of a slot, with its values."""
    key: str
    """The key."""
    values: List[str]
    """Its values."""


class InspectedRequest(TypedDict, total=False):
    """What the request says, in the terms of decisions. It names no user."""
    browser: str
    """Browser; empty = unknown."""
    country: str
    """Country; empty = unknown."""
    deviceType: str
    """Device; empty = unknown."""
    hasUser: bool
    """Whether the user is known."""
    keyValues: List[InspectedKeyValue]
    """Key-values of the page."""
    npa: bool
    """Whether ads may not be personalised."""
    os: str
    """Operating system; empty = unknown."""
    pageUrl: str
    """Address of the page."""
    region: str
    """Region; empty = unknown."""
    segmentIds: List[str]
    """Segments of the user."""
    slots: List[InspectedRequestSlot]
    """Its slots."""


class InspectedRequestSlot(TypedDict, total=False):
    """A slot of the request."""
    adUnitId: Optional[str]
    """Its ad unit."""
    floor: Optional[str]
    """The floor that the request states, CPM; null: in another currency, so above every price."""
    floorMoney: Optional[Money]
    """The floor that the request states, CPM; null: in another currency, so above every price. With its currency."""
    keyValues: List[InspectedKeyValue]
    """All key-values that count for it: its own, and those of the page for other keys."""
    mediaTypes: List[MediaType]
    """What it takes."""
    siteId: Optional[str]
    """Its site."""
    sizes: List[str]
    """Its sizes."""
    slotId: str
    """The id of the impression in the request."""


class InspectedSlot(TypedDict, total=False):
    """What one slot of the request gets."""
    furtherLosers: int
    """Losers beyond those listed."""
    losers: List[ExplainedLoser]
    """The losers, at most 500."""
    slotId: str
    """The id of the impression in the request."""
    winner: Optional[ExplainedWinner]
    """The winner; null = no fill."""


class InspectionFormInput(TypedDict, total=False):
    """A request as a person describes it. What is left out is not in the request."""
    adUnitId: Optional[str]
    """The ad unit; default: any of the site that fits."""
    areaId: Optional[str]
    """The area of the site."""
    city: Optional[str]
    """City."""
    country: Optional[str]
    """Country, ISO 3166-1 alpha-2."""
    dealCode: Optional[str]
    """Code of a deal that the request offers."""
    device: Optional[InspectionDevice]
    """The device."""
    isKnownUser: Optional[bool]
    """Whether the request names a user; default true."""
    keyValues: Optional[List[InspectionKeyValueInput]]
    """Key-values of the page, at most 50."""
    mediaTypes: Optional[List[MediaType]]
    """What it takes; default: as the ad unit."""
    npa: Optional[bool]
    """Whether ads may not be personalised; default false."""
    region: Optional[str]
    """Region, the part of ISO 3166-2 after the country."""
    segmentIds: Optional[List[str]]
    """Segments that the user is a member of, at most 50."""
    siteId: Optional[str]
    """The site; needed without an ad unit."""
    sizes: Optional[List[SizeInput]]
    """Sizes of the slot; default: those of the ad unit."""
    userId: Optional[str]
    """First-party id of the user; default: a user who has seen nothing yet."""


class InspectionKeyValueInput(TypedDict):
    """A key of the page with its values."""
    key: str
    """The key."""
    values: List[str]
    """Its values, at most 50."""


# Comparisons of a field; all that are given must hold.
IntWhere = TypedDict(
    "IntWhere",
    {
        "eq": "Optional[int]",
        "gte": "Optional[int]",
        "in": "Optional[List[int]]",
        "lt": "Optional[int]",
        "not": "Optional[IntWhere]",
    },
    total=False,
)


class Invitation(TypedDict, total=False):
    """An invitation that has not been accepted yet."""
    createdAt: str
    """When."""
    createdBy: str
    """The member who sent the invitation."""
    delivery: InvitationDelivery
    """How the link gets to the invited."""
    deliveryError: Optional[str]
    """Why the mail was given up, or why its last try failed."""
    email: str
    """The invited address."""
    expiresAt: str
    """When it expires."""
    id: str
    """Decimal id."""
    role: Optional[Role]
    """The role they will have."""


class KeyValue(TypedDict, total=False):
    """A key that requests carry with values, described for targeting. Requests may carry other keys too."""
    createdAt: str
    """When it was made."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    description: str
    """What it means."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    isArchived: bool
    """Whether it is archived: it does not serve."""
    key: str
    """The key as requests write it; unique in the network; cannot change."""
    labels: List[str]
    """Labels to find it by. At most 10."""
    name: str
    """Name for people."""
    notes: str
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    reportable: bool
    """Whether reports list its values separately, in a dimension `kv_<key>`; this holds for events after it is
    set. At most 10 keys of a network; archived ones count, because reports still cover their past.
    """
    status: Lifecycle
    """Whether it is in use."""
    team: Optional[Team]
    """The team that looks after it."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    updatedAt: str
    """When it was last changed."""
    updatedBy: str
    """Who changed it last, as the audit log names them; empty: the system."""
    values: List[str]
    """Known values, to choose from; requests may carry others."""
    version: int
    """Grows with every change; send it with an update to detect concurrent changes."""


class KeyValueBulkPayload(TypedDict, total=False):
    """The result of a bulk change of key-values."""
    changedCount: int
    """How many rows were changed (0 when only validated, or all undone)."""
    failedCount: int
    """How many rows were wrong."""
    results: List[KeyValueBulkResult]
    """One result for each row, in the order of the input."""
    userErrors: List[UserError]
    """The mistakes in all rows, and those of the call as a whole; empty when all is valid."""


class KeyValueBulkResult(TypedDict, total=False):
    """The result of one row of a bulk change of key-values."""
    code: Optional[UserErrorCode]
    """Error code of this row; null when the row is valid."""
    index: int
    """Its index in the input, from 0."""
    keyValue: Optional[KeyValue]
    """The object after the change; null when this row was not changed."""
    message: Optional[str]
    """What to do about the error."""
    problems: List[FieldProblem]
    """Wrong fields of this row."""
    userErrors: List[UserError]
    """The mistakes in this row; empty when it is valid."""
    warnings: List[FieldProblem]
    """Doubtful fields of this row."""


class KeyValueConnection(TypedDict, total=False):
    """A page of a list of key-values."""
    edges: List[KeyValueEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[KeyValue]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class KeyValueEdge(TypedDict, total=False):
    """One key-value in a list."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: KeyValue
    """The object."""


class KeyValueFilter(TypedDict, total=False):
    """Filters a list of key-values. All given parts must match; a list means any of its values."""
    customFields: Any
    """Only with all of these values of custom fields, such as {"region": "North"}."""
    ids: Optional[List[str]]
    """Only these."""
    keys: Optional[List[str]]
    """Only these keys."""
    labels: Optional[List[str]]
    """Only with one of these labels."""
    owners: Optional[List[str]]
    """Only of these owners."""
    search: Optional[str]
    """Only those whose name (or code, or external id) contains this text, in any case; or that have this very id."""
    statuses: Optional[List[Lifecycle]]
    """Only with one of these statuses."""
    teamIds: Optional[List[str]]
    """Only of these teams."""
    updatedSince: Optional[str]
    """Only those changed at or after this instant."""


class _KeyValueOrderRequired(TypedDict):
    field: KeyValueOrderField
    """What to sort by."""


class KeyValueOrder(_KeyValueOrderRequired, total=False):
    """The order of a list of key-values."""
    direction: Optional[SortDirection]
    """The direction; default ASC."""


class KeyValuePayload(TypedDict, total=False):
    """The result of a change of one key-value."""
    keyValue: Optional[KeyValue]
    """The object after the change; null when it was only validated."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


# A filter of key-values by any field, at most 100 comparisons. All that is given must hold.
KeyValueWhere = TypedDict(
    "KeyValueWhere",
    {
        "and": "Optional[List[KeyValueWhere]]",
        "createdAt": "Optional[DateTimeWhere]",
        "description": "Optional[StringWhere]",
        "id": "Optional[IDWhere]",
        "key": "Optional[StringWhere]",
        "labels": "Optional[StringListWhere]",
        "name": "Optional[StringWhere]",
        "not": "Optional[KeyValueWhere]",
        "notes": "Optional[StringWhere]",
        "or": "Optional[List[KeyValueWhere]]",
        "owner": "Optional[StringWhere]",
        "reportable": "Optional[BooleanWhere]",
        "status": "Optional[LifecycleWhere]",
        "team": "Optional[TeamWhere]",
        "teamId": "Optional[IDWhere]",
        "updatedAt": "Optional[DateTimeWhere]",
        "updatedBy": "Optional[StringWhere]",
        "values": "Optional[StringListWhere]",
        "version": "Optional[IntWhere]",
    },
    total=False,
)


class LabelCap(TypedDict, total=False):
    """How often one user sees ads that bear a label, of any advertiser: labels of line items, campaigns and
    advertisers.
    """
    frequencyCaps: List[FrequencyCap]
    """Limits per user; the strictest applies."""
    label: str
    """The label."""


class LabelCapInput(TypedDict):
    """How often one user sees ads that bear a label."""
    frequencyCaps: List[FrequencyCapInput]
    """Limits per user or household, 1 to 2."""
    label: str
    """The label, at most 50 characters."""


class LibraryCreative(TypedDict, total=False):
    """A creative in the library of an advertiser: associate it with line items of that advertiser; a change of it
    reaches all of them.
    """
    advertiser: Optional[Advertiser]
    """Its advertiser."""
    advertiserId: str
    """Its advertiser; cannot change."""
    associations: CreativeConnection
    """Its associations with line items, by id: creatives with a weight, a flight and caps of their own."""
    attributes: List[int]
    """OpenRTB creative attributes, which publishers can block."""
    clickUrl: str
    """Landing address, http or https."""
    content: CreativeContent
    """What is shown; its shape is the format."""
    createdAt: str
    """When it was made."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    externalId: Optional[str]
    """Id in your own system."""
    format: CreativeFormat
    """Its format, as the content has it."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    height: int
    """Height in CSS pixels; 0 × 0 fits any size (native, video)."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    isArchived: bool
    """Whether it is archived: it does not serve."""
    labels: List[str]
    """Labels to find it by. At most 10."""
    language: Optional[str]
    """Language of its text, ISO 639, such as "pl"."""
    name: str
    """Name."""
    notes: str
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    preview: CreativePreview
    """A signed address that shows it, in whatever state it is."""
    reviewReason: Optional[str]
    """Why it was rejected, or a remark of the review; a new review state without one clears it."""
    reviewState: ReviewState
    """The result of its review; only APPROVED serves."""
    scan: CreativeScan
    """What its code and its addresses do."""
    secure: bool
    """Whether all its addresses are https, so that it may serve on https pages."""
    status: Lifecycle
    """Whether it is in use. ARCHIVED archives all its associations; ACTIVE again restores none of them."""
    team: Optional[Team]
    """The team that looks after it."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    trackers: ThirdPartyTrackers
    """Third-party tracking addresses."""
    updatedAt: str
    """When it was last changed."""
    updatedBy: str
    """Who changed it last, as the audit log names them; empty: the system."""
    version: int
    """Grows with every change; send it with an update to detect concurrent changes."""
    width: int
    """Width in CSS pixels; 0 × 0 fits any size (native, video)."""


class LibraryCreativeBulkPayload(TypedDict, total=False):
    """The result of a bulk change of library creatives."""
    changedCount: int
    """How many rows were changed (0 when only validated, or all undone)."""
    failedCount: int
    """How many rows were wrong."""
    results: List[LibraryCreativeBulkResult]
    """One result for each row, in the order of the input."""
    userErrors: List[UserError]
    """The mistakes in all rows, and those of the call as a whole; empty when all is valid."""


class LibraryCreativeBulkResult(TypedDict, total=False):
    """The result of one row of a bulk change of library creatives."""
    code: Optional[UserErrorCode]
    """Error code of this row; null when the row is valid."""
    index: int
    """Its index in the input, from 0."""
    libraryCreative: Optional[LibraryCreative]
    """The object after the change; null when this row was not changed."""
    message: Optional[str]
    """What to do about the error."""
    problems: List[FieldProblem]
    """Wrong fields of this row."""
    userErrors: List[UserError]
    """The mistakes in this row; empty when it is valid."""
    warnings: List[FieldProblem]
    """Doubtful fields of this row."""


class LibraryCreativeChildrenWhere(TypedDict, total=False):
    """A filter by the library creatives that belong to an object."""
    none: Optional[LibraryCreativeWhere]
    """None of them is so."""
    some: Optional[LibraryCreativeWhere]
    """At least one of them is so."""


class LibraryCreativeConnection(TypedDict, total=False):
    """A page of a list of library creatives."""
    edges: List[LibraryCreativeEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[LibraryCreative]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class LibraryCreativeEdge(TypedDict, total=False):
    """One library creative in a list."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: LibraryCreative
    """The object."""


class LibraryCreativeFilter(TypedDict, total=False):
    """Filters a list of library creatives. All given parts must match; a list means any of its values."""
    advertiserIds: Optional[List[str]]
    """Only of these advertisers."""
    customFields: Any
    """Only with all of these values of custom fields, such as {"region": "North"}."""
    externalIds: Optional[List[str]]
    """Only with one of these external ids."""
    formats: Optional[List[CreativeFormat]]
    """Only of these formats (IMAGE, HTML, NATIVE, VIDEO, AUDIO)."""
    heights: Optional[List[int]]
    """Only of one of these heights."""
    ids: Optional[List[str]]
    """Only these."""
    labels: Optional[List[str]]
    """Only with one of these labels."""
    owners: Optional[List[str]]
    """Only of these owners."""
    reviewStates: Optional[List[ReviewState]]
    """Only in one of these review states."""
    search: Optional[str]
    """Only those whose name (or code, or external id) contains this text, in any case; or that have this very id."""
    statuses: Optional[List[Lifecycle]]
    """Only with one of these statuses."""
    teamIds: Optional[List[str]]
    """Only of these teams."""
    updatedSince: Optional[str]
    """Only those changed at or after this instant."""
    widths: Optional[List[int]]
    """Only of one of these widths."""


class _LibraryCreativeOrderRequired(TypedDict):
    field: LibraryCreativeOrderField
    """What to sort by."""


class LibraryCreativeOrder(_LibraryCreativeOrderRequired, total=False):
    """The order of a list of library creatives."""
    direction: Optional[SortDirection]
    """The direction; default ASC."""


class LibraryCreativePayload(TypedDict, total=False):
    """The result of a change of one library creative."""
    libraryCreative: Optional[LibraryCreative]
    """The object after the change; null when it was only validated."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


# A filter of library creatives by any field, at most 100 comparisons. All that is given must hold.
LibraryCreativeWhere = TypedDict(
    "LibraryCreativeWhere",
    {
        "advertiser": "Optional[AdvertiserWhere]",
        "advertiserId": "Optional[IDWhere]",
        "and": "Optional[List[LibraryCreativeWhere]]",
        "associations": "Optional[CreativeChildrenWhere]",
        "clickUrl": "Optional[StringWhere]",
        "createdAt": "Optional[DateTimeWhere]",
        "externalId": "Optional[StringWhere]",
        "format": "Optional[CreativeFormatWhere]",
        "height": "Optional[IntWhere]",
        "id": "Optional[IDWhere]",
        "labels": "Optional[StringListWhere]",
        "language": "Optional[StringWhere]",
        "name": "Optional[StringWhere]",
        "not": "Optional[LibraryCreativeWhere]",
        "notes": "Optional[StringWhere]",
        "or": "Optional[List[LibraryCreativeWhere]]",
        "owner": "Optional[StringWhere]",
        "reviewReason": "Optional[StringWhere]",
        "reviewState": "Optional[ReviewStateWhere]",
        "secure": "Optional[BooleanWhere]",
        "status": "Optional[LifecycleWhere]",
        "team": "Optional[TeamWhere]",
        "teamId": "Optional[IDWhere]",
        "updatedAt": "Optional[DateTimeWhere]",
        "updatedBy": "Optional[StringWhere]",
        "version": "Optional[IntWhere]",
        "width": "Optional[IntWhere]",
    },
    total=False,
)


# Comparisons of a field; all that are given must hold.
LifecycleWhere = TypedDict(
    "LifecycleWhere",
    {
        "eq": "Optional[Lifecycle]",
        "in": "Optional[List[Lifecycle]]",
        "not": "Optional[LifecycleWhere]",
    },
    total=False,
)


class LineItem(TypedDict, total=False):
    """A booking: targeting, flight, goal, limits and price."""
    advertisingProduct: Optional[AdvertisingProduct]
    """The product it is sold as."""
    advertisingProductId: Optional[str]
    """The product it is sold as; null = none."""
    approval: BookingApproval
    """Whether it may go live: guaranteed bookings may need the approval of another member."""
    attention: LineItemAttention
    """Its snooze and its hand-over, while it needs attention."""
    budget: Optional[str]
    """What it was booked for, from a product; null: it was not booked from a product."""
    budgetMoney: Optional[Money]
    """What it was booked for, from a product; null: it was not booked from a product. With its currency."""
    campaign: Optional[Campaign]
    """Its campaign."""
    campaignId: str
    """Its campaign; cannot change."""
    caps: DeliveryCaps
    """Hard limits per day and in total."""
    companionMode: CompanionMode
    """Whether its companions stand beside their masters; other than NONE only with roadblock ONE."""
    countedActivities: List[CountedActivity]
    """The activities whose conversions are credited to it: they count toward its goal, and CPA pays for them.
    Empty = every activity. At most 50.
    """
    createdAt: str
    """When it was made."""
    creativeRotation: CreativeRotation
    """How one of several fitting creatives is chosen."""
    creatives: CreativeConnection
    """Its creatives, by id."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    dayParts: List[DayPart]
    """When in the week it serves; empty = always. At most 50."""
    deal: Optional[Deal]
    """The deal it serves."""
    dealId: Optional[str]
    """The deal it serves; null = open."""
    delivery: Optional[Delivery]
    """What it has delivered so far; null while the counters are unavailable."""
    deliveryDiagnosis: DeliveryDiagnosis
    """Its delivery diagnosis, from a sample of the decisions of the last 24 hours."""
    endsAt: Optional[str]
    """End of serving, exclusive; null = open-ended."""
    exclusionLabels: List[str]
    """Two ads that share a label never appear in one response."""
    externalId: Optional[str]
    """Id in your own system."""
    forecastRecord: Optional[ForecastRecord]
    """Its latest stored forecast; null before there is one."""
    frequencyCaps: List[FrequencyCap]
    """Limits per user; the strictest applies. At most 20."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    goal: Optional[Goal]
    """Its goal; null = none."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    isArchived: bool
    """Whether it is archived: it does not serve."""
    labels: List[str]
    """Labels of the line item. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10."""
    level: int
    """Rank within its tier (SPONSORSHIP, STANDARD): 1 is decided first, 16 last."""
    name: str
    """Name."""
    notes: str
    """Notes for people, with line breaks; at most 2000 characters."""
    optimisationGoal: Optional[OptimisationGoal]
    """What it maximises: OPTIMISED rotation chooses the creative by the rate of this event, and a paced line item
    that has more opportunities than its goal needs chooses the ad units. null = nothing.
    """
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    pacing: Pacing
    """How delivery is spread."""
    pauseAfterGoal: bool
    """Whether it stops at its goal."""
    price: str
    """CPM, VCPM: per thousand; CPC, CPA, CPCV: each; FLAT: per day."""
    priceMoney: Money
    """CPM, VCPM: per thousand; CPC, CPA, CPCV: each; FLAT: per day. With its currency."""
    priceOptionId: Optional[str]
    """The price option of the product by which it was booked; null: it was not booked from a product."""
    pricingModel: PricingModel
    """Which event earns the price."""
    representativePercent: Optional[float]
    """No effect: goals bid for opportunities (docs/pacing.md). Was the percentage of its goal that is spread
    evenly over all of its traffic.
    """
    roadblock: Roadblock
    """Whether its creatives fill several slots of one request."""
    serveWithoutUser: bool
    """Whether it serves to unidentified users although it has frequency caps."""
    sharePercent: Optional[float]
    """Share of voice in percent (SPONSORSHIP) or weight of the draw (HOUSE); null elsewhere."""
    standing: Optional[LineItemStanding]
    """Where it stands, and why, as found in the last minute."""
    startsAt: Optional[str]
    """Start of serving; null = at once."""
    status: DeliveryStatus
    """Status; DRAFT at first."""
    targeting: Optional[Targeting]
    """Its targeting; null = all inventory and all users."""
    team: Optional[Team]
    """The team that looks after it."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    timezone: Optional[str]
    """IANA time zone of its days and day-parts; null = the network's."""
    type: LineItemType
    """Its tier."""
    updatedAt: str
    """When it was last changed."""
    updatedBy: str
    """Who changed it last, as the audit log names them; empty: the system."""
    version: int
    """Grows with every change; send it with an update to detect concurrent changes."""


class LineItemAttention(TypedDict, total=False):
    """The snooze and the hand-over of a line item that needs attention. They hold while the line item needs
    attention for the same reason.
    """
    handedAt: Optional[str]
    """When it was handed over."""
    handedBy: Optional[TeamMember]
    """The member who handed it over."""
    handedTo: Optional[TeamMember]
    """The member who looks after it."""
    snoozedUntil: Optional[str]
    """Until when the signed-in member has snoozed it."""


class LineItemAttentionPayload(TypedDict, total=False):
    """The result of snoozing or handing over a line item that needs attention."""
    lineItem: Optional[LineItem]
    """The line item."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class LineItemBulkPayload(TypedDict, total=False):
    """The result of a bulk change of line items."""
    changedCount: int
    """How many rows were changed (0 when only validated, or all undone)."""
    failedCount: int
    """How many rows were wrong."""
    results: List[LineItemBulkResult]
    """One result for each row, in the order of the input."""
    userErrors: List[UserError]
    """The mistakes in all rows, and those of the call as a whole; empty when all is valid."""


class LineItemBulkResult(TypedDict, total=False):
    """The result of one row of a bulk change of line items."""
    code: Optional[UserErrorCode]
    """Error code of this row; null when the row is valid."""
    index: int
    """Its index in the input, from 0."""
    lineItem: Optional[LineItem]
    """The object after the change; null when this row was not changed."""
    message: Optional[str]
    """What to do about the error."""
    problems: List[FieldProblem]
    """Wrong fields of this row."""
    userErrors: List[UserError]
    """The mistakes in this row; empty when it is valid."""
    warnings: List[FieldProblem]
    """Doubtful fields of this row."""


class LineItemChangesInput(TypedDict, total=False):
    """Fields that a line item gets. Absent fields stay as they are."""
    advertisingProductId: Optional[str]
    """The product it is sold as; null = none."""
    caps: Optional[DeliveryCapsInput]
    """Hard limits per day and in total."""
    companionMode: Optional[CompanionMode]
    """Whether its companions stand beside their masters; other than NONE only with roadblock ONE."""
    countedActivities: Optional[List[CountedActivityInput]]
    """The activities whose conversions are credited to it: they count toward its goal, and CPA pays for them.
    Empty = every activity. At most 50.
    """
    creativeRotation: Optional[CreativeRotation]
    """How one of several fitting creatives is chosen."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    dayParts: Optional[List[DayPartInput]]
    """When in the week it serves; empty = always. At most 50."""
    dealId: Optional[str]
    """The deal it serves; null = open."""
    endsAt: Optional[str]
    """End of serving, exclusive; null = open-ended."""
    exclusionLabels: Optional[List[str]]
    """Two ads that share a label never appear in one response."""
    externalId: Optional[str]
    """Id in your own system."""
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user; the strictest applies. At most 20."""
    goal: Optional[GoalInput]
    """Its goal; null = none."""
    labels: Optional[List[str]]
    """Labels of the line item. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10."""
    level: Optional[int]
    """Rank within its tier (SPONSORSHIP, STANDARD): 1 is decided first, 16 last."""
    name: Optional[str]
    """Name. Required for a new object."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    optimisationGoal: Optional[OptimisationGoal]
    """What it maximises: OPTIMISED rotation chooses the creative by the rate of this event, and a paced line item
    that has more opportunities than its goal needs chooses the ad units. null = nothing.
    """
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    pacing: Optional[Pacing]
    """How delivery is spread."""
    pauseAfterGoal: Optional[bool]
    """Whether it stops at its goal."""
    price: Optional[str]
    """CPM, VCPM: per thousand; CPC, CPA, CPCV: each; FLAT: per day."""
    pricingModel: Optional[PricingModel]
    """Which event earns the price."""
    representativePercent: Optional[float]
    """No effect: goals bid for opportunities (docs/pacing.md). Was the percentage of its goal that is spread
    evenly over all of its traffic.
    """
    roadblock: Optional[Roadblock]
    """Whether its creatives fill several slots of one request."""
    serveWithoutUser: Optional[bool]
    """Whether it serves to unidentified users although it has frequency caps."""
    sharePercent: Optional[float]
    """Share of voice in percent (SPONSORSHIP) or weight of the draw (HOUSE); null elsewhere."""
    startsAt: Optional[str]
    """Start of serving; null = at once."""
    status: Optional[DeliveryStatus]
    """Status; DRAFT at first."""
    targeting: Optional[TargetingInput]
    """Its targeting; null = all inventory and all users."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    timezone: Optional[str]
    """IANA time zone of its days and day-parts; null = the network's."""
    type: Optional[LineItemType]
    """Its tier. Required for a new object."""


class LineItemChildrenWhere(TypedDict, total=False):
    """A filter by the line items that belong to an object."""
    none: Optional[LineItemWhere]
    """None of them is so."""
    some: Optional[LineItemWhere]
    """At least one of them is so."""


class LineItemConnection(TypedDict, total=False):
    """A page of a list of line items."""
    edges: List[LineItemEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[LineItem]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class LineItemEdge(TypedDict, total=False):
    """One line item in a list."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: LineItem
    """The object."""


class LineItemFilter(TypedDict, total=False):
    """Filters a list of line items. All given parts must match; a list means any of its values."""
    advertiserIds: Optional[List[str]]
    """Only of campaigns of these advertisers."""
    advertisingProductIds: Optional[List[str]]
    """Only of these advertising products."""
    campaignIds: Optional[List[str]]
    """Only of these campaigns."""
    customFields: Any
    """Only with all of these values of custom fields, such as {"region": "North"}."""
    dealIds: Optional[List[str]]
    """Only of these deals."""
    endsBefore: Optional[str]
    """Only with an end before this instant."""
    endsSince: Optional[str]
    """Only with an end at or after this instant."""
    externalIds: Optional[List[str]]
    """Only with one of these external ids."""
    hasApprovedCreative: Optional[bool]
    """Whether it has a creative that is ACTIVE and APPROVED."""
    health: Optional[List[GoalStatus]]
    """Only with one of these statuses of the goal, as they were found last: every five minutes, for line items
    that serve.
    """
    ids: Optional[List[str]]
    """Only these."""
    labels: Optional[List[str]]
    """Only with one of these labels."""
    owners: Optional[List[str]]
    """Only of these owners."""
    pricingModels: Optional[List[PricingModel]]
    """Only with one of these pricing models."""
    search: Optional[str]
    """Only those whose name (or code, or external id) contains this text, in any case; or that have this very id."""
    startsBefore: Optional[str]
    """Only with a start before this instant."""
    statuses: Optional[List[DeliveryStatus]]
    """Only with one of these statuses."""
    teamIds: Optional[List[str]]
    """Only of these teams."""
    types: Optional[List[LineItemType]]
    """Only of these tiers."""
    updatedSince: Optional[str]
    """Only those changed at or after this instant."""


class _LineItemOrderRequired(TypedDict):
    field: LineItemOrderField
    """What to sort by."""


class LineItemOrder(_LineItemOrderRequired, total=False):
    """The order of a list of line items."""
    direction: Optional[SortDirection]
    """The direction; default ASC."""


class LineItemPayload(TypedDict, total=False):
    """The result of a change of one line item."""
    lineItem: Optional[LineItem]
    """The object after the change; null when it was only validated."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


class LineItemStanding(TypedDict, total=False):
    """Where a line item stands, and why."""
    atRisk: str
    """The money that it may miss: what its goal lacks, at its price, or all that is left of the goal while nothing
    is shown. 0 without a goal.
    """
    atRiskMoney: Optional[Money]
    """The money that it may miss: what its goal lacks, at its price, or all that is left of the goal while nothing
    is shown. With its currency.
    """
    movedAt: Optional[str]
    """When its impressions were last found to have grown, to the minute; null before the first look."""
    reason: StandingReason
    """Why."""
    tab: Optional[LineItemTab]
    """The tab of the desk that shows it; null when it is archived."""


class LineItemTabCount(TypedDict, total=False):
    """How many line items a tab has."""
    count: int
    """Its line items."""
    tab: LineItemTab
    """The tab."""


class LineItemTableConnection(TypedDict, total=False):
    """A window of a table of line items."""
    nodes: List[LineItem]
    """Its line items, in order."""
    totalCount: int
    """How many line items the table has."""


class LineItemTableFilter(TypedDict, total=False):
    """Which line items a table shows. All given parts must match; a list means any of its values."""
    advertiserIds: Optional[List[str]]
    """Only of these advertisers."""
    campaignIds: Optional[List[str]]
    """Only of these campaigns."""
    endsBefore: Optional[str]
    """Only whose flight ends before this instant."""
    ids: Optional[List[str]]
    """Only these."""
    isSnoozed: Optional[bool]
    """false: without those that the signed-in member has snoozed. true or absent: with them."""
    labels: Optional[List[str]]
    """Only with one of these labels."""
    levels: Optional[List[int]]
    """Only on one of these levels."""
    reasons: Optional[List[StandingReason]]
    """Only line items in the table for one of these reasons."""
    search: Optional[str]
    """Whose name, external id or campaign name contains this text, or with this id."""
    statuses: Optional[List[DeliveryStatus]]
    """Only with one of these statuses."""
    targets: Optional[LineItemTargetsFilter]
    """Only whose targeting tests this."""
    types: Optional[List[LineItemType]]
    """Only of these tiers."""


class _LineItemTargetsFilterRequired(TypedDict):
    dimension: TargetingDimension
    """The dimension."""


class LineItemTargetsFilter(_LineItemTargetsFilterRequired, total=False):
    """What a targeting tests, at any depth; a test that excludes counts too."""
    values: Optional[List[str]]
    """With one of these values; objects by their decimal id. Absent: any."""


# Comparisons of a field; all that are given must hold.
LineItemTypeWhere = TypedDict(
    "LineItemTypeWhere",
    {
        "eq": "Optional[LineItemType]",
        "in": "Optional[List[LineItemType]]",
        "not": "Optional[LineItemTypeWhere]",
    },
    total=False,
)


# A filter of line items by any field, at most 100 comparisons. All that is given must hold.
LineItemWhere = TypedDict(
    "LineItemWhere",
    {
        "advertisingProduct": "Optional[AdvertisingProductWhere]",
        "advertisingProductId": "Optional[IDWhere]",
        "and": "Optional[List[LineItemWhere]]",
        "budget": "Optional[DecimalWhere]",
        "campaign": "Optional[CampaignWhere]",
        "campaignId": "Optional[IDWhere]",
        "companionMode": "Optional[CompanionModeWhere]",
        "createdAt": "Optional[DateTimeWhere]",
        "creativeRotation": "Optional[CreativeRotationWhere]",
        "creatives": "Optional[CreativeChildrenWhere]",
        "deal": "Optional[DealWhere]",
        "dealId": "Optional[IDWhere]",
        "endsAt": "Optional[DateTimeWhere]",
        "exclusionLabels": "Optional[StringListWhere]",
        "externalId": "Optional[StringWhere]",
        "id": "Optional[IDWhere]",
        "labels": "Optional[StringListWhere]",
        "level": "Optional[IntWhere]",
        "name": "Optional[StringWhere]",
        "not": "Optional[LineItemWhere]",
        "notes": "Optional[StringWhere]",
        "optimisationGoal": "Optional[OptimisationGoalWhere]",
        "or": "Optional[List[LineItemWhere]]",
        "owner": "Optional[StringWhere]",
        "pacing": "Optional[PacingWhere]",
        "pauseAfterGoal": "Optional[BooleanWhere]",
        "price": "Optional[DecimalWhere]",
        "priceOptionId": "Optional[IDWhere]",
        "pricingModel": "Optional[PricingModelWhere]",
        "representativePercent": "Optional[FloatWhere]",
        "roadblock": "Optional[RoadblockWhere]",
        "serveWithoutUser": "Optional[BooleanWhere]",
        "sharePercent": "Optional[FloatWhere]",
        "startsAt": "Optional[DateTimeWhere]",
        "status": "Optional[DeliveryStatusWhere]",
        "team": "Optional[TeamWhere]",
        "teamId": "Optional[IDWhere]",
        "timezone": "Optional[StringWhere]",
        "type": "Optional[LineItemTypeWhere]",
        "updatedAt": "Optional[DateTimeWhere]",
        "updatedBy": "Optional[StringWhere]",
        "version": "Optional[IntWhere]",
    },
    total=False,
)


class MadeApiKey(TypedDict, total=False):
    """A new key with its value."""
    apiKey: Optional[ApiKey]
    """The key as listings show it; null when nothing was changed."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    value: str
    """The value. It is shown once, here."""


class MadeHeaderCredential(TypedDict, total=False):
    """A new login with its token."""
    id: str
    """Its id."""
    login: str
    """The value of x-internal-auth-login."""
    token: str
    """The value of x-internal-auth-token. It is shown once, here."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class MadeInvitation(TypedDict, total=False):
    """A new invitation. Its link goes to the invited person only."""
    delivery: InvitationDelivery
    """How the link gets to the invited."""
    id: str
    """Decimal id."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class MarkNotificationsReadPayload(TypedDict, total=False):
    """The result of reading notifications."""
    readCount: Optional[int]
    """How many became read."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class MediaFile(TypedDict, total=False):
    """One encoding of a video."""
    bitrateKbps: Optional[int]
    """Bit rate in kbit/s."""
    height: int
    """Height in pixels."""
    mimeType: str
    """Its type, such as "video/mp4"."""
    url: str
    """Its address."""
    width: int
    """Width in pixels."""


class _MediaFileInputRequired(TypedDict):
    height: int
    """Height in pixels."""
    mimeType: str
    """Its type, such as "video/mp4"."""
    url: str
    """Its address."""
    width: int
    """Width in pixels."""


class MediaFileInput(_MediaFileInputRequired, total=False):
    """One encoding of a video."""
    bitrateKbps: Optional[int]
    """Bit rate in kbit/s."""


# Comparisons of a field; all that are given must hold.
MediaTypeListWhere = TypedDict(
    "MediaTypeListWhere",
    {
        "has": "Optional[MediaType]",
        "hasAny": "Optional[List[MediaType]]",
        "not": "Optional[MediaTypeListWhere]",
    },
    total=False,
)


class Money(TypedDict, total=False):
    """An amount of money with its currency."""
    amount: str
    """The exact amount."""
    currencyCode: str
    """ISO 4217 code: that of the network."""


class Mutation(TypedDict, total=False):
    """All changes. Each field is one transaction that succeeds or fails as a whole."""
    addComment: Optional[CommentPayload]
    """Says something about an object. The members whom it mentions, and those who commented before, are told."""
    approveBooking: Optional[BookingApprovalPayload]
    """Approves the present terms of a guaranteed booking. Who wrote it since its last approval, or made the key
    that did, cannot; neither can anybody where a key that no member made wrote it.
    """
    archiveActivities: Optional[ActivityBulkPayload]
    """Archives up to 500 activities in one call."""
    archiveActivity: Optional[ActivityPayload]
    """Archives one activity: it stops serving and keeps its history. An update of its status restores it."""
    archiveAdUnit: Optional[AdUnitPayload]
    """Archives one ad unit: it stops serving and keeps its history. An update of its status restores it."""
    archiveAdUnits: Optional[AdUnitBulkPayload]
    """Archives up to 500 ad units in one call."""
    archiveAdvertiser: Optional[AdvertiserPayload]
    """Archives one advertiser: it stops serving and keeps its history. An update of its status restores it."""
    archiveAdvertisers: Optional[AdvertiserBulkPayload]
    """Archives up to 500 advertisers in one call."""
    archiveAdvertisingProduct: Optional[AdvertisingProductPayload]
    """Archives one advertising product: it stops serving and keeps its history. An update of its status restores
    it.
    """
    archiveAdvertisingProducts: Optional[AdvertisingProductBulkPayload]
    """Archives up to 500 advertising products in one call."""
    archiveArea: Optional[AreaPayload]
    """Archives one area: it stops serving and keeps its history. An update of its status restores it."""
    archiveAreas: Optional[AreaBulkPayload]
    """Archives up to 500 areas in one call."""
    archiveCampaign: Optional[CampaignPayload]
    """Archives one campaign: it stops serving and keeps its history. An update of its status restores it."""
    archiveCampaigns: Optional[CampaignBulkPayload]
    """Archives up to 500 campaigns in one call."""
    archiveCreative: Optional[CreativePayload]
    """Archives one creative: it stops serving and keeps its history. An update of its status restores it."""
    archiveCreatives: Optional[CreativeBulkPayload]
    """Archives up to 500 creatives in one call."""
    archiveCustomField: Optional[CustomFieldPayload]
    """Archives one custom field: it stops serving and keeps its history. An update of its status restores it."""
    archiveCustomFields: Optional[CustomFieldBulkPayload]
    """Archives up to 500 custom fields in one call."""
    archiveDeal: Optional[DealPayload]
    """Archives one deal: it stops serving and keeps its history. An update of its status restores it."""
    archiveDeals: Optional[DealBulkPayload]
    """Archives up to 500 deals in one call."""
    archiveExperiment: Optional[ExperimentPayload]
    """Archives one experiment: it stops serving and keeps its history. An update of its status restores it."""
    archiveExperiments: Optional[ExperimentBulkPayload]
    """Archives up to 500 experiments in one call."""
    archiveFloor: Optional[FloorPayload]
    """Archives one floor: it stops serving and keeps its history. An update of its status restores it."""
    archiveFloors: Optional[FloorBulkPayload]
    """Archives up to 500 floors in one call."""
    archiveKeyValue: Optional[KeyValuePayload]
    """Archives one key-value: it stops serving and keeps its history. An update of its status restores it."""
    archiveKeyValues: Optional[KeyValueBulkPayload]
    """Archives up to 500 key-values in one call."""
    archiveLibraryCreative: Optional[LibraryCreativePayload]
    """Archives one library creative: it stops serving and keeps its history. An update of its status restores it."""
    archiveLibraryCreatives: Optional[LibraryCreativeBulkPayload]
    """Archives up to 500 library creatives in one call."""
    archiveLineItem: Optional[LineItemPayload]
    """Archives one line item: it stops serving and keeps its history. An update of its status restores it."""
    archiveLineItems: Optional[LineItemBulkPayload]
    """Archives up to 500 line items in one call."""
    archiveSegment: Optional[SegmentPayload]
    """Archives one segment: it stops serving and keeps its history. An update of its status restores it."""
    archiveSegments: Optional[SegmentBulkPayload]
    """Archives up to 500 segments in one call."""
    archiveSite: Optional[SitePayload]
    """Archives one site: it stops serving and keeps its history. An update of its status restores it."""
    archiveSites: Optional[SiteBulkPayload]
    """Archives up to 500 sites in one call."""
    archiveTargetingPreset: Optional[TargetingPresetPayload]
    """Archives one targeting preset: it stops serving and keeps its history. An update of its status restores it."""
    archiveTargetingPresets: Optional[TargetingPresetBulkPayload]
    """Archives up to 500 targeting presets in one call."""
    archiveTeam: Optional[TeamPayload]
    """Archives one team: it stops serving and keeps its history. An update of its status restores it."""
    archiveTeams: Optional[TeamBulkPayload]
    """Archives up to 500 teams in one call."""
    associateCreatives: Optional[CreativeAssociationsPayload]
    """Associates up to 500 pairs of a library creative and a line item of its advertiser. Each association is a
    creative of the line item, with an id, counters and reports of its own; one that exists gets the given
    weight, flight and caps, and one that is archived serves again with those that it had, unless others are
    given.
    """
    beginAgentRequest: Optional[BeginAgentRequestPayload]
    """Notes what a buyer's agent asks for, before it is done. The same key of the same caller begins once."""
    bookProduct: Optional[BookingPayload]
    """Books a product: makes a DRAFT line item in a campaign by one of its price options. Inventory, tier, price,
    goal and limits follow from the product; dates, amount and added targeting are checked against its terms.
    """
    changeBooking: Optional[BookingPayload]
    """Changes the terms of a line item that was booked from a product. All of its terms are checked against the
    product again.
    """
    chooseNotifications: Optional[ChooseNotificationsPayload]
    """Changes where the signed-in member is told of events in this network; events that are not given stay."""
    claimReportShare: Optional[ReportSharePayload]
    """Ties a link that works to your membership: it no longer ends when the member leaves who made it. For
    signed-in admins.
    """
    copyCampaign: Optional[CopyCampaignPayload]
    """Copies a campaign with its line items and creatives (archived ones left out); campaign and line items become
    DRAFT. At most 500 line items.
    """
    copyLineItems: Optional[CopyLineItemsPayload]
    """Copies line items with their creatives (archived ones left out), in one transaction. The copies become
    DRAFT. At most 100.
    """
    createActivities: Optional[ActivityBulkPayload]
    """Creates up to 500 activities in one call."""
    createActivity: Optional[ActivityPayload]
    """Creates one activity."""
    createAdUnit: Optional[AdUnitPayload]
    """Creates one ad unit."""
    createAdUnits: Optional[AdUnitBulkPayload]
    """Creates up to 500 ad units in one call."""
    createAdvertiser: Optional[AdvertiserPayload]
    """Creates one advertiser."""
    createAdvertisers: Optional[AdvertiserBulkPayload]
    """Creates up to 500 advertisers in one call."""
    createAdvertisingProduct: Optional[AdvertisingProductPayload]
    """Creates one advertising product."""
    createAdvertisingProducts: Optional[AdvertisingProductBulkPayload]
    """Creates up to 500 advertising products in one call."""
    createApiKey: Optional[MadeApiKey]
    """Makes an API key. Its value is shown once, here. Takes no Idempotency-Key."""
    createArea: Optional[AreaPayload]
    """Creates one area."""
    createAreas: Optional[AreaBulkPayload]
    """Creates up to 500 areas in one call."""
    createCampaign: Optional[CampaignPayload]
    """Creates one campaign."""
    createCampaigns: Optional[CampaignBulkPayload]
    """Creates up to 500 campaigns in one call."""
    createCreative: Optional[CreativePayload]
    """Creates one creative."""
    createCreatives: Optional[CreativeBulkPayload]
    """Creates up to 500 creatives in one call."""
    createCustomField: Optional[CustomFieldPayload]
    """Creates one custom field."""
    createCustomFields: Optional[CustomFieldBulkPayload]
    """Creates up to 500 custom fields in one call."""
    createDeal: Optional[DealPayload]
    """Creates one deal."""
    createDeals: Optional[DealBulkPayload]
    """Creates up to 500 deals in one call."""
    createExperiment: Optional[ExperimentPayload]
    """Creates one experiment."""
    createExperiments: Optional[ExperimentBulkPayload]
    """Creates up to 500 experiments in one call."""
    createFloor: Optional[FloorPayload]
    """Creates one floor."""
    createFloors: Optional[FloorBulkPayload]
    """Creates up to 500 floors in one call."""
    createHeaderCredential: Optional[MadeHeaderCredential]
    """Makes report credentials. The token is shown once, here. Takes no Idempotency-Key."""
    createKeyValue: Optional[KeyValuePayload]
    """Creates one key-value."""
    createKeyValues: Optional[KeyValueBulkPayload]
    """Creates up to 500 key-values in one call."""
    createLibraryCreative: Optional[LibraryCreativePayload]
    """Creates one library creative."""
    createLibraryCreatives: Optional[LibraryCreativeBulkPayload]
    """Creates up to 500 library creatives in one call."""
    createLineItem: Optional[LineItemPayload]
    """Creates one line item."""
    createLineItems: Optional[LineItemBulkPayload]
    """Creates up to 500 line items in one call."""
    createReportSchedule: Optional[ReportSchedulePayload]
    """Creates a schedule. The response shows the webhook secret once."""
    createSegment: Optional[SegmentPayload]
    """Creates one segment."""
    createSegments: Optional[SegmentBulkPayload]
    """Creates up to 500 segments in one call."""
    createSite: Optional[SitePayload]
    """Creates one site."""
    createSites: Optional[SiteBulkPayload]
    """Creates up to 500 sites in one call."""
    createTargetingPreset: Optional[TargetingPresetPayload]
    """Creates one targeting preset."""
    createTargetingPresets: Optional[TargetingPresetBulkPayload]
    """Creates up to 500 targeting presets in one call."""
    createTeam: Optional[TeamPayload]
    """Creates one team."""
    createTeams: Optional[TeamBulkPayload]
    """Creates up to 500 teams in one call."""
    createWebhook: Optional[WebhookPayload]
    """Creates a webhook; it is told of changes from now on. The response shows its secret once."""
    decideAgentRequest: Optional[AgentRequestPayload]
    """Approves or rejects a request that waits. Before it is approved, its campaign has to be ACTIVE, with line
    items of which none is a DRAFT. A rejection archives the drafts; the agent reads its reason.
    """
    deleteComment: Optional[CommentPayload]
    """Deletes a comment: one's own, or as an admin anybody's. Returns it as it was."""
    deleteReportSchedule: Optional[DeleteReportSchedulePayload]
    """Deletes a schedule with the list of its runs."""
    deleteWebhook: Optional[DeleteWebhookPayload]
    """Deletes a webhook with the list of its messages."""
    disableHeaderCredential: Optional[HeaderCredential]
    """Disables report credentials at once and for good."""
    discardAgentRequest: Optional[AgentRequestPayload]
    """Notes that a request failed: its key is free again. Only its caller does."""
    dissociateCreatives: Optional[CreativeAssociationsPayload]
    """Ends up to 500 associations, all or none: the creatives of the line items are archived and keep their
    history.
    """
    endAgentRequest: Optional[AgentRequestPayload]
    """Notes the response to a request that runs. Only its caller ends it."""
    endSession: Optional[str]
    """Ends one session that this network's own sign-in provider started; returns its id. To end a person's access,
    take them out of the network.
    """
    generate_report: Optional[ReportTask]
    """Queues a report. Wrong attributes are named, and no task is made."""
    handOverAttention: Optional[LineItemAttentionPayload]
    """Hands a line item that needs attention to a member of the network, who is told."""
    importHistory: Optional[ImportHistoryPayload]
    """Imports up to 1000 hours that another ad server delivered, all or none. Reports, pacing, goals, limits and
    forecasts then count them. A row that the source imported before is not counted again, so that a call can be
    repeated.
    """
    inviteUser: Optional[MadeInvitation]
    """Invites an address into the network and replaces its open invitation. The link works once, for 7 days, and
    goes to the invited person only: by mail, or by the operator where no mail is sent.
    """
    markNotificationsRead: Optional[MarkNotificationsReadPayload]
    """Marks the notifications of the signed-in member up to one as read."""
    redeliverWebhook: Optional[RedeliverWebhookPayload]
    """Sends messages again: all after a change, or single ones."""
    removeMembership: Optional[str]
    """Removes a member from the network; returns their id. The last admin stays."""
    report: ReportMutations
    """Report tasks; `generate_report` is also on the root."""
    requestBookingApproval: Optional[BookingApprovalPayload]
    """Asks the members who may approve a guaranteed booking to do so."""
    revokeApiKey: Optional[RevokeApiKeyPayload]
    """Revokes an API key at once and for good."""
    revokeHeaderCredential: Optional[RevokePayload]
    """Revokes report credentials at once and for good."""
    revokeInvitation: Optional[RevokePayload]
    """Withdraws an open invitation."""
    revokeMembership: Optional[RevokePayload]
    """Takes a member out of the network. The last admin stays."""
    revokeReportShare: Optional[ReportSharePayload]
    """Makes a link useless at once."""
    revokeSession: Optional[RevokePayload]
    """Ends one session that this network's own sign-in provider started. To end a person's access, take them out
    of the network.
    """
    rotateApiKey: Optional[MadeApiKey]
    """Makes a new key with the settings of an old one, which goes on working until a chosen instant."""
    runReportSchedule: Optional[RunReportSchedulePayload]
    """Runs a schedule now, in addition to its rule."""
    saveCampaign: Optional[SaveCampaignPayload]
    """Creates or changes a campaign with its line items and creatives in one transaction: all of it, or nothing
    when anything is wrong. At most 1000 objects.
    """
    shareCampaignReport: Optional[NewReportShare]
    """Makes a link by which anybody who has it reads the report of a campaign until it expires. Takes no
    Idempotency-Key.
    """
    snoozeAttention: Optional[LineItemAttentionPayload]
    """Snoozes a line item for the signed-in member: the line item comes back at this instant, or earlier when it
    needs attention for another reason.
    """
    splitLineItem: Optional[SplitLineItemPayload]
    """Makes two line items of one, in one transaction: a copy with its creatives and status, and a change of each,
    such as a share of the goal or of the targeting. What was delivered stays with the old one. Where a
    guaranteed booking needs approval, the new one is a DRAFT, and its approval is asked for.
    """
    testWebhook: Optional[TestWebhookPayload]
    """Sends a message of the type `webhook.test`."""
    updateActivities: Optional[ActivityBulkPayload]
    """Changes up to 500 activities in one call, each with its own fields (also to pause many at once)."""
    updateActivity: Optional[ActivityPayload]
    """Changes the given fields of one activity. Absent fields stay as they are; null clears a field that may be
    empty.
    """
    updateAdUnit: Optional[AdUnitPayload]
    """Changes the given fields of one ad unit. Absent fields stay as they are; null clears a field that may be
    empty.
    """
    updateAdUnits: Optional[AdUnitBulkPayload]
    """Changes up to 500 ad units in one call, each with its own fields (also to pause many at once)."""
    updateAdvertiser: Optional[AdvertiserPayload]
    """Changes the given fields of one advertiser. Absent fields stay as they are; null clears a field that may be
    empty.
    """
    updateAdvertisers: Optional[AdvertiserBulkPayload]
    """Changes up to 500 advertisers in one call, each with its own fields (also to pause many at once)."""
    updateAdvertisingProduct: Optional[AdvertisingProductPayload]
    """Changes the given fields of one advertising product. Absent fields stay as they are; null clears a field
    that may be empty.
    """
    updateAdvertisingProducts: Optional[AdvertisingProductBulkPayload]
    """Changes up to 500 advertising products in one call, each with its own fields (also to pause many at once)."""
    updateArea: Optional[AreaPayload]
    """Changes the given fields of one area. Absent fields stay as they are; null clears a field that may be empty."""
    updateAreas: Optional[AreaBulkPayload]
    """Changes up to 500 areas in one call, each with its own fields (also to pause many at once)."""
    updateCampaign: Optional[CampaignPayload]
    """Changes the given fields of one campaign. Absent fields stay as they are; null clears a field that may be
    empty.
    """
    updateCampaigns: Optional[CampaignBulkPayload]
    """Changes up to 500 campaigns in one call, each with its own fields (also to pause many at once)."""
    updateCreative: Optional[CreativePayload]
    """Changes the given fields of one creative. Absent fields stay as they are; null clears a field that may be
    empty.
    """
    updateCreatives: Optional[CreativeBulkPayload]
    """Changes up to 500 creatives in one call, each with its own fields (also to pause many at once)."""
    updateCustomField: Optional[CustomFieldPayload]
    """Changes the given fields of one custom field. Absent fields stay as they are; null clears a field that may
    be empty.
    """
    updateCustomFields: Optional[CustomFieldBulkPayload]
    """Changes up to 500 custom fields in one call, each with its own fields (also to pause many at once)."""
    updateDeal: Optional[DealPayload]
    """Changes the given fields of one deal. Absent fields stay as they are; null clears a field that may be empty."""
    updateDeals: Optional[DealBulkPayload]
    """Changes up to 500 deals in one call, each with its own fields (also to pause many at once)."""
    updateExperiment: Optional[ExperimentPayload]
    """Changes the given fields of one experiment. Absent fields stay as they are; null clears a field that may be
    empty.
    """
    updateExperiments: Optional[ExperimentBulkPayload]
    """Changes up to 500 experiments in one call, each with its own fields (also to pause many at once)."""
    updateFloor: Optional[FloorPayload]
    """Changes the given fields of one floor. Absent fields stay as they are; null clears a field that may be
    empty.
    """
    updateFloors: Optional[FloorBulkPayload]
    """Changes up to 500 floors in one call, each with its own fields (also to pause many at once)."""
    updateKeyValue: Optional[KeyValuePayload]
    """Changes the given fields of one key-value. Absent fields stay as they are; null clears a field that may be
    empty.
    """
    updateKeyValues: Optional[KeyValueBulkPayload]
    """Changes up to 500 key-values in one call, each with its own fields (also to pause many at once)."""
    updateLibraryCreative: Optional[LibraryCreativePayload]
    """Changes the given fields of one library creative. Absent fields stay as they are; null clears a field that
    may be empty.
    """
    updateLibraryCreatives: Optional[LibraryCreativeBulkPayload]
    """Changes up to 500 library creatives in one call, each with its own fields (also to pause many at once)."""
    updateLineItem: Optional[LineItemPayload]
    """Changes the given fields of one line item. Absent fields stay as they are; null clears a field that may be
    empty.
    """
    updateLineItems: Optional[LineItemBulkPayload]
    """Changes up to 500 line items in one call, each with its own fields (also to pause many at once)."""
    updateMembership: Optional[UpdateMembershipPayload]
    """Changes the role of a user of the network. The last admin keeps the role."""
    updateNetwork: Optional[UpdateNetworkPayload]
    """Changes settings of the network. They hold for both environments."""
    updateReportSchedule: Optional[ReportSchedulePayload]
    """Changes a schedule."""
    updateSegment: Optional[SegmentPayload]
    """Changes the given fields of one segment. Absent fields stay as they are; null clears a field that may be
    empty.
    """
    updateSegments: Optional[SegmentBulkPayload]
    """Changes up to 500 segments in one call, each with its own fields (also to pause many at once)."""
    updateSite: Optional[SitePayload]
    """Changes the given fields of one site. Absent fields stay as they are; null clears a field that may be empty."""
    updateSites: Optional[SiteBulkPayload]
    """Changes up to 500 sites in one call, each with its own fields (also to pause many at once)."""
    updateTargetingPreset: Optional[TargetingPresetPayload]
    """Changes the given fields of one targeting preset. Absent fields stay as they are; null clears a field that
    may be empty.
    """
    updateTargetingPresets: Optional[TargetingPresetBulkPayload]
    """Changes up to 500 targeting presets in one call, each with its own fields (also to pause many at once)."""
    updateTeam: Optional[TeamPayload]
    """Changes the given fields of one team. Absent fields stay as they are; null clears a field that may be empty."""
    updateTeams: Optional[TeamBulkPayload]
    """Changes up to 500 teams in one call, each with its own fields (also to pause many at once)."""
    updateWebhook: Optional[WebhookPayload]
    """Changes a webhook."""
    upsertAdvertisers: Optional[AdvertiserBulkPayload]
    """Creates or changes up to 500 advertisers in one call by their external ids: a row whose externalId is new
    creates, any other changes the given fields. Of several objects with one externalId, those that are not
    archived come first.
    """
    upsertCampaigns: Optional[CampaignBulkPayload]
    """Creates or changes up to 500 campaigns in one call by their external ids: a row whose externalId is new
    creates, any other changes the given fields. Of several objects with one externalId, those that are not
    archived come first.
    """
    upsertCreatives: Optional[CreativeBulkPayload]
    """Creates or changes up to 500 creatives in one call by their external ids: a row whose externalId is new
    creates, any other changes the given fields. Of several objects with one externalId, those that are not
    archived come first.
    """
    upsertLibraryCreatives: Optional[LibraryCreativeBulkPayload]
    """Creates or changes up to 500 library creatives in one call by their external ids: a row whose externalId is
    new creates, any other changes the given fields. Of several objects with one externalId, those that are not
    archived come first.
    """
    upsertLineItems: Optional[LineItemBulkPayload]
    """Creates or changes up to 500 line items in one call by their external ids: a row whose externalId is new
    creates, any other changes the given fields. Of several objects with one externalId, those that are not
    archived come first.
    """


class NativeContent(TypedDict, total=False):
    """The parts of a native ad."""
    body: str
    """Text below the headline."""
    callToAction: str
    """Text of the button."""
    iconUrl: Optional[str]
    """Address of the icon or logo."""
    imageHeight: int
    """Its height in pixels."""
    imageUrl: str
    """Address of the main picture."""
    imageWidth: int
    """Its width in pixels."""
    sponsoredBy: str
    """Who is named as sponsor."""
    title: str
    """Headline."""


class _NativeContentInputRequired(TypedDict):
    body: str
    """Text below the headline."""
    callToAction: str
    """Text of the button."""
    imageHeight: int
    """Its height in pixels."""
    imageUrl: str
    """Address of the main picture."""
    imageWidth: int
    """Its width in pixels."""
    sponsoredBy: str
    """Who is named as sponsor."""
    title: str
    """Headline."""


class NativeContentInput(_NativeContentInputRequired, total=False):
    """The parts of a native ad."""
    iconUrl: Optional[str]
    """Address of the icon or logo."""


class Network(TypedDict, total=False):
    """A tenant: a publisher with its inventory, bookings and reports."""
    approvalRequired: bool
    """Whether another member has to approve a guaranteed booking before it goes live."""
    createdAt: str
    """When it was made."""
    creativeReview: CreativeReview
    """Whether creatives are reviewed before they serve."""
    currency: str
    """ISO 4217 code; all money of the network is in it."""
    exchangeRates: List[ExchangeRate]
    """What other currencies are worth, by currency and day. Without a rate, floors in another currency get no bid."""
    floor: str
    """Floor price as CPM; 0 = none."""
    floorMoney: Optional[Money]
    """Floor price as CPM; 0 = none. With its currency."""
    goalCompetition: GoalCompetition
    """How guaranteed line items meet what is sold by price."""
    id: str
    """Decimal id."""
    impressionTouches: ImpressionTouches
    """Which impressions a conversion may be credited to when there was no click."""
    labelCaps: List[LabelCap]
    """How often one user sees ads that bear a label."""
    languages: List[str]
    """Languages of the "Why this ad?" page; the first is the fallback."""
    limitCeilings: NetworkLimits
    """The operator's ceiling for each limit; it applies where `limits` has none."""
    limits: NetworkLimits
    """Rate limits of its own."""
    name: str
    """Name."""
    representativePercent: float
    """No effect: goals bid for opportunities (docs/pacing.md). Was the percentage of each goal that is spread
    evenly over all of its traffic.
    """
    retentionDays: Optional[int]
    """How long single events are kept, in whole UTC days; null = for ever. Reports of days keep their figures."""
    status: NetworkStatus
    """Whether it serves and accepts changes."""
    storage: List[StorageUse]
    """Storage of this environment, with its quotas."""
    timezone: str
    """IANA time zone; a day of the network is a day there."""
    updatedAt: str
    """When it was last changed."""
    version: int
    """Grows with every change; send it with an update to detect concurrent changes."""


class NetworkLimits(TypedDict, total=False):
    """Rate limits, each per day or per second; null = none of its own."""
    ads: Optional[int]
    """Ad requests a second."""
    events: Optional[int]
    """Activity events a day."""
    management: Optional[int]
    """Management API requests a day."""
    reports: Optional[int]
    """Reports API requests and downloads a day."""


class NetworkLimitsInput(TypedDict, total=False):
    """Limits of the network, each at most its ceiling; absent or null = the ceiling. The whole set is replaced."""
    ads: Optional[int]
    """Ad requests a second."""
    events: Optional[int]
    """Activity events a day."""
    management: Optional[int]
    """Management API requests a day."""
    reports: Optional[int]
    """Reports API requests and downloads a day."""


class NewReportShare(TypedDict, total=False):
    """A new link. Its address holds the secret and is shown once."""
    share: Optional[ReportShare]
    """The link."""
    url: Optional[str]
    """The path of the page, below the address of the console. It is shown once, here."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class Node(TypedDict, total=False):
    """An object with an id of its own."""
    id: str
    """Its id: global in versions of the API from 2026-11-25 on, before them the decimal one, unique in its kind."""


class Notification(TypedDict, total=False):
    """What the signed-in member is told."""
    actor: str
    """Who did it, by name."""
    createdAt: str
    """When."""
    details: Any
    """Further facts, by event."""
    event: NotificationEvent
    """What happened."""
    id: str
    """Its id; later ones have higher ids."""
    isRead: bool
    """Whether the member has read it."""
    objectId: str
    """Id of the object."""
    objectKind: str
    """Kind of the object: `campaign`, `lineItem`, `creative` or `libraryCreative`."""
    objectName: str
    """Name of the object at that time."""


class NotificationChoice(TypedDict, total=False):
    """Where the signed-in member is told of an event in this network."""
    event: NotificationEvent
    """The event."""
    inApp: bool
    """In the console."""
    mail: bool
    """By mail."""


class NotificationChoiceInput(TypedDict):
    """Where to be told of an event."""
    event: NotificationEvent
    """The event."""
    inApp: bool
    """In the console."""
    mail: bool
    """By mail."""


class OfferedSite(TypedDict, total=False):
    """A site, as buyers see it."""
    domain: str
    """Its domain."""
    id: str
    """Its id."""
    name: str
    """Its name."""


class Offering(TypedDict, total=False):
    """What buyers know of a network besides its products."""
    currency: str
    """ISO 4217 code; all money of the network is in it."""
    sites: List[OfferedSite]
    """Its sites that are in use, by id, at most 1000."""
    timezone: str
    """IANA time zone; a day of the network is a day there."""


# Comparisons of a field; all that are given must hold.
OptimisationGoalWhere = TypedDict(
    "OptimisationGoalWhere",
    {
        "eq": "Optional[OptimisationGoal]",
        "in": "Optional[List[OptimisationGoal]]",
        "not": "Optional[OptimisationGoalWhere]",
    },
    total=False,
)


# Comparisons of a field; all that are given must hold.
PacingWhere = TypedDict(
    "PacingWhere",
    {
        "eq": "Optional[Pacing]",
        "in": "Optional[List[Pacing]]",
        "not": "Optional[PacingWhere]",
    },
    total=False,
)


class PageInfo(TypedDict, total=False):
    """The position of a page in its list."""
    endCursor: Optional[str]
    """Cursor of the last edge; send it as `after` to get the next page."""
    hasNextPage: bool
    """Whether more follows after this page."""
    hasPreviousPage: bool
    """Whether objects precede this page."""
    startCursor: Optional[str]
    """Cursor of the first edge; null on an empty page."""


class Payload(TypedDict, total=False):
    """The result of a mutation."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class PriceGuidance(TypedDict, total=False):
    """What bookings by a price option with a floor paid in the last 30 days, by the figures of reports, in the
    unit of the pricing model and two significant digits.
    """
    p25: str
    """25 % of the units cost at most this."""
    p50: str
    """50 % of the units cost at most this."""
    p75: str
    """75 % of the units cost at most this."""
    p90: str
    """90 % of the units cost at most this."""
    priceOptionId: str
    """The id of the price option."""


class PriceOption(TypedDict, total=False):
    """A way to pay for a product: a fixed price, or a floor over which the buyer bids."""
    advertiserIds: List[str]
    """The advertisers that the option is for (a rate card), by id; empty = all."""
    floor: Optional[str]
    """The lowest bid in the unit of the pricing model; null = the price is fixed."""
    floorMoney: Optional[Money]
    """The lowest bid in the unit of the pricing model; null = the price is fixed. With its currency."""
    id: str
    """Its id, unique in the product; it stays while the terms of the option change."""
    minimumSpend: Optional[str]
    """The lowest budget of a booking by this option; null = that of the product."""
    minimumSpendMoney: Optional[Money]
    """The lowest budget of a booking by this option; null = that of the product. With its currency."""
    price: Optional[str]
    """The fixed price in the unit of the pricing model; null = the buyer bids over `floor`."""
    priceMoney: Optional[Money]
    """The fixed price in the unit of the pricing model; null = the buyer bids over `floor`. With its currency."""
    pricingModel: PricingModel
    """Which event earns the price."""
    sharePercent: Optional[float]
    """The share of voice that a day buys, in percent; for FLAT only."""


class _PriceOptionInputRequired(TypedDict):
    id: str
    """Its id, unique in the product; it stays while the terms of the option change. Lower-case letters, digits and
    . _ - between them.
    """
    pricingModel: PricingModel
    """Which event earns the price."""


class PriceOptionInput(_PriceOptionInputRequired, total=False):
    """A way to pay for a product. Give exactly one of price and floor."""
    advertiserIds: Optional[List[str]]
    """The advertisers that the option is for (a rate card), by id; empty = all. At most 200."""
    floor: Optional[str]
    """The lowest bid in the unit of the pricing model; null = the price is fixed."""
    minimumSpend: Optional[str]
    """The lowest budget of a booking by this option; null = that of the product."""
    price: Optional[str]
    """The fixed price in the unit of the pricing model; null = the buyer bids over `floor`."""
    sharePercent: Optional[float]
    """The share of voice that a day buys, in percent; for FLAT only."""


# Comparisons of a field; all that are given must hold.
PricingModelWhere = TypedDict(
    "PricingModelWhere",
    {
        "eq": "Optional[PricingModel]",
        "in": "Optional[List[PricingModel]]",
        "not": "Optional[PricingModelWhere]",
    },
    total=False,
)


# Comparisons of a field; all that are given must hold.
ProductDeliveryWhere = TypedDict(
    "ProductDeliveryWhere",
    {
        "eq": "Optional[ProductDelivery]",
        "in": "Optional[List[ProductDelivery]]",
        "not": "Optional[ProductDeliveryWhere]",
    },
    total=False,
)


class ProductForecast(TypedDict, total=False):
    """What a booking from a product could get over its flight."""
    available: int
    """Matched slots that higher tiers and levels, or the allocation plan, leave to it."""
    displaced: List[ForecastDisplaced]
    """The line items that get less, the largest loss of revenue first, at most 20. Not for keys of buyers."""
    displacedRevenue: str
    """What all others earn less because of it. Not for keys of buyers."""
    displacedRevenueMoney: Optional[Money]
    """What all others earn less because of it. Not for keys of buyers. With its currency."""
    impressions: int
    """How many of the possible slots are shown, by the share of this network's responses that were shown up to
    now.
    """
    likelyHigh: int
    """Upper end of that interval."""
    likelyLow: int
    """Lower end of an 80 % interval of `possible`."""
    matched: int
    """Slots that the draft matches by targeting, format and day-parts."""
    notes: List[str]
    """Remarks on the numbers, such as a small sample. Not for keys of buyers."""
    opportunities: int
    """Slots expected in the network over the flight."""
    possible: int
    """Matched slots that it wins in the replay, at this price and share, within its goal and limits."""
    possibleHigh: int
    """Upper end of that interval."""
    possibleLow: int
    """Lower end of a 95 % interval of `possible`: by the size of the sample, by how busy the flight may be, and by
    how the days of parts of the traffic differ. Future changes are left out.
    """
    precision: ForecastPrecision
    """How much was replayed."""
    sampleSize: int
    """Requests in the sample."""
    sampledHours: float
    """How long the sample was gathered."""


class _ProductForecastInputRequired(TypedDict):
    endsAt: str
    """End of the flight, at most a year on."""
    priceOptionId: str
    """The id of one of its price options."""
    productId: str
    """The product."""
    startsAt: str
    """Start of the flight."""


class ProductForecastInput(_ProductForecastInputRequired, total=False):
    """A booking from a product that is not made yet."""
    bid: Optional[str]
    """The price that is bid; for options with a floor only."""
    budget: Optional[str]
    """What the booking may cost; default: all that there is."""
    cpm: Optional[str]
    """What a thousand impressions are expected to earn, for options that are not CPM: a price by event is compared
    by it. Required for those of a product that promises nothing.
    """
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user; default none."""
    pacing: Optional[Pacing]
    """How delivery is spread; default EVEN."""
    quantity: Optional[int]
    """How many units are booked; instead of `budget`."""
    targeting: Optional[TargetingInput]
    """Targeting that narrows the product; default none."""


class ProductFormat(TypedDict, total=False):
    """A format that creatives of a product may have."""
    durationMaxMs: Optional[int]
    """Their longest duration in ms, for formats that a player plays; null = no bound."""
    durationMinMs: Optional[int]
    """Their shortest duration in ms, for formats that a player plays; null = no bound."""
    format: CreativeFormat
    """The format of creatives."""
    sizes: List[Size]
    """Their sizes; empty = any that the inventory offers."""


class _ProductFormatInputRequired(TypedDict):
    format: CreativeFormat
    """The format of creatives."""


class ProductFormatInput(_ProductFormatInputRequired, total=False):
    """A format that creatives of a product may have."""
    durationMaxMs: Optional[int]
    """Their longest duration in ms, for formats that a player plays; null = no bound."""
    durationMinMs: Optional[int]
    """Their shortest duration in ms, for formats that a player plays; null = no bound."""
    sizes: Optional[List[SizeInput]]
    """Their sizes; empty = any that the inventory offers."""


class ProductMeasurement(TypedDict, total=False):
    """How delivery of a product is measured."""
    countedBy: CountingParty
    """Who counts what is billed."""
    terms: Optional[str]
    """Further terms of measurement, in words; null = none."""
    vendor: Optional[str]
    """The vendor that counts, where a third party does; else null."""
    viewabilityVendor: Optional[str]
    """The vendor that measures viewability; null = this ad server."""


class _ProductMeasurementInputRequired(TypedDict):
    countedBy: CountingParty
    """Who counts what is billed."""


class ProductMeasurementInput(_ProductMeasurementInputRequired, total=False):
    """How delivery of a product is measured."""
    terms: Optional[str]
    """Further terms of measurement, in words; null = none."""
    vendor: Optional[str]
    """The vendor that counts, where a third party does; else null."""
    viewabilityVendor: Optional[str]
    """The vendor that measures viewability; null = this ad server."""


class Query(TypedDict, total=False):
    """Everything that can be read in the network and environment that the credentials belong to."""
    activities: ActivityConnection
    """The activities of the network, page by page, archived ones included unless a filter excludes them."""
    activity: Optional[Activity]
    """One activity by id; null for an unknown id and for one of another network or environment."""
    adUnit: Optional[AdUnit]
    """One ad unit by id; null for an unknown id and for one of another network or environment."""
    adUnits: AdUnitConnection
    """The ad units of the network, page by page, archived ones included unless a filter excludes them."""
    advertiser: Optional[Advertiser]
    """One advertiser by id; null for an unknown id and for one of another network or environment."""
    advertisers: AdvertiserConnection
    """The advertisers of the network, page by page, archived ones included unless a filter excludes them."""
    advertisingProduct: Optional[AdvertisingProduct]
    """One advertising product by id; null for an unknown id and for one of another network or environment."""
    advertisingProducts: AdvertisingProductConnection
    """The advertising products of the network, page by page, archived ones included unless a filter excludes them."""
    agentRequest: Optional[AgentRequest]
    """A request of a buyer's agent; null where there is none."""
    agentRequests: List[AgentRequest]
    """What buyers' agents asked for, newest first."""
    allReportShares: ReportShareConnection
    """The links to reports of all campaigns, newest first: those that work, or all. For admins."""
    apiKey: Optional[ApiKey]
    """One API key by id; null when the network has none."""
    apiKeys: List[ApiKey]
    """The API keys of the network, newest first."""
    area: Optional[Area]
    """One area by id; null for an unknown id and for one of another network or environment."""
    areas: AreaConnection
    """The areas of the network, page by page, archived ones included unless a filter excludes them."""
    asset: Optional[Asset]
    """One uploaded file; null when the environment has none at this address."""
    assets: AssetConnection
    """The uploaded files of the environment, the latest upload first."""
    auditLog: AuditConnection
    """The audit log of the network, both environments, newest first."""
    availability: Availability
    """What is sold, reserved and free of some inventory in the next weeks, day by day."""
    bookingsToApprove: List[LineItem]
    """Guaranteed line items whose present terms wait for approval, newest first: those for which a member asked,
    and live ones. Empty where the network asks for no approval.
    """
    campaign: Optional[Campaign]
    """One campaign by id; null for an unknown id and for one of another network or environment."""
    campaigns: CampaignConnection
    """The campaigns of the network, page by page, archived ones included unless a filter excludes them."""
    changes: ChangeConnection
    """All changes of objects of this environment, oldest first. Keep `pageInfo.endCursor` and ask again with it:
    no change is left out or repeated.
    """
    colleagues: List[TeamMember]
    """The members of the network by name, at most 500: whom a comment can mention."""
    comments: List[Comment]
    """The comments on an object, newest first."""
    creative: Optional[Creative]
    """One creative by id; null for an unknown id and for one of another network or environment."""
    creatives: CreativeConnection
    """The creatives of the network, page by page, archived ones included unless a filter excludes them."""
    customField: Optional[CustomField]
    """One custom field by id; null for an unknown id and for one of another network or environment."""
    customFields: CustomFieldConnection
    """The custom fields of the network, page by page, archived ones included unless a filter excludes them."""
    deal: Optional[Deal]
    """One deal by id; null for an unknown id and for one of another network or environment."""
    deals: DealConnection
    """The deals of the network, page by page, archived ones included unless a filter excludes them."""
    experiment: Optional[Experiment]
    """One experiment by id; null for an unknown id and for one of another network or environment."""
    experiments: ExperimentConnection
    """The experiments of the network, page by page, archived ones included unless a filter excludes them."""
    explainDecision: ExplainedDecision
    """What a bid request would get, and the loss reason of every other line item."""
    floor: Optional[Floor]
    """One floor by id; null for an unknown id and for one of another network or environment."""
    floorSuggestions: List[FloorSuggestion]
    """Floors of ad units that would have earned more with the bids of the last 14 days, the largest gain first, at
    most 100. Nothing is changed.
    """
    floors: FloorConnection
    """The floors of the network, page by page, archived ones included unless a filter excludes them."""
    forecast: Forecast
    """What a draft of a line item could get."""
    forecastAccuracy: ForecastAccuracy
    """How good the forecasts of flights were that ended in a span of at most 400 days."""
    headerCredentials: List[HeaderCredential]
    """The report credentials of the network, newest first."""
    importedHistory: List[ImportedHistory]
    """What was imported, by source; at most 100 sources."""
    inspectActivityEvent: ActivityEventInspection
    """What the activity pixel API would make of an event now: accepted, a duplicate or refused, and the ad that it
    is credited to. Nothing is recorded.
    """
    inspectDecision: DecisionInspection
    """One decision in full: the winner, why each other line item lost, the same decision from the decision log,
    and what would change with other prices, limits or priorities.
    """
    invitations: List[Invitation]
    """Open invitations into the network, newest first, at most 500."""
    isHistoryLoading: bool
    """Whether counters still get history of the environment, imported or of the demo. Line items are called
    neither late nor early until then.
    """
    keyValue: Optional[KeyValue]
    """One key-value by id; null for an unknown id and for one of another network or environment."""
    keyValues: KeyValueConnection
    """The key-values of the network, page by page, archived ones included unless a filter excludes them."""
    libraryCreative: Optional[LibraryCreative]
    """One library creative by id; null for an unknown id and for one of another network or environment."""
    libraryCreatives: LibraryCreativeConnection
    """The library creatives of the network, page by page, archived ones included unless a filter excludes them."""
    lineItem: Optional[LineItem]
    """One line item by id; null for an unknown id and for one of another network or environment."""
    lineItemTable: LineItemTableConnection
    """A window of the line items of the network, from any position of a list of any length. Archived ones only by
    status.
    """
    lineItemTabs: List[LineItemTabCount]
    """How many line items each tab has; tabs without any are there too."""
    lineItems: LineItemConnection
    """The line items of the network, page by page, archived ones included unless a filter excludes them."""
    me: Caller
    """The caller and its permissions."""
    network: Optional[Network]
    """The network of the credentials, by its id; null for any other."""
    node: Optional[Node]
    """The object with this id; null for an unknown id and for one of another network or environment."""
    nodes: List[Optional[Node]]
    """The objects with these ids, in their order, at most 100; null at the position of each unknown one."""
    notificationChoices: List[NotificationChoice]
    """Where the signed-in member is told of each event in this network."""
    notifications: List[Notification]
    """What the signed-in member was told, newest first. The last 500 are kept."""
    offering: Offering
    """The currency, the days and the sites of the network of the key."""
    productForecast: ProductForecast
    """What a booking from a product could get: its inventory, formats and price with the dates, amount and added
    targeting that are given, by the same replay as `forecast`.
    """
    rateLimit: RateLimit
    """The headroom of the daily limit, and the cost of this document."""
    report: ReportQueries
    """Report tasks; `report_defs` and `report_task` are also on the root."""
    reportSchedule: Optional[ReportSchedule]
    """A report schedule by its id; null when there is none."""
    reportSchedules: List[ReportSchedule]
    """The report schedules of the network by name, at most 100."""
    reportShares: List[ReportShare]
    """The links to the report of a campaign, newest first, at most 100."""
    report_defs: ReportDefinitionList
    """The definitions that report tasks can be made from."""
    report_task: Optional[ReportTask]
    """A report task by its number; null when there is none. Poll it until `task_status` is DONE or FAILED."""
    search: List[SearchHit]
    """Objects of all kinds that the caller may read: each word of the text is in their name, external id, code,
    values of custom fields or the name of their parent, or is their id. The closest first, at most 50; without
    a text, what changed last.
    """
    segment: Optional[Segment]
    """One segment by id; null for an unknown id and for one of another network or environment."""
    segments: SegmentConnection
    """The segments of the network, page by page, archived ones included unless a filter excludes them."""
    site: Optional[Site]
    """One site by id; null for an unknown id and for one of another network or environment."""
    sites: SiteConnection
    """The sites of the network, page by page, archived ones included unless a filter excludes them."""
    targetingPreset: Optional[TargetingPreset]
    """One targeting preset by id; null for an unknown id and for one of another network or environment."""
    targetingPresets: TargetingPresetConnection
    """The targeting presets of the network, page by page, archived ones included unless a filter excludes them."""
    team: Optional[Team]
    """One team by id; null for an unknown id and for one of another network or environment."""
    teams: TeamConnection
    """The teams of the network, page by page, archived ones included unless a filter excludes them."""
    unreadNotifications: int
    """How many notifications the signed-in member has not read."""
    users: List[User]
    """The users of the network, by address."""
    webhook: Optional[Webhook]
    """A webhook by its id; null when there is none."""
    webhooks: List[Webhook]
    """The webhooks of the environment by name, at most 20."""


class RateLimit(TypedDict, total=False):
    """What the network may still ask today, and what this request costs."""
    cost: int
    """The points of this document; at most 100,000."""
    limit: Optional[int]
    """Requests a day of the network and environment; null where none are counted."""
    remaining: Optional[int]
    """How many of them are left after this one."""
    resetAt: Optional[str]
    """When all of them are there again."""


class RedeliverWebhookPayload(TypedDict, total=False):
    """The result of sending messages again."""
    messageCount: Optional[int]
    """How many single messages are sent again; null with `after`."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class ReportDefinition(TypedDict, total=False):
    """A template that report tasks are made from."""
    report_definition_body: Any
    """Its parameters, each with type, default and allowed values."""
    report_definition_description: str
    """What its reports show."""
    report_definition_name: str
    """Its name, for `generate_report`."""


class ReportDefinitionList(TypedDict, total=False):
    """The report definitions."""
    edges: List[ReportDefinition]
    """The definitions; their fields are on the edge itself."""


class ReportMutations(TypedDict, total=False):
    """Making of report tasks. Opens with header credentials only."""
    generate_report: Optional[ReportTask]
    """Queues a report. Wrong attributes are named, and no task is made."""


class ReportQueries(TypedDict, total=False):
    """Reading of report tasks. Opens with header credentials only."""
    report_defs: ReportDefinitionList
    """The definitions that report tasks can be made from."""
    report_task: Optional[ReportTask]
    """A report task by its number; null when there is none. Poll it until `task_status` is DONE or FAILED."""
    report_tasks: List[ReportTask]
    """The report tasks of the network, newest first."""


class ReportRun(TypedDict, total=False):
    """One run of a report schedule."""
    deliveryAttempts: int
    """How often the message was sent."""
    deliveryError: Optional[str]
    """Why the last try of the message failed."""
    deliveryStatus: ReportDeliveryStatus
    """The delivery state of the webhook message."""
    downloadUrl: Optional[str]
    """In the form of the schedule, for 7 days; opens with a key of the REPORTS module or header credentials.
    `?format=raw`: JSON lines.
    """
    endedAt: Optional[str]
    """When it was DONE or FAILED."""
    errorMessage: Optional[str]
    """Why it FAILED."""
    id: str
    """Decimal id."""
    progress: int
    """Percent done, 0…100."""
    rowCount: Optional[int]
    """Rows of the finished report."""
    scheduledFor: str
    """The instant of the rule; relative dates of the query refer to it."""
    startedAt: Optional[str]
    """When work on it began."""
    status: ReportTaskStatus
    """Its state."""


class ReportSchedule(TypedDict, total=False):
    """A saved query of the Reports API that runs by a rule; its results are kept as files."""
    createdAt: str
    """When it was made."""
    cron: str
    """Minute, hour, day of month, month, weekday."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    fileFormat: ReportFileFormat
    """The form of the files in mails and behind the links of its runs."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    mailTo: List[str]
    """Addresses of members who get each result by mail: attached up to 5 MB, else as a link."""
    name: str
    """Name."""
    nextRunAt: Optional[str]
    """When it runs next; null while PAUSED."""
    query: Any
    """A query of the Reports API; relative dateRanges are read at each run."""
    runs: List[ReportRun]
    """Its latest runs, newest first."""
    status: ReportScheduleStatus
    """Whether it runs."""
    timezone: str
    """Time zone of the rule: that of the network."""
    updatedAt: str
    """When it was last changed."""
    version: int
    """Counts up with every change; give it back on update."""
    webhookUrl: Optional[str]
    """Where a signed message is sent when a run has ended."""


class ReportSchedulePayload(TypedDict, total=False):
    """The result of a change of a schedule."""
    saved: Optional[ReportSchedule]
    """The schedule; null when nothing was changed."""
    schedule: Optional[ReportSchedule]
    """The schedule; null when nothing was changed."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    webhookSecret: Optional[str]
    """The secret that signs messages, when it is new. It is shown once."""


class ReportShare(TypedDict, total=False):
    """A link by which somebody without an account reads the report of one campaign, and nothing else."""
    campaignId: str
    """The campaign."""
    campaignName: str
    """Name of the campaign."""
    createdAt: str
    """When."""
    createdBy: str
    """Who made it."""
    expiresAt: str
    """Until when it works."""
    id: str
    """Its id."""
    lastOpenedAt: Optional[str]
    """When it was last opened."""
    name: str
    """For whom it is."""
    opened: int
    """How often it was opened."""
    ownerId: Optional[str]
    """The user with whose membership it ends: who made it, who made the key that made it, or who took it over.
    Null: nobody; it ends when it expires or is revoked.
    """
    ownerName: Optional[str]
    """Name of that user."""
    revokedAt: Optional[str]
    """When it was revoked; null: it was not."""
    showsSpend: bool
    """Whether it shows money."""


class ReportShareConnection(TypedDict, total=False):
    """A page of links to reports."""
    edges: List[ReportShareEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[ReportShare]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class ReportShareEdge(TypedDict, total=False):
    """A link to a report."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: ReportShare
    """The object."""


class ReportSharePayload(TypedDict, total=False):
    """The result of changing a link."""
    share: Optional[ReportShare]
    """The link."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class ReportTask(TypedDict, total=False):
    """A report that is made in the background."""
    report_definition_name: str
    """Definition that it was made from."""
    task_download_url: Optional[str]
    """Where it can be downloaded with the header credentials; null unless DONE, and after it has expired."""
    task_duration: Optional[float]
    """Seconds from start to end; null before the end."""
    task_end_time: Optional[str]
    """When it was DONE or FAILED; null before."""
    task_error_message: Optional[str]
    """Why it FAILED; null otherwise."""
    task_external_id: Optional[str]
    """Your own id of it."""
    task_external_type: Optional[str]
    """The kind of that id."""
    task_id: str
    """Its number, as text; `report_task` takes it as an Int."""
    task_name: str
    """Name of the report."""
    task_progress: int
    """Percent done, 0…100; 100 when DONE."""
    task_row_count: Optional[int]
    """Rows of the finished report."""
    task_start_time: Optional[str]
    """When work on it began; null before."""
    task_status: ReportTaskStatus
    """Its state."""
    task_token: str
    """Last segment of the download address."""


class ReportTaskAttrInput(TypedDict, total=False):
    """Parameters of a report; which of them apply, and their defaults, are in `report_definition_body`."""
    date_range: Optional[ReportTaskDateRangeInput]
    """What the report covers. Required."""
    filters: Optional[List[ReportTaskFilterInput]]
    """Conditions, all of which must hold."""
    granularity: Optional[str]
    """"hour", "day", "week", "month" or "total"."""
    metric: Optional[List[str]]
    """Metrics to include, such as filled_emission and adclick."""
    split: Optional[List[str]]
    """Dimensions to split by."""
    timezone: Optional[str]
    """IANA time zone that data is bucketed in; default: the time zone of the network."""


class ReportTaskDateRangeInput(TypedDict, total=False):
    """What a report covers. Dates are local times in the time zone of the report, both inclusive."""
    date_from: Optional[str]
    """Start, as YYYY-MM-DD HH:MM:SS; in a dynamic range also a name such as last_7_days."""
    date_to: Optional[str]
    """End, as YYYY-MM-DD HH:MM:SS."""
    kind: Optional[str]
    """"static": both dates. "dynamic": both dates, or the name of a relative range in `date_from`. Default:
    static.
    """


class ReportTaskFilterInput(TypedDict, total=False):
    """A condition on the rows that are counted."""
    dimension: Optional[str]
    """Name of a dimension, such as line_item_id."""
    type: Optional[str]
    """"in", "not_in" or "contains". Default: in."""
    values: Optional[List[ReportTaskFilterValueInput]]
    """The values that are compared with."""


class ReportTaskFilterValueInput(TypedDict, total=False):
    """One value of a filter."""
    value: Optional[str]
    """The value."""


class _ReportTaskInputRequired(TypedDict):
    attributes: ReportTaskAttrInput
    """What it computes."""
    report_definition_name: str
    """Name of the definition."""
    report_name: str
    """Name of the report, 1…200 characters."""


class ReportTaskInput(_ReportTaskInputRequired, total=False):
    """The fields of a new report task."""
    task_external_id: Optional[str]
    """Your own id, stored with the task and searchable."""
    task_external_type: Optional[str]
    """The kind of that id."""


# Comparisons of a field; all that are given must hold.
ReviewStateWhere = TypedDict(
    "ReviewStateWhere",
    {
        "eq": "Optional[ReviewState]",
        "in": "Optional[List[ReviewState]]",
        "not": "Optional[ReviewStateWhere]",
    },
    total=False,
)


class RevokeApiKeyPayload(TypedDict, total=False):
    """The result of revoking an API key."""
    apiKey: Optional[ApiKey]
    """The revoked key."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class RevokePayload(TypedDict, total=False):
    """The result of revoking an access."""
    revokedId: Optional[str]
    """Id of the revoked object; null when nothing was revoked."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


# Comparisons of a field; all that are given must hold.
RoadblockWhere = TypedDict(
    "RoadblockWhere",
    {
        "eq": "Optional[Roadblock]",
        "in": "Optional[List[Roadblock]]",
        "not": "Optional[RoadblockWhere]",
    },
    total=False,
)


class RunReportSchedulePayload(TypedDict, total=False):
    """The result of running a schedule."""
    run: Optional[ReportRun]
    """The run."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class SaveCampaignInput(TypedDict, total=False):
    """A campaign with its line items and creatives. Of an existing object, absent fields stay as they are."""
    advertiserExternalId: Optional[str]
    """External id of the object that advertiserId names; instead of advertiserId."""
    advertiserId: Optional[str]
    """The advertiser; cannot change. Required for a new object."""
    caps: Optional[DeliveryCapsInput]
    """Hard limits per day and in total."""
    contacts: Optional[List[str]]
    """People of the order outside of the network, such as "Ann Lee, ann@example.com". At most 20."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    endsAt: Optional[str]
    """End of serving, exclusive; null = open-ended."""
    externalId: Optional[str]
    """Id in your own system."""
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user; the strictest applies. At most 20."""
    id: Optional[str]
    """The object to change. Absent: externalId finds it; without both, or when there is none, it is created."""
    key: Optional[str]
    """Your own name of the object inside this call; the payload has it beside the id."""
    labels: Optional[List[str]]
    """Labels of all its line items. Caps of the network by label (`labelCaps`) count all ads that bear one. At
    most 10.
    """
    lineItems: Optional[List[SaveLineItemInput]]
    """Its line items. Absent: they stay as they are."""
    name: Optional[str]
    """Name. Required for a new object."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    orderNumber: Optional[str]
    """Number of the order, as invoices name it."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    salesperson: Optional[str]
    """The e-mail address of the member of the network who sold the order; null = nobody."""
    startsAt: Optional[str]
    """Start of serving; null = at once."""
    status: Optional[DeliveryStatus]
    """Status; DRAFT at first."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class SaveCampaignPayload(TypedDict, total=False):
    """The result of saving a campaign as a whole."""
    archivedCount: int
    """How many children archiveOthers archived."""
    campaign: Optional[Campaign]
    """The campaign after the change; null when it was only validated."""
    objects: List[SavedObject]
    """The objects of the input, each parent before its children."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


class SaveCreativeInput(TypedDict, total=False):
    """One creative of a campaign that is saved as a whole."""
    attributes: Optional[List[int]]
    """OpenRTB creative attributes, which publishers can block."""
    clickUrl: Optional[str]
    """Landing address, http or https. Required for a new object."""
    content: Optional[CreativeContentInput]
    """What is shown; its shape is the format. Required for a new object."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    endsAt: Optional[str]
    """End of serving, exclusive; null = with its line item."""
    externalId: Optional[str]
    """Id in your own system."""
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user; the strictest applies. At most 20."""
    height: Optional[int]
    """Height in CSS pixels; 0 × 0 fits any size (native, video)."""
    id: Optional[str]
    """The object to change. Absent: externalId finds it; without both, or when there is none, it is created."""
    key: Optional[str]
    """Your own name of the object inside this call; the payload has it beside the id."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    language: Optional[str]
    """Language of its text, ISO 639, such as "pl"."""
    masterCreativeExternalId: Optional[str]
    """External id of the object that masterCreativeId names; instead of masterCreativeId."""
    masterCreativeId: Optional[str]
    """For a companion: the creative of the same line item beside which this banner stands; null = it is shown by
    itself. Cannot change.
    """
    masterCreativeKey: Optional[str]
    """Key of the creative of this line item that it accompanies; instead of masterCreativeId."""
    name: Optional[str]
    """Name. Required for a new object."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    reviewReason: Optional[str]
    """Why it was rejected, or a remark of the review; a new review state without one clears it."""
    reviewState: Optional[ReviewState]
    """The result of its review; only APPROVED serves."""
    startsAt: Optional[str]
    """Start of serving; null = with its line item."""
    status: Optional[CreativeStatus]
    """Status; ACTIVE at first."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    trackers: Optional[ThirdPartyTrackersInput]
    """Third-party tracking addresses."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""
    weight: Optional[int]
    """Share of the draw among its siblings."""
    width: Optional[int]
    """Width in CSS pixels; 0 × 0 fits any size (native, video)."""


class SaveLineItemInput(TypedDict, total=False):
    """One line item of a campaign that is saved as a whole."""
    advertisingProductId: Optional[str]
    """The product it is sold as; null = none."""
    caps: Optional[DeliveryCapsInput]
    """Hard limits per day and in total."""
    companionMode: Optional[CompanionMode]
    """Whether its companions stand beside their masters; other than NONE only with roadblock ONE."""
    countedActivities: Optional[List[CountedActivityInput]]
    """The activities whose conversions are credited to it: they count toward its goal, and CPA pays for them.
    Empty = every activity. At most 50.
    """
    creativeRotation: Optional[CreativeRotation]
    """How one of several fitting creatives is chosen."""
    creatives: Optional[List[SaveCreativeInput]]
    """Its creatives. Absent: they stay as they are."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    dayParts: Optional[List[DayPartInput]]
    """When in the week it serves; empty = always. At most 50."""
    dealId: Optional[str]
    """The deal it serves; null = open."""
    endsAt: Optional[str]
    """End of serving, exclusive; null = open-ended."""
    exclusionLabels: Optional[List[str]]
    """Two ads that share a label never appear in one response."""
    externalId: Optional[str]
    """Id in your own system."""
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user; the strictest applies. At most 20."""
    goal: Optional[GoalInput]
    """Its goal; null = none."""
    id: Optional[str]
    """The object to change. Absent: externalId finds it; without both, or when there is none, it is created."""
    key: Optional[str]
    """Your own name of the object inside this call; the payload has it beside the id."""
    labels: Optional[List[str]]
    """Labels of the line item. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10."""
    level: Optional[int]
    """Rank within its tier (SPONSORSHIP, STANDARD): 1 is decided first, 16 last."""
    name: Optional[str]
    """Name. Required for a new object."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    optimisationGoal: Optional[OptimisationGoal]
    """What it maximises: OPTIMISED rotation chooses the creative by the rate of this event, and a paced line item
    that has more opportunities than its goal needs chooses the ad units. null = nothing.
    """
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    pacing: Optional[Pacing]
    """How delivery is spread."""
    pauseAfterGoal: Optional[bool]
    """Whether it stops at its goal."""
    price: Optional[str]
    """CPM, VCPM: per thousand; CPC, CPA, CPCV: each; FLAT: per day."""
    pricingModel: Optional[PricingModel]
    """Which event earns the price."""
    representativePercent: Optional[float]
    """No effect: goals bid for opportunities (docs/pacing.md). Was the percentage of its goal that is spread
    evenly over all of its traffic.
    """
    roadblock: Optional[Roadblock]
    """Whether its creatives fill several slots of one request."""
    serveWithoutUser: Optional[bool]
    """Whether it serves to unidentified users although it has frequency caps."""
    sharePercent: Optional[float]
    """Share of voice in percent (SPONSORSHIP) or weight of the draw (HOUSE); null elsewhere."""
    startsAt: Optional[str]
    """Start of serving; null = at once."""
    status: Optional[DeliveryStatus]
    """Status; DRAFT at first."""
    targeting: Optional[TargetingInput]
    """Its targeting; null = all inventory and all users."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    timezone: Optional[str]
    """IANA time zone of its days and day-parts; null = the network's."""
    type: Optional[LineItemType]
    """Its tier. Required for a new object."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class SavedObject(TypedDict, total=False):
    """One object of a saved campaign."""
    id: Optional[str]
    """Its id; null for a new object that was only validated."""
    isCreated: bool
    """Whether it is new."""
    key: Optional[str]
    """Its key in the input."""
    kind: SavedKind
    """What it is."""
    path: str
    """Where it is in the request, such as `input.lineItems.2`."""


class SearchHit(TypedDict, total=False):
    """An object that a search found."""
    code: Optional[str]
    """Its external id; of deals, sites, activities and keys, their code."""
    id: str
    """Its decimal id."""
    kind: SearchedKind
    """What it is."""
    name: str
    """Its name."""
    parentName: Optional[str]
    """The name of its campaign, advertiser, line item or site."""
    status: str
    """Its status, as its kind has it."""
    version: int
    """Its version."""


class Segment(TypedDict, total=False):
    """A named set of users. Members are uploaded to `POST /segments/<id>/members` or match a rule; only keyed
    hashes of their ids are stored.
    """
    createdAt: str
    """When it was made."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    description: str
    """Who is in it."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    isArchived: bool
    """Whether it is archived: it does not serve."""
    labels: List[str]
    """Labels to find it by. At most 10."""
    membershipDays: int
    """How long a user stays a member, in days: from the upload (which may set another time), or from the last
    match of the rule.
    """
    name: str
    """Name."""
    notes: str
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    rule: Optional[SegmentRule]
    """The rule that makes users members for `membershipDays` days after their last match; null = uploads only.
    Users who may not be profiled are left out. A changed rule starts with an empty segment.
    """
    sizeEstimate: int
    """Approximate number of members: uploaded less removed ones (expired ones still count), plus the users who
    matched the rule in the last `membershipDays` days.
    """
    sizeHistory: List[SegmentSize]
    """Its size at the beginning of each of the last days, oldest first; of the day on which it was made, soon
    after that. Days without a size are left out.
    """
    status: Lifecycle
    """Whether it is in use."""
    team: Optional[Team]
    """The team that looks after it."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    updatedAt: str
    """When it was last changed."""
    updatedBy: str
    """Who changed it last, as the audit log names them; empty: the system."""
    uploadedAt: Optional[str]
    """When members were last uploaded; null = never."""
    version: int
    """Grows with every change; send it with an update to detect concurrent changes."""


class SegmentActivity(TypedDict, total=False):
    """An event of an activity that was recorded."""
    activityId: str
    """The activity, by id."""
    event: Optional[str]
    """Only this event of it; null = every one."""


class _SegmentActivityInputRequired(TypedDict):
    activityId: str
    """The activity, by id."""


class SegmentActivityInput(_SegmentActivityInputRequired, total=False):
    """An event of an activity that was recorded."""
    event: Optional[str]
    """Only this event of it; absent = every one."""


class SegmentBulkPayload(TypedDict, total=False):
    """The result of a bulk change of segments."""
    changedCount: int
    """How many rows were changed (0 when only validated, or all undone)."""
    failedCount: int
    """How many rows were wrong."""
    results: List[SegmentBulkResult]
    """One result for each row, in the order of the input."""
    userErrors: List[UserError]
    """The mistakes in all rows, and those of the call as a whole; empty when all is valid."""


class SegmentBulkResult(TypedDict, total=False):
    """The result of one row of a bulk change of segments."""
    code: Optional[UserErrorCode]
    """Error code of this row; null when the row is valid."""
    index: int
    """Its index in the input, from 0."""
    message: Optional[str]
    """What to do about the error."""
    problems: List[FieldProblem]
    """Wrong fields of this row."""
    segment: Optional[Segment]
    """The object after the change; null when this row was not changed."""
    userErrors: List[UserError]
    """The mistakes in this row; empty when it is valid."""
    warnings: List[FieldProblem]
    """Doubtful fields of this row."""


class SegmentCondition(TypedDict, total=False):
    """What makes a user a member; exactly one of its fields is set."""
    activity: Optional[SegmentActivity]
    """A recorded activity."""
    keyValue: Optional[SegmentKeyValue]
    """A request with a key-value."""


class SegmentConditionInput(TypedDict, total=False):
    """What makes a user a member: set exactly one field."""
    activity: Optional[SegmentActivityInput]
    """A recorded activity."""
    keyValue: Optional[SegmentKeyValueInput]
    """A request with a key-value."""


class SegmentConnection(TypedDict, total=False):
    """A page of a list of segments."""
    edges: List[SegmentEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[Segment]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class SegmentEdge(TypedDict, total=False):
    """One segment in a list."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: Segment
    """The object."""


class SegmentFilter(TypedDict, total=False):
    """Filters a list of segments. All given parts must match; a list means any of its values."""
    customFields: Any
    """Only with all of these values of custom fields, such as {"region": "North"}."""
    ids: Optional[List[str]]
    """Only these."""
    labels: Optional[List[str]]
    """Only with one of these labels."""
    owners: Optional[List[str]]
    """Only of these owners."""
    search: Optional[str]
    """Only those whose name (or code, or external id) contains this text, in any case; or that have this very id."""
    statuses: Optional[List[Lifecycle]]
    """Only with one of these statuses."""
    teamIds: Optional[List[str]]
    """Only of these teams."""
    updatedSince: Optional[str]
    """Only those changed at or after this instant."""


class SegmentKeyValue(TypedDict, total=False):
    """A request that carried a key with one of these values."""
    key: str
    """The key, in lower case."""
    values: List[str]
    """The values, in lower case; empty = any value."""


class _SegmentKeyValueInputRequired(TypedDict):
    key: str
    """The key; letter case does not matter."""


class SegmentKeyValueInput(_SegmentKeyValueInputRequired, total=False):
    """A request that carried a key with one of these values."""
    values: Optional[List[str]]
    """Up to 500 values; letter case does not matter; none = any value."""


class _SegmentOrderRequired(TypedDict):
    field: SegmentOrderField
    """What to sort by."""


class SegmentOrder(_SegmentOrderRequired, total=False):
    """The order of a list of segments."""
    direction: Optional[SortDirection]
    """The direction; default ASC."""


class SegmentPayload(TypedDict, total=False):
    """The result of a change of one segment."""
    segment: Optional[Segment]
    """The object after the change; null when it was only validated."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


class SegmentRule(TypedDict, total=False):
    """Users who match it become members."""
    any: List[SegmentCondition]
    """Any of these is enough."""


class SegmentRuleInput(TypedDict):
    """Users who match it become members."""
    any: List[SegmentConditionInput]
    """1…50 conditions; any of them is enough."""


class SegmentSize(TypedDict, total=False):
    """The size of a segment at the beginning of one day of the network’s time zone."""
    day: str
    """The day, `YYYY-MM-DD`."""
    size: int
    """Approximate number of members, as `sizeEstimate` counts them."""


# A filter of segments by any field, at most 100 comparisons. All that is given must hold.
SegmentWhere = TypedDict(
    "SegmentWhere",
    {
        "and": "Optional[List[SegmentWhere]]",
        "createdAt": "Optional[DateTimeWhere]",
        "description": "Optional[StringWhere]",
        "id": "Optional[IDWhere]",
        "labels": "Optional[StringListWhere]",
        "membershipDays": "Optional[IntWhere]",
        "name": "Optional[StringWhere]",
        "not": "Optional[SegmentWhere]",
        "notes": "Optional[StringWhere]",
        "or": "Optional[List[SegmentWhere]]",
        "owner": "Optional[StringWhere]",
        "status": "Optional[LifecycleWhere]",
        "team": "Optional[TeamWhere]",
        "teamId": "Optional[IDWhere]",
        "updatedAt": "Optional[DateTimeWhere]",
        "updatedBy": "Optional[StringWhere]",
        "uploadedAt": "Optional[DateTimeWhere]",
        "version": "Optional[IntWhere]",
    },
    total=False,
)


class Session(TypedDict, total=False):
    """A browser that a user is signed in with."""
    createdAt: str
    """When it signed in."""
    expiresAt: str
    """When it ends at the latest."""
    id: str
    """Decimal id."""
    lastSeenAt: str
    """When it was last active."""
    remoteAddress: str
    """Where it signed in from."""
    userAgent: str
    """What the browser calls itself."""


class Site(TypedDict, total=False):
    """A site of the publisher."""
    adUnits: AdUnitConnection
    """Its ad units, by id."""
    areas: AreaConnection
    """Its areas, by id."""
    code: str
    """Its value of `site.id` in requests; unique in the network."""
    createdAt: str
    """When it was made."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    domain: str
    """Domain, such as "news.example". A domain in Unicode is stored in its form of ASCII (`xn--…`)."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    isArchived: bool
    """Whether it is archived: it does not serve."""
    labels: List[str]
    """Labels to find it by. At most 10."""
    name: str
    """Name."""
    notes: str
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    status: Lifecycle
    """Whether it is in use."""
    team: Optional[Team]
    """The team that looks after it."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    updatedAt: str
    """When it was last changed."""
    updatedBy: str
    """Who changed it last, as the audit log names them; empty: the system."""
    version: int
    """Grows with every change; send it with an update to detect concurrent changes."""


class SiteBulkPayload(TypedDict, total=False):
    """The result of a bulk change of sites."""
    changedCount: int
    """How many rows were changed (0 when only validated, or all undone)."""
    failedCount: int
    """How many rows were wrong."""
    results: List[SiteBulkResult]
    """One result for each row, in the order of the input."""
    userErrors: List[UserError]
    """The mistakes in all rows, and those of the call as a whole; empty when all is valid."""


class SiteBulkResult(TypedDict, total=False):
    """The result of one row of a bulk change of sites."""
    code: Optional[UserErrorCode]
    """Error code of this row; null when the row is valid."""
    index: int
    """Its index in the input, from 0."""
    message: Optional[str]
    """What to do about the error."""
    problems: List[FieldProblem]
    """Wrong fields of this row."""
    site: Optional[Site]
    """The object after the change; null when this row was not changed."""
    userErrors: List[UserError]
    """The mistakes in this row; empty when it is valid."""
    warnings: List[FieldProblem]
    """Doubtful fields of this row."""


class SiteConnection(TypedDict, total=False):
    """A page of a list of sites."""
    edges: List[SiteEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[Site]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class SiteEdge(TypedDict, total=False):
    """One site in a list."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: Site
    """The object."""


class SiteFilter(TypedDict, total=False):
    """Filters a list of sites. All given parts must match; a list means any of its values."""
    codes: Optional[List[str]]
    """Only with one of these codes."""
    customFields: Any
    """Only with all of these values of custom fields, such as {"region": "North"}."""
    domains: Optional[List[str]]
    """Only of these domains."""
    ids: Optional[List[str]]
    """Only these."""
    labels: Optional[List[str]]
    """Only with one of these labels."""
    owners: Optional[List[str]]
    """Only of these owners."""
    search: Optional[str]
    """Only those whose name (or code, or external id) contains this text, in any case; or that have this very id."""
    statuses: Optional[List[Lifecycle]]
    """Only with one of these statuses."""
    teamIds: Optional[List[str]]
    """Only of these teams."""
    updatedSince: Optional[str]
    """Only those changed at or after this instant."""


class _SiteOrderRequired(TypedDict):
    field: SiteOrderField
    """What to sort by."""


class SiteOrder(_SiteOrderRequired, total=False):
    """The order of a list of sites."""
    direction: Optional[SortDirection]
    """The direction; default ASC."""


class SitePayload(TypedDict, total=False):
    """The result of a change of one site."""
    site: Optional[Site]
    """The object after the change; null when it was only validated."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


# A filter of sites by any field, at most 100 comparisons. All that is given must hold.
SiteWhere = TypedDict(
    "SiteWhere",
    {
        "adUnits": "Optional[AdUnitChildrenWhere]",
        "and": "Optional[List[SiteWhere]]",
        "areas": "Optional[AreaChildrenWhere]",
        "code": "Optional[StringWhere]",
        "createdAt": "Optional[DateTimeWhere]",
        "domain": "Optional[StringWhere]",
        "id": "Optional[IDWhere]",
        "labels": "Optional[StringListWhere]",
        "name": "Optional[StringWhere]",
        "not": "Optional[SiteWhere]",
        "notes": "Optional[StringWhere]",
        "or": "Optional[List[SiteWhere]]",
        "owner": "Optional[StringWhere]",
        "status": "Optional[LifecycleWhere]",
        "team": "Optional[TeamWhere]",
        "teamId": "Optional[IDWhere]",
        "updatedAt": "Optional[DateTimeWhere]",
        "updatedBy": "Optional[StringWhere]",
        "version": "Optional[IntWhere]",
    },
    total=False,
)


class Size(TypedDict, total=False):
    """Width and height in CSS pixels."""
    height: int
    """Height in CSS pixels."""
    width: int
    """Width in CSS pixels."""


class SizeInput(TypedDict):
    """Width and height in CSS pixels."""
    height: int
    """Height in CSS pixels, 1…10000."""
    width: int
    """Width in CSS pixels, 1…10000."""


class _SortInputRequired(TypedDict):
    field: SortField
    """What to sort by."""


class SortInput(_SortInputRequired, total=False):
    """The order of a list."""
    direction: Optional[SortDirection]
    """The direction; default ASC."""


class SplitLineItemPayload(TypedDict, total=False):
    """The result of splitting a line item."""
    lineItem: Optional[LineItem]
    """What stays of it; null when nothing was split."""
    part: Optional[LineItem]
    """The new line item, with its status and copies of its creatives; a DRAFT while it waits for approval; null
    when nothing was split.
    """
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class StorageUse(TypedDict, total=False):
    """How much of one storage quota the environment uses."""
    limit: int
    """The quota; more is refused as `quota_exceeded`."""
    name: str
    """One of assetBytes, reportBytes, segmentMembers, objects, savedViews, schedules, webhooks, bulkJobs,
    bulkJobBytes; errors use the same name.
    """
    title: str
    """What is counted."""
    unit: StorageUnit
    """Its unit."""
    used: int
    """Present use."""


# Comparisons of a field; all that are given must hold.
StringListWhere = TypedDict(
    "StringListWhere",
    {
        "has": "Optional[str]",
        "hasAny": "Optional[List[str]]",
        "not": "Optional[StringListWhere]",
    },
    total=False,
)


# Comparisons of a field; all that are given must hold.
StringWhere = TypedDict(
    "StringWhere",
    {
        "contains": "Optional[str]",
        "eq": "Optional[str]",
        "in": "Optional[List[str]]",
        "not": "Optional[StringWhere]",
    },
    total=False,
)


# One node of a targeting tree; exactly one of its fields is set.
Targeting = TypedDict(
    "Targeting",
    {
        "all": "Optional[List[Targeting]]",
        "any": "Optional[List[Targeting]]",
        "not": "Optional[Targeting]",
        "test": "Optional[TargetingTest]",
    },
    total=False,
)


# Comparisons of a field; all that are given must hold.
TargetingDimensionListWhere = TypedDict(
    "TargetingDimensionListWhere",
    {
        "has": "Optional[TargetingDimension]",
        "hasAny": "Optional[List[TargetingDimension]]",
        "not": "Optional[TargetingDimensionListWhere]",
    },
    total=False,
)


# One node of a targeting tree: set exactly one field. At most 500 nodes, 10 levels.
TargetingInput = TypedDict(
    "TargetingInput",
    {
        "all": "Optional[List[TargetingInput]]",
        "any": "Optional[List[TargetingInput]]",
        "not": "Optional[TargetingInput]",
        "test": "Optional[TargetingTestInput]",
    },
    total=False,
)


class TargetingPreset(TypedDict, total=False):
    """A targeting under a name, to copy into line items. A later change of it changes no line item."""
    createdAt: str
    """When it was made."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    description: str
    """The purpose of the preset."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    isArchived: bool
    """Whether it is archived: it does not serve."""
    name: str
    """Name."""
    status: Lifecycle
    """Whether it is in use."""
    targeting: Optional[Targeting]
    """The targeting."""
    updatedAt: str
    """When it was last changed."""
    updatedBy: str
    """Who changed it last, as the audit log names them; empty: the system."""
    version: int
    """Grows with every change; send it with an update to detect concurrent changes."""


class TargetingPresetBulkPayload(TypedDict, total=False):
    """The result of a bulk change of targeting presets."""
    changedCount: int
    """How many rows were changed (0 when only validated, or all undone)."""
    failedCount: int
    """How many rows were wrong."""
    results: List[TargetingPresetBulkResult]
    """One result for each row, in the order of the input."""
    userErrors: List[UserError]
    """The mistakes in all rows, and those of the call as a whole; empty when all is valid."""


class TargetingPresetBulkResult(TypedDict, total=False):
    """The result of one row of a bulk change of targeting presets."""
    code: Optional[UserErrorCode]
    """Error code of this row; null when the row is valid."""
    index: int
    """Its index in the input, from 0."""
    message: Optional[str]
    """What to do about the error."""
    problems: List[FieldProblem]
    """Wrong fields of this row."""
    targetingPreset: Optional[TargetingPreset]
    """The object after the change; null when this row was not changed."""
    userErrors: List[UserError]
    """The mistakes in this row; empty when it is valid."""
    warnings: List[FieldProblem]
    """Doubtful fields of this row."""


class TargetingPresetConnection(TypedDict, total=False):
    """A page of a list of targeting presets."""
    edges: List[TargetingPresetEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[TargetingPreset]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class TargetingPresetEdge(TypedDict, total=False):
    """One targeting preset in a list."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: TargetingPreset
    """The object."""


class TargetingPresetFilter(TypedDict, total=False):
    """Filters a list of targeting presets. All given parts must match; a list means any of its values."""
    ids: Optional[List[str]]
    """Only these."""
    search: Optional[str]
    """Only those whose name (or code, or external id) contains this text, in any case; or that have this very id."""
    statuses: Optional[List[Lifecycle]]
    """Only with one of these statuses."""
    updatedSince: Optional[str]
    """Only those changed at or after this instant."""


class _TargetingPresetOrderRequired(TypedDict):
    field: TargetingPresetOrderField
    """What to sort by."""


class TargetingPresetOrder(_TargetingPresetOrderRequired, total=False):
    """The order of a list of targeting presets."""
    direction: Optional[SortDirection]
    """The direction; default ASC."""


class TargetingPresetPayload(TypedDict, total=False):
    """The result of a change of one targeting preset."""
    targetingPreset: Optional[TargetingPreset]
    """The object after the change; null when it was only validated."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


# A filter of targeting presets by any field, at most 100 comparisons. All that is given must hold.
TargetingPresetWhere = TypedDict(
    "TargetingPresetWhere",
    {
        "and": "Optional[List[TargetingPresetWhere]]",
        "createdAt": "Optional[DateTimeWhere]",
        "description": "Optional[StringWhere]",
        "id": "Optional[IDWhere]",
        "name": "Optional[StringWhere]",
        "not": "Optional[TargetingPresetWhere]",
        "or": "Optional[List[TargetingPresetWhere]]",
        "status": "Optional[LifecycleWhere]",
        "updatedAt": "Optional[DateTimeWhere]",
        "updatedBy": "Optional[StringWhere]",
        "version": "Optional[IntWhere]",
    },
    total=False,
)


class TargetingTest(TypedDict, total=False):
    """One test on one dimension."""
    dimension: TargetingDimension
    """The dimension."""
    key: Optional[str]
    """The key, for KEY_VALUE."""
    operator: TargetingOperator
    """How it compares."""
    values: List[str]
    """The values."""


class _TargetingTestInputRequired(TypedDict):
    dimension: TargetingDimension
    """The dimension."""
    values: List[str]
    """1…1000 values; any of them is enough."""


class TargetingTestInput(_TargetingTestInputRequired, total=False):
    """One test on one dimension."""
    key: Optional[str]
    """The key, for KEY_VALUE only."""
    operator: Optional[TargetingOperator]
    """How it compares; default IS."""


class Team(TypedDict, total=False):
    """People who look after objects together. It gives no permissions."""
    createdAt: str
    """When it was made."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    description: str
    """What it looks after."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    isArchived: bool
    """Whether it is archived: it does not serve."""
    members: List[str]
    """E-mail addresses of its people."""
    name: str
    """Name."""
    status: Lifecycle
    """Whether it is in use."""
    updatedAt: str
    """When it was last changed."""
    updatedBy: str
    """Who changed it last, as the audit log names them; empty: the system."""
    version: int
    """Grows with every change; send it with an update to detect concurrent changes."""


class TeamBulkPayload(TypedDict, total=False):
    """The result of a bulk change of teams."""
    changedCount: int
    """How many rows were changed (0 when only validated, or all undone)."""
    failedCount: int
    """How many rows were wrong."""
    results: List[TeamBulkResult]
    """One result for each row, in the order of the input."""
    userErrors: List[UserError]
    """The mistakes in all rows, and those of the call as a whole; empty when all is valid."""


class TeamBulkResult(TypedDict, total=False):
    """The result of one row of a bulk change of teams."""
    code: Optional[UserErrorCode]
    """Error code of this row; null when the row is valid."""
    index: int
    """Its index in the input, from 0."""
    message: Optional[str]
    """What to do about the error."""
    problems: List[FieldProblem]
    """Wrong fields of this row."""
    team: Optional[Team]
    """The object after the change; null when this row was not changed."""
    userErrors: List[UserError]
    """The mistakes in this row; empty when it is valid."""
    warnings: List[FieldProblem]
    """Doubtful fields of this row."""


class TeamConnection(TypedDict, total=False):
    """A page of a list of teams."""
    edges: List[TeamEdge]
    """The objects of this page, each with its cursor."""
    nodes: List[Team]
    """The objects of this page, without their cursors."""
    pageInfo: PageInfo
    """The position of this page in the list."""
    totalCount: int
    """How many objects match the filter, over all pages. Costs a count of its own."""


class TeamEdge(TypedDict, total=False):
    """One team in a list."""
    cursor: str
    """Opaque position in the list, for `after` and `before`."""
    node: Team
    """The object."""


class TeamFilter(TypedDict, total=False):
    """Filters a list of teams. All given parts must match; a list means any of its values."""
    ids: Optional[List[str]]
    """Only these."""
    search: Optional[str]
    """Only those whose name (or code, or external id) contains this text, in any case; or that have this very id."""
    statuses: Optional[List[Lifecycle]]
    """Only with one of these statuses."""
    updatedSince: Optional[str]
    """Only those changed at or after this instant."""


class TeamMember(TypedDict, total=False):
    """A member of the network, as other members see them."""
    email: str
    """E-mail address, as `owner` of an object has it."""
    id: str
    """Id of the account."""
    name: str
    """Name."""


class _TeamOrderRequired(TypedDict):
    field: TeamOrderField
    """What to sort by."""


class TeamOrder(_TeamOrderRequired, total=False):
    """The order of a list of teams."""
    direction: Optional[SortDirection]
    """The direction; default ASC."""


class TeamPayload(TypedDict, total=False):
    """The result of a change of one team."""
    team: Optional[Team]
    """The object after the change; null when it was only validated."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    validatedOnly: bool
    """Whether only validation was requested, so that nothing was changed."""
    warnings: List[FieldProblem]
    """Warnings: allowed, but probably unintended."""


# A filter of teams by any field, at most 100 comparisons. All that is given must hold.
TeamWhere = TypedDict(
    "TeamWhere",
    {
        "and": "Optional[List[TeamWhere]]",
        "createdAt": "Optional[DateTimeWhere]",
        "description": "Optional[StringWhere]",
        "id": "Optional[IDWhere]",
        "members": "Optional[StringListWhere]",
        "name": "Optional[StringWhere]",
        "not": "Optional[TeamWhere]",
        "or": "Optional[List[TeamWhere]]",
        "status": "Optional[LifecycleWhere]",
        "updatedAt": "Optional[DateTimeWhere]",
        "updatedBy": "Optional[StringWhere]",
        "version": "Optional[IntWhere]",
    },
    total=False,
)


class TestWebhookPayload(TypedDict, total=False):
    """The result of testing a webhook."""
    delivery: Optional[WebhookDelivery]
    """The message; its state shows the result."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class ThirdPartyTrackers(TypedDict, total=False):
    """Third-party tracking addresses."""
    clickUrls: List[str]
    """Called at a click."""
    impressionUrls: List[str]
    """Called at an impression."""
    viewableUrls: List[str]
    """Called when the ad was viewable."""


class ThirdPartyTrackersInput(TypedDict, total=False):
    """Third-party tracking addresses; https only. The whole set is replaced."""
    clickUrls: Optional[List[str]]
    """Called at a click. At most 10."""
    impressionUrls: Optional[List[str]]
    """Called at an impression. At most 10."""
    viewableUrls: Optional[List[str]]
    """Called when the ad was viewable. At most 10."""


class _UpdateActivityEntryRequired(TypedDict):
    id: str
    """Its decimal id."""
    input: UpdateActivityInput
    """The fields to change."""


class UpdateActivityEntry(_UpdateActivityEntryRequired, total=False):
    """One row of a bulk update of activities."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class UpdateActivityInput(TypedDict, total=False):
    """The fields to change of one activity. Absent: unchanged. null: cleared, where a field may be empty."""
    acceptsPixel: Optional[bool]
    """Whether pages may send its events without a key, to `GET /<network>/activity`. Anybody can then send them:
    do not bill by such events alone.
    """
    advertiserId: Optional[str]
    """The advertiser: only clicks and impressions of its ads are credited. null = the last click or impression of
    any advertiser.
    """
    clickWindowSeconds: Optional[int]
    """How long after a click it is credited; up to 90 days."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    name: Optional[str]
    """Name."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    repeatIntervalSeconds: Optional[int]
    """Without an order reference, a second event of a user within this time does not count; up to 30 days."""
    status: Optional[Lifecycle]
    """Whether it is in use."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    viewWindowSeconds: Optional[int]
    """How long after an impression it is credited when there was no click; up to 30 days."""


class _UpdateAdUnitEntryRequired(TypedDict):
    id: str
    """Its decimal id."""
    input: UpdateAdUnitInput
    """The fields to change."""


class UpdateAdUnitEntry(_UpdateAdUnitEntryRequired, total=False):
    """One row of a bulk update of ad units."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class UpdateAdUnitInput(TypedDict, total=False):
    """The fields to change of one ad unit. Absent: unchanged. null: cleared, where a field may be empty."""
    areaId: Optional[str]
    """Its area; null = the site as a whole."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    floor: Optional[str]
    """Lowest CPM; 0 = none."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    mediaTypes: Optional[List[MediaType]]
    """What it can show."""
    name: Optional[str]
    """Its code in requests; unique in the network."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    sizes: Optional[List[SizeInput]]
    """The sizes it takes, at most 50; empty = as the request says."""
    status: Optional[Lifecycle]
    """Whether it is in use."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""


class _UpdateAdvertiserEntryRequired(TypedDict):
    id: str
    """Its decimal id."""
    input: UpdateAdvertiserInput
    """The fields to change."""


class UpdateAdvertiserEntry(_UpdateAdvertiserEntryRequired, total=False):
    """One row of a bulk update of advertisers."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class UpdateAdvertiserInput(TypedDict, total=False):
    """The fields to change of one advertiser. Absent: unchanged. null: cleared, where a field may be empty."""
    categories: Optional[List[str]]
    """IAB content categories, such as "IAB2-3"."""
    credit: Optional[str]
    """The total budget; null = no limit."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    domains: Optional[List[str]]
    """Domains that its ads lead to, as `adomain` in bids. Domains in Unicode are stored in their form of ASCII
    (`xn--…`).
    """
    dsaBehalf: Optional[str]
    """On whose behalf its ads are shown (DSA); at most 100 characters."""
    dsaPaid: Optional[str]
    """Who pays for them (DSA); at most 100 characters."""
    exclusionLabels: Optional[List[str]]
    """Two ads that share a label never appear in one response."""
    externalId: Optional[str]
    """Id in your own system."""
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user; the strictest applies. At most 20."""
    labels: Optional[List[str]]
    """Labels of all its line items. Caps of the network by label (`labelCaps`) count all ads that bear one. At
    most 10.
    """
    name: Optional[str]
    """Name."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    status: Optional[Lifecycle]
    """Whether it is in use; none of its campaigns serves while ARCHIVED."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""


class _UpdateAdvertisingProductEntryRequired(TypedDict):
    id: str
    """Its decimal id."""
    input: UpdateAdvertisingProductInput
    """The fields to change."""


class UpdateAdvertisingProductEntry(_UpdateAdvertisingProductEntryRequired, total=False):
    """One row of a bulk update of advertising products."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class UpdateAdvertisingProductInput(TypedDict, total=False):
    """The fields to change of one advertising product. Absent: unchanged. null: cleared, where a field may be
    empty.
    """
    buyerDimensions: Optional[List[TargetingDimension]]
    """The dimensions of targeting that a buyer may add; empty = none."""
    cancellationNoticeDays: Optional[int]
    """Days from a cancellation to its effect."""
    channels: Optional[List[Channel]]
    """The media channels that it is sold in."""
    creativePolicy: Optional[CreativePolicyInput]
    """What its creatives have to be like; null = nothing besides its formats."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    delivery: Optional[ProductDelivery]
    """Whether it promises an amount; default: NON_GUARANTEED."""
    description: Optional[str]
    """What buyers get."""
    formats: Optional[List[ProductFormatInput]]
    """The formats that its creatives may have; empty = all that the inventory shows. At most 20."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    leadTimeHours: Optional[int]
    """Hours from a booking to its earliest start."""
    maximumDays: Optional[int]
    """Longest flight of a booking in days; null = none."""
    measurement: Optional[ProductMeasurementInput]
    """How its delivery is measured; null = not agreed."""
    minimumDays: Optional[int]
    """Shortest flight of a booking in days; null = none."""
    minimumSpend: Optional[str]
    """The lowest budget of a booking; null = none."""
    name: Optional[str]
    """Name."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    offeredAdvertiserIds: Optional[List[str]]
    """The advertisers whose keys of buyers see it, by id; empty = all. At most 1000."""
    offeredToBuyers: Optional[bool]
    """Whether keys of buyers, such as their agents', see it and may book it."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    priceOptions: Optional[List[PriceOptionInput]]
    """The ways to pay for it; empty = it has no price yet. The whole list is replaced. At most 100."""
    status: Optional[Lifecycle]
    """Whether it is in use."""
    targeting: Optional[TargetingInput]
    """Its inventory and audiences; null = all inventory and all users."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""


class _UpdateAreaEntryRequired(TypedDict):
    id: str
    """Its decimal id."""
    input: UpdateAreaInput
    """The fields to change."""


class UpdateAreaEntry(_UpdateAreaEntryRequired, total=False):
    """One row of a bulk update of areas."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class UpdateAreaInput(TypedDict, total=False):
    """The fields to change of one area. Absent: unchanged. null: cleared, where a field may be empty."""
    code: Optional[str]
    """Its value of `site.ext.area` in requests; unique in its site."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    name: Optional[str]
    """Name."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    status: Optional[Lifecycle]
    """Whether it is in use."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""


class _UpdateCampaignEntryRequired(TypedDict):
    id: str
    """Its decimal id."""
    input: UpdateCampaignInput
    """The fields to change."""


class UpdateCampaignEntry(_UpdateCampaignEntryRequired, total=False):
    """One row of a bulk update of campaigns."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class UpdateCampaignInput(TypedDict, total=False):
    """The fields to change of one campaign. Absent: unchanged. null: cleared, where a field may be empty."""
    caps: Optional[DeliveryCapsInput]
    """Hard limits per day and in total."""
    contacts: Optional[List[str]]
    """People of the order outside of the network, such as "Ann Lee, ann@example.com". At most 20."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    endsAt: Optional[str]
    """End of serving, exclusive; null = open-ended."""
    externalId: Optional[str]
    """Id in your own system."""
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user; the strictest applies. At most 20."""
    labels: Optional[List[str]]
    """Labels of all its line items. Caps of the network by label (`labelCaps`) count all ads that bear one. At
    most 10.
    """
    name: Optional[str]
    """Name."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    orderNumber: Optional[str]
    """Number of the order, as invoices name it."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    salesperson: Optional[str]
    """The e-mail address of the member of the network who sold the order; null = nobody."""
    startsAt: Optional[str]
    """Start of serving; null = at once."""
    status: Optional[DeliveryStatus]
    """Status; DRAFT at first."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""


class _UpdateCreativeEntryRequired(TypedDict):
    id: str
    """Its decimal id."""
    input: UpdateCreativeInput
    """The fields to change."""


class UpdateCreativeEntry(_UpdateCreativeEntryRequired, total=False):
    """One row of a bulk update of creatives."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class UpdateCreativeInput(TypedDict, total=False):
    """The fields to change of one creative. Absent: unchanged. null: cleared, where a field may be empty."""
    attributes: Optional[List[int]]
    """OpenRTB creative attributes, which publishers can block."""
    clickUrl: Optional[str]
    """Landing address, http or https."""
    content: Optional[CreativeContentInput]
    """What is shown; its shape is the format."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    endsAt: Optional[str]
    """End of serving, exclusive; null = with its line item."""
    externalId: Optional[str]
    """Id in your own system."""
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user; the strictest applies. At most 20."""
    height: Optional[int]
    """Height in CSS pixels; 0 × 0 fits any size (native, video)."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    language: Optional[str]
    """Language of its text, ISO 639, such as "pl"."""
    name: Optional[str]
    """Name."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    reviewReason: Optional[str]
    """Why it was rejected, or a remark of the review; a new review state without one clears it."""
    reviewState: Optional[ReviewState]
    """The result of its review; only APPROVED serves."""
    startsAt: Optional[str]
    """Start of serving; null = with its line item."""
    status: Optional[CreativeStatus]
    """Status; ACTIVE at first."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    trackers: Optional[ThirdPartyTrackersInput]
    """Third-party tracking addresses."""
    weight: Optional[int]
    """Share of the draw among its siblings."""
    width: Optional[int]
    """Width in CSS pixels; 0 × 0 fits any size (native, video)."""


class _UpdateCustomFieldEntryRequired(TypedDict):
    id: str
    """Its decimal id."""
    input: UpdateCustomFieldInput
    """The fields to change."""


class UpdateCustomFieldEntry(_UpdateCustomFieldEntryRequired, total=False):
    """One row of a bulk update of custom fields."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class UpdateCustomFieldInput(TypedDict, total=False):
    """The fields to change of one custom field. Absent: unchanged. null: cleared, where a field may be empty."""
    choices: Optional[List[str]]
    """The values to choose from, for CHOICE."""
    description: Optional[str]
    """What it means."""
    kinds: Optional[List[str]]
    """The kinds of objects that have it, among advertiser, advertisingProduct, deal, site, area, adUnit, floor,
    activity, keyValue, segment, campaign, lineItem, creative, libraryCreative, experiment; empty = all.
    """
    name: Optional[str]
    """Name for people."""
    status: Optional[Lifecycle]
    """Whether it is in use."""


class _UpdateDealEntryRequired(TypedDict):
    id: str
    """Its decimal id."""
    input: UpdateDealInput
    """The fields to change."""


class UpdateDealEntry(_UpdateDealEntryRequired, total=False):
    """One row of a bulk update of deals."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class UpdateDealInput(TypedDict, total=False):
    """The fields to change of one deal. Absent: unchanged. null: cleared, where a field may be empty."""
    code: Optional[str]
    """Its code in bid requests and responses, unique in the network."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    fixedPrice: Optional[str]
    """Fixed CPM; null = the line item's price."""
    floor: Optional[str]
    """Lowest CPM; 0 = none."""
    kind: Optional[DealKind]
    """The kind of agreement; default: PRIVATE."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    name: Optional[str]
    """Name."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    seats: Optional[List[str]]
    """Buyers that may use it; empty = all."""
    status: Optional[Lifecycle]
    """Whether it is in use."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""


class _UpdateExperimentEntryRequired(TypedDict):
    id: str
    """Its decimal id."""
    input: UpdateExperimentInput
    """The fields to change."""


class UpdateExperimentEntry(_UpdateExperimentEntryRequired, total=False):
    """One row of a bulk update of experiments."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class UpdateExperimentInput(TypedDict, total=False):
    """The fields to change of one experiment. Absent: unchanged. null: cleared, where a field may be empty."""
    endsAt: Optional[str]
    """When it ends, at most 366 days after it begins. The present instant stops it. It is fixed once the
    experiment has ended.
    """
    name: Optional[str]
    """Name."""
    sharePercent: Optional[int]
    """The share of users, and of requests without a user, that the rule decides, in percent: 1…50. It is fixed
    once the experiment has begun.
    """
    startsAt: Optional[str]
    """When it begins. It is fixed once the experiment has begun."""
    status: Optional[Lifecycle]
    """Whether it is kept in lists. Archiving ends it."""


class _UpdateFloorEntryRequired(TypedDict):
    id: str
    """Its decimal id."""
    input: UpdateFloorInput
    """The fields to change."""


class UpdateFloorEntry(_UpdateFloorEntryRequired, total=False):
    """One row of a bulk update of floors."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class UpdateFloorInput(TypedDict, total=False):
    """The fields to change of one floor. Absent: unchanged. null: cleared, where a field may be empty."""
    adUnitId: Optional[str]
    """Only in this ad unit."""
    areaId: Optional[str]
    """Only in this area."""
    countries: Optional[List[str]]
    """Only for users in these countries, ISO 3166 alpha-2; empty = any. An unknown country matches no listed one."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    dealId: Optional[str]
    """Only for line items of this deal. Without one, it does not apply to what is bid under a deal that the
    request offers: deals have floors of their own.
    """
    floor: Optional[str]
    """Lowest CPM."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    mediaTypes: Optional[List[MediaType]]
    """Only for these kinds of ads; empty = any."""
    name: Optional[str]
    """Name."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    priority: Optional[int]
    """The higher goes first."""
    siteId: Optional[str]
    """Only on this site."""
    sizes: Optional[List[SizeInput]]
    """Only for ads of these sizes, at most 50; empty = any."""
    status: Optional[Lifecycle]
    """Whether it is in use."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""


class _UpdateKeyValueEntryRequired(TypedDict):
    id: str
    """Its decimal id."""
    input: UpdateKeyValueInput
    """The fields to change."""


class UpdateKeyValueEntry(_UpdateKeyValueEntryRequired, total=False):
    """One row of a bulk update of key-values."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class UpdateKeyValueInput(TypedDict, total=False):
    """The fields to change of one key-value. Absent: unchanged. null: cleared, where a field may be empty."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    description: Optional[str]
    """What it means."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    name: Optional[str]
    """Name for people."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    reportable: Optional[bool]
    """Whether reports list its values separately, in a dimension `kv_<key>`; this holds for events after it is
    set. At most 10 keys of a network; archived ones count, because reports still cover their past.
    """
    status: Optional[Lifecycle]
    """Whether it is in use."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    values: Optional[List[str]]
    """Known values, to choose from; requests may carry others."""


class _UpdateLibraryCreativeEntryRequired(TypedDict):
    id: str
    """Its decimal id."""
    input: UpdateLibraryCreativeInput
    """The fields to change."""


class UpdateLibraryCreativeEntry(_UpdateLibraryCreativeEntryRequired, total=False):
    """One row of a bulk update of library creatives."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class UpdateLibraryCreativeInput(TypedDict, total=False):
    """The fields to change of one library creative. Absent: unchanged. null: cleared, where a field may be empty."""
    attributes: Optional[List[int]]
    """OpenRTB creative attributes, which publishers can block."""
    clickUrl: Optional[str]
    """Landing address, http or https."""
    content: Optional[CreativeContentInput]
    """What is shown; its shape is the format."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    externalId: Optional[str]
    """Id in your own system."""
    height: Optional[int]
    """Height in CSS pixels; 0 × 0 fits any size (native, video)."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    language: Optional[str]
    """Language of its text, ISO 639, such as "pl"."""
    name: Optional[str]
    """Name."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    reviewReason: Optional[str]
    """Why it was rejected, or a remark of the review; a new review state without one clears it."""
    reviewState: Optional[ReviewState]
    """The result of its review; only APPROVED serves."""
    status: Optional[Lifecycle]
    """Whether it is in use. ARCHIVED archives all its associations; ACTIVE again restores none of them."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    trackers: Optional[ThirdPartyTrackersInput]
    """Third-party tracking addresses."""
    width: Optional[int]
    """Width in CSS pixels; 0 × 0 fits any size (native, video)."""


class _UpdateLineItemEntryRequired(TypedDict):
    id: str
    """Its decimal id."""
    input: UpdateLineItemInput
    """The fields to change."""


class UpdateLineItemEntry(_UpdateLineItemEntryRequired, total=False):
    """One row of a bulk update of line items."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class UpdateLineItemInput(TypedDict, total=False):
    """The fields to change of one line item. Absent: unchanged. null: cleared, where a field may be empty."""
    advertisingProductId: Optional[str]
    """The product it is sold as; null = none."""
    caps: Optional[DeliveryCapsInput]
    """Hard limits per day and in total."""
    companionMode: Optional[CompanionMode]
    """Whether its companions stand beside their masters; other than NONE only with roadblock ONE."""
    countedActivities: Optional[List[CountedActivityInput]]
    """The activities whose conversions are credited to it: they count toward its goal, and CPA pays for them.
    Empty = every activity. At most 50.
    """
    creativeRotation: Optional[CreativeRotation]
    """How one of several fitting creatives is chosen."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    dayParts: Optional[List[DayPartInput]]
    """When in the week it serves; empty = always. At most 50."""
    dealId: Optional[str]
    """The deal it serves; null = open."""
    endsAt: Optional[str]
    """End of serving, exclusive; null = open-ended."""
    exclusionLabels: Optional[List[str]]
    """Two ads that share a label never appear in one response."""
    externalId: Optional[str]
    """Id in your own system."""
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user; the strictest applies. At most 20."""
    goal: Optional[GoalInput]
    """Its goal; null = none."""
    labels: Optional[List[str]]
    """Labels of the line item. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10."""
    level: Optional[int]
    """Rank within its tier (SPONSORSHIP, STANDARD): 1 is decided first, 16 last."""
    name: Optional[str]
    """Name."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    optimisationGoal: Optional[OptimisationGoal]
    """What it maximises: OPTIMISED rotation chooses the creative by the rate of this event, and a paced line item
    that has more opportunities than its goal needs chooses the ad units. null = nothing.
    """
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    pacing: Optional[Pacing]
    """How delivery is spread."""
    pauseAfterGoal: Optional[bool]
    """Whether it stops at its goal."""
    price: Optional[str]
    """CPM, VCPM: per thousand; CPC, CPA, CPCV: each; FLAT: per day."""
    pricingModel: Optional[PricingModel]
    """Which event earns the price."""
    representativePercent: Optional[float]
    """No effect: goals bid for opportunities (docs/pacing.md). Was the percentage of its goal that is spread
    evenly over all of its traffic.
    """
    roadblock: Optional[Roadblock]
    """Whether its creatives fill several slots of one request."""
    serveWithoutUser: Optional[bool]
    """Whether it serves to unidentified users although it has frequency caps."""
    sharePercent: Optional[float]
    """Share of voice in percent (SPONSORSHIP) or weight of the draw (HOUSE); null elsewhere."""
    startsAt: Optional[str]
    """Start of serving; null = at once."""
    status: Optional[DeliveryStatus]
    """Status; DRAFT at first."""
    targeting: Optional[TargetingInput]
    """Its targeting; null = all inventory and all users."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    timezone: Optional[str]
    """IANA time zone of its days and day-parts; null = the network's."""
    type: Optional[LineItemType]
    """Its tier."""


class UpdateMembershipPayload(TypedDict, total=False):
    """The result of changing a role."""
    user: Optional[User]
    """The user with the new role."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class UpdateNetworkInput(TypedDict, total=False):
    """Settings of the network to change. Absent: stays."""
    approvalRequired: Optional[bool]
    """Whether another member has to approve a guaranteed booking before it goes live; null = no. What is live
    stays so, and waits in `bookingsToApprove` until its terms are approved.
    """
    creativeReview: Optional[CreativeReview]
    """Whether new creatives, and those whose content changes, are reviewed before they serve; null = NONE.
    Creatives that serve already stay as they are.
    """
    currency: Optional[str]
    """ISO 4217 code; fixed once a line item has a price."""
    exchangeRates: Optional[List[ExchangeRateInput]]
    """What other currencies are worth, at most 400 entries; null = unknown. The whole list is replaced."""
    floor: Optional[str]
    """Floor price as CPM; 0 = none."""
    goalCompetition: Optional[GoalCompetition]
    """How guaranteed line items meet what is sold by price; null = BIDS."""
    impressionTouches: Optional[ImpressionTouches]
    """Which impressions a conversion may be credited to when there was no click; null = IMPRESSIONS. Applies to
    impressions from then on.
    """
    labelCaps: Optional[List[LabelCapInput]]
    """How often one user sees ads that bear a label, at most 60 labels; null = no limits. The whole list is
    replaced.
    """
    languages: Optional[List[str]]
    """Languages of the "Why this ad?" page, of en, pl, de, fr, es."""
    limits: Optional[NetworkLimitsInput]
    """Rate limits of its own."""
    name: Optional[str]
    """Name."""
    representativePercent: Optional[float]
    """No effect: goals bid for opportunities. 0…100; null = 50."""
    retentionDays: Optional[int]
    """How long single events are kept, 30…3650 days; null = for ever. Older ones are deleted once a day."""
    status: Optional[NetworkStatus]
    """ACTIVE or PAUSED; SUSPENDED is for the operator."""
    timezone: Optional[str]
    """IANA time zone, such as "Europe/Warsaw"."""


class UpdateNetworkPayload(TypedDict, total=False):
    """The result of changing a network."""
    network: Optional[Network]
    """The network; with `validateOnly`, as it would be."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """


class UpdateReportScheduleInput(TypedDict, total=False):
    """The fields to change; absent fields stay."""
    cron: Optional[str]
    """Five fields in the time zone of the network, such as "0 6 * * 1"; runs at least 15 minutes apart."""
    fileFormat: Optional[ReportFileFormat]
    """The form of its files; default CSV. Runs before the change have it, too."""
    mailTo: Optional[List[str]]
    """Addresses of members of the network who get each result by mail, at most 20; empty: nobody."""
    name: Optional[str]
    """Name, 1…200 characters."""
    query: Any
    """A query of the Reports API, as /load accepts it. Without a limit it returns all rows."""
    rotateSecret: Optional[bool]
    """Makes a new webhook secret, which the response shows."""
    status: Optional[ReportScheduleStatus]
    """ACTIVE (default) or PAUSED."""
    webhookUrl: Optional[str]
    """https:// address of a public host. null: none."""


class _UpdateSegmentEntryRequired(TypedDict):
    id: str
    """Its decimal id."""
    input: UpdateSegmentInput
    """The fields to change."""


class UpdateSegmentEntry(_UpdateSegmentEntryRequired, total=False):
    """One row of a bulk update of segments."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class UpdateSegmentInput(TypedDict, total=False):
    """The fields to change of one segment. Absent: unchanged. null: cleared, where a field may be empty."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    description: Optional[str]
    """Who is in it."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    membershipDays: Optional[int]
    """How long a user stays a member, in days: from the upload (which may set another time), or from the last
    match of the rule.
    """
    name: Optional[str]
    """Name."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    rule: Optional[SegmentRuleInput]
    """The rule that makes users members for `membershipDays` days after their last match; null = uploads only.
    Users who may not be profiled are left out. A changed rule starts with an empty segment.
    """
    status: Optional[Lifecycle]
    """Whether it is in use."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""


class _UpdateSiteEntryRequired(TypedDict):
    id: str
    """Its decimal id."""
    input: UpdateSiteInput
    """The fields to change."""


class UpdateSiteEntry(_UpdateSiteEntryRequired, total=False):
    """One row of a bulk update of sites."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class UpdateSiteInput(TypedDict, total=False):
    """The fields to change of one site. Absent: unchanged. null: cleared, where a field may be empty."""
    code: Optional[str]
    """Its value of `site.id` in requests; unique in the network."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    domain: Optional[str]
    """Domain, such as "news.example". A domain in Unicode is stored in its form of ASCII (`xn--…`)."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    name: Optional[str]
    """Name."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    status: Optional[Lifecycle]
    """Whether it is in use."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""


class _UpdateTargetingPresetEntryRequired(TypedDict):
    id: str
    """Its decimal id."""
    input: UpdateTargetingPresetInput
    """The fields to change."""


class UpdateTargetingPresetEntry(_UpdateTargetingPresetEntryRequired, total=False):
    """One row of a bulk update of targeting presets."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class UpdateTargetingPresetInput(TypedDict, total=False):
    """The fields to change of one targeting preset. Absent: unchanged. null: cleared, where a field may be empty."""
    description: Optional[str]
    """The purpose of the preset."""
    name: Optional[str]
    """Name."""
    status: Optional[Lifecycle]
    """Whether it is in use."""
    targeting: Optional[TargetingInput]
    """The targeting."""


class _UpdateTeamEntryRequired(TypedDict):
    id: str
    """Its decimal id."""
    input: UpdateTeamInput
    """The fields to change."""


class UpdateTeamEntry(_UpdateTeamEntryRequired, total=False):
    """One row of a bulk update of teams."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class UpdateTeamInput(TypedDict, total=False):
    """The fields to change of one team. Absent: unchanged. null: cleared, where a field may be empty."""
    description: Optional[str]
    """What it looks after."""
    members: Optional[List[str]]
    """E-mail addresses of its people."""
    name: Optional[str]
    """Name."""
    status: Optional[Lifecycle]
    """Whether it is in use."""


class UpdateWebhookInput(TypedDict, total=False):
    """The fields to change; absent fields stay."""
    name: Optional[str]
    """Name, 1…200 characters."""
    rotateSecret: Optional[bool]
    """Makes a new secret, which the response shows."""
    status: Optional[WebhookStatus]
    """ACTIVE (default) or PAUSED."""
    types: Optional[List[str]]
    """Which changes: "*" for all, "lineItem.*" for a kind, "lineItem.update" for one type; 1…50."""
    url: Optional[str]
    """https:// address of a public host."""


class _UpsertAdvertiserInputRequired(TypedDict):
    externalId: str
    """Id in your own system; finds the object."""


class UpsertAdvertiserInput(_UpsertAdvertiserInputRequired, total=False):
    """One advertiser by its external id: the fields of a new one, or the fields to change."""
    categories: Optional[List[str]]
    """IAB content categories, such as "IAB2-3"."""
    credit: Optional[str]
    """The total budget; null = no limit."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    domains: Optional[List[str]]
    """Domains that its ads lead to, as `adomain` in bids. Domains in Unicode are stored in their form of ASCII
    (`xn--…`).
    """
    dsaBehalf: Optional[str]
    """On whose behalf its ads are shown (DSA); at most 100 characters."""
    dsaPaid: Optional[str]
    """Who pays for them (DSA); at most 100 characters."""
    exclusionLabels: Optional[List[str]]
    """Two ads that share a label never appear in one response."""
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user; the strictest applies. At most 20."""
    labels: Optional[List[str]]
    """Labels of all its line items. Caps of the network by label (`labelCaps`) count all ads that bear one. At
    most 10.
    """
    name: Optional[str]
    """Name. Required for a new object."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    status: Optional[Lifecycle]
    """Whether it is in use; none of its campaigns serves while ARCHIVED."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class _UpsertCampaignInputRequired(TypedDict):
    externalId: str
    """Id in your own system; finds the object."""


class UpsertCampaignInput(_UpsertCampaignInputRequired, total=False):
    """One campaign by its external id: the fields of a new one, or the fields to change."""
    advertiserExternalId: Optional[str]
    """External id of the object that advertiserId names; instead of advertiserId."""
    advertiserId: Optional[str]
    """The advertiser; cannot change. Required for a new object."""
    caps: Optional[DeliveryCapsInput]
    """Hard limits per day and in total."""
    contacts: Optional[List[str]]
    """People of the order outside of the network, such as "Ann Lee, ann@example.com". At most 20."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    endsAt: Optional[str]
    """End of serving, exclusive; null = open-ended."""
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user; the strictest applies. At most 20."""
    labels: Optional[List[str]]
    """Labels of all its line items. Caps of the network by label (`labelCaps`) count all ads that bear one. At
    most 10.
    """
    name: Optional[str]
    """Name. Required for a new object."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    orderNumber: Optional[str]
    """Number of the order, as invoices name it."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    salesperson: Optional[str]
    """The e-mail address of the member of the network who sold the order; null = nobody."""
    startsAt: Optional[str]
    """Start of serving; null = at once."""
    status: Optional[DeliveryStatus]
    """Status; DRAFT at first."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class _UpsertCreativeInputRequired(TypedDict):
    externalId: str
    """Id in your own system; finds the object."""


class UpsertCreativeInput(_UpsertCreativeInputRequired, total=False):
    """One creative by its external id: the fields of a new one, or the fields to change."""
    attributes: Optional[List[int]]
    """OpenRTB creative attributes, which publishers can block."""
    clickUrl: Optional[str]
    """Landing address, http or https. Required for a new object."""
    content: Optional[CreativeContentInput]
    """What is shown; its shape is the format. Required for a new object."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    endsAt: Optional[str]
    """End of serving, exclusive; null = with its line item."""
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user; the strictest applies. At most 20."""
    height: Optional[int]
    """Height in CSS pixels; 0 × 0 fits any size (native, video)."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    language: Optional[str]
    """Language of its text, ISO 639, such as "pl"."""
    lineItemExternalId: Optional[str]
    """External id of the object that lineItemId names; instead of lineItemId."""
    lineItemId: Optional[str]
    """Its line item; cannot change. Required for a new object."""
    masterCreativeExternalId: Optional[str]
    """External id of the object that masterCreativeId names; instead of masterCreativeId."""
    masterCreativeId: Optional[str]
    """For a companion: the creative of the same line item beside which this banner stands; null = it is shown by
    itself. Cannot change.
    """
    name: Optional[str]
    """Name. Required for a new object."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    reviewReason: Optional[str]
    """Why it was rejected, or a remark of the review; a new review state without one clears it."""
    reviewState: Optional[ReviewState]
    """The result of its review; only APPROVED serves."""
    startsAt: Optional[str]
    """Start of serving; null = with its line item."""
    status: Optional[CreativeStatus]
    """Status; ACTIVE at first."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    trackers: Optional[ThirdPartyTrackersInput]
    """Third-party tracking addresses."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""
    weight: Optional[int]
    """Share of the draw among its siblings."""
    width: Optional[int]
    """Width in CSS pixels; 0 × 0 fits any size (native, video)."""


class _UpsertLibraryCreativeInputRequired(TypedDict):
    externalId: str
    """Id in your own system; finds the object."""


class UpsertLibraryCreativeInput(_UpsertLibraryCreativeInputRequired, total=False):
    """One library creative by its external id: the fields of a new one, or the fields to change."""
    advertiserExternalId: Optional[str]
    """External id of the object that advertiserId names; instead of advertiserId."""
    advertiserId: Optional[str]
    """Its advertiser; cannot change. Required for a new object."""
    attributes: Optional[List[int]]
    """OpenRTB creative attributes, which publishers can block."""
    clickUrl: Optional[str]
    """Landing address, http or https. Required for a new object."""
    content: Optional[CreativeContentInput]
    """What is shown; its shape is the format. Required for a new object."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    height: Optional[int]
    """Height in CSS pixels; 0 × 0 fits any size (native, video)."""
    labels: Optional[List[str]]
    """Labels to find it by. At most 10."""
    language: Optional[str]
    """Language of its text, ISO 639, such as "pl"."""
    name: Optional[str]
    """Name. Required for a new object."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    reviewReason: Optional[str]
    """Why it was rejected, or a remark of the review; a new review state without one clears it."""
    reviewState: Optional[ReviewState]
    """The result of its review; only APPROVED serves."""
    status: Optional[Lifecycle]
    """Whether it is in use. ARCHIVED archives all its associations; ACTIVE again restores none of them."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    trackers: Optional[ThirdPartyTrackersInput]
    """Third-party tracking addresses."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""
    width: Optional[int]
    """Width in CSS pixels; 0 × 0 fits any size (native, video)."""


class _UpsertLineItemInputRequired(TypedDict):
    externalId: str
    """Id in your own system; finds the object."""


class UpsertLineItemInput(_UpsertLineItemInputRequired, total=False):
    """One line item by its external id: the fields of a new one, or the fields to change."""
    advertisingProductId: Optional[str]
    """The product it is sold as; null = none."""
    campaignExternalId: Optional[str]
    """External id of the object that campaignId names; instead of campaignId."""
    campaignId: Optional[str]
    """Its campaign; cannot change. Required for a new object."""
    caps: Optional[DeliveryCapsInput]
    """Hard limits per day and in total."""
    companionMode: Optional[CompanionMode]
    """Whether its companions stand beside their masters; other than NONE only with roadblock ONE."""
    countedActivities: Optional[List[CountedActivityInput]]
    """The activities whose conversions are credited to it: they count toward its goal, and CPA pays for them.
    Empty = every activity. At most 50.
    """
    creativeRotation: Optional[CreativeRotation]
    """How one of several fitting creatives is chosen."""
    customFields: Any
    """Values of the custom fields of the network, by key; at most 50. The whole set is replaced."""
    dayParts: Optional[List[DayPartInput]]
    """When in the week it serves; empty = always. At most 50."""
    dealId: Optional[str]
    """The deal it serves; null = open."""
    endsAt: Optional[str]
    """End of serving, exclusive; null = open-ended."""
    exclusionLabels: Optional[List[str]]
    """Two ads that share a label never appear in one response."""
    frequencyCaps: Optional[List[FrequencyCapInput]]
    """Limits per user; the strictest applies. At most 20."""
    goal: Optional[GoalInput]
    """Its goal; null = none."""
    labels: Optional[List[str]]
    """Labels of the line item. Caps of the network by label (`labelCaps`) count all ads that bear one. At most 10."""
    level: Optional[int]
    """Rank within its tier (SPONSORSHIP, STANDARD): 1 is decided first, 16 last."""
    name: Optional[str]
    """Name. Required for a new object."""
    notes: Optional[str]
    """Notes for people, with line breaks; at most 2000 characters."""
    optimisationGoal: Optional[OptimisationGoal]
    """What it maximises: OPTIMISED rotation chooses the creative by the rate of this event, and a paced line item
    that has more opportunities than its goal needs chooses the ad units. null = nothing.
    """
    owner: Optional[str]
    """The e-mail address of the member of the network who looks after it; null = nobody."""
    pacing: Optional[Pacing]
    """How delivery is spread."""
    pauseAfterGoal: Optional[bool]
    """Whether it stops at its goal."""
    price: Optional[str]
    """CPM, VCPM: per thousand; CPC, CPA, CPCV: each; FLAT: per day."""
    pricingModel: Optional[PricingModel]
    """Which event earns the price."""
    representativePercent: Optional[float]
    """No effect: goals bid for opportunities (docs/pacing.md). Was the percentage of its goal that is spread
    evenly over all of its traffic.
    """
    roadblock: Optional[Roadblock]
    """Whether its creatives fill several slots of one request."""
    serveWithoutUser: Optional[bool]
    """Whether it serves to unidentified users although it has frequency caps."""
    sharePercent: Optional[float]
    """Share of voice in percent (SPONSORSHIP) or weight of the draw (HOUSE); null elsewhere."""
    startsAt: Optional[str]
    """Start of serving; null = at once."""
    status: Optional[DeliveryStatus]
    """Status; DRAFT at first."""
    targeting: Optional[TargetingInput]
    """Its targeting; null = all inventory and all users."""
    teamId: Optional[str]
    """The team that looks after it; null = none."""
    timezone: Optional[str]
    """IANA time zone of its days and day-parts; null = the network's."""
    type: Optional[LineItemType]
    """Its tier. Required for a new object."""
    version: Optional[int]
    """The version that was read; a newer version fails as `conflict`. Absent: no check."""


class User(TypedDict, total=False):
    """A person with an account, and their role in this network."""
    createdAt: str
    """When the account was made."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    disabledAt: Optional[str]
    """When the account was disabled."""
    email: str
    """Address they sign in with."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    name: str
    """Name."""
    role: Role
    """Role in this network."""
    sessions: List[Session]
    """Browsers signed in by this network's own sign-in provider, newest first, at most 100. Other sessions are
    visible to the member only.
    """


class UserError(TypedDict, total=False):
    """One mistake in the input of a mutation."""
    code: UserErrorCode
    """What is wrong."""
    field: Optional[str]
    """Where it is in the arguments, such as `input.frequencyCaps.0.count`; null: the mutation as a whole."""
    message: str
    """What to do about it."""


class Versioned(TypedDict, total=False):
    """An object that counts its changes, and says who made the last one."""
    createdAt: str
    """When it was made."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    id: str
    """Its id: global in versions of the API from 2026-11-25 on, before them the decimal one, unique in its kind."""
    updatedAt: str
    """When it was last changed."""
    updatedBy: str
    """Who changed it last, as the audit log names them; empty: the system."""
    version: int
    """Grows with every change; send it with an update to detect concurrent changes."""


class VideoContent(TypedDict, total=False):
    """A video: own media files, or the address of a third party's VAST tag."""
    durationMs: int
    """Length in milliseconds."""
    mediaFiles: List[MediaFile]
    """The encodings; empty with a VAST tag."""
    skipOffsetMs: Optional[int]
    """When it can be skipped, in milliseconds; null = never."""
    title: str
    """Title."""
    vastTagUrl: Optional[str]
    """Address of a third party's VAST tag."""


class _VideoContentInputRequired(TypedDict):
    durationMs: int
    """Length in milliseconds, up to an hour."""
    title: str
    """Title."""


class VideoContentInput(_VideoContentInputRequired, total=False):
    """A video: media files, or a VAST tag; not both."""
    mediaFiles: Optional[List[MediaFileInput]]
    """The encodings."""
    skipOffsetMs: Optional[int]
    """When it can be skipped, in milliseconds; absent = never."""
    vastTagUrl: Optional[str]
    """Address of a third party's VAST tag."""


class Webhook(TypedDict, total=False):
    """An address that is told of changes."""
    createdAt: str
    """When it was made."""
    databaseId: str
    """Decimal id, unique in its kind, in every version of the API."""
    deliveries: List[WebhookDelivery]
    """Its latest messages, newest first. Ended ones are kept for 30 days, at most 10,000."""
    failingSince: Optional[str]
    """Since when every try has failed; null when the last one was accepted."""
    globalId: str
    """Id that is unique among all types, as `node` takes it."""
    id: str
    """Its id: the decimal one, or the global one where the version of the API shows global ids."""
    name: str
    """Name."""
    position: str
    """The number of the change up to which messages were made."""
    status: WebhookStatus
    """Whether it sends messages."""
    types: List[str]
    """Which changes it is told of."""
    updatedAt: str
    """When it was last changed."""
    url: str
    """Where messages go."""
    version: int
    """Counts up with every change; give it back on update."""


class WebhookDelivery(TypedDict, total=False):
    """One message to a webhook."""
    attempts: int
    """How often it was sent."""
    createdAt: str
    """When it was made."""
    endedAt: Optional[str]
    """When it was DELIVERED or FAILED."""
    error: Optional[str]
    """Why the last try failed."""
    id: str
    """Its id, the header `X-Placard-Delivery`."""
    nextAttemptAt: Optional[str]
    """When it is sent next; null when it has ended."""
    responseStatus: Optional[int]
    """The status of the response to the last try; null when there was none."""
    sequence: Optional[str]
    """The number of its change; null for a test."""
    status: WebhookDeliveryStatus
    """Its state."""
    triedAt: Optional[str]
    """When the last try ended; null before the first one."""
    type: str
    """The type of its change."""


class WebhookPayload(TypedDict, total=False):
    """The result of a change of a webhook."""
    saved: Optional[Webhook]
    """The webhook; null when nothing was changed."""
    secret: Optional[str]
    """The secret that signs messages, when it is new. It is shown once."""
    userErrors: List[UserError]
    """The mistakes in the input; empty when the change was made. Where it is selected, mistakes are told of here,
    and not in `errors`.
    """
    webhook: Optional[Webhook]
    """The webhook; null when nothing was changed."""


class WhatIfInput(TypedDict, total=False):
    """An imagined change of a line item or of the floor of an ad unit. What is left out stays as it is."""
    adUnitId: Optional[str]
    """The ad unit."""
    caps: Optional[DeliveryCapsInput]
    """Its hard limits: the whole set is replaced."""
    floor: Optional[str]
    """Floor of the ad unit, CPM."""
    level: Optional[int]
    """Its level within the tier, 1…16."""
    lineItemId: Optional[str]
    """The line item; either this or `adUnitId`."""
    price: Optional[str]
    """Its price, for the unit of its pricing model."""
    sharePercent: Optional[float]
    """Its share of voice or weight."""
    status: Optional[ImaginedStatus]
    """Status of the line item."""
    type: Optional[LineItemType]
    """Tier of the line item."""
    withoutFrequencyCaps: Optional[bool]
    """Without its frequency caps."""
    withoutGoal: Optional[bool]
    """Without its goal, so that nothing paces it."""


class WinChance(TypedDict, total=False):
    """How often a line item wins a slot when the same request is decided 200 times with other draws."""
    lineItemId: str
    """The line item."""
    name: str
    """Its name."""
    percent: float
    """Percentage of the decisions."""
    slotId: str
    """The slot."""


CreativeContent = Union["AudioContent", "HtmlContent", "ImageContent", "NativeContent", "VideoContent"]


SHAPE: Mapping[str, Mapping[str, str]] = {
    "Activity": {
        "advertiser": "Advertiser()",
    },
    "ActivityBulkPayload": {
        "results": "ActivityBulkResult()",
    },
    "ActivityBulkResult": {
        "activity": "Activity()",
    },
    "ActivityConnection": {
        "edges": "ActivityEdge()",
        "nodes": "Activity()",
    },
    "ActivityCredit": {
        "creative": "Creative()",
        "lineItem": "LineItem()",
    },
    "ActivityEdge": {
        "node": "Activity()",
    },
    "ActivityEventInspection": {
        "activity": "Activity()",
        "credit": "ActivityCredit()",
    },
    "ActivityPayload": {
        "activity": "Activity()",
    },
    "AdUnit": {
        "area": "Area()",
        "site": "Site()",
    },
    "AdUnitBulkPayload": {
        "results": "AdUnitBulkResult()",
    },
    "AdUnitBulkResult": {
        "adUnit": "AdUnit()",
    },
    "AdUnitConnection": {
        "edges": "AdUnitEdge()",
        "nodes": "AdUnit()",
    },
    "AdUnitEdge": {
        "node": "AdUnit()",
    },
    "AdUnitPayload": {
        "adUnit": "AdUnit()",
    },
    "Advertiser": {
        "campaigns": "CampaignConnection(after:String,first:Int,where:CampaignWhere)",
        "libraryCreatives": "LibraryCreativeConnection(after:String,first:Int,where:LibraryCreativeWhere)",
    },
    "AdvertiserBulkPayload": {
        "results": "AdvertiserBulkResult()",
    },
    "AdvertiserBulkResult": {
        "advertiser": "Advertiser()",
    },
    "AdvertiserConnection": {
        "edges": "AdvertiserEdge()",
        "nodes": "Advertiser()",
    },
    "AdvertiserEdge": {
        "node": "Advertiser()",
    },
    "AdvertiserPayload": {
        "advertiser": "Advertiser()",
    },
    "AdvertisingProduct": {
        "lineItems": "LineItemConnection(after:String,first:Int,where:LineItemWhere)",
    },
    "AdvertisingProductBulkPayload": {
        "results": "AdvertisingProductBulkResult()",
    },
    "AdvertisingProductBulkResult": {
        "advertisingProduct": "AdvertisingProduct()",
    },
    "AdvertisingProductConnection": {
        "edges": "AdvertisingProductEdge()",
        "nodes": "AdvertisingProduct()",
    },
    "AdvertisingProductEdge": {
        "node": "AdvertisingProduct()",
    },
    "AdvertisingProductPayload": {
        "advertisingProduct": "AdvertisingProduct()",
    },
    "Area": {
        "adUnits": "AdUnitConnection(after:String,first:Int,where:AdUnitWhere)",
        "site": "Site()",
    },
    "AreaBulkPayload": {
        "results": "AreaBulkResult()",
    },
    "AreaBulkResult": {
        "area": "Area()",
    },
    "AreaConnection": {
        "edges": "AreaEdge()",
        "nodes": "Area()",
    },
    "AreaEdge": {
        "node": "Area()",
    },
    "AreaPayload": {
        "area": "Area()",
    },
    "BookingApprovalPayload": {
        "lineItem": "LineItem()",
    },
    "BookingPayload": {
        "lineItem": "LineItem()",
    },
    "Campaign": {
        "advertiser": "Advertiser()",
        "lineItems": "LineItemConnection(after:String,first:Int,where:LineItemWhere)",
    },
    "CampaignBulkPayload": {
        "results": "CampaignBulkResult()",
    },
    "CampaignBulkResult": {
        "campaign": "Campaign()",
    },
    "CampaignConnection": {
        "edges": "CampaignEdge()",
        "nodes": "Campaign()",
    },
    "CampaignEdge": {
        "node": "Campaign()",
    },
    "CampaignPayload": {
        "campaign": "Campaign()",
    },
    "CopyCampaignPayload": {
        "campaign": "Campaign()",
        "copy": "Campaign()",
    },
    "CopyLineItemsPayload": {
        "lineItems": "LineItem()",
    },
    "Creative": {
        "companions": "CreativeConnection(after:String,first:Int,where:CreativeWhere)",
        "libraryCreative": "LibraryCreative()",
        "lineItem": "LineItem()",
        "masterCreative": "Creative()",
        "preview": "CreativePreview(hours:Int)",
    },
    "CreativeAssociationsPayload": {
        "creatives": "Creative()",
        "results": "CreativeBulkResult()",
    },
    "CreativeBulkPayload": {
        "results": "CreativeBulkResult()",
    },
    "CreativeBulkResult": {
        "creative": "Creative()",
    },
    "CreativeConnection": {
        "edges": "CreativeEdge()",
        "nodes": "Creative()",
    },
    "CreativeEdge": {
        "node": "Creative()",
    },
    "CreativePayload": {
        "creative": "Creative()",
    },
    "Deal": {
        "lineItems": "LineItemConnection(after:String,first:Int,where:LineItemWhere)",
    },
    "DealBulkPayload": {
        "results": "DealBulkResult()",
    },
    "DealBulkResult": {
        "deal": "Deal()",
    },
    "DealConnection": {
        "edges": "DealEdge()",
        "nodes": "Deal()",
    },
    "DealEdge": {
        "node": "Deal()",
    },
    "DealPayload": {
        "deal": "Deal()",
    },
    "DeleteReportSchedulePayload": {
        "schedule": "ReportSchedule()",
    },
    "DeleteWebhookPayload": {
        "webhook": "Webhook()",
    },
    "Floor": {
        "adUnit": "AdUnit()",
        "area": "Area()",
        "deal": "Deal()",
        "site": "Site()",
    },
    "FloorBulkPayload": {
        "results": "FloorBulkResult()",
    },
    "FloorBulkResult": {
        "floor": "Floor()",
    },
    "FloorConnection": {
        "edges": "FloorEdge()",
        "nodes": "Floor()",
    },
    "FloorEdge": {
        "node": "Floor()",
    },
    "FloorPayload": {
        "floor": "Floor()",
    },
    "LibraryCreative": {
        "advertiser": "Advertiser()",
        "associations": "CreativeConnection(after:String,first:Int,where:CreativeWhere)",
        "preview": "CreativePreview(hours:Int)",
    },
    "LibraryCreativeBulkPayload": {
        "results": "LibraryCreativeBulkResult()",
    },
    "LibraryCreativeBulkResult": {
        "libraryCreative": "LibraryCreative()",
    },
    "LibraryCreativeConnection": {
        "edges": "LibraryCreativeEdge()",
        "nodes": "LibraryCreative()",
    },
    "LibraryCreativeEdge": {
        "node": "LibraryCreative()",
    },
    "LibraryCreativePayload": {
        "libraryCreative": "LibraryCreative()",
    },
    "LineItem": {
        "advertisingProduct": "AdvertisingProduct()",
        "campaign": "Campaign()",
        "creatives": "CreativeConnection(after:String,first:Int,where:CreativeWhere)",
        "deal": "Deal()",
    },
    "LineItemAttentionPayload": {
        "lineItem": "LineItem()",
    },
    "LineItemBulkPayload": {
        "results": "LineItemBulkResult()",
    },
    "LineItemBulkResult": {
        "lineItem": "LineItem()",
    },
    "LineItemConnection": {
        "edges": "LineItemEdge()",
        "nodes": "LineItem()",
    },
    "LineItemEdge": {
        "node": "LineItem()",
    },
    "LineItemPayload": {
        "lineItem": "LineItem()",
    },
    "LineItemTableConnection": {
        "nodes": "LineItem()",
    },
    "Mutation": {
        "addComment": "CommentPayload(body:String!,mentionedIds:[ID!],objectId:ID!,objectKind:DiscussedKind!)",
        "approveBooking": "BookingApprovalPayload(campaignVersion:Int,id:ID!,version:Int!)",
        "archiveActivities": "ActivityBulkPayload(ids:[ID!]!,mode:BulkMode)",
        "archiveActivity": "ActivityPayload(id:ID!,version:Int)",
        "archiveAdUnit": "AdUnitPayload(id:ID!,version:Int)",
        "archiveAdUnits": "AdUnitBulkPayload(ids:[ID!]!,mode:BulkMode)",
        "archiveAdvertiser": "AdvertiserPayload(id:ID!,version:Int)",
        "archiveAdvertisers": "AdvertiserBulkPayload(ids:[ID!]!,mode:BulkMode)",
        "archiveAdvertisingProduct": "AdvertisingProductPayload(id:ID!,version:Int)",
        "archiveAdvertisingProducts": "AdvertisingProductBulkPayload(ids:[ID!]!,mode:BulkMode)",
        "archiveArea": "AreaPayload(id:ID!,version:Int)",
        "archiveAreas": "AreaBulkPayload(ids:[ID!]!,mode:BulkMode)",
        "archiveCampaign": "CampaignPayload(id:ID!,version:Int)",
        "archiveCampaigns": "CampaignBulkPayload(ids:[ID!]!,mode:BulkMode)",
        "archiveCreative": "CreativePayload(id:ID!,version:Int)",
        "archiveCreatives": "CreativeBulkPayload(ids:[ID!]!,mode:BulkMode)",
        "archiveCustomField": "CustomFieldPayload(id:ID!,version:Int)",
        "archiveCustomFields": "CustomFieldBulkPayload(ids:[ID!]!,mode:BulkMode)",
        "archiveDeal": "DealPayload(id:ID!,version:Int)",
        "archiveDeals": "DealBulkPayload(ids:[ID!]!,mode:BulkMode)",
        "archiveExperiment": "ExperimentPayload(id:ID!,version:Int)",
        "archiveExperiments": "ExperimentBulkPayload(ids:[ID!]!,mode:BulkMode)",
        "archiveFloor": "FloorPayload(id:ID!,version:Int)",
        "archiveFloors": "FloorBulkPayload(ids:[ID!]!,mode:BulkMode)",
        "archiveKeyValue": "KeyValuePayload(id:ID!,version:Int)",
        "archiveKeyValues": "KeyValueBulkPayload(ids:[ID!]!,mode:BulkMode)",
        "archiveLibraryCreative": "LibraryCreativePayload(id:ID!,version:Int)",
        "archiveLibraryCreatives": "LibraryCreativeBulkPayload(ids:[ID!]!,mode:BulkMode)",
        "archiveLineItem": "LineItemPayload(id:ID!,version:Int)",
        "archiveLineItems": "LineItemBulkPayload(ids:[ID!]!,mode:BulkMode)",
        "archiveSegment": "SegmentPayload(id:ID!,version:Int)",
        "archiveSegments": "SegmentBulkPayload(ids:[ID!]!,mode:BulkMode)",
        "archiveSite": "SitePayload(id:ID!,version:Int)",
        "archiveSites": "SiteBulkPayload(ids:[ID!]!,mode:BulkMode)",
        "archiveTargetingPreset": "TargetingPresetPayload(id:ID!,version:Int)",
        "archiveTargetingPresets": "TargetingPresetBulkPayload(ids:[ID!]!,mode:BulkMode)",
        "archiveTeam": "TeamPayload(id:ID!,version:Int)",
        "archiveTeams": "TeamBulkPayload(ids:[ID!]!,mode:BulkMode)",
        "associateCreatives": "CreativeAssociationsPayload(inputs:[AssociateCreativeInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "beginAgentRequest": "BeginAgentRequestPayload(input:BeginAgentRequestInput!)",
        "bookProduct": "BookingPayload(input:BookProductInput!,validateOnly:Boolean)",
        "changeBooking": "BookingPayload(id:ID!,input:ChangeBookingInput!,validateOnly:Boolean,version:Int)",
        "chooseNotifications": "ChooseNotificationsPayload(choices:[NotificationChoiceInput!]!)",
        "claimReportShare": "ReportSharePayload(id:ID!)",
        "copyCampaign": "CopyCampaignPayload(id:ID!,name:String,shiftDays:Int,startsAt:DateTime,validateOnly:Boolean)",
        "copyLineItems": "CopyLineItemsPayload(changes:LineItemChangesInput,ids:[ID!]!,shiftDays:Int,validateOnly:Boolean)",
        "createActivities": "ActivityBulkPayload(inputs:[CreateActivityInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "createActivity": "ActivityPayload(input:CreateActivityInput!,validateOnly:Boolean)",
        "createAdUnit": "AdUnitPayload(input:CreateAdUnitInput!,validateOnly:Boolean)",
        "createAdUnits": "AdUnitBulkPayload(inputs:[CreateAdUnitInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "createAdvertiser": "AdvertiserPayload(input:CreateAdvertiserInput!,validateOnly:Boolean)",
        "createAdvertisers": "AdvertiserBulkPayload(inputs:[CreateAdvertiserInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "createAdvertisingProduct": "AdvertisingProductPayload(input:CreateAdvertisingProductInput!,validateOnly:Boolean)",
        "createAdvertisingProducts": "AdvertisingProductBulkPayload(inputs:[CreateAdvertisingProductInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "createApiKey": "MadeApiKey(input:CreateApiKeyInput!)",
        "createArea": "AreaPayload(input:CreateAreaInput!,validateOnly:Boolean)",
        "createAreas": "AreaBulkPayload(inputs:[CreateAreaInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "createCampaign": "CampaignPayload(input:CreateCampaignInput!,validateOnly:Boolean)",
        "createCampaigns": "CampaignBulkPayload(inputs:[CreateCampaignInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "createCreative": "CreativePayload(input:CreateCreativeInput!,validateOnly:Boolean)",
        "createCreatives": "CreativeBulkPayload(inputs:[CreateCreativeInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "createCustomField": "CustomFieldPayload(input:CreateCustomFieldInput!,validateOnly:Boolean)",
        "createCustomFields": "CustomFieldBulkPayload(inputs:[CreateCustomFieldInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "createDeal": "DealPayload(input:CreateDealInput!,validateOnly:Boolean)",
        "createDeals": "DealBulkPayload(inputs:[CreateDealInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "createExperiment": "ExperimentPayload(input:CreateExperimentInput!,validateOnly:Boolean)",
        "createExperiments": "ExperimentBulkPayload(inputs:[CreateExperimentInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "createFloor": "FloorPayload(input:CreateFloorInput!,validateOnly:Boolean)",
        "createFloors": "FloorBulkPayload(inputs:[CreateFloorInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "createHeaderCredential": "MadeHeaderCredential(environment:Environment,login:String,name:String!)",
        "createKeyValue": "KeyValuePayload(input:CreateKeyValueInput!,validateOnly:Boolean)",
        "createKeyValues": "KeyValueBulkPayload(inputs:[CreateKeyValueInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "createLibraryCreative": "LibraryCreativePayload(input:CreateLibraryCreativeInput!,validateOnly:Boolean)",
        "createLibraryCreatives": "LibraryCreativeBulkPayload(inputs:[CreateLibraryCreativeInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "createLineItem": "LineItemPayload(input:CreateLineItemInput!,validateOnly:Boolean)",
        "createLineItems": "LineItemBulkPayload(inputs:[CreateLineItemInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "createReportSchedule": "ReportSchedulePayload(input:CreateReportScheduleInput!)",
        "createSegment": "SegmentPayload(input:CreateSegmentInput!,validateOnly:Boolean)",
        "createSegments": "SegmentBulkPayload(inputs:[CreateSegmentInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "createSite": "SitePayload(input:CreateSiteInput!,validateOnly:Boolean)",
        "createSites": "SiteBulkPayload(inputs:[CreateSiteInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "createTargetingPreset": "TargetingPresetPayload(input:CreateTargetingPresetInput!,validateOnly:Boolean)",
        "createTargetingPresets": "TargetingPresetBulkPayload(inputs:[CreateTargetingPresetInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "createTeam": "TeamPayload(input:CreateTeamInput!,validateOnly:Boolean)",
        "createTeams": "TeamBulkPayload(inputs:[CreateTeamInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "createWebhook": "WebhookPayload(input:CreateWebhookInput!)",
        "decideAgentRequest": "AgentRequestPayload(decision:AgentRequestDecision!,id:ID!,reason:String)",
        "deleteComment": "CommentPayload(id:ID!)",
        "deleteReportSchedule": "DeleteReportSchedulePayload(id:ID!)",
        "deleteWebhook": "DeleteWebhookPayload(id:ID!)",
        "disableHeaderCredential": "HeaderCredential(environment:Environment,id:ID!)",
        "discardAgentRequest": "AgentRequestPayload(id:ID!,response:JSON!)",
        "dissociateCreatives": "CreativeAssociationsPayload(inputs:[CreativePairInput!]!,validateOnly:Boolean)",
        "endAgentRequest": "AgentRequestPayload(id:ID!,input:EndAgentRequestInput!)",
        "endSession": "(id:ID!,userId:ID!)",
        "generate_report": "ReportTask(task:ReportTaskInput!)",
        "handOverAttention": "LineItemAttentionPayload(lineItemId:ID!,toId:ID)",
        "importHistory": "ImportHistoryPayload(inputs:[HistoryHourInput!]!,source:String!,validateOnly:Boolean)",
        "inviteUser": "MadeInvitation(email:String!,role:Role!)",
        "markNotificationsRead": "MarkNotificationsReadPayload(upTo:ID!)",
        "redeliverWebhook": "RedeliverWebhookPayload(after:String,deliveryIds:[ID!],id:ID!)",
        "removeMembership": "(userId:ID!)",
        "report": "ReportMutations()",
        "requestBookingApproval": "BookingApprovalPayload(id:ID!)",
        "revokeApiKey": "RevokeApiKeyPayload(environment:Environment,id:ID!)",
        "revokeHeaderCredential": "RevokePayload(environment:Environment,id:ID!)",
        "revokeInvitation": "RevokePayload(id:ID!)",
        "revokeMembership": "RevokePayload(userId:ID!)",
        "revokeReportShare": "ReportSharePayload(id:ID!)",
        "revokeSession": "RevokePayload(id:ID!,userId:ID!)",
        "rotateApiKey": "MadeApiKey(environment:Environment,expiresAt:DateTime,id:ID!,oldExpiresAt:DateTime!)",
        "runReportSchedule": "RunReportSchedulePayload(id:ID!)",
        "saveCampaign": "SaveCampaignPayload(archiveOthers:Boolean,input:SaveCampaignInput!,validateOnly:Boolean)",
        "shareCampaignReport": "NewReportShare(campaignId:ID!,days:Int,name:String!,showsSpend:Boolean)",
        "snoozeAttention": "LineItemAttentionPayload(lineItemId:ID!,until:DateTime)",
        "splitLineItem": "SplitLineItemPayload(change:LineItemChangesInput!,id:ID!,part:LineItemChangesInput!,version:Int)",
        "testWebhook": "TestWebhookPayload(id:ID!)",
        "updateActivities": "ActivityBulkPayload(mode:BulkMode,updates:[UpdateActivityEntry!]!,validateOnly:Boolean)",
        "updateActivity": "ActivityPayload(id:ID!,input:UpdateActivityInput!,validateOnly:Boolean,version:Int)",
        "updateAdUnit": "AdUnitPayload(id:ID!,input:UpdateAdUnitInput!,validateOnly:Boolean,version:Int)",
        "updateAdUnits": "AdUnitBulkPayload(mode:BulkMode,updates:[UpdateAdUnitEntry!]!,validateOnly:Boolean)",
        "updateAdvertiser": "AdvertiserPayload(id:ID!,input:UpdateAdvertiserInput!,validateOnly:Boolean,version:Int)",
        "updateAdvertisers": "AdvertiserBulkPayload(mode:BulkMode,updates:[UpdateAdvertiserEntry!]!,validateOnly:Boolean)",
        "updateAdvertisingProduct": "AdvertisingProductPayload(id:ID!,input:UpdateAdvertisingProductInput!,validateOnly:Boolean,version:Int)",
        "updateAdvertisingProducts": "AdvertisingProductBulkPayload(mode:BulkMode,updates:[UpdateAdvertisingProductEntry!]!,validateOnly:Boolean)",
        "updateArea": "AreaPayload(id:ID!,input:UpdateAreaInput!,validateOnly:Boolean,version:Int)",
        "updateAreas": "AreaBulkPayload(mode:BulkMode,updates:[UpdateAreaEntry!]!,validateOnly:Boolean)",
        "updateCampaign": "CampaignPayload(id:ID!,input:UpdateCampaignInput!,validateOnly:Boolean,version:Int)",
        "updateCampaigns": "CampaignBulkPayload(mode:BulkMode,updates:[UpdateCampaignEntry!]!,validateOnly:Boolean)",
        "updateCreative": "CreativePayload(id:ID!,input:UpdateCreativeInput!,validateOnly:Boolean,version:Int)",
        "updateCreatives": "CreativeBulkPayload(mode:BulkMode,updates:[UpdateCreativeEntry!]!,validateOnly:Boolean)",
        "updateCustomField": "CustomFieldPayload(id:ID!,input:UpdateCustomFieldInput!,validateOnly:Boolean,version:Int)",
        "updateCustomFields": "CustomFieldBulkPayload(mode:BulkMode,updates:[UpdateCustomFieldEntry!]!,validateOnly:Boolean)",
        "updateDeal": "DealPayload(id:ID!,input:UpdateDealInput!,validateOnly:Boolean,version:Int)",
        "updateDeals": "DealBulkPayload(mode:BulkMode,updates:[UpdateDealEntry!]!,validateOnly:Boolean)",
        "updateExperiment": "ExperimentPayload(id:ID!,input:UpdateExperimentInput!,validateOnly:Boolean,version:Int)",
        "updateExperiments": "ExperimentBulkPayload(mode:BulkMode,updates:[UpdateExperimentEntry!]!,validateOnly:Boolean)",
        "updateFloor": "FloorPayload(id:ID!,input:UpdateFloorInput!,validateOnly:Boolean,version:Int)",
        "updateFloors": "FloorBulkPayload(mode:BulkMode,updates:[UpdateFloorEntry!]!,validateOnly:Boolean)",
        "updateKeyValue": "KeyValuePayload(id:ID!,input:UpdateKeyValueInput!,validateOnly:Boolean,version:Int)",
        "updateKeyValues": "KeyValueBulkPayload(mode:BulkMode,updates:[UpdateKeyValueEntry!]!,validateOnly:Boolean)",
        "updateLibraryCreative": "LibraryCreativePayload(id:ID!,input:UpdateLibraryCreativeInput!,validateOnly:Boolean,version:Int)",
        "updateLibraryCreatives": "LibraryCreativeBulkPayload(mode:BulkMode,updates:[UpdateLibraryCreativeEntry!]!,validateOnly:Boolean)",
        "updateLineItem": "LineItemPayload(id:ID!,input:UpdateLineItemInput!,validateOnly:Boolean,version:Int)",
        "updateLineItems": "LineItemBulkPayload(mode:BulkMode,updates:[UpdateLineItemEntry!]!,validateOnly:Boolean)",
        "updateMembership": "UpdateMembershipPayload(role:Role!,userId:ID!)",
        "updateNetwork": "UpdateNetworkPayload(input:UpdateNetworkInput!,validateOnly:Boolean,version:Int)",
        "updateReportSchedule": "ReportSchedulePayload(id:ID!,input:UpdateReportScheduleInput!,version:Int)",
        "updateSegment": "SegmentPayload(id:ID!,input:UpdateSegmentInput!,validateOnly:Boolean,version:Int)",
        "updateSegments": "SegmentBulkPayload(mode:BulkMode,updates:[UpdateSegmentEntry!]!,validateOnly:Boolean)",
        "updateSite": "SitePayload(id:ID!,input:UpdateSiteInput!,validateOnly:Boolean,version:Int)",
        "updateSites": "SiteBulkPayload(mode:BulkMode,updates:[UpdateSiteEntry!]!,validateOnly:Boolean)",
        "updateTargetingPreset": "TargetingPresetPayload(id:ID!,input:UpdateTargetingPresetInput!,validateOnly:Boolean,version:Int)",
        "updateTargetingPresets": "TargetingPresetBulkPayload(mode:BulkMode,updates:[UpdateTargetingPresetEntry!]!,validateOnly:Boolean)",
        "updateTeam": "TeamPayload(id:ID!,input:UpdateTeamInput!,validateOnly:Boolean,version:Int)",
        "updateTeams": "TeamBulkPayload(mode:BulkMode,updates:[UpdateTeamEntry!]!,validateOnly:Boolean)",
        "updateWebhook": "WebhookPayload(id:ID!,input:UpdateWebhookInput!,version:Int)",
        "upsertAdvertisers": "AdvertiserBulkPayload(inputs:[UpsertAdvertiserInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "upsertCampaigns": "CampaignBulkPayload(inputs:[UpsertCampaignInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "upsertCreatives": "CreativeBulkPayload(inputs:[UpsertCreativeInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "upsertLibraryCreatives": "LibraryCreativeBulkPayload(inputs:[UpsertLibraryCreativeInput!]!,mode:BulkMode,validateOnly:Boolean)",
        "upsertLineItems": "LineItemBulkPayload(inputs:[UpsertLineItemInput!]!,mode:BulkMode,validateOnly:Boolean)",
    },
    "Query": {
        "activities": "ActivityConnection(after:String,before:String,filter:ActivityFilter,first:Int,last:Int,orderBy:ActivityOrder,sort:SortInput,where:ActivityWhere)",
        "activity": "Activity(id:ID!)",
        "adUnit": "AdUnit(id:ID!)",
        "adUnits": "AdUnitConnection(after:String,before:String,filter:AdUnitFilter,first:Int,last:Int,orderBy:AdUnitOrder,sort:SortInput,where:AdUnitWhere)",
        "advertiser": "Advertiser(id:ID!)",
        "advertisers": "AdvertiserConnection(after:String,before:String,filter:AdvertiserFilter,first:Int,last:Int,orderBy:AdvertiserOrder,sort:SortInput,where:AdvertiserWhere)",
        "advertisingProduct": "AdvertisingProduct(id:ID!)",
        "advertisingProducts": "AdvertisingProductConnection(after:String,before:String,filter:AdvertisingProductFilter,first:Int,last:Int,orderBy:AdvertisingProductOrder,sort:SortInput,where:AdvertisingProductWhere)",
        "agentRequest": "AgentRequest(id:ID!)",
        "agentRequests": "AgentRequest(after:ID,campaignIds:[ID!],first:Int,states:[AgentRequestState!],tools:[String!])",
        "allReportShares": "ReportShareConnection(after:String,first:Int,includeEnded:Boolean)",
        "apiKey": "ApiKey(environment:Environment,id:ID!)",
        "apiKeys": "ApiKey(after:ID,environment:Environment,first:Int,includeInactive:Boolean)",
        "area": "Area(id:ID!)",
        "areas": "AreaConnection(after:String,before:String,filter:AreaFilter,first:Int,last:Int,orderBy:AreaOrder,sort:SortInput,where:AreaWhere)",
        "asset": "Asset(url:String!)",
        "assets": "AssetConnection(after:String,filter:AssetFilter,first:Int)",
        "auditLog": "AuditConnection(after:String,filter:AuditFilter,first:Int,foldChangeSets:Boolean)",
        "availability": "Availability(input:AvailabilityInput!)",
        "bookingsToApprove": "LineItem(after:ID,first:Int)",
        "campaign": "Campaign(id:ID!)",
        "campaigns": "CampaignConnection(after:String,before:String,filter:CampaignFilter,first:Int,last:Int,orderBy:CampaignOrder,sort:SortInput,where:CampaignWhere)",
        "changes": "ChangeConnection(after:String,before:String,changeSet:String,first:Int,foldChangeSets:Boolean,kinds:[String!],last:Int)",
        "comments": "Comment(after:ID,first:Int,objectId:ID!,objectKind:DiscussedKind!)",
        "creative": "Creative(id:ID!)",
        "creatives": "CreativeConnection(after:String,before:String,filter:CreativeFilter,first:Int,last:Int,orderBy:CreativeOrder,sort:SortInput,where:CreativeWhere)",
        "customField": "CustomField(id:ID!)",
        "customFields": "CustomFieldConnection(after:String,before:String,filter:CustomFieldFilter,first:Int,last:Int,orderBy:CustomFieldOrder,sort:SortInput,where:CustomFieldWhere)",
        "deal": "Deal(id:ID!)",
        "deals": "DealConnection(after:String,before:String,filter:DealFilter,first:Int,last:Int,orderBy:DealOrder,sort:SortInput,where:DealWhere)",
        "experiment": "Experiment(id:ID!)",
        "experiments": "ExperimentConnection(after:String,before:String,filter:ExperimentFilter,first:Int,last:Int,orderBy:ExperimentOrder,sort:SortInput,where:ExperimentWhere)",
        "explainDecision": "ExplainedDecision(input:ExplainDecisionInput!)",
        "floor": "Floor(id:ID!)",
        "floorSuggestions": "FloorSuggestion(adUnitIds:[ID!],headerBidShadingPercent:Int)",
        "floors": "FloorConnection(after:String,before:String,filter:FloorFilter,first:Int,last:Int,orderBy:FloorOrder,sort:SortInput,where:FloorWhere)",
        "forecast": "Forecast(input:ForecastInput!,precision:ForecastPrecision)",
        "forecastAccuracy": "ForecastAccuracy(from:DateTime!,to:DateTime!)",
        "headerCredentials": "HeaderCredential(after:ID,environment:Environment,first:Int,includeDisabled:Boolean)",
        "inspectActivityEvent": "ActivityEventInspection(event:JSON!)",
        "inspectDecision": "DecisionInspection(input:InspectDecisionInput!)",
        "keyValue": "KeyValue(id:ID!)",
        "keyValues": "KeyValueConnection(after:String,before:String,filter:KeyValueFilter,first:Int,last:Int,orderBy:KeyValueOrder,sort:SortInput,where:KeyValueWhere)",
        "libraryCreative": "LibraryCreative(id:ID!)",
        "libraryCreatives": "LibraryCreativeConnection(after:String,before:String,filter:LibraryCreativeFilter,first:Int,last:Int,orderBy:LibraryCreativeOrder,sort:SortInput,where:LibraryCreativeWhere)",
        "lineItem": "LineItem(id:ID!)",
        "lineItemTable": "LineItemTableConnection(descending:Boolean,filter:LineItemTableFilter,first:Int,offset:Int,sort:LineItemTableSort,tab:LineItemTab)",
        "lineItemTabs": "LineItemTabCount(filter:LineItemTableFilter)",
        "lineItems": "LineItemConnection(after:String,before:String,filter:LineItemFilter,first:Int,last:Int,orderBy:LineItemOrder,sort:SortInput,where:LineItemWhere)",
        "network": "Network(id:ID!)",
        "node": "Node(id:ID!)",
        "nodes": "Node(ids:[ID!]!,type:NodeType)",
        "notifications": "Notification(after:ID,first:Int,unreadOnly:Boolean)",
        "productForecast": "ProductForecast(input:ProductForecastInput!,precision:ForecastPrecision)",
        "report": "ReportQueries()",
        "reportSchedule": "ReportSchedule(id:ID!)",
        "reportSchedules": "ReportSchedule()",
        "reportShares": "ReportShare(campaignId:ID!)",
        "report_task": "ReportTask(task_id:Int!)",
        "search": "SearchHit(first:Int,kinds:[SearchedKind!],text:String!)",
        "segment": "Segment(id:ID!)",
        "segments": "SegmentConnection(after:String,before:String,filter:SegmentFilter,first:Int,last:Int,orderBy:SegmentOrder,sort:SortInput,where:SegmentWhere)",
        "site": "Site(id:ID!)",
        "sites": "SiteConnection(after:String,before:String,filter:SiteFilter,first:Int,last:Int,orderBy:SiteOrder,sort:SortInput,where:SiteWhere)",
        "targetingPreset": "TargetingPreset(id:ID!)",
        "targetingPresets": "TargetingPresetConnection(after:String,before:String,filter:TargetingPresetFilter,first:Int,last:Int,orderBy:TargetingPresetOrder,sort:SortInput,where:TargetingPresetWhere)",
        "team": "Team(id:ID!)",
        "teams": "TeamConnection(after:String,before:String,filter:TeamFilter,first:Int,last:Int,orderBy:TeamOrder,sort:SortInput,where:TeamWhere)",
        "users": "User(after:ID,first:Int)",
        "webhook": "Webhook(id:ID!)",
        "webhooks": "Webhook()",
    },
    "ReportMutations": {
        "generate_report": "ReportTask(task:ReportTaskInput!)",
    },
    "ReportQueries": {
        "report_task": "ReportTask(task_id:Int!)",
        "report_tasks": "ReportTask(before_task_id:Int,limit:Int,task_external_id:String,task_external_type:String,task_status:ReportTaskStatus)",
    },
    "ReportSchedule": {
        "runs": "ReportRun(after:ID,first:Int)",
    },
    "ReportSchedulePayload": {
        "saved": "ReportSchedule()",
        "schedule": "ReportSchedule()",
    },
    "SaveCampaignPayload": {
        "campaign": "Campaign()",
    },
    "Segment": {
        "sizeHistory": "SegmentSize(days:Int)",
    },
    "SegmentBulkPayload": {
        "results": "SegmentBulkResult()",
    },
    "SegmentBulkResult": {
        "segment": "Segment()",
    },
    "SegmentConnection": {
        "edges": "SegmentEdge()",
        "nodes": "Segment()",
    },
    "SegmentEdge": {
        "node": "Segment()",
    },
    "SegmentPayload": {
        "segment": "Segment()",
    },
    "Site": {
        "adUnits": "AdUnitConnection(after:String,first:Int,where:AdUnitWhere)",
        "areas": "AreaConnection(after:String,first:Int,where:AreaWhere)",
    },
    "SiteBulkPayload": {
        "results": "SiteBulkResult()",
    },
    "SiteBulkResult": {
        "site": "Site()",
    },
    "SiteConnection": {
        "edges": "SiteEdge()",
        "nodes": "Site()",
    },
    "SiteEdge": {
        "node": "Site()",
    },
    "SitePayload": {
        "site": "Site()",
    },
    "SplitLineItemPayload": {
        "lineItem": "LineItem()",
        "part": "LineItem()",
    },
    "Webhook": {
        "deliveries": "WebhookDelivery(after:ID,first:Int,status:WebhookDeliveryStatus)",
    },
    "WebhookPayload": {
        "saved": "Webhook()",
        "webhook": "Webhook()",
    },
}
"""Fields with arguments, and those that lead to one: type of the value, then arguments with their types."""

WITHOUT_USER_ERRORS = frozenset([
    "disableHeaderCredential",
    "endSession",
    "generate_report",
    "removeMembership",
    "report",
])
"""The mutations whose result has no `userErrors`."""
