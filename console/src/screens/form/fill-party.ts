import { languagesPointer } from './begin.ts'
import { type FormContext, schemasAtPointer } from './form-context.ts'
import { isList, isObject, type Json } from './json.ts'
import { addressFields, addressGroup, furtherFields, type Party, vatField } from './party.ts'
import { type ObjectShape, type Schemas, schemasAt, type Shape, shapeOf } from './schema.ts'

type Value = readonly [name: string, value: Json]

const shapeAt = ({ root }: FormContext, shape: Shape, name: string): Shape =>
  shapeOf(root, schemasAt(shape, name))

const addressOf = (form: FormContext, shape: ObjectShape, { address }: Party): readonly Value[] =>
  Object.entries(addressFields).flatMap(([part, names]) => {
    const value = address[part as keyof typeof addressFields]
    const name = names.find((each) => shape.properties.has(each))
    if (name === undefined || value === undefined) return []
    return [[name, shapeAt(form, shape, name).kind === 'list' ? [value] : value]]
  })

const vatIdOf = ({ properties }: ObjectShape, vatId: string): readonly Value[] => {
  const known: readonly Value[] = [
    ['Identifiers', { VAT: vatId }],
    ['Identifier', { VAT: vatId }],
    ['PartyIdentifier', [{ NameOfIdentifier: vatField, ValueOfIdentifier: vatId }]],
    ['VAT_Id', vatId],
  ]
  return known.filter(([name]) => properties.has(name)).slice(0, 1)
}

const emailsOf = (form: FormContext, shape: ObjectShape, emails: readonly string[]): readonly Value[] => {
  const [first, second] = emails
  if (first === undefined) return []
  const list = shapeAt(form, shape, 'Emails')
  const many = list.kind === 'list' ? emails.slice(0, list.max) : [first]
  const takesMany = shapeAt(form, shape, 'Email').kind === 'list'
  const known: readonly Value[] = [
    ...(second === undefined ? [] : [['Emails', many] as const]),
    ['Email', takesMany ? emails : first],
    ['Emails', many],
    [furtherFields, [{ Name: 'E-Mail', Value: emails }]],
  ]
  return known.filter(([name]) => shape.properties.has(name)).slice(0, 1)
}

/** The part of a party in the certificate, whichever company it is. */
const keptFields = ['PartyNo', 'PartyRole']

/** Replaces the description of a party, as far as the schema has fields for it: nothing of another company stays. */
export const fillParty = (
  form: FormContext,
  {
    pointer,
    schemas,
    nameField,
    party,
  }: {
    readonly pointer: string
    readonly schemas: Schemas
    readonly nameField: string
    readonly party: Party
  },
): void => {
  const { store, root } = form
  const value = store.at(pointer)
  const shape = shapeOf(root, schemas, value)
  if (shape.kind !== 'object') return
  const group = shapeAt(form, shape, addressGroup)
  const hasGroup = shape.properties.has(addressGroup) && group.kind === 'object'
  const former = isObject(value) ? Object.entries(value) : []
  const values: readonly Value[] = [
    ...former.filter(([name]) => keptFields.includes(name)),
    [nameField, party.name],
    ...(hasGroup
      ? [[addressGroup, Object.fromEntries(addressOf(form, group, party))] as const]
      : addressOf(form, shape, party)),
    ...(party.vatId === undefined ? [] : vatIdOf(shape, party.vatId)),
    ...emailsOf(form, shape, party.emails),
  ]
  store.set(pointer, Object.fromEntries(values))
}

/** Adds a language to those of the paper, if the schema allows it. */
export const addLanguage = (form: FormContext, language: string): void => {
  const { store, root } = form
  const pointer = languagesPointer(store.root())
  if (pointer === undefined) return
  const value = store.at(pointer)
  const shape = shapeOf(root, schemasAtPointer(root, store.at, pointer), value)
  if (shape.kind !== 'list' || !isList(value)) return
  const inner = shapeOf(root, shape.items)
  const wanted = language.toUpperCase()
  if (value.includes(wanted) || inner.kind !== 'choice' || !inner.values.includes(wanted)) return
  store.set(pointer, [...value.slice(0, Math.min(shape.max, 2) - 1), wanted])
}
