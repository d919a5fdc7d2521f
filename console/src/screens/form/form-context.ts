import type { CertificateForm } from '@millseal/contract'
import { createContext, use } from 'react'
import { below, isPosition, type Json, partsOf } from './json.ts'
import { type Schema, type Schemas, schemasAt, shapeOf } from './schema.ts'
import { type Store, usePicked } from './store.ts'

export type FieldFinding = {
  /** `doubt` does not fit to what the certificate says elsewhere; `advice` is unusual. */
  readonly kind: 'missing' | 'wrong' | 'doubt' | 'advice'
  readonly text: string
}

/** The class of the words of each kind. */
export const lookOf: Readonly<Record<FieldFinding['kind'], string>> = {
  missing: 'problem',
  wrong: 'problem',
  doubt: 'hint amber',
  advice: 'hint',
}

export type Stores = {
  readonly store: Store
  /** The names of the parts that somebody added, by the pointer of their group. */
  readonly added: Store
  /** The problems, by the pointer of the field. */
  readonly findings: Store
}

export type FormContext = Stores & {
  readonly root: Schema
  readonly labels: CertificateForm['labels']
  /** Pointers of the values that the form fills in by itself. */
  readonly given: ReadonlySet<string>
  /** Places of the companies that receive the certificate; `*` is an element of a list. */
  readonly parties: readonly string[]
  /** Pointers of the tests that a form has from the start. */
  readonly usual: ReadonlySet<string>
  readonly language: string
  /** Numbers have a decimal comma. */
  readonly comma: boolean
  /** Empty fields are shown as missing. */
  readonly showsMissing: boolean
}

const Context = createContext<FormContext | undefined>(undefined)
export const FormProvider = Context

export const useForm = (): FormContext => {
  const form = use(Context)
  if (form === undefined) throw new Error('This part is drawn outside a form')
  return form
}

export type Label = { readonly code: string | undefined; readonly text: string }

/**
 * The label of a place, which the server gives by the last two names: `Order/Id`. Positions count as none; names such as
 * C71, which a pattern allows, may not.
 */
export const labelIn = (
  { labels, language }: Pick<FormContext, 'labels' | 'language'>,
  pointer: string,
): Label => {
  const names = ['', ...partsOf(pointer).filter((part) => part !== '*' && !isPosition(part))]
  const [name = '', parent, above] = names.toReversed()
  const known = labels[`${parent}/${name}`] ?? labels[`${above}/${name}`]
  return { code: known?.['code'], text: known?.[language] ?? known?.['en'] ?? name }
}

/** The fields with the name of a company, which differ between families. */
export const partyNames = ['Name', 'CompanyName', 'PartyName']

export const isParty = ({ parties }: FormContext, pointer: string): boolean =>
  parties.includes(pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*'))

/** The parts of a group that somebody added, which are stored beside the certificate. */
export const addedTo = (added: Store, pointer: string): readonly string[] => {
  const names = added.at(below('', pointer))
  return Array.isArray(names) ? names.map(String) : []
}

export const addTo = (added: Store, pointer: string, name: string): void => {
  const names = addedTo(added, pointer)
  if (!names.includes(name)) added.set(below('', pointer), [...names, name])
}

export const takeFrom = (added: Store, pointer: string, name: string): void =>
  added.set(
    below('', pointer),
    addedTo(added, pointer).filter((each) => each !== name),
  )

export const useAdded = (pointer: string): readonly string[] => {
  const { added } = useForm()
  usePicked(added, below('', pointer), (value) => value)
  return addedTo(added, pointer)
}

const none: readonly FieldFinding[] = []

export const useFindings = (pointer: string): readonly FieldFinding[] => {
  const { findings } = useForm()
  const found = usePicked(findings, below('', pointer), (value) => value)
  return Array.isArray(found) ? (found as readonly FieldFinding[]) : none
}

/** The schemas at a place of this certificate. */
export const schemasAtPointer = (
  root: Schema,
  value: (pointer: string) => Json | undefined,
  pointer: string,
): Schemas => {
  let schemas: Schemas = [root]
  let at = ''
  for (const part of partsOf(pointer)) {
    schemas = schemasAt(shapeOf(root, schemas, value(at)), part)
    at = below(at, part)
  }
  return schemas
}
