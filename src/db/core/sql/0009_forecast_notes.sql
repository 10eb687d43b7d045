alter table runs
  -- Why a store was not read for the forecast, which then used defaults; null when both were.
  add column fallback_reason text,
  -- A wait of known length ends then: remaining times include it.
  add column settles_until timestamptz;
