import type { Entries } from './entries.ts'

/** What a certificate says that does not fit together. Numbers stand as in the file. */
export const selfCheck = {
  own_maximum: {
    en: '{property} {value} is above the maximum {limit} that this certificate prints{about}',
    de: '{property} {value} liegt über dem Höchstwert {limit}, den dieses Zeugnis nennt{about}',
  },
  own_minimum: {
    en: '{property} {value} is below the minimum {limit} that this certificate prints{about}',
    de: '{property} {value} liegt unter dem Mindestwert {limit}, den dieses Zeugnis nennt{about}',
  },
  own_limit: {
    en: '{property} {value} does not satisfy {limit}, which this certificate prints{about}',
    de: '{property} {value} erfüllt {limit} nicht, wie es dieses Zeugnis nennt{about}',
  },
  own_mean: {
    en: '{property}: the mean of {values} is {mean}, but {printed} is printed{about}',
    de: '{property}: Das Mittel aus {values} ist {mean}, gedruckt ist {printed}{about}',
  },
  own_formula: {
    en: '{property} is printed as {printed}, but {formula} gives {result}{about}',
    de: '{property} ist mit {printed} gedruckt, {formula} ergibt aber {result}{about}',
  },
  own_formula_least: {
    en: '{property} is printed as {printed}, but {formula} gives at least {result}{about}',
    de: '{property} ist mit {printed} gedruckt, {formula} ergibt aber mindestens {result}{about}',
  },
  own_sum: {
    en: 'The mass fractions add up to {sum} %, more than 100 %{about}',
    de: 'Die Massenanteile ergeben zusammen {sum} %, mehr als 100 %{about}',
  },
  own_strength: {
    en: 'Rm {value} is below the yield strength {yield}{about}',
    de: 'Rm {value} liegt unter der Streckgrenze {yield}{about}',
  },
  own_heat_unlisted: {
    en: 'Results are for heat {heat}, but the certificate lists {listed}',
    de: 'Ergebnisse gehören zur Schmelze {heat}, das Zeugnis führt aber {listed} auf',
  },
  own_heat_untested: {
    en: 'The certificate lists heat {heat}, but its results are for {tested}',
    de: 'Das Zeugnis führt die Schmelze {heat} auf, seine Ergebnisse gehören aber zu {tested}',
  },
  own_test_date: {
    en: 'The certificate is dated {issued}, before a test on {date}{about}',
    de: 'Das Zeugnis ist vom {issued}, eine Prüfung aber erst vom {date}{about}',
  },
  own_production_date: {
    en: 'The certificate is dated {issued}, before a step of production on {date}{about}',
    de: 'Das Zeugnis ist vom {issued}, ein Schritt der Herstellung aber erst vom {date}{about}',
  },
  own_mass: {
    en: '{pieces} pieces of {each} weigh {total}, but {printed} is printed',
    de: '{pieces} Stück zu {each} wiegen {total}, gedruckt ist {printed}',
  },
  own_declaration: {
    en: 'The certificate names {standard}, but contains no declaration of conformity',
    de: 'Das Zeugnis nennt {standard}, enthält aber keine Konformitätserklärung',
  },
  about_heat: { en: ' (heat {heat})', de: ' (Schmelze {heat})' },
  property_yield_strength: { en: 'Yield strength', de: 'Streckgrenze' },
  property_elongation: { en: 'Elongation', de: 'Bruchdehnung' },
  property_hardness: { en: 'Hardness', de: 'Härte' },
  property_mass: { en: 'Mass', de: 'Masse' },
  property_theoretical_mass: { en: 'Theoretical mass', de: 'Theoretische Masse' },
} as const satisfies Entries
