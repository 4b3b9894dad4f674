"""The REST API: a method for each operation, and the types of bodies.

Generated from contract/openapi.json; do not edit. "node scripts/write-openapi.ts" writes it.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, TypedDict, Union, cast

from ._transport import Body, Transport, quote

class BidRequestImpItem1BannerFormatItem(TypedDict):
    w: int
    h: int


class BidRequestImpItem1Banner(TypedDict, total=False):
    format: List[BidRequestImpItem1BannerFormatItem]
    w: int
    """Width, where there is no format."""
    h: int
    """Height, where there is no format."""
    pos: Union[str, int]
    """Position of the slot."""
    btype: List[int]
    """Blocked types of banners: 2 images, 3 and 4 HTML."""
    battr: List[int]
    """Blocked attributes of creatives."""


class BidRequestImpItem1VideoCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequestImpItem1VideoCompanionadItem(TypedDict, total=False):
    format: List[BidRequestImpItem1VideoCompanionadItemFormatItem]
    w: int
    """Width, where there is no format."""
    h: int
    """Height, where there is no format."""
    pos: Union[str, int]
    """Position of the slot."""
    btype: List[int]
    """Blocked types of banners: 2 images, 3 and 4 HTML."""
    battr: List[int]
    """Blocked attributes of creatives."""


class BidRequestImpItem1Video(TypedDict, total=False):
    mimes: List[str]
    """Media types that the player takes."""
    minduration: float
    """Seconds."""
    maxduration: float
    """Seconds."""
    rqddurs: List[int]
    """Exact durations in seconds."""
    minbitrate: float
    """Kilobits per second of a media file."""
    maxbitrate: float
    """Kilobits per second of a media file."""
    delivery: List[int]
    """Delivery of media files: 1 streaming, 2 progressive."""
    linearity: int
    """2: non-linear only, which no ad is."""
    protocols: List[int]
    """VAST versions."""
    protocol: int
    """One VAST version, where there are no protocols."""
    w: int
    """Width of the player."""
    h: int
    """Height of the player."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequestImpItem1VideoCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""


class BidRequestImpItem1Native(TypedDict, total=False):
    request: Union[str, Dict[str, Any]]
    """OpenRTB Native 1.0 to 1.2."""
    battr: List[int]
    """Blocked attributes of creatives."""


class _BidRequestImpItem1PmpDealsItemRequired(TypedDict):
    id: str
    """Code of the deal."""


class BidRequestImpItem1PmpDealsItem(_BidRequestImpItem1PmpDealsItemRequired, total=False):
    bidfloor: float
    """CPM."""
    bidfloorcur: str
    """ISO 4217. A floor in a currency without an exchange rate gets no bid."""
    at: int
    """3: the floor is the fixed price."""
    wseat: List[str]
    """Seats that may buy."""
    wadomain: List[str]
    """Domains of advertisers that may buy."""


class BidRequestImpItem1Pmp(TypedDict, total=False):
    private_auction: float
    """1: only the deals may serve."""
    deals: List[BidRequestImpItem1PmpDealsItem]
    """Deals of the slot."""


class _BidRequestImpItem1ExtHbItemRequired(TypedDict):
    bidder: str
    cpm: float
    """CPM."""
    adId: str
    """The id by which the page renders the ad."""


class BidRequestImpItem1ExtHbItem(_BidRequestImpItem1ExtHbItemRequired, total=False):
    """A bid of a header bidder."""
    currency: str
    """ISO 4217; default: the network's currency. Bids in a currency without an exchange rate do not compete."""
    size: str


class BidRequestImpItem1Ext(TypedDict, total=False):
    placement: str
    """Name of the ad unit, where there is no tagid."""
    adUnit: str
    """The same."""
    pos: str
    """Position of the slot."""
    hb: List[BidRequestImpItem1ExtHbItem]
    """Bids of header bidders; the highest competes for the slot."""
    keyvalues: Dict[str, Union[str, float, bool, List[str]]]
    """Key-values of the slot; a key of the page with the same name does not count for it."""


class _BidRequestImpItem1Required(TypedDict):
    id: str
    """Slot id; impid of its bid."""
    banner: BidRequestImpItem1Banner


class BidRequestImpItem1(_BidRequestImpItem1Required, total=False):
    tagid: str
    """Name of the ad unit."""
    video: BidRequestImpItem1Video
    native: BidRequestImpItem1Native
    secure: float
    """1: HTTPS creatives only."""
    bidfloor: float
    """CPM; in the currency of the network unless bidfloorcur names another."""
    bidfloorcur: str
    """ISO 4217. A floor in a currency without an exchange rate gets no bid."""
    pmp: BidRequestImpItem1Pmp
    ext: BidRequestImpItem1Ext


class BidRequestImpItem2BannerFormatItem(TypedDict):
    w: int
    h: int


class BidRequestImpItem2Banner(TypedDict, total=False):
    format: List[BidRequestImpItem2BannerFormatItem]
    w: int
    """Width, where there is no format."""
    h: int
    """Height, where there is no format."""
    pos: Union[str, int]
    """Position of the slot."""
    btype: List[int]
    """Blocked types of banners: 2 images, 3 and 4 HTML."""
    battr: List[int]
    """Blocked attributes of creatives."""


class BidRequestImpItem2VideoCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequestImpItem2VideoCompanionadItem(TypedDict, total=False):
    format: List[BidRequestImpItem2VideoCompanionadItemFormatItem]
    w: int
    """Width, where there is no format."""
    h: int
    """Height, where there is no format."""
    pos: Union[str, int]
    """Position of the slot."""
    btype: List[int]
    """Blocked types of banners: 2 images, 3 and 4 HTML."""
    battr: List[int]
    """Blocked attributes of creatives."""


