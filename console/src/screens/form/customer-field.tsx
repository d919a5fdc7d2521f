import type { Customer } from '@millseal/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { use, useEffect, useEffectEvent, useState } from 'react'
import {
  ComboBox,
  ComboBoxStateContext,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
} from 'react-aria-components'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useDebounced } from '../../ui/debounced.ts'
import { FieldNotes, type FieldWords } from '../../ui/field-notes.tsx'
import { addLanguage, fillParty } from './fill-party.ts'
import { schemasAtPointer, useForm } from './form-context.ts'
import { nameOf, parentOf } from './json.ts'

const quietMs = 150
const mostFound = 50
const mostOffered = 8
const none: readonly Customer[] = []

const isEnough = (text: string): boolean => (text.match(/[\p{L}\p{N}]/gu) ?? []).length >= 2

/** Names that begin with what was typed come first; the server also finds it elsewhere, such as in an address. */
const rankOf = ({ name }: Customer, text: string): number => {
  const at = name.toLowerCase().indexOf(text.toLowerCase())
  if (at === 0) return 0
  return at === -1 ? 2 : 1
}

const findOffers = async (
  company: string,
  text: string,
  signal: AbortSignal,
): Promise<readonly Customer[]> => {
  const found = await api.listCustomers({ company, query: { text, limit: mostFound }, signal })
  return found.toSorted((one, other) => rankOf(one, text) - rankOf(other, text)).slice(0, mostOffered)
}

/** The customers that match what somebody types: from two letters or digits on, and until a new answer the former ones. */
const useOffers = (typed: string): readonly Customer[] => {
  const { company, may } = useHere()
  const text = useDebounced(typed, quietMs)
  const { data = none } = useQuery({
    queryKey: ['customers', company, 'offered', text],
    queryFn: ({ signal }) => findOffers(company, text, signal),
    enabled: isEnough(text) && may('listCustomers'),
    placeholderData: keepPreviousData,
  })
  return isEnough(typed) ? data : none
}

/** The list of a combo box opens for keys, but customers arrive later. It opens once for each answer: somebody may close it. */
const OpenOnArrival = ({ offers }: { readonly offers: readonly Customer[] }) => {
  const state = use(ComboBoxStateContext)
  const open = useEffectEvent(() => {
    if (offers.length > 0 && state?.isFocused === true && !state.isOpen) state.open(null, 'input')
  })
  useEffect(() => open(), [offers])
  return null
}

const lineOf = ({ vatId, address: { zipCode, city } }: Customer): string =>
  [vatId, [zipCode, city].filter(Boolean).join(' ')].filter(Boolean).join(' · ')

export type CustomerFieldProps = FieldWords & {
  readonly pointer: string
  readonly text: string
  readonly isRequired: boolean
  readonly change: (text: string) => void
  readonly leave: () => void
}

/** Returns the function that fills in the party whose name is at the pointer. */
const useFilling = (pointer: string): ((customer: Customer) => void) => {
  const form = useForm()
  return (customer) => {
    const party = parentOf(pointer)
    const schemas = schemasAtPointer(form.root, form.store.at, party)
    fillParty(form, { pointer: party, schemas, nameField: nameOf(pointer), party: customer })
    if (customer.language !== undefined) addLanguage(form, customer.language)
  }
}

/** The name of a company that receives the certificate. Choosing a customer fills in the company. */
export const CustomerField = ({ pointer, text, isRequired, change, leave, ...words }: CustomerFieldProps) => {
  const { label, hint, problem } = words
  const t = useTexts('customers')
  const fill = useFilling(pointer)
  const [typed, setTyped] = useState('')
  const offers = useOffers(typed.trim())
  const choose = (customer: Customer | undefined): void => {
    if (customer === undefined) return
    change(customer.name)
    fill(customer)
    setTyped('')
  }
  return (
    <ComboBox
      className="field"
      allowsCustomValue
      isRequired={isRequired}
      isInvalid={problem !== undefined}
      items={offers}
      inputValue={text}
      onInputChange={(next) => {
        if (next === text) return
        setTyped(next)
        change(next)
      }}
      value={null}
      onChange={(id) => choose(offers.find((each) => each.id === id))}
      onBlur={() => {
        setTyped('')
        leave()
      }}
    >
      <Label>{label}</Label>
      <Input autoComplete="off" />
      <FieldNotes hint={hint} problem={problem} />
      <OpenOnArrival offers={offers} />
      <Popover className="popover">
        <ListBox aria-label={t.title}>
          {(customer: Customer) => (
            <ListBoxItem textValue={customer.name}>
              {customer.name} <span className="muted">{lineOf(customer)}</span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
