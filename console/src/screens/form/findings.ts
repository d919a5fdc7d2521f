import type { Texts } from '../../texts/languages.ts'
import { codecOf, decimal } from './codec.ts'
import { addTo, type FieldFinding, type FormContext, labelIn, schemasAtPointer } from './form-context.ts'
import {
  below,
  isList,
  isObject,
  type Json,
  leavesOf,
  nameOf,
  parentOf,
  partsOf,
  textOf,
  withoutEmpty,
} from './json.ts'
import { showNumber } from './numbers.ts'
import { aboutOf, type Schemas, schemasAt, shapeOf } from './schema.ts'
import { codedIn } from './tables.ts'

type Words = Texts['form']
type About = Pick<FormContext, 'store' | 'root' | 'labels' | 'language' | 'names'> & {
  readonly t: Words
  readonly inWords: (sentence: string) => string
}

export type Raw = { readonly pointer: string; readonly reason: string }

export type Placed = FieldFinding & {
  /** The name to show, if it is not that of the field. */
  readonly name?: string
  /** The form may not have a field for it yet. */
  readonly isHidden?: true

  /** The field that shows it. */
  readonly pointer: string
}

/** Reads the sentences of a refusal: `/Certificate/A03 must be a string (Document number)`. */
export const readDetail = (detail: string): Raw => {
  const [, pointer = '', reason = detail] = /^(\/\S*) (.*)$/s.exec(detail) ?? []
  return {
    pointer: pointer === '/' ? '' : pointer,
    reason: reason.replace(/ \([^()]*(?:\([^()]*\)[^()]*)*\)$/, ''),
  }
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

const quotedIn = (reason: string): string | undefined => {
  const text = /"((?:[^"\\]|\\.)*)"/.exec(reason)?.[1]
  return text === undefined ? undefined : text.replaceAll('\\"', '"')
}

