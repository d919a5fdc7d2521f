import { type ErrorCode, errors } from './errors.ts'
import { germanErrors } from './errors-de.ts'
import { inWords, type Templates } from './reason-words.ts'
import { access } from './reasons/access.ts'
import { certificates } from './reasons/certificates.ts'
import { deliveries } from './reasons/deliveries.ts'
import type { Entries } from './reasons/entries.ts'
import { findings } from './reasons/findings.ts'
import { json, jsonCodeOf, type JsonFault } from './reasons/json.ts'
import { keys } from './reasons/keys.ts'
import { orders } from './reasons/orders.ts'
import { packs } from './reasons/packs.ts'
import { people } from './reasons/people.ts'
import { pictures } from './reasons/pictures.ts'
import { requests } from './reasons/requests.ts'
import { requirements } from './reasons/requirements.ts'
import { selfCheck } from './reasons/self-check.ts'
import { work } from './reasons/work.ts'

export const reasonGroups = {
  requests,
  people,
  access,
  keys,
  certificates,
  findings,
  selfCheck,
  requirements,
  orders,
  pictures,
  packs,
  json,
  deliveries,
  work,
} as const

/** Why something failed: each code with its words in both languages. The catalogue of errors says what failed. */
export const reasons = {
  ...requests,
  ...people,
  ...access,
  ...keys,
  ...certificates,
  ...findings,
  ...selfCheck,
  ...requirements,
  ...orders,
  ...pictures,
  ...packs,
  ...json,
  ...deliveries,
  ...work,
} as const

type Reasons = typeof reasons
/** What the API refuses can be the reason of something else, such as a failed notarization. */
export type ReasonCode = keyof Reasons | ErrorCode

/** Values never hold a secret: they are stored, logged and shown. */
export type ReasonValue = string | number | Reason
export type Reason = {
  readonly code: ReasonCode
  readonly values: Readonly<Record<string, ReasonValue>>
}

type Named<T extends string> = T extends `${string}{${infer N}}${infer Rest}` ? N | Named<Rest> : never
/** What every reason may have: where it is, and the name of that place on paper. */
type Placed = { readonly place?: string; readonly label?: string }
type NameIn<C extends keyof Reasons> = Exclude<Named<Reasons[C]['en']>, keyof Placed>

/** A reason with each value that its English words name. */
export const because = <C extends keyof Reasons>(
  code: C,
  ...[values]: [NameIn<C>] extends [never]
    ? [values?: Placed]
    : [values: Readonly<Record<NameIn<C>, ReasonValue>> & Placed]
): Reason => ({ code, values: { ...values } })

/** The same reason about a place. */
export const atPlace = (place: string, { code, values }: Reason): Reason => ({
  code,
  values: { ...values, place },
})

const entries = Object.entries<Entries[string]>(reasons)

export const reasonTemplates: Readonly<Record<'en' | 'de', Templates>> = {
  en: Object.fromEntries([
    ...Object.entries(errors).map(([code, { message }]) => [code, message] as const),
    ...entries.map(([code, { en }]) => [code, en] as const),
  ]),
  de: { ...germanErrors, ...Object.fromEntries(entries.map(([code, { de }]) => [code, de])) },
}

/** The sentence in the details of an error. */
export const inEnglish = (reason: Reason): string => inWords(reason, reasonTemplates.en) ?? reason.code

/** Each fault of the JSON reader in `proof/` has an entry here, or the call is a type error. */
export const jsonReason = ({
  fault,
  values,
}: {
  readonly fault: JsonFault
  readonly values: Readonly<Record<string, string | number>>
}): Reason => ({ code: jsonCodeOf(fault), values })