class BidRequestImpItem2Video(TypedDict, total=False):
    mimes: List[str]
    """Media types that the player takes."""
    minduration: float
    """Seconds."""
    maxduration: float
    """Seconds."""
    rqddurs: List[int]
    """Exact durations in seconds."""
    minbitrate: float
    """Kilobits per second of a media file."""
    maxbitrate: float
    """Kilobits per second of a media file."""
    delivery: List[int]
    """Delivery of media files: 1 streaming, 2 progressive."""
    linearity: int
    """2: non-linear only, which no ad is."""
    protocols: List[int]
    """VAST versions."""
    protocol: int
    """One VAST version, where there are no protocols."""
    w: int
    """Width of the player."""
    h: int
    """Height of the player."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequestImpItem2VideoCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""


class BidRequestImpItem2Native(TypedDict, total=False):
    request: Union[str, Dict[str, Any]]
    """OpenRTB Native 1.0 to 1.2."""
    battr: List[int]
    """Blocked attributes of creatives."""


class _BidRequestImpItem2PmpDealsItemRequired(TypedDict):
    id: str
    """Code of the deal."""


class BidRequestImpItem2PmpDealsItem(_BidRequestImpItem2PmpDealsItemRequired, total=False):
    bidfloor: float
    """CPM."""
    bidfloorcur: str
    """ISO 4217. A floor in a currency without an exchange rate gets no bid."""
    at: int
    """3: the floor is the fixed price."""
    wseat: List[str]
    """Seats that may buy."""
    wadomain: List[str]
    """Domains of advertisers that may buy."""


class BidRequestImpItem2Pmp(TypedDict, total=False):
    private_auction: float
    """1: only the deals may serve."""
    deals: List[BidRequestImpItem2PmpDealsItem]
    """Deals of the slot."""


class _BidRequestImpItem2ExtHbItemRequired(TypedDict):
    bidder: str
    cpm: float
    """CPM."""
    adId: str
    """The id by which the page renders the ad."""


class BidRequestImpItem2ExtHbItem(_BidRequestImpItem2ExtHbItemRequired, total=False):
    """A bid of a header bidder."""
    currency: str
    """ISO 4217; default: the network's currency. Bids in a currency without an exchange rate do not compete."""
    size: str


class BidRequestImpItem2Ext(TypedDict, total=False):
    placement: str
    """Name of the ad unit, where there is no tagid."""
    adUnit: str
    """The same."""
    pos: str
    """Position of the slot."""
    hb: List[BidRequestImpItem2ExtHbItem]
    """Bids of header bidders; the highest competes for the slot."""
    keyvalues: Dict[str, Union[str, float, bool, List[str]]]
    """Key-values of the slot; a key of the page with the same name does not count for it."""


class _BidRequestImpItem2Required(TypedDict):
    id: str
    """Slot id; impid of its bid."""
    video: BidRequestImpItem2Video


class BidRequestImpItem2(_BidRequestImpItem2Required, total=False):
    tagid: str
    """Name of the ad unit."""
    banner: BidRequestImpItem2Banner
    native: BidRequestImpItem2Native
    secure: float
    """1: HTTPS creatives only."""
    bidfloor: float
    """CPM; in the currency of the network unless bidfloorcur names another."""
    bidfloorcur: str
    """ISO 4217. A floor in a currency without an exchange rate gets no bid."""
    pmp: BidRequestImpItem2Pmp
    ext: BidRequestImpItem2Ext


class BidRequestImpItem3BannerFormatItem(TypedDict):
    w: int
    h: int


class BidRequestImpItem3Banner(TypedDict, total=False):
    format: List[BidRequestImpItem3BannerFormatItem]
    w: int
    """Width, where there is no format."""
    h: int
    """Height, where there is no format."""
    pos: Union[str, int]
    """Position of the slot."""
    btype: List[int]
    """Blocked types of banners: 2 images, 3 and 4 HTML."""
    battr: List[int]
    """Blocked attributes of creatives."""


class BidRequestImpItem3VideoCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequestImpItem3VideoCompanionadItem(TypedDict, total=False):
    format: List[BidRequestImpItem3VideoCompanionadItemFormatItem]
    w: int
    """Width, where there is no format."""
    h: int
    """Height, where there is no format."""
    pos: Union[str, int]
    """Position of the slot."""
    btype: List[int]
    """Blocked types of banners: 2 images, 3 and 4 HTML."""
    battr: List[int]
    """Blocked attributes of creatives."""


class BidRequestImpItem3Video(TypedDict, total=False):
    mimes: List[str]
    """Media types that the player takes."""
    minduration: float
    """Seconds."""
    maxduration: float
    """Seconds."""
    rqddurs: List[int]
    """Exact durations in seconds."""
    minbitrate: float
    """Kilobits per second of a media file."""
    maxbitrate: float
    """Kilobits per second of a media file."""
    delivery: List[int]
    """Delivery of media files: 1 streaming, 2 progressive."""
    linearity: int
    """2: non-linear only, which no ad is."""
    protocols: List[int]
    """VAST versions."""
    protocol: int
    """One VAST version, where there are no protocols."""
    w: int
    """Width of the player."""
    h: int
    """Height of the player."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequestImpItem3VideoCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""


class BidRequestImpItem3Native(TypedDict, total=False):
    request: Union[str, Dict[str, Any]]
    """OpenRTB Native 1.0 to 1.2."""
    battr: List[int]
    """Blocked attributes of creatives."""


class _BidRequestImpItem3PmpDealsItemRequired(TypedDict):
    id: str
    """Code of the deal."""


class BidRequestImpItem3PmpDealsItem(_BidRequestImpItem3PmpDealsItemRequired, total=False):
    bidfloor: float
    """CPM."""
    bidfloorcur: str
    """ISO 4217. A floor in a currency without an exchange rate gets no bid."""
    at: int
    """3: the floor is the fixed price."""
    wseat: List[str]
    """Seats that may buy."""
    wadomain: List[str]
    """Domains of advertisers that may buy."""


class BidRequestImpItem3Pmp(TypedDict, total=False):
    private_auction: float
    """1: only the deals may serve."""
    deals: List[BidRequestImpItem3PmpDealsItem]
    """Deals of the slot."""


class _BidRequestImpItem3ExtHbItemRequired(TypedDict):
    bidder: str
    cpm: float
    """CPM."""
    adId: str
    """The id by which the page renders the ad."""


class BidRequestImpItem3ExtHbItem(_BidRequestImpItem3ExtHbItemRequired, total=False):
    """A bid of a header bidder."""
    currency: str
    """ISO 4217; default: the network's currency. Bids in a currency without an exchange rate do not compete."""
    size: str


