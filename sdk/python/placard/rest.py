"""The REST API: a method for each operation, and the types of bodies.

Generated from contract/openapi.json; do not edit. "node scripts/write-openapi.ts" writes it.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Mapping, Optional, TypedDict, Union, cast

from ._transport import Body, Transport, quote

class BidRequest1ImpItem1BannerFormatItem(TypedDict):
    w: int
    h: int


class BidRequest1ImpItem1Banner(TypedDict, total=False):
    format: List[BidRequest1ImpItem1BannerFormatItem]
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


class BidRequest1ImpItem1VideoCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest1ImpItem1VideoCompanionadItem(TypedDict, total=False):
    format: List[BidRequest1ImpItem1VideoCompanionadItemFormatItem]
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


class BidRequest1ImpItem1VideoDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest1ImpItem1Video(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest1ImpItem1VideoCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest1ImpItem1VideoDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""
    linearity: int
    """2: non-linear only, which no ad is."""
    protocol: int
    """One VAST version, where there are no protocols."""
    w: int
    """Width of the player."""
    h: int
    """Height of the player."""


class BidRequest1ImpItem1AudioCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest1ImpItem1AudioCompanionadItem(TypedDict, total=False):
    format: List[BidRequest1ImpItem1AudioCompanionadItemFormatItem]
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


class BidRequest1ImpItem1AudioDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest1ImpItem1Audio(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest1ImpItem1AudioCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest1ImpItem1AudioDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""


class BidRequest1ImpItem1Native(TypedDict, total=False):
    request: Union[str, Dict[str, Any]]
    """OpenRTB Native 1.0 to 1.2."""
    battr: List[int]
    """Blocked attributes of creatives."""


class _BidRequest1ImpItem1PmpDealsItemRequired(TypedDict):
    id: str
    """Code of the deal."""


class BidRequest1ImpItem1PmpDealsItem(_BidRequest1ImpItem1PmpDealsItemRequired, total=False):
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


class BidRequest1ImpItem1Pmp(TypedDict, total=False):
    private_auction: float
    """1: only the deals may serve."""
    deals: List[BidRequest1ImpItem1PmpDealsItem]
    """Deals of the slot."""


class _BidRequest1ImpItem1ExtHbItemRequired(TypedDict):
    bidder: str
    cpm: float
    """CPM."""
    adId: str
    """The id by which the page renders the ad."""


class BidRequest1ImpItem1ExtHbItem(_BidRequest1ImpItem1ExtHbItemRequired, total=False):
    """A bid of a header bidder."""
    currency: str
    """ISO 4217; default: the network's currency. Bids in a currency without an exchange rate do not compete."""
    size: str


class BidRequest1ImpItem1Ext(TypedDict, total=False):
    placement: str
    """Name of the ad unit, where there is no tagid."""
    adUnit: str
    """The same."""
    pos: str
    """Position of the slot."""
    hb: List[BidRequest1ImpItem1ExtHbItem]
    """Bids of header bidders; the highest competes for the slot."""
    keyvalues: Dict[str, Union[str, float, bool, List[str]]]
    """Key-values of the slot; a key of the page with the same name does not count for it."""


class _BidRequest1ImpItem1Required(TypedDict):
    id: str
    """Slot id; impid of its bid."""
    banner: BidRequest1ImpItem1Banner


class BidRequest1ImpItem1(_BidRequest1ImpItem1Required, total=False):
    tagid: str
    """Name of the ad unit."""
    video: BidRequest1ImpItem1Video
    audio: BidRequest1ImpItem1Audio
    native: BidRequest1ImpItem1Native
    secure: float
    """1: HTTPS creatives only."""
    bidfloor: float
    """CPM; in the currency of the network unless bidfloorcur names another."""
    bidfloorcur: str
    """ISO 4217. A floor in a currency without an exchange rate gets no bid."""
    pmp: BidRequest1ImpItem1Pmp
    ext: BidRequest1ImpItem1Ext


class BidRequest1ImpItem2BannerFormatItem(TypedDict):
    w: int
    h: int


class BidRequest1ImpItem2Banner(TypedDict, total=False):
    format: List[BidRequest1ImpItem2BannerFormatItem]
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


class BidRequest1ImpItem2VideoCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest1ImpItem2VideoCompanionadItem(TypedDict, total=False):
    format: List[BidRequest1ImpItem2VideoCompanionadItemFormatItem]
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