/** The findings for the person who fills in the form; none if it only says why another alternative does not fit. */
const place = (about: About, { pointer, reason }: Raw): readonly Placed[] => {
  const { root, store, t } = about
  const schemas = schemasAtPointer(root, store.at, pointer)
  const shape = shapeOf(root, schemas, store.at(pointer))
  const name = quotedIn(reason)
  if (reason.startsWith('is missing') && name !== undefined) {
    if (shape.kind !== 'object' || !shape.required.has(name)) return []
    const inner = below(pointer, name)
    const field = fieldAt(about, inner)
    // One field represents the whole group that lacks something.
    const missing = field.pointer === inner ? emptyFields(about, inner, field.schemas) : [field.pointer]
    return missing.map((each) => ({ kind: 'missing', pointer: each, text: t.missing }))
  }
  if (reason.startsWith('must not contain') && name !== undefined) {
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
        text: t.notAllowed(labelIn(about, name).text),
      },
    ]
  }
  const value = store.at(pointer)
  if (
    shape.kind === 'choice' &&
    /^must be (?:one of|")/.test(reason) &&
    value !== undefined &&
    shape.values.includes(value)
  )
    return []
  if (/^must be an? /.test(reason) && isOfKind(shape.kind, value)) return []
  return [
    { kind: 'wrong', pointer: fieldAt(about, pointer).pointer, text: wrongInWords(about, schemas, reason) },
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
  (kind === 'number' && typeof value === 'number') ||
  (kind === 'boolean' && typeof value === 'boolean')

const wrongInWords = ({ root, t, inWords }: About, schemas: Schemas, reason: string): string => {
  const { description, example } = aboutOf(root, schemas)
  const shown = typeof example === 'string' ? example : undefined
  const number = Number(/-?\d+(?:\.\d+)?/.exec(reason)?.[0] ?? 0)
  if (/^must be an? .*integer/.test(reason)) return t.wrong.whole
  if (/^must be an? .*number/.test(reason)) return t.wrong.number
  if (reason.includes('valid email')) return t.wrong.email
  if (/valid date/.test(reason)) return t.wrong.date
  if (/valid ur[il]/.test(reason)) return t.wrong.address
  if (reason.startsWith('must be one of')) return t.wrong.choice
  if (reason.includes('required pattern')) return t.wrong.pattern(shown ?? description)
  if (/fewer than \d+ characters/.test(reason)) return t.wrong.tooShort(number)
  if (/more than \d+ characters/.test(reason)) return t.wrong.tooLong(number)
  if (/fewer than \d+ items/.test(reason)) return t.wrong.tooFew(number)
  if (/more than \d+ items/.test(reason)) return t.wrong.tooMany(number)
  if (reason.includes('same item twice')) return t.wrong.twice
  if (/must be >=? /.test(reason)) return t.wrong.atLeast(number)
  if (/must be <=? /.test(reason)) return t.wrong.atMost(number)
  return t.wrong.other(inWords(reason))
}

/** A demand of a condition of the schema, shown only if nothing else is missing in the same group. */
const conditional = (about: About, { pointer, reason }: Raw): readonly Placed[] => {
  const { root, store, t } = about
  const name = reason.startsWith('is missing') ? quotedIn(reason) : undefined
  const shape = shapeOf(root, schemasAtPointer(root, store.at, pointer), store.at(pointer))
  if (name === undefined || shape.kind !== 'object' || !shape.properties.has(name)) return []
  return [{ kind: 'missing', pointer: below(pointer, name), text: t.missing, isHidden: true }]
}

export type Found = { readonly placed: readonly Placed[]; readonly others: readonly Raw[] }

/** Assigns findings to fields. Those without a field are shown apart, so that none is hidden. */
export const placeFindings = (about: About, raw: readonly Raw[]): Found => {
  const direct = raw.map((finding) => ({ finding, at: place(about, finding) }))
  const served = new Set(direct.flatMap(({ finding, at }) => (at.length > 0 ? [finding.pointer] : [])))
  const all = direct.flatMap(({ finding, at }) =>
    at.length > 0 || served.has(finding.pointer) ? at : conditional(about, finding),
  )
  const unique = [...new Map(all.map((each) => [`${each.pointer} ${each.text}`, each])).values()]
  return { placed: unique, others: unique.length > 0 ? [] : raw }
}

/** Adds the parts that lead to a field. */
export const reveal = ({ added }: Pick<FormContext, 'added'>, pointer: string): void => {
  for (let at = pointer; at !== ''; at = parentOf(at)) addTo(added, parentOf(at), nameOf(at))
}

/** Assigns advice to fields: an entry of a table is shown by its value. */
export const placeAdvice = (about: About, raw: readonly Raw[]): readonly Placed[] =>
  raw.map(({ pointer, reason }) => {
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
      kind: 'advice',
      pointer: isEntry && coded !== undefined ? below(pointer, coded.actual) : field.pointer,
      text: about.t.advice(adviceInWords(about, reason)),
      ...(isEntry && coded !== undefined && { name: textOf(about.store.at(below(pointer, coded.symbol))) }),
    }
  })

/** Measured values that are texts and not numbers: some schemas allow `traces`, but it may be a mistake. */
export const oddValues = (about: About): readonly Placed[] =>
  leavesOf(about.store.root()).flatMap(([pointer, value]): readonly Placed[] => {
    if (nameOf(pointer) !== 'Value' || typeof value !== 'string' || decimal.test(value)) return []
    const group = parentOf(pointer)
    const schemas = schemasAtPointer(about.root, about.store.at, group)
    if (codecOf(about.root, schemas, about.store.at(group))?.kind !== 'number') return []
    return [{ kind: 'advice', pointer: group, text: about.t.advice(about.t.noNumber(value)) }]
  })

const adviceInWords = ({ t, language, inWords }: About, reason: string): string => {
  const [, actual, side, limit] =
    /^is (.+), (above|below) the (?:maximum|minimum) of (.+)$/.exec(reason) ?? []
  if (actual !== undefined && limit !== undefined) {
    const [value, bound] = [actual, limit].map((text) => showNumber(text, language === 'de'))
    return side === 'above' ? t.above(value ?? '', bound ?? '') : t.below(value ?? '', bound ?? '')
  }
  return Object.entries(t.unusual).find(([begin]) => reason.startsWith(begin))?.[1] ?? inWords(reason)
}

/** Stores findings where the fields listen. Unchanged ones draw nothing. */
export const showFindings = (
  { findings }: Pick<FormContext, 'findings'>,
  placed: readonly Placed[],
): void => {
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

/** The text to send, without empty members. */
export const certificateOf = (root: Json): string => JSON.stringify(withoutEmpty(root) ?? {})