class BidRequestImpItem3Ext(TypedDict, total=False):
    placement: str
    """Name of the ad unit, where there is no tagid."""
    adUnit: str
    """The same."""
    pos: str
    """Position of the slot."""
    hb: List[BidRequestImpItem3ExtHbItem]
    """Bids of header bidders; the highest competes for the slot."""
    keyvalues: Dict[str, Union[str, float, bool, List[str]]]
    """Key-values of the slot; a key of the page with the same name does not count for it."""


class _BidRequestImpItem3Required(TypedDict):
    id: str
    """Slot id; impid of its bid."""
    native: BidRequestImpItem3Native


class BidRequestImpItem3(_BidRequestImpItem3Required, total=False):
    tagid: str
    """Name of the ad unit."""
    banner: BidRequestImpItem3Banner
    video: BidRequestImpItem3Video
    secure: float
    """1: HTTPS creatives only."""
    bidfloor: float
    """CPM; in the currency of the network unless bidfloorcur names another."""
    bidfloorcur: str
    """ISO 4217. A floor in a currency without an exchange rate gets no bid."""
    pmp: BidRequestImpItem3Pmp
    ext: BidRequestImpItem3Ext


class BidRequestSiteExt(TypedDict, total=False):
    area: str
    """Code of the area."""
    kwrd: str
    """Keywords joined with + or spaces."""


class _BidRequestSiteRequired(TypedDict):
    id: str
    """Site id."""
    domain: str
    """Domain; required also beside a page address."""


class BidRequestSite(_BidRequestSiteRequired, total=False):
    page: str
    """Page address."""
    keywords: str
    """Keywords joined with commas."""
    kwarray: List[str]
    """Keywords."""
    ext: BidRequestSiteExt


class BidRequestDeviceGeo(TypedDict, total=False):
    country: str
    """ISO 3166-1, two or three letters."""
    region: str
    """ISO 3166-2, without the country."""
    city: str
    """Name."""


class BidRequestDevice(TypedDict, total=False):
    ua: str
    """User agent; default: the header of the request."""
    sua: Dict[str, Any]
    """User agent in parts."""
    devicetype: int
    """Kind of device."""
    os: str
    """Operating system."""
    language: str
    """ISO 639-1."""
    langb: str
    """BCP 47."""
    ip: str
    """Address, for the country; default: that of the caller."""
    ipv6: str
    """The same."""
    lmt: float
    """1: tracking is limited."""
    dnt: float
    """1: do not track."""
    geo: BidRequestDeviceGeo


class BidRequestUserDataItemSegmentItem(TypedDict):
    id: str


class BidRequestUserDataItem(TypedDict, total=False):
    segment: List[BidRequestUserDataItemSegmentItem]


class BidRequestUserExtIds(TypedDict, total=False):
    lu: str
    """The caller's first-party user id; used only with consent."""
    aid: str
    """Hashed account id; used when there is no lu."""
    hh: str
    """Id of the household, for frequency caps per household; used only with consent."""


class BidRequestUserExt(TypedDict, total=False):
    npa: bool
    """true: contextual ads only."""
    consent: str
    """TCF consent string."""
    ids: BidRequestUserExtIds


class BidRequestUser(TypedDict, total=False):
    consent: str
    """TCF consent string."""
    npa: bool
    """true: contextual ads only."""
    data: List[BidRequestUserDataItem]
    """Segments of the user; used only with consent."""
    ext: BidRequestUserExt


class BidRequestRegsExt(TypedDict, total=False):
    gdpr: float
    """1 where GDPR applies."""
    gpp: str
    """GPP string."""
    us_privacy: str
    """US Privacy, four characters."""
    coppa: float
    """1: directed at children."""
    dsa: Union[int, Dict[str, Any]]
    """1, or the IAB object."""


class BidRequestRegs(TypedDict, total=False):
    gdpr: float
    """1 where GDPR applies."""
    consent: str
    """TCF consent string."""
    gpp: str
    """GPP string."""
    us_privacy: str
    """US Privacy, four characters."""
    coppa: float
    """1: directed at children."""
    usPrivacy: str
    """US Privacy, four characters."""
    dsa: Union[int, Dict[str, Any]]
    """1, or the IAB object."""
    ext: BidRequestRegsExt


class BidRequestExt(TypedDict, total=False):
    keyvalues: Dict[str, Union[str, float, bool, List[str]]]
    """Key-values of the page; line items target them."""
    keyValues: Dict[str, Union[str, float, bool, List[str]]]
    """The same, where there is no keyvalues."""


class _BidRequestRequired(TypedDict):
    id: str
    """Unique; a repeated id within 5 minutes counts once."""
    imp: List[Union[BidRequestImpItem1, BidRequestImpItem2, BidRequestImpItem3]]
    site: BidRequestSite


