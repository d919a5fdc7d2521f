import type { GivenReason } from '@millseal/contract/reason-words'
import type { Doubts, Finding } from '../../api/findings.ts'
import type { Texts } from '../../texts/languages.ts'
import type { FindingWords } from '../../texts/server-words.ts'
import { codecOf, decimal } from './codec.ts'
import { addTo, type FieldFinding, type FormContext, labelIn, schemasAtPointer } from './form-context.ts'
import {
  below,
  isList,
  isNumber,
  isObject,
  type Json,
  leavesOf,
  nameOf,
  parentOf,
  partsOf,
  textOf,
} from './json.ts'
import { aboutOf, type Schemas, schemasAt, shapeOf } from './schema.ts'
import { codedIn } from './tables.ts'

type About = FormContext & {
  readonly t: Texts['form']
  readonly inWords: FindingWords
}

export type Placed = FieldFinding & {
  /** The name to show, if it is not that of the field. */
  readonly name?: string
  /** The form may not have a field for it yet. */
  readonly isHidden?: true

  /** The field that shows it. */
  readonly pointer: string
}

/** The field of a place: itself, or the first group around it that is drawn as one field. */
const fieldAt = (
  { store, root }: About,
  pointer: string,
): { readonly pointer: string; readonly schemas: Schemas } => {
  let schemas: Schemas = [root]
  let at = ''
  for (const part of partsOf(pointer)) {
    if (at !== '' && codecOf(root, schemas, store.at(at)) !== undefined) break
    const shape = shapeOf(root, schemas, store.at(at))
    const inner = schemasAt(shape, part)
    if (inner.length === 0 && shape.kind !== 'object') break
    schemas = inner
    at = below(at, part)
  }
  return { pointer: at, schemas }
}

/** The empty fields of a missing group. */
const emptyFields = (about: About, pointer: string, schemas: Schemas, depth = 0): readonly string[] => {
  const { root, store } = about
  const value = store.at(pointer)
  if (codecOf(root, schemas, value) !== undefined || depth > 4) return [pointer]
  const shape = shapeOf(root, schemas, value)
  if (shape.kind !== 'object') return [pointer]
  const inner = [...shape.required].flatMap((name) =>
    emptyFields(about, below(pointer, name), schemasAt(shape, name), depth + 1),
  )
  return inner.length === 0 ? [pointer] : inner
}

/** The name of a field that is missing or not allowed. */
const nameIn = ({ because }: Finding, code: string): string | undefined =>
  because?.code === code ? String(because.values['name']).replaceAll('\\"', '"') : undefined

/** The findings for the person who fills in the form; none if it only says why another alternative does not fit. */
const place = (about: About, finding: Finding): readonly Placed[] => {
  const { pointer, because } = finding
  const { root, store, t } = about
  const schemas = schemasAtPointer(root, store.at, pointer)
  const shape = shapeOf(root, schemas, store.at(pointer))
  const missingName = nameIn(finding, 'schema_required')
  if (missingName !== undefined) {
    if (shape.kind !== 'object' || !shape.required.has(missingName)) return []
    const inner = below(pointer, missingName)
    const field = fieldAt(about, inner)
    // One field represents the whole group that lacks something.
    const missing = field.pointer === inner ? emptyFields(about, inner, field.schemas) : [field.pointer]
    return missing.map((each) => ({ kind: 'missing', pointer: each, text: t.missing }))
  }
  const name = nameIn(finding, 'schema_not_allowed')
  if (name !== undefined) {
    const inner = below(pointer, name)
    if (
      shape.kind === 'object' &&
      schemasAt(shape, name).length > 0 &&
      store.at(inner) !== undefined &&
      !isForbidden(about, pointer, name)
    )
      return []
    return [
      {
        kind: 'wrong',
        pointer: fieldAt(about, inner).pointer,
        text: t.notAllowed(labelIn(about, inner).text),
      },
    ]
  }
  const value = store.at(pointer)
  if (
    shape.kind === 'choice' &&
    (because?.code === 'schema_enum' || because?.code === 'schema_const') &&
    value !== undefined &&
    shape.values.includes(value)
  )
    return []
  if (because?.code === 'schema_type' && isOfKind(shape.kind, value)) return []
  return [
    { kind: 'wrong', pointer: fieldAt(about, pointer).pointer, text: wrongInWords(about, schemas, finding) },
  ]
}

const isForbidden = ({ root, store }: About, pointer: string, name: string): boolean => {
  const shape = shapeOf(root, schemasAtPointer(root, store.at, pointer), store.at(pointer))
  return shape.kind !== 'object' || !shape.properties.has(name)
}

const isOfKind = (kind: string, value: Json | undefined): boolean =>
  (kind === 'object' && isObject(value)) ||
  (kind === 'list' && isList(value)) ||
  (kind === 'text' && typeof value === 'string') ||
  (kind === 'number' && isNumber(value)) ||
  (kind === 'boolean' && typeof value === 'boolean')

const wrongInWords = ({ root, t, inWords }: About, schemas: Schemas, finding: Finding): string => {
  const { description, example } = aboutOf(root, schemas)
  const shown = typeof example === 'string' ? example : undefined
  const { code = '', values = {} } = finding.because ?? {}
  const say = wrong[code]?.(t.wrong, values, shown ?? description)
  return say ?? t.wrong.other(inWords(finding))
}

