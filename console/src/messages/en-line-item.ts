/** Texts of a line item: delivery, diagnosis, creatives, comments and approval. */
export const EN_LINE_ITEM = {
  'approval.title': 'Approval',
  'approval.MISSING': 'Another member has to approve this booking before it goes live.',
  'approval.REQUESTED': '{name} asked for approval. A member who did not book it can approve it.',
  'approval.APPROVED': '{name} approved it.',
  'approval.request': 'Ask for approval',
  'approval.approve': 'Approve the booking',

  'comments.title': 'Comments',
  'comments.empty': 'Nobody has said anything yet.',
  'comments.label': 'Your comment',
  'comments.mention': 'Tell',
  'comments.add': 'Comment',
  'comments.delete': 'Delete the comment of {name}',

  'creative_status.ACTIVE': 'Active',
  'creative_status.ARCHIVED': 'Archived',
  'creative_status.PAUSED': 'Paused',

  'creatives.empty': 'It has no creatives, so it cannot serve.',
  'creatives.format': 'Format',
  'creatives.more': 'The first {shown} of {total} creatives are shown.',
  'creatives.review': 'Review',
  'creatives.title': 'Creatives',

  'diagnosis.after': 'After',
  'diagnosis.apply': 'Make this change',
  'diagnosis.apply_short': 'Apply',
  'diagnosis.before': 'Now',
  'diagnosis.by_hour': 'Wins and losses by hour',
  'diagnosis.changed': 'The change was made.',
  'diagnosis.conflict':
    'Someone has changed it since this advice was given. Close this, look at the new advice, and decide again.',
  'diagnosis.confirm': 'Make this change?',
  'diagnosis.gain':
    'About {count} more {impressions, plural, one {impression} other {impressions}} in {hours} hours, if all else stays.',
  'diagnosis.hour': 'Hour',
  'diagnosis.missing': 'This change needs more: {fields}. Make it with the API.',
  'diagnosis.none': 'No change is needed.',
  'diagnosis.object': 'This changes {kind} “{name}”.',
  'diagnosis.other_changes': 'Other changes that would gain something',
  'diagnosis.others': 'other reasons',
  'diagnosis.outcomes':
    'Outcomes of {opportunities} {count, plural, one {opportunity} other {opportunities}} of the last {hours} hours',
  'diagnosis.rivals': 'Who won instead',
  'diagnosis.title': 'Why does it deliver like this?',
  'diagnosis.won': 'won',

  'item.chart': 'Delivered by day',
  'item.chart_cumulative': 'Delivered since its start',
  'item.chart_day': 'Day',
  'item.chart_delivered': 'Delivered',
  'item.chart_description': '{title}. The table below has every value.',
  'item.chart_empty': 'Nothing was counted in these days.',
  'item.chart_goal': 'Goal a day',
  'item.chart_high': 'Likely at most',
  'item.chart_low': 'Likely at least',
  'item.chart_numbers': 'Show the numbers',
  'item.chart_plan': 'Plan',
  'item.chart_projected': 'Projected',
  'item.chart_today': 'Today',
  'item.missing': 'This network has no line item {id}.',
  'item.money': 'Money',
  'item.open_lens': 'Open in the Lens',
  'item.price': 'Price',
  'item.spend_today': 'Earned today',
  'item.value': 'Value of the goal',
  'item.value_day': 'Value of a day’s goal',

  'item_action.copy': 'Duplicate…',
  'item_action.edit': 'Edit…',
  'item_action.split': 'Split…',

  'kind.AdUnit': 'the ad unit',
  'kind.Advertiser': 'the advertiser',
  'kind.Area': 'the area',
  'kind.Campaign': 'the campaign',
  'kind.Creative': 'the creative',
  'kind.Deal': 'the deal',
  'kind.LineItem': 'the line item',
  'kind.Network': 'the network',
  'kind.Segment': 'the segment',
  'kind.Site': 'the site',

  'panel.close': 'Close the panel',
  'panel.full': 'Full page',

  'test.better':
    '“{second}” is clicked {lift} more often than “{first}” (p = {p}; the rates differ by {low} to {high}; {n2} and {n1} impressions).',
  'test.method':
    'Two-proportion z-test of click rates, 95 % interval. Creatives that rotate by their success are not shown at random: then this is a hint, not a proof.',
  'test.open':
    '“{first}” and “{second}”: no difference can be told yet (p = {p}; {n1} and {n2} impressions). A difference like this needs about {needed} impressions of each.',
  'test.title': 'Which creative is clicked more?',
  'test.too_little': '“{first}” and “{second}”: too few clicks to compare ({n1} and {n2} impressions).',
  'test.worse':
    '“{second}” is clicked {lift} less often than “{first}” (p = {p}; the rates differ by {low} to {high}; {n2} and {n1} impressions).',
} as const;