class BidRequest(_BidRequestRequired, total=False):
    """OpenRTB 2.6 bid request."""
    device: BidRequestDevice
    user: BidRequestUser
    regs: BidRequestRegs
    npa: bool
    """true: contextual ads only."""
    cur: List[str]
    """Currencies that the caller takes. Bids are in the network's if it is one of them, else in the first with an
    exchange rate, else there is no bid.
    """
    bcat: List[str]
    """Blocked categories of advertisers."""
    acat: List[str]
    """Allowed categories of advertisers; others get no bid."""
    badv: List[str]
    """Blocked domains of advertisers."""
    wseat: List[str]
    """Only these seats."""
    bseat: List[str]
    """Not these seats."""
    wlang: List[str]
    """Languages of creatives that the caller takes."""
    wlangb: List[str]
    """The same as tags of BCP 47."""
    ext: BidRequestExt
    tmax: float
    """Milliseconds; a later response becomes 204."""
    test: float
    """1: a test request, which gets a response and is never billed."""


class BidResponseSeatbidItemBidItemExtDsaTransparencyItem(TypedDict):
    domain: str
    dsaparams: List[int]


class BidResponseSeatbidItemBidItemExtDsa(TypedDict, total=False):
    behalf: str
    paid: str
    adrender: int
    transparency: List[BidResponseSeatbidItemBidItemExtDsaTransparencyItem]


class _BidResponseSeatbidItemBidItemExtRequired(TypedDict):
    ems_link: str
    """Impression tracking URL: fire it when the ad is shown. Impressions count only when it is fired."""
    dsaurl: str
    """Page behind "Why this ad?"."""


class BidResponseSeatbidItemBidItemExt(_BidResponseSeatbidItemBidItemExtRequired, total=False):
    dsa: BidResponseSeatbidItemBidItemExtDsa


class _BidResponseSeatbidItemBidItemRequired(TypedDict):
    id: str
    impid: str
    price: float
    """CPM."""
    adm: str
    """HTML (mtype 1), VAST (2), or a JSON text (4)."""
    adomain: List[str]
    cid: str
    crid: str
    mtype: float
    exp: int
    """Seconds for which the bid is valid."""
    burl: str
    """Counts the impression; repeats count once."""
    ext: BidResponseSeatbidItemBidItemExt


class BidResponseSeatbidItemBidItem(_BidResponseSeatbidItemBidItemRequired, total=False):
    w: int
    h: int
    dealid: str


class BidResponseSeatbidItem(TypedDict):
    seat: str
    bid: List[BidResponseSeatbidItemBidItem]


class BidResponseExtHbItem(TypedDict):
    impid: str
    """Its slot."""
    bidder: str
    adId: str
    width: int
    height: int


class BidResponseExt(TypedDict, total=False):
    dsaurl: str
    """Page behind "Why this ad?" of the first bid; link it near the ad. Absent without a bid."""
    hb: List[BidResponseExtHbItem]
    """Header bids that won, for the page to show; absent if none won."""


class BidResponse(TypedDict):
    """OpenRTB 2.6 bid response."""
    id: str
    """Id of the request."""
    cur: str
    """ISO 4217."""
    seatbid: List[BidResponseSeatbidItem]
    """Empty only if header bidders won every slot that has a winner."""
    ext: BidResponseExt


class AdsRequestSite2(TypedDict, total=False):
    domain: str


class AdsRequestUserIds(TypedDict, total=False):
    lu: str
    """The caller's first-party user id; used only with consent."""
    aid: str
    """Hashed account id; used when there is no lu."""
    hh: str
    """Id of the household, for frequency caps per household; used only with consent."""


class AdsRequestUser(TypedDict, total=False):
    ids: AdsRequestUserIds
    npa: bool
    consent: str


class AdsRequestRegs(TypedDict, total=False):
    gdpr: float
    """1 where GDPR applies."""


class AdsRequestDevice(TypedDict, total=False):
    """The user's."""
    ua: str
    ip: str
    langb: str


class _AdsRequestHbItemRequired(TypedDict):
    bidder: str
    cpm: float
    """CPM."""
    adId: str
    """The id by which the page renders the ad."""


class AdsRequestHbItem(_AdsRequestHbItemRequired, total=False):
    """A bid of a header bidder."""
    currency: str
    """ISO 4217; default: the network's currency. Bids in a currency without an exchange rate do not compete."""
    size: str


class _AdsRequestRequired(TypedDict):
    network: str
    """Network id, that of the key."""
    adUnit: str
    """Name of the ad unit."""


class AdsRequest(_AdsRequestRequired, total=False):
    """Request for ads of a named ad unit."""
    count: int
    """Most ads; default 1."""
    site: Union[str, AdsRequestSite2]
    page: str
    """Page address."""
    keywords: List[str]
    keyValues: Dict[str, Union[str, List[str]]]
    user: AdsRequestUser
    regs: AdsRequestRegs
    device: AdsRequestDevice
    """The user's."""
    sizes: List[str]
    """Default: those of the ad unit."""
    hb: List[AdsRequestHbItem]
    """Bids of header bidders; the highest competes for the first ad."""


class AdsAnswerPrivacy(TypedDict):
    gdpr: bool
    npa: bool
    reason: Optional[str]


class AdsAnswerAdsItemAdvertiser(TypedDict):
    id: str
    name: str
    domains: List[str]


class AdsAnswerAdsItemTracking(TypedDict):
    impressionUrl: str
    """Fire it when the ad is shown."""
    clickUrl: str
    viewableUrl: str
    thirdPartyImpressionUrls: List[str]


class AdsAnswerAdsItemDsa(TypedDict):
    behalf: Optional[str]
    paid: Optional[str]
    url: str