/** True if a schema asks for this type, alone or among others. */
const asksFor = (value: unknown, type: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ('code' in value && value.code === type
    ? true
    : 'values' in value && Object.values(value.values ?? {}).some((inner) => asksFor(inner, type)))

const formats: readonly (readonly [RegExp, 'email' | 'date' | 'address'])[] = [
  [/^email/, 'email'],
  [/^date/, 'date'],
  [/^ur[il]/, 'address'],
]

/** The advice to a person, by the code of what the schema refused. */
const wrong: Readonly<
  Record<
    string,
    (
      words: Texts['form']['wrong'],
      values: GivenReason['values'],
      shown: string | undefined,
    ) => string | undefined
  >
> = {
  schema_type: (words, { type }) => {
    if (asksFor(type, 'type_integer')) return words.whole
    return asksFor(type, 'type_number') ? words.number : undefined
  },
  schema_format: (words, { format }) => {
    const known = formats.find(([pattern]) => pattern.test(String(format)))
    return known && words[known[1]]
  },
  schema_enum: (words) => words.choice,
  schema_pattern: (words, _values, shown) => words.pattern(shown),
  schema_min_length: (words, { limit }) => words.tooShort(Number(limit)),
  schema_max_length: (words, { limit }) => words.tooLong(Number(limit)),
  schema_min_items: (words, { limit }) => words.tooFew(Number(limit)),
  schema_max_items: (words, { limit }) => words.tooMany(Number(limit)),
  schema_unique: (words) => words.twice,
  schema_range: (words, { comparison, limit }) =>
    String(comparison).startsWith('>') ? words.atLeast(Number(limit)) : words.atMost(Number(limit)),
}

/** A demand of a condition of the schema, shown only if nothing else is missing in the same group. */
const conditional = (about: About, finding: Finding): readonly Placed[] => {
  const { root, store, t } = about
  const { pointer } = finding
  const name = nameIn(finding, 'schema_required')
  const shape = shapeOf(root, schemasAtPointer(root, store.at, pointer), store.at(pointer))
  if (name === undefined || shape.kind !== 'object' || !shape.properties.has(name)) return []
  return [{ kind: 'missing', pointer: below(pointer, name), text: t.missing, isHidden: true }]
}

export type Found = { readonly placed: readonly Placed[]; readonly others: readonly Finding[] }

/** Assigns findings to fields. Those without a field are shown apart, so that none is hidden. */
export const placeFindings = (about: About, raw: readonly Finding[]): Found => {
  const direct = raw.map((finding) => ({ finding, at: place(about, finding) }))
  const served = new Set(direct.flatMap(({ finding, at }) => (at.length > 0 ? [finding.pointer] : [])))
  const all = direct.flatMap(({ finding, at }) =>
    at.length > 0 || served.has(finding.pointer) ? at : conditional(about, finding),
  )
  const unique = [...new Map(all.map((each) => [`${each.pointer} ${each.text}`, each])).values()]
  return { placed: unique, others: unique.length > 0 ? [] : raw }
}

/** Adds the parts that lead to a field. */
export const reveal = ({ added }: FormContext, pointer: string): void => {
  for (let at = pointer; at !== ''; at = parentOf(at)) addTo(added, parentOf(at), nameOf(at))
}

/** Assigns what may be wrong to fields: an entry of a table is shown by its value. */
export const placeDoubts = (about: About, { findings, warnings }: Doubts): readonly Placed[] => [
  ...findings.map((finding) => placeAtValue(about, finding, { kind: 'doubt', text: about.inWords(finding) })),
  ...warnings.map((finding) =>
    placeAtValue(about, finding, { kind: 'advice', text: about.t.advice(adviceInWords(about, finding)) }),
  ),
]

const placeAtValue = (about: About, { pointer }: Finding, said: FieldFinding): Placed => {
  const field = fieldAt(about, pointer)
  const parent = pointer.slice(0, pointer.lastIndexOf('/'))
  const group = shapeOf(
    about.root,
    schemasAtPointer(about.root, about.store.at, parent),
    about.store.at(parent),
  )
  const coded = group.kind === 'object' ? codedIn(about.root, group) : undefined
  const isEntry = coded?.names?.includes(nameOf(pointer)) === true && field.pointer === pointer
  return {
    ...said,
    pointer: isEntry && coded !== undefined ? below(pointer, coded.actual) : field.pointer,
    name: isEntry && coded !== undefined ? textOf(about.store.at(below(pointer, coded.symbol))) : undefined,
  }
}

/** Measured values that are texts and not numbers: some schemas allow `traces`, but it may be a mistake. */
export const oddValues = (about: About): readonly Placed[] =>
  leavesOf(about.store.root()).flatMap(([pointer, value]): readonly Placed[] => {
    if (nameOf(pointer) !== 'Value' || typeof value !== 'string' || decimal.test(value)) return []
    const group = parentOf(pointer)
    const schemas = schemasAtPointer(about.root, about.store.at, group)
    if (codecOf(about.root, schemas, about.store.at(group))?.kind !== 'number') return []
    return [{ kind: 'advice', pointer: group, text: about.t.advice(about.t.noNumber(value)) }]
  })

const adviceInWords = ({ t, inWords }: About, finding: Finding): string =>
  t.unusual[finding.because?.code ?? ''] ?? inWords(finding)

/** Stores findings where the fields listen. Unchanged ones draw nothing. */
export const showFindings = ({ findings }: FormContext, placed: readonly Placed[]): void => {
  const next = new Map<string, FieldFinding[]>()
  for (const { pointer, isHidden: _hidden, name: _name, ...finding } of placed)
    next.set(pointer, [...(next.get(pointer) ?? []), finding])
  const former = findings.root()
  findings.batch(() => {
    for (const pointer of Object.keys(isObject(former) ? former : {}))
      if (!next.has(pointer)) findings.set(below('', pointer), undefined)
    for (const [pointer, list] of next) {
      const at = below('', pointer)
      if (JSON.stringify(findings.at(at)) !== JSON.stringify(list)) findings.set(at, list)
    }
  })
}