class BidRequest1ImpItem2VideoDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest1ImpItem2Video(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest1ImpItem2VideoCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest1ImpItem2VideoDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""
    linearity: int
    """2: non-linear only, which no ad is."""
    protocol: int
    """One VAST version, where there are no protocols."""
    w: int
    """Width of the player."""
    h: int
    """Height of the player."""


class BidRequest1ImpItem2AudioCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest1ImpItem2AudioCompanionadItem(TypedDict, total=False):
    format: List[BidRequest1ImpItem2AudioCompanionadItemFormatItem]
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


class BidRequest1ImpItem2AudioDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest1ImpItem2Audio(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest1ImpItem2AudioCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest1ImpItem2AudioDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""


class BidRequest1ImpItem2Native(TypedDict, total=False):
    request: Union[str, Dict[str, Any]]
    """OpenRTB Native 1.0 to 1.2."""
    battr: List[int]
    """Blocked attributes of creatives."""


class _BidRequest1ImpItem2PmpDealsItemRequired(TypedDict):
    id: str
    """Code of the deal."""


class BidRequest1ImpItem2PmpDealsItem(_BidRequest1ImpItem2PmpDealsItemRequired, total=False):
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


class BidRequest1ImpItem2Pmp(TypedDict, total=False):
    private_auction: float
    """1: only the deals may serve."""
    deals: List[BidRequest1ImpItem2PmpDealsItem]
    """Deals of the slot."""


class _BidRequest1ImpItem2ExtHbItemRequired(TypedDict):
    bidder: str
    cpm: float
    """CPM."""
    adId: str
    """The id by which the page renders the ad."""


class BidRequest1ImpItem2ExtHbItem(_BidRequest1ImpItem2ExtHbItemRequired, total=False):
    """A bid of a header bidder."""
    currency: str
    """ISO 4217; default: the network's currency. Bids in a currency without an exchange rate do not compete."""
    size: str


class BidRequest1ImpItem2Ext(TypedDict, total=False):
    placement: str
    """Name of the ad unit, where there is no tagid."""
    adUnit: str
    """The same."""
    pos: str
    """Position of the slot."""
    hb: List[BidRequest1ImpItem2ExtHbItem]
    """Bids of header bidders; the highest competes for the slot."""
    keyvalues: Dict[str, Union[str, float, bool, List[str]]]
    """Key-values of the slot; a key of the page with the same name does not count for it."""


class _BidRequest1ImpItem2Required(TypedDict):
    id: str
    """Slot id; impid of its bid."""
    video: BidRequest1ImpItem2Video


class BidRequest1ImpItem2(_BidRequest1ImpItem2Required, total=False):
    tagid: str
    """Name of the ad unit."""
    banner: BidRequest1ImpItem2Banner
    audio: BidRequest1ImpItem2Audio
    native: BidRequest1ImpItem2Native
    secure: float
    """1: HTTPS creatives only."""
    bidfloor: float
    """CPM; in the currency of the network unless bidfloorcur names another."""
    bidfloorcur: str
    """ISO 4217. A floor in a currency without an exchange rate gets no bid."""
    pmp: BidRequest1ImpItem2Pmp
    ext: BidRequest1ImpItem2Ext


class BidRequest1ImpItem3BannerFormatItem(TypedDict):
    w: int
    h: int


class BidRequest1ImpItem3Banner(TypedDict, total=False):
    format: List[BidRequest1ImpItem3BannerFormatItem]
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


class BidRequest1ImpItem3VideoCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest1ImpItem3VideoCompanionadItem(TypedDict, total=False):
    format: List[BidRequest1ImpItem3VideoCompanionadItemFormatItem]
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


class BidRequest1ImpItem3VideoDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest1ImpItem3Video(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest1ImpItem3VideoCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest1ImpItem3VideoDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""
    linearity: int
    """2: non-linear only, which no ad is."""
    protocol: int
    """One VAST version, where there are no protocols."""
    w: int
    """Width of the player."""
    h: int
    """Height of the player."""


class BidRequest1ImpItem3AudioCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest1ImpItem3AudioCompanionadItem(TypedDict, total=False):
    format: List[BidRequest1ImpItem3AudioCompanionadItemFormatItem]
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


class BidRequest1ImpItem3AudioDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest1ImpItem3Audio(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest1ImpItem3AudioCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest1ImpItem3AudioDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""


class BidRequest1ImpItem3Native(TypedDict, total=False):
    request: Union[str, Dict[str, Any]]
    """OpenRTB Native 1.0 to 1.2."""
    battr: List[int]
    """Blocked attributes of creatives."""


class _BidRequest1ImpItem3PmpDealsItemRequired(TypedDict):
    id: str
    """Code of the deal."""


class BidRequest1ImpItem3PmpDealsItem(_BidRequest1ImpItem3PmpDealsItemRequired, total=False):
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


class BidRequest1ImpItem3Pmp(TypedDict, total=False):
    private_auction: float
    """1: only the deals may serve."""
    deals: List[BidRequest1ImpItem3PmpDealsItem]
    """Deals of the slot."""


class _BidRequest1ImpItem3ExtHbItemRequired(TypedDict):
    bidder: str
    cpm: float
    """CPM."""
    adId: str
    """The id by which the page renders the ad."""


class BidRequest1ImpItem3ExtHbItem(_BidRequest1ImpItem3ExtHbItemRequired, total=False):
    """A bid of a header bidder."""
    currency: str
    """ISO 4217; default: the network's currency. Bids in a currency without an exchange rate do not compete."""
    size: str


class BidRequest1ImpItem3Ext(TypedDict, total=False):
    placement: str
    """Name of the ad unit, where there is no tagid."""
    adUnit: str
    """The same."""
    pos: str
    """Position of the slot."""
    hb: List[BidRequest1ImpItem3ExtHbItem]
    """Bids of header bidders; the highest competes for the slot."""
    keyvalues: Dict[str, Union[str, float, bool, List[str]]]
    """Key-values of the slot; a key of the page with the same name does not count for it."""


class _BidRequest1ImpItem3Required(TypedDict):
    id: str
    """Slot id; impid of its bid."""
    native: BidRequest1ImpItem3Native


class BidRequest1ImpItem3(_BidRequest1ImpItem3Required, total=False):
    tagid: str
    """Name of the ad unit."""
    banner: BidRequest1ImpItem3Banner
    video: BidRequest1ImpItem3Video
    audio: BidRequest1ImpItem3Audio
    secure: float
    """1: HTTPS creatives only."""
    bidfloor: float
    """CPM; in the currency of the network unless bidfloorcur names another."""
    bidfloorcur: str
    """ISO 4217. A floor in a currency without an exchange rate gets no bid."""
    pmp: BidRequest1ImpItem3Pmp
    ext: BidRequest1ImpItem3Ext


class BidRequest1ImpItem4BannerFormatItem(TypedDict):
    w: int
    h: int


class BidRequest1ImpItem4Banner(TypedDict, total=False):
    format: List[BidRequest1ImpItem4BannerFormatItem]
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


class BidRequest1ImpItem4VideoCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest1ImpItem4VideoCompanionadItem(TypedDict, total=False):
    format: List[BidRequest1ImpItem4VideoCompanionadItemFormatItem]
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


class BidRequest1ImpItem4VideoDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest1ImpItem4Video(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest1ImpItem4VideoCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest1ImpItem4VideoDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""
    linearity: int
    """2: non-linear only, which no ad is."""
    protocol: int
    """One VAST version, where there are no protocols."""
    w: int
    """Width of the player."""
    h: int
    """Height of the player."""


class BidRequest1ImpItem4AudioCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest1ImpItem4AudioCompanionadItem(TypedDict, total=False):
    format: List[BidRequest1ImpItem4AudioCompanionadItemFormatItem]
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


class BidRequest1ImpItem4AudioDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest1ImpItem4Audio(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest1ImpItem4AudioCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest1ImpItem4AudioDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""


class BidRequest1ImpItem4Native(TypedDict, total=False):
    request: Union[str, Dict[str, Any]]
    """OpenRTB Native 1.0 to 1.2."""
    battr: List[int]
    """Blocked attributes of creatives."""


class _BidRequest1ImpItem4PmpDealsItemRequired(TypedDict):
    id: str
    """Code of the deal."""


class BidRequest1ImpItem4PmpDealsItem(_BidRequest1ImpItem4PmpDealsItemRequired, total=False):
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


class BidRequest1ImpItem4Pmp(TypedDict, total=False):
    private_auction: float
    """1: only the deals may serve."""
    deals: List[BidRequest1ImpItem4PmpDealsItem]
    """Deals of the slot."""


class _BidRequest1ImpItem4ExtHbItemRequired(TypedDict):
    bidder: str
    cpm: float
    """CPM."""
    adId: str
    """The id by which the page renders the ad."""


class BidRequest1ImpItem4ExtHbItem(_BidRequest1ImpItem4ExtHbItemRequired, total=False):
    """A bid of a header bidder."""
    currency: str
    """ISO 4217; default: the network's currency. Bids in a currency without an exchange rate do not compete."""
    size: str


class BidRequest1ImpItem4Ext(TypedDict, total=False):
    placement: str
    """Name of the ad unit, where there is no tagid."""
    adUnit: str
    """The same."""
    pos: str
    """Position of the slot."""
    hb: List[BidRequest1ImpItem4ExtHbItem]
    """Bids of header bidders; the highest competes for the slot."""
    keyvalues: Dict[str, Union[str, float, bool, List[str]]]
    """Key-values of the slot; a key of the page with the same name does not count for it."""


class _BidRequest1ImpItem4Required(TypedDict):
    id: str
    """Slot id; impid of its bid."""
    audio: BidRequest1ImpItem4Audio


class BidRequest1ImpItem4(_BidRequest1ImpItem4Required, total=False):
    tagid: str
    """Name of the ad unit."""
    banner: BidRequest1ImpItem4Banner
    video: BidRequest1ImpItem4Video
    native: BidRequest1ImpItem4Native
    secure: float
    """1: HTTPS creatives only."""
    bidfloor: float
    """CPM; in the currency of the network unless bidfloorcur names another."""
    bidfloorcur: str
    """ISO 4217. A floor in a currency without an exchange rate gets no bid."""
    pmp: BidRequest1ImpItem4Pmp
    ext: BidRequest1ImpItem4Ext


class BidRequest1SiteExt(TypedDict, total=False):
    area: str
    """Code of the area."""
    kwrd: str
    """Keywords joined with + or spaces."""


class _BidRequest1SiteRequired(TypedDict):
    id: str
    """Site id."""
    domain: str
    """Domain; required also beside a page address."""


class BidRequest1Site(_BidRequest1SiteRequired, total=False):
    page: str
    """Page address."""
    keywords: str
    """Keywords joined with commas."""
    kwarray: List[str]
    """Keywords."""
    content: Dict[str, Any]
    """The content; its texts are key-values such as `content.genre`."""
    ext: BidRequest1SiteExt


class BidRequest1AppExt(TypedDict, total=False):
    area: str
    """Code of the area."""
    kwrd: str
    """Keywords joined with + or spaces."""


class BidRequest1App(TypedDict, total=False):
    """The app that shows the ad, where there is no site."""
    id: str
    """Site id; default: the bundle."""
    bundle: str
    """Id in the app store."""
    domain: str
    """Domain of the app."""
    keywords: str
    """Keywords joined with commas."""
    kwarray: List[str]
    """Keywords."""
    content: Dict[str, Any]
    """The content; its texts are key-values such as `content.genre`."""
    ext: BidRequest1AppExt


class BidRequest1DoohExt(TypedDict, total=False):
    area: str
    """Code of the area."""
    kwrd: str
    """Keywords joined with + or spaces."""


class BidRequest1Dooh(TypedDict, total=False):
    """The screen that shows the ad, where there is no site and no app."""
    id: str
    """Site id."""
    domain: str
    """Domain of the owner."""
    venuetype: List[str]
    """Types of the venue."""
    keywords: str
    """Keywords joined with commas."""
    kwarray: List[str]
    """Keywords."""
    content: Dict[str, Any]
    """The content; its texts are key-values such as `content.genre`."""
    ext: BidRequest1DoohExt


class BidRequest1DeviceGeo(TypedDict, total=False):
    country: str
    """ISO 3166-1, two or three letters."""
    region: str
    """ISO 3166-2, without the country."""
    city: str
    """Name."""


class BidRequest1Device(TypedDict, total=False):
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
    geo: BidRequest1DeviceGeo


class BidRequest1UserDataItemSegmentItem(TypedDict):
    id: str


class BidRequest1UserDataItem(TypedDict, total=False):
    segment: List[BidRequest1UserDataItemSegmentItem]


class BidRequest1UserExtIds(TypedDict, total=False):
    lu: str
    """The caller's first-party user id; used only with consent."""
    aid: str
    """Hashed account id; used when there is no lu."""
    hh: str
    """Id of the household, for frequency caps per household; used only with consent."""


class BidRequest1UserExt(TypedDict, total=False):
    npa: bool
    """true: contextual ads only."""
    consent: str
    """TCF consent string."""
    ids: BidRequest1UserExtIds


class BidRequest1User(TypedDict, total=False):
    consent: str
    """TCF consent string."""
    npa: bool
    """true: contextual ads only."""
    data: List[BidRequest1UserDataItem]
    """Segments of the user; used only with consent."""
    ext: BidRequest1UserExt


class BidRequest1RegsExt(TypedDict, total=False):
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


class BidRequest1Regs(TypedDict, total=False):
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
    ext: BidRequest1RegsExt


class BidRequest1Ext(TypedDict, total=False):
    keyvalues: Dict[str, Union[str, float, bool, List[str]]]
    """Key-values of the page; line items target them."""
    keyValues: Dict[str, Union[str, float, bool, List[str]]]
    """The same, where there is no keyvalues."""


class _BidRequest1Required(TypedDict):
    id: str
    """Unique; a repeated id within 5 minutes counts once."""
    imp: List[Union[BidRequest1ImpItem1, BidRequest1ImpItem2, BidRequest1ImpItem3, BidRequest1ImpItem4]]
    site: BidRequest1Site


class BidRequest1(_BidRequest1Required, total=False):
    app: BidRequest1App
    """The app that shows the ad, where there is no site."""
    dooh: BidRequest1Dooh
    """The screen that shows the ad, where there is no site and no app."""
    device: BidRequest1Device
    user: BidRequest1User
    regs: BidRequest1Regs
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
    ext: BidRequest1Ext
    tmax: float
    """Milliseconds; a later response becomes 204."""
    test: float
    """1: a test request, which gets a response and is never billed."""


class BidRequest2ImpItem1BannerFormatItem(TypedDict):
    w: int
    h: int


class BidRequest2ImpItem1Banner(TypedDict, total=False):
    format: List[BidRequest2ImpItem1BannerFormatItem]
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


class BidRequest2ImpItem1VideoCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest2ImpItem1VideoCompanionadItem(TypedDict, total=False):
    format: List[BidRequest2ImpItem1VideoCompanionadItemFormatItem]
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


class BidRequest2ImpItem1VideoDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest2ImpItem1Video(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest2ImpItem1VideoCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest2ImpItem1VideoDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""
    linearity: int
    """2: non-linear only, which no ad is."""
    protocol: int
    """One VAST version, where there are no protocols."""
    w: int
    """Width of the player."""
    h: int
    """Height of the player."""


class BidRequest2ImpItem1AudioCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest2ImpItem1AudioCompanionadItem(TypedDict, total=False):
    format: List[BidRequest2ImpItem1AudioCompanionadItemFormatItem]
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


class BidRequest2ImpItem1AudioDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest2ImpItem1Audio(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest2ImpItem1AudioCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest2ImpItem1AudioDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""


class BidRequest2ImpItem1Native(TypedDict, total=False):
    request: Union[str, Dict[str, Any]]
    """OpenRTB Native 1.0 to 1.2."""
    battr: List[int]
    """Blocked attributes of creatives."""


class _BidRequest2ImpItem1PmpDealsItemRequired(TypedDict):
    id: str
    """Code of the deal."""


class BidRequest2ImpItem1PmpDealsItem(_BidRequest2ImpItem1PmpDealsItemRequired, total=False):
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


class BidRequest2ImpItem1Pmp(TypedDict, total=False):
    private_auction: float
    """1: only the deals may serve."""
    deals: List[BidRequest2ImpItem1PmpDealsItem]
    """Deals of the slot."""


class _BidRequest2ImpItem1ExtHbItemRequired(TypedDict):
    bidder: str
    cpm: float
    """CPM."""
    adId: str
    """The id by which the page renders the ad."""


class BidRequest2ImpItem1ExtHbItem(_BidRequest2ImpItem1ExtHbItemRequired, total=False):
    """A bid of a header bidder."""
    currency: str
    """ISO 4217; default: the network's currency. Bids in a currency without an exchange rate do not compete."""
    size: str


class BidRequest2ImpItem1Ext(TypedDict, total=False):
    placement: str
    """Name of the ad unit, where there is no tagid."""
    adUnit: str
    """The same."""
    pos: str
    """Position of the slot."""
    hb: List[BidRequest2ImpItem1ExtHbItem]
    """Bids of header bidders; the highest competes for the slot."""
    keyvalues: Dict[str, Union[str, float, bool, List[str]]]
    """Key-values of the slot; a key of the page with the same name does not count for it."""


class _BidRequest2ImpItem1Required(TypedDict):
    id: str
    """Slot id; impid of its bid."""
    banner: BidRequest2ImpItem1Banner


class BidRequest2ImpItem1(_BidRequest2ImpItem1Required, total=False):
    tagid: str
    """Name of the ad unit."""
    video: BidRequest2ImpItem1Video
    audio: BidRequest2ImpItem1Audio
    native: BidRequest2ImpItem1Native
    secure: float
    """1: HTTPS creatives only."""
    bidfloor: float
    """CPM; in the currency of the network unless bidfloorcur names another."""
    bidfloorcur: str
    """ISO 4217. A floor in a currency without an exchange rate gets no bid."""
    pmp: BidRequest2ImpItem1Pmp
    ext: BidRequest2ImpItem1Ext


class BidRequest2ImpItem2BannerFormatItem(TypedDict):
    w: int
    h: int


class BidRequest2ImpItem2Banner(TypedDict, total=False):
    format: List[BidRequest2ImpItem2BannerFormatItem]
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


class BidRequest2ImpItem2VideoCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest2ImpItem2VideoCompanionadItem(TypedDict, total=False):
    format: List[BidRequest2ImpItem2VideoCompanionadItemFormatItem]
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


class BidRequest2ImpItem2VideoDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest2ImpItem2Video(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest2ImpItem2VideoCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest2ImpItem2VideoDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""
    linearity: int
    """2: non-linear only, which no ad is."""
    protocol: int
    """One VAST version, where there are no protocols."""
    w: int
    """Width of the player."""
    h: int
    """Height of the player."""


class BidRequest2ImpItem2AudioCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest2ImpItem2AudioCompanionadItem(TypedDict, total=False):
    format: List[BidRequest2ImpItem2AudioCompanionadItemFormatItem]
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


class BidRequest2ImpItem2AudioDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest2ImpItem2Audio(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest2ImpItem2AudioCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest2ImpItem2AudioDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""


class BidRequest2ImpItem2Native(TypedDict, total=False):
    request: Union[str, Dict[str, Any]]
    """OpenRTB Native 1.0 to 1.2."""
    battr: List[int]
    """Blocked attributes of creatives."""


class _BidRequest2ImpItem2PmpDealsItemRequired(TypedDict):
    id: str
    """Code of the deal."""


class BidRequest2ImpItem2PmpDealsItem(_BidRequest2ImpItem2PmpDealsItemRequired, total=False):
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


class BidRequest2ImpItem2Pmp(TypedDict, total=False):
    private_auction: float
    """1: only the deals may serve."""
    deals: List[BidRequest2ImpItem2PmpDealsItem]
    """Deals of the slot."""


class _BidRequest2ImpItem2ExtHbItemRequired(TypedDict):
    bidder: str
    cpm: float
    """CPM."""
    adId: str
    """The id by which the page renders the ad."""


class BidRequest2ImpItem2ExtHbItem(_BidRequest2ImpItem2ExtHbItemRequired, total=False):
    """A bid of a header bidder."""
    currency: str
    """ISO 4217; default: the network's currency. Bids in a currency without an exchange rate do not compete."""
    size: str


class BidRequest2ImpItem2Ext(TypedDict, total=False):
    placement: str
    """Name of the ad unit, where there is no tagid."""
    adUnit: str
    """The same."""
    pos: str
    """Position of the slot."""
    hb: List[BidRequest2ImpItem2ExtHbItem]
    """Bids of header bidders; the highest competes for the slot."""
    keyvalues: Dict[str, Union[str, float, bool, List[str]]]
    """Key-values of the slot; a key of the page with the same name does not count for it."""


class _BidRequest2ImpItem2Required(TypedDict):
    id: str
    """Slot id; impid of its bid."""
    video: BidRequest2ImpItem2Video


class BidRequest2ImpItem2(_BidRequest2ImpItem2Required, total=False):
    tagid: str
    """Name of the ad unit."""
    banner: BidRequest2ImpItem2Banner
    audio: BidRequest2ImpItem2Audio
    native: BidRequest2ImpItem2Native
    secure: float
    """1: HTTPS creatives only."""
    bidfloor: float
    """CPM; in the currency of the network unless bidfloorcur names another."""
    bidfloorcur: str
    """ISO 4217. A floor in a currency without an exchange rate gets no bid."""
    pmp: BidRequest2ImpItem2Pmp
    ext: BidRequest2ImpItem2Ext


class BidRequest2ImpItem3BannerFormatItem(TypedDict):
    w: int
    h: int


class BidRequest2ImpItem3Banner(TypedDict, total=False):
    format: List[BidRequest2ImpItem3BannerFormatItem]
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


class BidRequest2ImpItem3VideoCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest2ImpItem3VideoCompanionadItem(TypedDict, total=False):
    format: List[BidRequest2ImpItem3VideoCompanionadItemFormatItem]
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


class BidRequest2ImpItem3VideoDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest2ImpItem3Video(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest2ImpItem3VideoCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest2ImpItem3VideoDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""
    linearity: int
    """2: non-linear only, which no ad is."""
    protocol: int
    """One VAST version, where there are no protocols."""
    w: int
    """Width of the player."""
    h: int
    """Height of the player."""


class BidRequest2ImpItem3AudioCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest2ImpItem3AudioCompanionadItem(TypedDict, total=False):
    format: List[BidRequest2ImpItem3AudioCompanionadItemFormatItem]
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


class BidRequest2ImpItem3AudioDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest2ImpItem3Audio(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest2ImpItem3AudioCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest2ImpItem3AudioDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""


class BidRequest2ImpItem3Native(TypedDict, total=False):
    request: Union[str, Dict[str, Any]]
    """OpenRTB Native 1.0 to 1.2."""
    battr: List[int]
    """Blocked attributes of creatives."""


class _BidRequest2ImpItem3PmpDealsItemRequired(TypedDict):
    id: str
    """Code of the deal."""


class BidRequest2ImpItem3PmpDealsItem(_BidRequest2ImpItem3PmpDealsItemRequired, total=False):
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


class BidRequest2ImpItem3Pmp(TypedDict, total=False):
    private_auction: float
    """1: only the deals may serve."""
    deals: List[BidRequest2ImpItem3PmpDealsItem]
    """Deals of the slot."""


class _BidRequest2ImpItem3ExtHbItemRequired(TypedDict):
    bidder: str
    cpm: float
    """CPM."""
    adId: str
    """The id by which the page renders the ad."""


class BidRequest2ImpItem3ExtHbItem(_BidRequest2ImpItem3ExtHbItemRequired, total=False):
    """A bid of a header bidder."""
    currency: str
    """ISO 4217; default: the network's currency. Bids in a currency without an exchange rate do not compete."""
    size: str


class BidRequest2ImpItem3Ext(TypedDict, total=False):
    placement: str
    """Name of the ad unit, where there is no tagid."""
    adUnit: str
    """The same."""
    pos: str
    """Position of the slot."""
    hb: List[BidRequest2ImpItem3ExtHbItem]
    """Bids of header bidders; the highest competes for the slot."""
    keyvalues: Dict[str, Union[str, float, bool, List[str]]]
    """Key-values of the slot; a key of the page with the same name does not count for it."""


class _BidRequest2ImpItem3Required(TypedDict):
    id: str
    """Slot id; impid of its bid."""
    native: BidRequest2ImpItem3Native


class BidRequest2ImpItem3(_BidRequest2ImpItem3Required, total=False):
    tagid: str
    """Name of the ad unit."""
    banner: BidRequest2ImpItem3Banner
    video: BidRequest2ImpItem3Video
    audio: BidRequest2ImpItem3Audio
    secure: float
    """1: HTTPS creatives only."""
    bidfloor: float
    """CPM; in the currency of the network unless bidfloorcur names another."""
    bidfloorcur: str
    """ISO 4217. A floor in a currency without an exchange rate gets no bid."""
    pmp: BidRequest2ImpItem3Pmp
    ext: BidRequest2ImpItem3Ext


class BidRequest2ImpItem4BannerFormatItem(TypedDict):
    w: int
    h: int


class BidRequest2ImpItem4Banner(TypedDict, total=False):
    format: List[BidRequest2ImpItem4BannerFormatItem]
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


class BidRequest2ImpItem4VideoCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest2ImpItem4VideoCompanionadItem(TypedDict, total=False):
    format: List[BidRequest2ImpItem4VideoCompanionadItemFormatItem]
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


class BidRequest2ImpItem4VideoDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest2ImpItem4Video(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest2ImpItem4VideoCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest2ImpItem4VideoDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""
    linearity: int
    """2: non-linear only, which no ad is."""
    protocol: int
    """One VAST version, where there are no protocols."""
    w: int
    """Width of the player."""
    h: int
    """Height of the player."""


class BidRequest2ImpItem4AudioCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest2ImpItem4AudioCompanionadItem(TypedDict, total=False):
    format: List[BidRequest2ImpItem4AudioCompanionadItemFormatItem]
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


class BidRequest2ImpItem4AudioDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest2ImpItem4Audio(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest2ImpItem4AudioCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest2ImpItem4AudioDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""


class BidRequest2ImpItem4Native(TypedDict, total=False):
    request: Union[str, Dict[str, Any]]
    """OpenRTB Native 1.0 to 1.2."""
    battr: List[int]
    """Blocked attributes of creatives."""


class _BidRequest2ImpItem4PmpDealsItemRequired(TypedDict):
    id: str
    """Code of the deal."""


class BidRequest2ImpItem4PmpDealsItem(_BidRequest2ImpItem4PmpDealsItemRequired, total=False):
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


class BidRequest2ImpItem4Pmp(TypedDict, total=False):
    private_auction: float
    """1: only the deals may serve."""
    deals: List[BidRequest2ImpItem4PmpDealsItem]
    """Deals of the slot."""


class _BidRequest2ImpItem4ExtHbItemRequired(TypedDict):
    bidder: str
    cpm: float
    """CPM."""
    adId: str
    """The id by which the page renders the ad."""


class BidRequest2ImpItem4ExtHbItem(_BidRequest2ImpItem4ExtHbItemRequired, total=False):
    """A bid of a header bidder."""
    currency: str
    """ISO 4217; default: the network's currency. Bids in a currency without an exchange rate do not compete."""
    size: str


class BidRequest2ImpItem4Ext(TypedDict, total=False):
    placement: str
    """Name of the ad unit, where there is no tagid."""
    adUnit: str
    """The same."""
    pos: str
    """Position of the slot."""
    hb: List[BidRequest2ImpItem4ExtHbItem]
    """Bids of header bidders; the highest competes for the slot."""
    keyvalues: Dict[str, Union[str, float, bool, List[str]]]
    """Key-values of the slot; a key of the page with the same name does not count for it."""


class _BidRequest2ImpItem4Required(TypedDict):
    id: str
    """Slot id; impid of its bid."""
    audio: BidRequest2ImpItem4Audio


class BidRequest2ImpItem4(_BidRequest2ImpItem4Required, total=False):
    tagid: str
    """Name of the ad unit."""
    banner: BidRequest2ImpItem4Banner
    video: BidRequest2ImpItem4Video
    native: BidRequest2ImpItem4Native
    secure: float
    """1: HTTPS creatives only."""
    bidfloor: float
    """CPM; in the currency of the network unless bidfloorcur names another."""
    bidfloorcur: str
    """ISO 4217. A floor in a currency without an exchange rate gets no bid."""
    pmp: BidRequest2ImpItem4Pmp
    ext: BidRequest2ImpItem4Ext


class BidRequest2SiteExt(TypedDict, total=False):
    area: str
    """Code of the area."""
    kwrd: str
    """Keywords joined with + or spaces."""


class _BidRequest2SiteRequired(TypedDict):
    id: str
    """Site id."""
    domain: str
    """Domain; required also beside a page address."""


class BidRequest2Site(_BidRequest2SiteRequired, total=False):
    page: str
    """Page address."""
    keywords: str
    """Keywords joined with commas."""
    kwarray: List[str]
    """Keywords."""
    content: Dict[str, Any]
    """The content; its texts are key-values such as `content.genre`."""
    ext: BidRequest2SiteExt


class BidRequest2DoohExt(TypedDict, total=False):
    area: str
    """Code of the area."""
    kwrd: str
    """Keywords joined with + or spaces."""


class BidRequest2Dooh(TypedDict, total=False):
    """The screen that shows the ad, where there is no site and no app."""
    id: str
    """Site id."""
    domain: str
    """Domain of the owner."""
    venuetype: List[str]
    """Types of the venue."""
    keywords: str
    """Keywords joined with commas."""
    kwarray: List[str]
    """Keywords."""
    content: Dict[str, Any]
    """The content; its texts are key-values such as `content.genre`."""
    ext: BidRequest2DoohExt


class BidRequest2DeviceGeo(TypedDict, total=False):
    country: str
    """ISO 3166-1, two or three letters."""
    region: str
    """ISO 3166-2, without the country."""
    city: str
    """Name."""


class BidRequest2Device(TypedDict, total=False):
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
    geo: BidRequest2DeviceGeo


class BidRequest2UserDataItemSegmentItem(TypedDict):
    id: str


class BidRequest2UserDataItem(TypedDict, total=False):
    segment: List[BidRequest2UserDataItemSegmentItem]


class BidRequest2UserExtIds(TypedDict, total=False):
    lu: str
    """The caller's first-party user id; used only with consent."""
    aid: str
    """Hashed account id; used when there is no lu."""
    hh: str
    """Id of the household, for frequency caps per household; used only with consent."""


class BidRequest2UserExt(TypedDict, total=False):
    npa: bool
    """true: contextual ads only."""
    consent: str
    """TCF consent string."""
    ids: BidRequest2UserExtIds


class BidRequest2User(TypedDict, total=False):
    consent: str
    """TCF consent string."""
    npa: bool
    """true: contextual ads only."""
    data: List[BidRequest2UserDataItem]
    """Segments of the user; used only with consent."""
    ext: BidRequest2UserExt


class BidRequest2RegsExt(TypedDict, total=False):
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


class BidRequest2Regs(TypedDict, total=False):
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
    ext: BidRequest2RegsExt


class BidRequest2Ext(TypedDict, total=False):
    keyvalues: Dict[str, Union[str, float, bool, List[str]]]
    """Key-values of the page; line items target them."""
    keyValues: Dict[str, Union[str, float, bool, List[str]]]
    """The same, where there is no keyvalues."""


class _BidRequest2Required(TypedDict):
    id: str
    """Unique; a repeated id within 5 minutes counts once."""
    imp: List[Union[BidRequest2ImpItem1, BidRequest2ImpItem2, BidRequest2ImpItem3, BidRequest2ImpItem4]]
    app: Any


class BidRequest2(_BidRequest2Required, total=False):
    site: BidRequest2Site
    dooh: BidRequest2Dooh
    """The screen that shows the ad, where there is no site and no app."""
    device: BidRequest2Device
    user: BidRequest2User
    regs: BidRequest2Regs
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
    ext: BidRequest2Ext
    tmax: float
    """Milliseconds; a later response becomes 204."""
    test: float
    """1: a test request, which gets a response and is never billed."""


class BidRequest3ImpItem1BannerFormatItem(TypedDict):
    w: int
    h: int


class BidRequest3ImpItem1Banner(TypedDict, total=False):
    format: List[BidRequest3ImpItem1BannerFormatItem]
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


class BidRequest3ImpItem1VideoCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest3ImpItem1VideoCompanionadItem(TypedDict, total=False):
    format: List[BidRequest3ImpItem1VideoCompanionadItemFormatItem]
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


class BidRequest3ImpItem1VideoDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest3ImpItem1Video(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest3ImpItem1VideoCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest3ImpItem1VideoDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""
    linearity: int
    """2: non-linear only, which no ad is."""
    protocol: int
    """One VAST version, where there are no protocols."""
    w: int
    """Width of the player."""
    h: int
    """Height of the player."""


class BidRequest3ImpItem1AudioCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest3ImpItem1AudioCompanionadItem(TypedDict, total=False):
    format: List[BidRequest3ImpItem1AudioCompanionadItemFormatItem]
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


class BidRequest3ImpItem1AudioDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest3ImpItem1Audio(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest3ImpItem1AudioCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest3ImpItem1AudioDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""


class BidRequest3ImpItem1Native(TypedDict, total=False):
    request: Union[str, Dict[str, Any]]
    """OpenRTB Native 1.0 to 1.2."""
    battr: List[int]
    """Blocked attributes of creatives."""


class _BidRequest3ImpItem1PmpDealsItemRequired(TypedDict):
    id: str
    """Code of the deal."""


class BidRequest3ImpItem1PmpDealsItem(_BidRequest3ImpItem1PmpDealsItemRequired, total=False):
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


class BidRequest3ImpItem1Pmp(TypedDict, total=False):
    private_auction: float
    """1: only the deals may serve."""
    deals: List[BidRequest3ImpItem1PmpDealsItem]
    """Deals of the slot."""


class _BidRequest3ImpItem1ExtHbItemRequired(TypedDict):
    bidder: str
    cpm: float
    """CPM."""
    adId: str
    """The id by which the page renders the ad."""


class BidRequest3ImpItem1ExtHbItem(_BidRequest3ImpItem1ExtHbItemRequired, total=False):
    """A bid of a header bidder."""
    currency: str
    """ISO 4217; default: the network's currency. Bids in a currency without an exchange rate do not compete."""
    size: str


class BidRequest3ImpItem1Ext(TypedDict, total=False):
    placement: str
    """Name of the ad unit, where there is no tagid."""
    adUnit: str
    """The same."""
    pos: str
    """Position of the slot."""
    hb: List[BidRequest3ImpItem1ExtHbItem]
    """Bids of header bidders; the highest competes for the slot."""
    keyvalues: Dict[str, Union[str, float, bool, List[str]]]
    """Key-values of the slot; a key of the page with the same name does not count for it."""


class _BidRequest3ImpItem1Required(TypedDict):
    id: str
    """Slot id; impid of its bid."""
    banner: BidRequest3ImpItem1Banner


class BidRequest3ImpItem1(_BidRequest3ImpItem1Required, total=False):
    tagid: str
    """Name of the ad unit."""
    video: BidRequest3ImpItem1Video
    audio: BidRequest3ImpItem1Audio
    native: BidRequest3ImpItem1Native
    secure: float
    """1: HTTPS creatives only."""
    bidfloor: float
    """CPM; in the currency of the network unless bidfloorcur names another."""
    bidfloorcur: str
    """ISO 4217. A floor in a currency without an exchange rate gets no bid."""
    pmp: BidRequest3ImpItem1Pmp
    ext: BidRequest3ImpItem1Ext


class BidRequest3ImpItem2BannerFormatItem(TypedDict):
    w: int
    h: int


class BidRequest3ImpItem2Banner(TypedDict, total=False):
    format: List[BidRequest3ImpItem2BannerFormatItem]
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


class BidRequest3ImpItem2VideoCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest3ImpItem2VideoCompanionadItem(TypedDict, total=False):
    format: List[BidRequest3ImpItem2VideoCompanionadItemFormatItem]
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


class BidRequest3ImpItem2VideoDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest3ImpItem2Video(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest3ImpItem2VideoCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest3ImpItem2VideoDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""
    linearity: int
    """2: non-linear only, which no ad is."""
    protocol: int
    """One VAST version, where there are no protocols."""
    w: int
    """Width of the player."""
    h: int
    """Height of the player."""


class BidRequest3ImpItem2AudioCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest3ImpItem2AudioCompanionadItem(TypedDict, total=False):
    format: List[BidRequest3ImpItem2AudioCompanionadItemFormatItem]
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


class BidRequest3ImpItem2AudioDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest3ImpItem2Audio(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest3ImpItem2AudioCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest3ImpItem2AudioDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""


class BidRequest3ImpItem2Native(TypedDict, total=False):
    request: Union[str, Dict[str, Any]]
    """OpenRTB Native 1.0 to 1.2."""
    battr: List[int]
    """Blocked attributes of creatives."""


class _BidRequest3ImpItem2PmpDealsItemRequired(TypedDict):
    id: str
    """Code of the deal."""


class BidRequest3ImpItem2PmpDealsItem(_BidRequest3ImpItem2PmpDealsItemRequired, total=False):
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


class BidRequest3ImpItem2Pmp(TypedDict, total=False):
    private_auction: float
    """1: only the deals may serve."""
    deals: List[BidRequest3ImpItem2PmpDealsItem]
    """Deals of the slot."""


class _BidRequest3ImpItem2ExtHbItemRequired(TypedDict):
    bidder: str
    cpm: float
    """CPM."""
    adId: str
    """The id by which the page renders the ad."""


class BidRequest3ImpItem2ExtHbItem(_BidRequest3ImpItem2ExtHbItemRequired, total=False):
    """A bid of a header bidder."""
    currency: str
    """ISO 4217; default: the network's currency. Bids in a currency without an exchange rate do not compete."""
    size: str


class BidRequest3ImpItem2Ext(TypedDict, total=False):
    placement: str
    """Name of the ad unit, where there is no tagid."""
    adUnit: str
    """The same."""
    pos: str
    """Position of the slot."""
    hb: List[BidRequest3ImpItem2ExtHbItem]
    """Bids of header bidders; the highest competes for the slot."""
    keyvalues: Dict[str, Union[str, float, bool, List[str]]]
    """Key-values of the slot; a key of the page with the same name does not count for it."""


class _BidRequest3ImpItem2Required(TypedDict):
    id: str
    """Slot id; impid of its bid."""
    video: BidRequest3ImpItem2Video


class BidRequest3ImpItem2(_BidRequest3ImpItem2Required, total=False):
    tagid: str
    """Name of the ad unit."""
    banner: BidRequest3ImpItem2Banner
    audio: BidRequest3ImpItem2Audio
    native: BidRequest3ImpItem2Native
    secure: float
    """1: HTTPS creatives only."""
    bidfloor: float
    """CPM; in the currency of the network unless bidfloorcur names another."""
    bidfloorcur: str
    """ISO 4217. A floor in a currency without an exchange rate gets no bid."""
    pmp: BidRequest3ImpItem2Pmp
    ext: BidRequest3ImpItem2Ext


class BidRequest3ImpItem3BannerFormatItem(TypedDict):
    w: int
    h: int


class BidRequest3ImpItem3Banner(TypedDict, total=False):
    format: List[BidRequest3ImpItem3BannerFormatItem]
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


class BidRequest3ImpItem3VideoCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest3ImpItem3VideoCompanionadItem(TypedDict, total=False):
    format: List[BidRequest3ImpItem3VideoCompanionadItemFormatItem]
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


class BidRequest3ImpItem3VideoDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest3ImpItem3Video(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest3ImpItem3VideoCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest3ImpItem3VideoDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""
    linearity: int
    """2: non-linear only, which no ad is."""
    protocol: int
    """One VAST version, where there are no protocols."""
    w: int
    """Width of the player."""
    h: int
    """Height of the player."""


class BidRequest3ImpItem3AudioCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest3ImpItem3AudioCompanionadItem(TypedDict, total=False):
    format: List[BidRequest3ImpItem3AudioCompanionadItemFormatItem]
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


class BidRequest3ImpItem3AudioDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest3ImpItem3Audio(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest3ImpItem3AudioCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest3ImpItem3AudioDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""


class BidRequest3ImpItem3Native(TypedDict, total=False):
    request: Union[str, Dict[str, Any]]
    """OpenRTB Native 1.0 to 1.2."""
    battr: List[int]
    """Blocked attributes of creatives."""


class _BidRequest3ImpItem3PmpDealsItemRequired(TypedDict):
    id: str
    """Code of the deal."""


class BidRequest3ImpItem3PmpDealsItem(_BidRequest3ImpItem3PmpDealsItemRequired, total=False):
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


class BidRequest3ImpItem3Pmp(TypedDict, total=False):
    private_auction: float
    """1: only the deals may serve."""
    deals: List[BidRequest3ImpItem3PmpDealsItem]
    """Deals of the slot."""


class _BidRequest3ImpItem3ExtHbItemRequired(TypedDict):
    bidder: str
    cpm: float
    """CPM."""
    adId: str
    """The id by which the page renders the ad."""


class BidRequest3ImpItem3ExtHbItem(_BidRequest3ImpItem3ExtHbItemRequired, total=False):
    """A bid of a header bidder."""
    currency: str
    """ISO 4217; default: the network's currency. Bids in a currency without an exchange rate do not compete."""
    size: str


class BidRequest3ImpItem3Ext(TypedDict, total=False):
    placement: str
    """Name of the ad unit, where there is no tagid."""
    adUnit: str
    """The same."""
    pos: str
    """Position of the slot."""
    hb: List[BidRequest3ImpItem3ExtHbItem]
    """Bids of header bidders; the highest competes for the slot."""
    keyvalues: Dict[str, Union[str, float, bool, List[str]]]
    """Key-values of the slot; a key of the page with the same name does not count for it."""


class _BidRequest3ImpItem3Required(TypedDict):
    id: str
    """Slot id; impid of its bid."""
    native: BidRequest3ImpItem3Native


class BidRequest3ImpItem3(_BidRequest3ImpItem3Required, total=False):
    tagid: str
    """Name of the ad unit."""
    banner: BidRequest3ImpItem3Banner
    video: BidRequest3ImpItem3Video
    audio: BidRequest3ImpItem3Audio
    secure: float
    """1: HTTPS creatives only."""
    bidfloor: float
    """CPM; in the currency of the network unless bidfloorcur names another."""
    bidfloorcur: str
    """ISO 4217. A floor in a currency without an exchange rate gets no bid."""
    pmp: BidRequest3ImpItem3Pmp
    ext: BidRequest3ImpItem3Ext


class BidRequest3ImpItem4BannerFormatItem(TypedDict):
    w: int
    h: int


class BidRequest3ImpItem4Banner(TypedDict, total=False):
    format: List[BidRequest3ImpItem4BannerFormatItem]
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


class BidRequest3ImpItem4VideoCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest3ImpItem4VideoCompanionadItem(TypedDict, total=False):
    format: List[BidRequest3ImpItem4VideoCompanionadItemFormatItem]
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


class BidRequest3ImpItem4VideoDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest3ImpItem4Video(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest3ImpItem4VideoCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest3ImpItem4VideoDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""
    linearity: int
    """2: non-linear only, which no ad is."""
    protocol: int
    """One VAST version, where there are no protocols."""
    w: int
    """Width of the player."""
    h: int
    """Height of the player."""


class BidRequest3ImpItem4AudioCompanionadItemFormatItem(TypedDict):
    w: int
    h: int


class BidRequest3ImpItem4AudioCompanionadItem(TypedDict, total=False):
    format: List[BidRequest3ImpItem4AudioCompanionadItemFormatItem]
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


class BidRequest3ImpItem4AudioDurfloorsItem(TypedDict, total=False):
    mindur: int
    """Seconds."""
    maxdur: int
    """Seconds."""
    bidfloor: float
    """CPM."""


class BidRequest3ImpItem4Audio(TypedDict, total=False):
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
    protocols: List[int]
    """VAST versions."""
    battr: List[int]
    """Blocked attributes of creatives."""
    companionad: List[BidRequest3ImpItem4AudioCompanionadItem]
    """Slots for companions."""
    companiontype: List[int]
    """Forms of companions."""
    podid: str
    """Impressions of one pod have one id: their ads are chosen together."""
    podseq: int
    """The pod in the content: 1 the first, -1 the last."""
    slotinpod: int
    """The slot in the pod: 1 the first, -1 the last, 2 both are kept, 0 any."""
    poddur: float
    """Seconds of a pod whose ads the response chooses: it has a bid for each."""
    maxseq: int
    """Most ads of such a pod."""
    mincpmpersec: float
    """Lowest CPM by second of an ad."""
    durfloors: List[BidRequest3ImpItem4AudioDurfloorsItem]
    """Floors by duration; bidfloor counts for others."""


class BidRequest3ImpItem4Native(TypedDict, total=False):
    request: Union[str, Dict[str, Any]]
    """OpenRTB Native 1.0 to 1.2."""
    battr: List[int]
    """Blocked attributes of creatives."""


class _BidRequest3ImpItem4PmpDealsItemRequired(TypedDict):
    id: str
    """Code of the deal."""


class BidRequest3ImpItem4PmpDealsItem(_BidRequest3ImpItem4PmpDealsItemRequired, total=False):
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


class BidRequest3ImpItem4Pmp(TypedDict, total=False):
    private_auction: float
    """1: only the deals may serve."""
    deals: List[BidRequest3ImpItem4PmpDealsItem]
    """Deals of the slot."""


class _BidRequest3ImpItem4ExtHbItemRequired(TypedDict):
    bidder: str
    cpm: float
    """CPM."""
    adId: str
    """The id by which the page renders the ad."""


class BidRequest3ImpItem4ExtHbItem(_BidRequest3ImpItem4ExtHbItemRequired, total=False):
    """A bid of a header bidder."""
    currency: str
    """ISO 4217; default: the network's currency. Bids in a currency without an exchange rate do not compete."""
    size: str


class BidRequest3ImpItem4Ext(TypedDict, total=False):
    placement: str
    """Name of the ad unit, where there is no tagid."""
    adUnit: str
    """The same."""
    pos: str
    """Position of the slot."""
    hb: List[BidRequest3ImpItem4ExtHbItem]
    """Bids of header bidders; the highest competes for the slot."""
    keyvalues: Dict[str, Union[str, float, bool, List[str]]]
    """Key-values of the slot; a key of the page with the same name does not count for it."""


class _BidRequest3ImpItem4Required(TypedDict):
    id: str
    """Slot id; impid of its bid."""
    audio: BidRequest3ImpItem4Audio


class BidRequest3ImpItem4(_BidRequest3ImpItem4Required, total=False):
    tagid: str
    """Name of the ad unit."""
    banner: BidRequest3ImpItem4Banner
    video: BidRequest3ImpItem4Video
    native: BidRequest3ImpItem4Native
    secure: float
    """1: HTTPS creatives only."""
    bidfloor: float
    """CPM; in the currency of the network unless bidfloorcur names another."""
    bidfloorcur: str
    """ISO 4217. A floor in a currency without an exchange rate gets no bid."""
    pmp: BidRequest3ImpItem4Pmp
    ext: BidRequest3ImpItem4Ext


class BidRequest3SiteExt(TypedDict, total=False):
    area: str
    """Code of the area."""
    kwrd: str
    """Keywords joined with + or spaces."""


class _BidRequest3SiteRequired(TypedDict):
    id: str
    """Site id."""
    domain: str
    """Domain; required also beside a page address."""


class BidRequest3Site(_BidRequest3SiteRequired, total=False):
    page: str
    """Page address."""
    keywords: str
    """Keywords joined with commas."""
    kwarray: List[str]
    """Keywords."""
    content: Dict[str, Any]
    """The content; its texts are key-values such as `content.genre`."""
    ext: BidRequest3SiteExt


class BidRequest3AppExt(TypedDict, total=False):
    area: str
    """Code of the area."""
    kwrd: str
    """Keywords joined with + or spaces."""


class BidRequest3App(TypedDict, total=False):
    """The app that shows the ad, where there is no site."""
    id: str
    """Site id; default: the bundle."""
    bundle: str
    """Id in the app store."""
    domain: str
    """Domain of the app."""
    keywords: str
    """Keywords joined with commas."""
    kwarray: List[str]
    """Keywords."""
    content: Dict[str, Any]
    """The content; its texts are key-values such as `content.genre`."""
    ext: BidRequest3AppExt


class BidRequest3DeviceGeo(TypedDict, total=False):
    country: str
    """ISO 3166-1, two or three letters."""
    region: str
    """ISO 3166-2, without the country."""
    city: str
    """Name."""


class BidRequest3Device(TypedDict, total=False):
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
    geo: BidRequest3DeviceGeo


class BidRequest3UserDataItemSegmentItem(TypedDict):
    id: str


class BidRequest3UserDataItem(TypedDict, total=False):
    segment: List[BidRequest3UserDataItemSegmentItem]


class BidRequest3UserExtIds(TypedDict, total=False):
    lu: str
    """The caller's first-party user id; used only with consent."""
    aid: str
    """Hashed account id; used when there is no lu."""
    hh: str
    """Id of the household, for frequency caps per household; used only with consent."""


class BidRequest3UserExt(TypedDict, total=False):
    npa: bool
    """true: contextual ads only."""
    consent: str
    """TCF consent string."""
    ids: BidRequest3UserExtIds


class BidRequest3User(TypedDict, total=False):
    consent: str
    """TCF consent string."""
    npa: bool
    """true: contextual ads only."""
    data: List[BidRequest3UserDataItem]
    """Segments of the user; used only with consent."""
    ext: BidRequest3UserExt


class BidRequest3RegsExt(TypedDict, total=False):
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


class BidRequest3Regs(TypedDict, total=False):
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
    ext: BidRequest3RegsExt


class BidRequest3Ext(TypedDict, total=False):
    keyvalues: Dict[str, Union[str, float, bool, List[str]]]
    """Key-values of the page; line items target them."""
    keyValues: Dict[str, Union[str, float, bool, List[str]]]
    """The same, where there is no keyvalues."""


class _BidRequest3Required(TypedDict):
    id: str
    """Unique; a repeated id within 5 minutes counts once."""
    imp: List[Union[BidRequest3ImpItem1, BidRequest3ImpItem2, BidRequest3ImpItem3, BidRequest3ImpItem4]]
    dooh: Any


class BidRequest3(_BidRequest3Required, total=False):
    site: BidRequest3Site
    app: BidRequest3App
    """The app that shows the ad, where there is no site."""
    device: BidRequest3Device
    user: BidRequest3User
    regs: BidRequest3Regs
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
    ext: BidRequest3Ext
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
    """HTML (mtype 1), VAST (2 video, 3 audio), or a JSON text (4)."""
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
    dur: int
    """Of an ad in a pod: its seconds."""
    slotinpod: int
    """Of an ad that is for the first (1) or last (-1) slot alone."""


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
    format: Literal["IMAGE", "HTML", "NATIVE", "VIDEO", "AUDIO"]
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
    """Length of an MP4 video or of a sound in milliseconds."""
    bitrateKbps: Optional[int]
    """Mean bit rate of a sound in kbit/s; null for any other file."""
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


BidRequest = Union["BidRequest1", "BidRequest2", "BidRequest3"]


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

    def adcp(
        self,
        body: Any,
        *,
        timeout: Optional[float] = None,
    ) -> Any:
        """One message of a buyer's agent (Ad Context Protocol over MCP). The seller of the network: as /mcp, with
        the tools of docs/selling-to-agents.md. What the seller supports, and its formats, can be read without a
        key.
        """
        return cast(
            "Any",
            self._transport.call(
                "POST",
                "core",
                "/adcp/<network>/mcp",
                body=body,
                media_type="application/json",
                accept="application/json",
                secured=True,
                timeout=timeout,
            ),
        )

    def adcp_brand(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> Any:
        """The seller's address and that of its keys (brand.json of the Ad Context Protocol)."""
        return cast(
            "Any",
            self._transport.call(
                "GET",
                "core",
                "/adcp/<network>/brand.json",
                accept="application/json",
                secured=False,
                timeout=timeout,
            ),
        )

    def adcp_adagents(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> Any:
        """The sites that the seller sells for the publisher (adagents.json of the Ad Context Protocol). Of a
        network that offers a product to buyers; the adagents.json of its sites leads here.
        """
        return cast(
            "Any",
            self._transport.call(
                "GET",
                "core",
                "/adcp/<network>/adagents.json",
                accept="application/json",
                secured=False,
                timeout=timeout,
            ),
        )

    def adcp_keys(
        self,
        *,
        timeout: Optional[float] = None,
    ) -> Any:
        """The public keys that verify messages of the seller (JSON Web Key Set)."""
        return cast(
            "Any",
            self._transport.call(
                "GET",
                "core",
                "/adcp/<network>/jwks.json",
                accept="application/json",
                secured=False,
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