class _AdsAnswerAdsItemRequired(TypedDict):
    position: int
    impressionId: str
    campaignId: str
    lineItemId: str
    creativeId: str
    companionOf: Optional[str]
    type: str
    dealId: Optional[str]
    advertiser: AdsAnswerAdsItemAdvertiser
    format: Literal["IMAGE", "HTML", "NATIVE", "VIDEO"]
    width: int
    height: int
    content: Dict[str, Any]
    """One shape per format."""
    tracking: AdsAnswerAdsItemTracking
    dsa: AdsAnswerAdsItemDsa
    expiresAt: str
    """An impression fired later is not counted."""


class AdsAnswerAdsItem(_AdsAnswerAdsItemRequired, total=False):
    html: str
    """Ready-made markup, for IMAGE and HTML."""


class AdsAnswerNoFill1(TypedDict):
    code: str


class AdsAnswerHeaderBid1(TypedDict):
    bidder: str
    adId: str
    width: int
    height: int


class _AdsAnswerRequired(TypedDict):
    requestId: str
    network: str
    adUnit: str
    serverTime: str
    privacy: AdsAnswerPrivacy
    ads: List[AdsAnswerAdsItem]
    noFill: Optional[AdsAnswerNoFill1]
    """The no-fill reason; header_bid if a header bidder won and there are no other ads."""


class AdsAnswer(_AdsAnswerRequired, total=False):
    """Ads, best first."""
    headerBid: Optional[AdsAnswerHeaderBid1]
    """Present with hb: the header bid that won the first ad, for the caller to show; null = none won."""


class _ActivityEventRequired(TypedDict):
    network: str
    """Network id, that of the key."""
    actgid: str
    """Activity pixel id."""
    event: str
    """Event name, such as purchased."""


class ActivityEvent(_ActivityEventRequired, total=False):
    """Conversion or activity event."""
    cost: str
    """Decimal amount as text."""
    ord: str
    """Order reference: with it an event sent twice counts once."""
    lu: str
    """User id of the page."""
    aid: str
    """Hashed account id."""
    clickId: str
    """Impression id of the click."""
    qty: int
    tax: str
    currency: str
    """ISO 4217; default: that of the network."""
    npa: bool
    products: List[Any]
    """What was bought; at most 8192 characters as JSON."""
    ts: Union[int, str]
    """When it happened: epoch milliseconds, or ISO 8601 with a zone; at most 7 days ago."""


class ActivityAnswer(TypedDict):
    """202 accepted: it is on disk, and is credited at once or when contacts can be read. 200 duplicate: its order
    reference was recorded before.
    """
    eventId: str
    status: Literal["accepted", "duplicate"]


class ErrorBodyFieldsItem(TypedDict):
    path: str
    code: str
    message: str


class _ErrorBodyRequired(TypedDict):
    error: Literal["https_required", "authentication_required", "invalid_credentials", "insufficient_permissions", "ip_not_allowed", "csrf_refused", "verification_required", "rate_limit_exceeded", "invalid_request", "validation_failed", "not_acceptable", "not_found", "unknown_ad_unit", "unknown_activity", "unknown_network", "method_not_allowed", "request_timeout", "payload_too_large", "unsupported_media_type", "conflict", "idempotency_conflict", "network_suspended", "query_too_complex", "quota_exceeded", "disk_space_low", "report_space_used_up", "gone", "range_not_satisfiable", "query_timeout", "overloaded", "unavailable", "internal_error"]
    """Stable code."""
    message: str
    """What to do; the wording may change."""


class ErrorBody(_ErrorBodyRequired, total=False):
    """Every error; some codes carry more members."""
    fields: List[ErrorBodyFieldsItem]
    limit: int
    """Of rate limits."""
    reset: int
    """Unix seconds at which a limit opens again."""
    requestId: str
    """Of server errors."""


class _ReportErrorRequired(TypedDict):
    error: str
    """A sentence."""


class ReportError(_ReportErrorRequired, total=False):
    """A report query that is refused: error is a sentence, code the stable code."""
    type: str
    code: Literal["https_required", "authentication_required", "invalid_credentials", "insufficient_permissions", "ip_not_allowed", "csrf_refused", "verification_required", "rate_limit_exceeded", "invalid_request", "validation_failed", "not_acceptable", "not_found", "unknown_ad_unit", "unknown_activity", "unknown_network", "method_not_allowed", "request_timeout", "payload_too_large", "unsupported_media_type", "conflict", "idempotency_conflict", "network_suspended", "query_too_complex", "quota_exceeded", "disk_space_low", "report_space_used_up", "gone", "range_not_satisfiable", "query_timeout", "overloaded", "unavailable", "internal_error"]


class _ReportFilter1Required(TypedDict):
    member: str
    operator: Literal["equals", "notEquals", "contains", "notContains", "startsWith", "notStartsWith", "endsWith", "notEndsWith", "in", "notIn", "gt", "gte", "lt", "lte", "set", "notSet", "inDateRange", "notInDateRange", "onTheDate", "beforeDate", "beforeOrOnDate", "afterDate", "afterOrOnDate", "measureFilter"]


class ReportFilter1(_ReportFilter1Required, total=False):
    values: List[Optional[Union[str, float, bool]]]


class _ReportFilter2Required(TypedDict):
    dimension: str
    """The name of member in older clients."""
    operator: Literal["equals", "notEquals", "contains", "notContains", "startsWith", "notStartsWith", "endsWith", "notEndsWith", "in", "notIn", "gt", "gte", "lt", "lte", "set", "notSet", "inDateRange", "notInDateRange", "onTheDate", "beforeDate", "beforeOrOnDate", "afterDate", "afterOrOnDate", "measureFilter"]


