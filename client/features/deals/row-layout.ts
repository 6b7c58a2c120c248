// The layout depends on the width of the list: three lines next to the photo, or a single line.

export const rowClass =
  'relative grid grid-cols-[4.5rem_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 border-b border-line px-4 py-3 last:border-b-0 @3xl/pipeline:grid-cols-[4.5rem_minmax(0,1fr)_13rem_5.5rem_7rem]'

export const dealAreas =
  "[grid-template-areas:'photo_name_price'_'photo_party_party'_'state_state_acts'] @3xl/pipeline:[grid-template-areas:'photo_name_state_price_acts'_'photo_party_state_price_acts']"

export const offerAreas =
  "[grid-template-areas:'photo_name_price'_'photo_party_party'_'state_state_state'_'acts_acts_acts'] @3xl/pipeline:[grid-template-areas:'photo_name_state_price_price'_'photo_party_state_price_price'_'photo_acts_acts_acts_acts']"
