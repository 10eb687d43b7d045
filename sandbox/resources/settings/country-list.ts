/**
 * A country with its ISO 3166-1 codes. `states` are ISO 3166-2 subdivisions such as `AB Alberta`, for countries whose
 * addresses contain one.
 */
interface CountryEntry {
  country: string
  iso2: string
  iso3: string
  states?: string[]
}

const ENTRIES: CountryEntry[] = [
  {
    country: 'Australia',
    iso2: 'AU',
    iso3: 'AUS',
    states: [
      ...['ACT Australian Capital Territory', 'NSW New South Wales', 'NT Northern Territory', 'QLD Queensland'],
      ...['SA South Australia', 'TAS Tasmania', 'VIC Victoria', 'WA Western Australia'],
    ],
  },
  { country: 'Austria', iso2: 'AT', iso3: 'AUT' },
  { country: 'Belgium', iso2: 'BE', iso3: 'BEL' },
  {
    country: 'Canada',
    iso2: 'CA',
    iso3: 'CAN',
    states: [
      ...['AB Alberta', 'BC British Columbia', 'MB Manitoba', 'NB New Brunswick', 'NL Newfoundland and Labrador'],
      ...['NT Northwest Territories', 'NS Nova Scotia', 'NU Nunavut', 'ON Ontario', 'PE Prince Edward Island'],
      ...['QC Quebec', 'SK Saskatchewan', 'YT Yukon'],
    ],
  },
  { country: 'Denmark', iso2: 'DK', iso3: 'DNK' },
  { country: 'France', iso2: 'FR', iso3: 'FRA' },
  {
    country: 'Germany',
    iso2: 'DE',
    iso3: 'DEU',
    states: [
      ...['BW Baden-Württemberg', 'BY Bayern', 'BE Berlin', 'BB Brandenburg', 'HB Bremen', 'HH Hamburg', 'HE Hessen'],
      ...['MV Mecklenburg-Vorpommern', 'NI Niedersachsen', 'NW Nordrhein-Westfalen', 'RP Rheinland-Pfalz'],
      ...['SL Saarland', 'SN Sachsen', 'ST Sachsen-Anhalt', 'SH Schleswig-Holstein', 'TH Thüringen'],
    ],
  },
  { country: 'Ireland', iso2: 'IE', iso3: 'IRL' },
  { country: 'Italy', iso2: 'IT', iso3: 'ITA' },
  { country: 'Japan', iso2: 'JP', iso3: 'JPN' },
  { country: 'Netherlands', iso2: 'NL', iso3: 'NLD' },
  { country: 'New Zealand', iso2: 'NZ', iso3: 'NZL' },
  { country: 'Portugal', iso2: 'PT', iso3: 'PRT' },
  { country: 'Spain', iso2: 'ES', iso3: 'ESP' },
  { country: 'Sweden', iso2: 'SE', iso3: 'SWE' },
  { country: 'Switzerland', iso2: 'CH', iso3: 'CHE' },
  { country: 'United Kingdom', iso2: 'GB', iso3: 'GBR' },
  {
    country: 'United States',
    iso2: 'US',
    iso3: 'USA',
    states: [
      ...['AL Alabama', 'AK Alaska', 'AZ Arizona', 'AR Arkansas', 'CA California', 'CO Colorado', 'CT Connecticut'],
      ...['DE Delaware', 'DC District of Columbia', 'FL Florida', 'GA Georgia', 'HI Hawaii', 'ID Idaho', 'IL Illinois'],
      ...['IN Indiana', 'IA Iowa', 'KS Kansas', 'KY Kentucky', 'LA Louisiana', 'ME Maine', 'MD Maryland'],
      ...['MA Massachusetts', 'MI Michigan', 'MN Minnesota', 'MS Mississippi', 'MO Missouri', 'MT Montana'],
      ...['NE Nebraska', 'NV Nevada', 'NH New Hampshire', 'NJ New Jersey', 'NM New Mexico', 'NY New York'],
      ...['NC North Carolina', 'ND North Dakota', 'OH Ohio', 'OK Oklahoma', 'OR Oregon', 'PA Pennsylvania'],
      ...['RI Rhode Island', 'SC South Carolina', 'SD South Dakota', 'TN Tennessee', 'TX Texas', 'UT Utah'],
      ...['VT Vermont', 'VA Virginia', 'WA Washington', 'WV West Virginia', 'WI Wisconsin', 'WY Wyoming'],
    ],
  },
]

export interface Country {
  id: number
  country: string
  country_iso2: string
  country_iso3: string
}

export interface State {
  id: number
  state: string
  state_abbreviation: string
  country_id: number
}

/** Every store has the same countries, as on the platform. The numbers are our own. */
export const COUNTRIES: readonly Country[] = ENTRIES.map(({ country, iso2, iso3 }, at) => ({
  id: at + 1,
  country,
  country_iso2: iso2,
  country_iso3: iso3,
}))

export const STATES: readonly State[] = ENTRIES.flatMap(({ states = [] }, at) =>
  states.map((text) => ({ country_id: at + 1, text })),
).map(({ country_id, text }, at) => ({
  id: at + 1,
  state: text.slice(text.indexOf(' ') + 1),
  state_abbreviation: text.slice(0, text.indexOf(' ')),
  country_id,
}))