class ReportFilter2(_ReportFilter2Required, total=False):
    values: List[Optional[Union[str, float, bool]]]


ReportFilter3 = TypedDict(
    "ReportFilter3",
    {
        "or": "List[ReportFilter]",
    },
    total=False,
)


ReportFilter4 = TypedDict(
    "ReportFilter4",
    {
        "and": "List[ReportFilter]",
    },
    total=False,
)


class _ReportQueryTimeDimensionsItemRequired(TypedDict):
    dimension: str


class ReportQueryTimeDimensionsItem(_ReportQueryTimeDimensionsItemRequired, total=False):
    granularity: Optional[str]
    dateRange: Optional[Union[List[str], str]]
    compareDateRange: List[Union[List[str], str]]
    """Ranges to compare, instead of dateRange."""


class ReportQueryOrder12Item2(TypedDict):
    id: str
    desc: bool


class _ReportQueryRequired(TypedDict):
    timeDimensions: List[ReportQueryTimeDimensionsItem]
    """One needs a dateRange. At most 10."""


class ReportQuery(_ReportQueryRequired, total=False):
    """Members are full names, such as campaign_overview.impressions. Unknown members are refused."""
    measures: List[str]
    dimensions: List[str]
    filters: List[ReportFilter]
    segments: List[str]
    order: Optional[Union[Dict[str, Literal["asc", "desc"]], List[Union[List[Any], ReportQueryOrder12Item2]]]]
    limit: int
    """10,000 unless given."""
    offset: int
    total: Union[bool, Literal["true", "false"]]
    """Also count all rows, regardless of limit and offset."""
    timezone: Optional[str]
    """IANA name; default: that of the network."""
    cache: Optional[Literal["stale-if-slow", "stale-while-revalidate", "must-revalidate", "no-cache"]]
    ungrouped: Union[bool, Literal["true", "false"]]
    """Single rows instead of sums."""


class _ReportRequestRequired(TypedDict):
    query: Union[ReportQuery, List[ReportQuery]]
    """One query; several are data blending (queryType multi)."""


class ReportRequest(_ReportRequestRequired, total=False):
    queryType: str
    """multi: the response has the shape that Cube clients expect."""
    cache: Literal["stale-if-slow", "stale-while-revalidate", "must-revalidate", "no-cache"]
    """stale-if-slow (default): at most two seconds old, or an older result when a new one takes longer than 1.5 s.
    stale-while-revalidate: what is known, at once. must-revalidate: everything that the store held at the time
    of the request. no-cache: computed now.
    """


class ReportStatements1Sql(TypedDict):
    sql: List[Any]
    """The statement, its parameters, and these by name."""


class ReportStatements1(TypedDict):
    sql: ReportStatements1Sql


class ReportStatements2ItemSql(TypedDict):
    sql: List[Any]
    """The statement, its parameters, and these by name."""


class ReportStatements2Item(TypedDict):
    sql: ReportStatements2ItemSql


class ReportAnswer(TypedDict, total=False):
    """Rows of a query."""
    data: List[Dict[str, Optional[Union[str, bool]]]]
    """Keyed by full member name; numbers are texts, so that no digit is lost."""
    query: Dict[str, Any]
    """The query, its dates resolved."""
    annotation: Dict[str, Any]
    """Titles, types and formats of the members."""
    total: int
    """Number of rows regardless of limit and offset, on request."""
    lastRefreshTime: str
    """The moment up to which the response is complete."""
    dataAsOf: Optional[str]
    """As the header X-Data-As-Of."""
    completeUntil: Optional[str]
    """All events before this moment are counted; null: unknown."""
    results: List[Dict[str, Any]]
    """With queryType multi, each with the members above."""
    error: Literal["Continue wait"]
    """With queryType multi: ask again at once."""


class ReportDryRun(TypedDict):
    """A query, as Cube clients read it."""
    queryType: str
    """regularQuery, compareDateRangeQuery or blendingQuery."""
    normalizedQueries: List[Dict[str, Any]]
    """The queries, their dates resolved and their defaults filled in."""
    queryOrder: List[Dict[str, Literal["asc", "desc"]]]
    transformedQueries: List[Dict[str, Any]]
    """Always empty."""
    pivotQuery: Dict[str, Any]


class ReportMetaCubesItemMeasuresItem(TypedDict):
    name: str
    title: str
    shortTitle: str
    description: str
    type: str


class ReportMetaCubesItemDimensionsItem(TypedDict):
    name: str
    title: str
    shortTitle: str
    description: str
    type: str


class ReportMetaCubesItem(TypedDict):
    name: str
    title: str
    measures: List[ReportMetaCubesItemMeasuresItem]
    dimensions: List[ReportMetaCubesItemDimensionsItem]


class ReportMeta(TypedDict):
    """Every queryable measure and dimension."""
    cubes: List[ReportMetaCubesItem]


class _GraphqlRequestRequired(TypedDict):
    query: str
    """A GraphQL document."""


class GraphqlRequest(_GraphqlRequestRequired, total=False):
    variables: Optional[Dict[str, Any]]
    operationName: Optional[str]


class GraphqlAnswerErrorsItem(TypedDict):
    message: str


class GraphqlAnswer(TypedDict, total=False):
    data: Any
    errors: List[GraphqlAnswerErrorsItem]


class UploadedFileBundle1Scan(TypedDict):
    insecureUrls: List[str]
    hosts: List[str]
    usesCookies: bool
    usesStorage: bool
    usesDocumentWrite: bool
    hasClickMacro: Optional[bool]


class _UploadedFileBundle1Required(TypedDict):
    entry: str
    """Path of the page that is shown."""
    clickTag: str
    """The click tag as its code has it."""
    files: int
    unpackedBytes: int
    scan: UploadedFileBundle1Scan


class UploadedFileBundle1(_UploadedFileBundle1Required, total=False):
    leftOut: List[str]
    """Files that are not served, such as source maps."""


class UploadedFile(TypedDict):
    url: str
    """The fields of a creative's content."""
    contentType: str
    sizeBytes: int
    width: Optional[int]
    height: Optional[int]
    durationMs: Optional[int]
    """Length of an MP4 video in milliseconds."""
    bundle: Optional[UploadedFileBundle1]
    """What is inside an HTML5 bundle (ZIP); null for any other file."""


class SegmentUploadAnswer(TypedDict):
    segmentId: str
    mode: Literal["ADD", "REMOVE", "REPLACE"]
    lines: int
    changed: int


class BulkJobError1(TypedDict):
    code: str
    message: str


class BulkJob(TypedDict):
    id: str
    resource: Literal["advertisers", "campaigns", "lineItems", "creatives"]
    validateOnly: bool
    state: Literal["waiting", "running", "completed", "failed", "cancelled"]
    rows: int
    """Lines that hold a row."""
    processed: int
    succeeded: int
    failed: int
    error: Optional[BulkJobError1]
    """Why the job failed; null unless its state is failed."""
    submittedBy: str
    createdAt: str
    startedAt: Optional[str]
    finishedAt: Optional[str]
    url: str
    """Where its state is."""
    resultsUrl: str
    """Where the results are, up to what is processed."""
    cancelUrl: str


class BulkJobList(TypedDict):
    jobs: List[BulkJob]


class Health(TypedDict):
    status: str


ReportFilter = Union["ReportFilter1", "ReportFilter2", "ReportFilter3", "ReportFilter4"]


ReportStatements = Union["ReportStatements1", List["ReportStatements2Item"]]


class Operations:
    """Every operation that programs call. Each takes `timeout`, its time limit in seconds."""

    _transport: Transport

    def bid(
        self,
        body: BidRequest,
        *,
        timeout: Optional[float] = None,
    ) -> Optional[BidResponse]:
        """Requests bids. Needs no credentials. Also accepted as text/plain, so that browsers send no preflight.
        CORS with credentials on every status.
        """
        return cast(
            "Optional[BidResponse]",
            self._transport.call(
                "POST",
                "delivery",
                "/<network>/bid",
                body=body,
                media_type="application/json",
                accept="application/json",
                secured=False,
                timeout=timeout,
            ),
        )

    def request_ads(
        self,
        body: AdsRequest,
        *,
        timeout: Optional[float] = None,
    ) -> AdsAnswer:
        """Ads of a named ad unit. Scope DELIVERY. No fill is a 200 with an empty list."""
        return cast(
            "AdsAnswer",
            self._transport.call(
                "POST",
                "delivery",
                "/api/v1/ads",
                body=body,
                media_type="application/json",
                accept="application/json",
                secured=True,
                timeout=timeout,
            ),
        )

    def record_event(
        self,
        body: ActivityEvent,
        *,
        timeout: Optional[float] = None,
    ) -> ActivityAnswer:
        """Records a conversion or activity event. Scope AUDIENCE. With a user or click id the event is attributed:
        last click, else last impression, within their windows.
        """
        return cast(
            "ActivityAnswer",
            self._transport.call(
                "POST",
                "delivery",
                "/api/v1/events",
                body=body,
                media_type="application/json",
                accept="application/json",
                secured=True,
                timeout=timeout,
            ),
        )

    def load_report(
        self,
        body: ReportRequest,
        *,
        accept: Literal["application/json", "text/csv", "application/x-ndjson", "application/vnd.apache.arrow.stream", "application/vnd.apache.parquet", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"] = "application/json",
        timeout: Optional[float] = None,
    ) -> Union[ReportAnswer, bytes]:
        """Rows of a query. Every query needs a dateRange of at most 90 days. The address works as apiUrl of
        @cubejs-client/core. Besides the members of all networks there are the network's own: kv_… for keys that
        are reported, activity_… for its activities (see /meta).
        """
        return cast(
            "Union[ReportAnswer, bytes]",
            self._transport.call(
                "POST",
                "core",
                "/reports/<network>/v1/load",
                body=body,
                media_type="application/json",
                accept=accept,
                secured=True,
                timeout=timeout,
            ),
        )

    def dry_run_report(
        self,
        body: ReportRequest,
        *,
        timeout: Optional[float] = None,
    ) -> ReportDryRun:
        """What a query asks for, without running it (Cube: dryRun)."""
        return cast(
            "ReportDryRun",
            self._transport.call(
                "POST",
                "core",
                "/reports/<network>/v1/dry-run",
                body=body,
                media_type="application/json",
                accept="application/json",
                secured=True,
                timeout=timeout,
            ),
        )

    def report_statement(
        self,
        body: ReportRequest,
        *,
        timeout: Optional[float] = None,
    ) -> ReportStatements:
        """The statement of a query, without running it (Cube: sql)."""
        return cast(
            "ReportStatements",
            self._transport.call(
                "POST",
                "core",
                "/reports/<network>/v1/sql",
                body=body,
                media_type="application/json",
                accept="application/json",
                secured=True,
                timeout=timeout,
            ),
        )

    def report_meta(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> ReportMeta:
        """Every measure and dimension of the network, with title and description."""
        return cast(
            "ReportMeta",
            self._transport.call(
                "GET",
                "core",
                "/reports/<network>/v1/meta",
                accept="application/json",
                secured=True,
                timeout=timeout,
            ),
        )

    def download_report(
        self,
        token: str,
        *,
        format: Optional[str] = None,
        accept: Literal["text/csv", "application/x-ndjson", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"] = "text/csv",
        timeout: Optional[float] = None,
    ) -> bytes:
        """The file of a finished report task. CSV with a header row, or what format names. Byte ranges work except
        for xlsx; compressed on request. A slash at the end of the address is allowed.
        """
        return cast(
            "bytes",
            self._transport.call(
                "GET",
                "core",
                f"/reports/download/{quote(token)}",
                query={"format": format},
                accept=accept,
                secured=True,
                timeout=timeout,
            ),
        )

    def download_scheduled_report(
        self,
        token: str,
        *,
        format: Optional[str] = None,
        accept: Literal["text/csv", "application/x-ndjson", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"] = "text/csv",
        timeout: Optional[float] = None,
    ) -> bytes:
        """The file of a scheduled report. CSV with a header row, or what format names. Byte ranges work except for
        xlsx; compressed on request. A slash at the end of the address is allowed.
        """
        return cast(
            "bytes",
            self._transport.call(
                "GET",
                "core",
                f"/reports/runs/{quote(token)}",
                query={"format": format},
                accept=accept,
                secured=True,
                timeout=timeout,
            ),
        )

    def upload_asset(
        self,
        body: Body,
        *,
        timeout: Optional[float] = None,
    ) -> UploadedFile:
        """Uploads a picture or video for a creative's content. Scope DELIVERY, read-write. The raw file, or
        multipart/form-data with one file. The type is read from its content.
        """
        return cast(
            "UploadedFile",
            self._transport.call(
                "POST",
                "core",
                "/assets",
                body=body,
                media_type="application/octet-stream",
                accept="application/json",
                secured=True,
                timeout=timeout,
            ),
        )

    def upload_segment_members(
        self,
        id: str,
        body: Body,
        *,
        mode: Optional[Literal["ADD", "REMOVE", "REPLACE"]] = None,
        ids: Optional[Literal["lu", "aid"]] = None,
        days: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> SegmentUploadAnswer:
        """Adds, removes or replaces members of a segment. Scope AUDIENCE, read-write. One JSON object {"id": "…"}
        a line, or CSV; streamed, at most 1 GB.
        """
        return cast(
            "SegmentUploadAnswer",
            self._transport.call(
                "POST",
                "core",
                f"/segments/{quote(id)}/members",
                body=body,
                media_type="application/x-ndjson",
                query={"mode": mode, "ids": ids, "days": days},
                accept="application/json",
                secured=True,
                timeout=timeout,
            ),
        )

    def submit_bulk_job(
        self,
        body: Body,
        *,
        resource: Literal["advertisers", "campaigns", "lineItems", "creatives"],
        validate_only: Optional[Literal["true", "false"]] = None,
        timeout: Optional[float] = None,
    ) -> BulkJob:
        """Upserts up to 100,000 objects in the background. Scope DELIVERY, read-write. One object a line with the
        fields of the GraphQL input Upsert…Input, found by externalId; at most 100,000 lines, 256 KiB a line and
        100 MB, also when sent with Content-Encoding: gzip. A wrong line fails alone.
        """
        return cast(
            "BulkJob",
            self._transport.call(
                "POST",
                "core",
                "/bulk-jobs",
                body=body,
                media_type="application/x-ndjson",
                query={"resource": resource, "validateOnly": validate_only},
                accept="application/json",
                repeatable=False,
                secured=True,
                timeout=timeout,
            ),
        )

    def bulk_jobs(
        self,
        *,
        limit: Optional[str] = None,
        before: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> BulkJobList:
        """The bulk jobs of the environment, the newest first. Scope DELIVERY. Jobs are deleted 7 days after their
        end.
        """
        return cast(
            "BulkJobList",
            self._transport.call(
                "GET",
                "core",
                "/bulk-jobs",
                query={"limit": limit, "before": before},
                accept="application/json",
                secured=True,
                timeout=timeout,
            ),
        )

    def bulk_job(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> BulkJob:
        """The state and progress of a bulk job. Scope DELIVERY."""
        return cast(
            "BulkJob",
            self._transport.call(
                "GET",
                "core",
                f"/bulk-jobs/{quote(id)}",
                accept="application/json",
                secured=True,
                timeout=timeout,
            ),
        )

    def bulk_job_results(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> bytes:
        """The outcome of each row of a bulk job. Scope DELIVERY. One object a line with line, externalId, id,
        outcome (created, updated, unchanged or failed), userErrors and warnings, in the order of the upload;
        while the job runs, up to what is processed.
        """
        return cast(
            "bytes",
            self._transport.call(
                "GET",
                "core",
                f"/bulk-jobs/{quote(id)}/results",
                accept="application/x-ndjson",
                secured=True,
                timeout=timeout,
            ),
        )

    def cancel_bulk_job(
        self,
        id: str,
        *,
        timeout: Optional[float] = None,
    ) -> BulkJob:
        """Cancels a bulk job that waits or runs. Scope DELIVERY, read-write. Rows that are processed stay as they
        are.
        """
        return cast(
            "BulkJob",
            self._transport.call(
                "POST",
                "core",
                f"/bulk-jobs/{quote(id)}/cancel",
                accept="application/json",
                secured=True,
                timeout=timeout,
            ),
        )

    def health(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> Health:
        """The process responds."""
        return cast(
            "Health",
            self._transport.call(
                "GET",
                "delivery",
                "/healthz",
                accept="application/json",
                secured=False,
                timeout=timeout,
            ),
        )

    def readiness(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> Health:
        """Everything that serving depends on is available."""
        return cast(
            "Health",
            self._transport.call(
                "GET",
                "delivery",
                "/readyz",
                accept="application/json",
                secured=False,
                timeout=timeout,
            ),
        )
