import type { Customer, CustomerData } from '@millseal/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useHere } from '../../shell/here.ts'
import { useLanguage, useTexts } from '../../texts/catalog.ts'
import { localeOf } from '../../texts/format.ts'
import { Button } from '../../ui/button.tsx'
import { countriesIn } from '../../ui/countries.ts'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Select } from '../../ui/select.tsx'

const fields = ['name', 'vatId', 'emails', 'street', 'zipCode', 'city', 'country', 'language'] as const
type Field = (typeof fields)[number]
type Typed = Readonly<Record<Field, string>>

const none = 'none'
/** Those of paper. */
const paperLanguages = ['de', 'en', 'es', 'fr', 'it', 'pl', 'tr', 'zh']

const longest = { name: 200, vatId: 20, street: 200, zipCode: 20, city: 100 } as const

const typedOf = (customer: Customer | undefined): Typed => {
  const { name = '', vatId = '', emails = [], address = {}, language = none } = customer ?? {}
  const { street = '', zipCode = '', city = '', country = none } = address
  return { name, vatId, emails: emails.join('\n'), street, zipCode, city, country, language }
}

const given = (text: string): string | undefined =>
  text.trim() === '' || text === none ? undefined : text.trim()

const dataOf = (typed: Typed): CustomerData => ({
  name: typed.name.trim(),
  vatId: given(typed.vatId),
  emails: typed.emails.split(/[\s,;]+/).filter((each) => each !== ''),
  address: {
    street: given(typed.street),
    zipCode: given(typed.zipCode),
    city: given(typed.city),
    country: given(typed.country),
  },
  language: given(typed.language),
})

type FieldsProps = {
  readonly typed: Typed
  readonly set: (field: Field) => (value: string) => void
}

/** Stores the customer, or keeps a new one. */
export const CustomerForm = ({
  customer,
  close,
}: {
  readonly customer: Customer | undefined
  readonly close: () => void
}) => {
  const t = useTexts('customers')
  const common = useTexts('common')
  const { company } = useHere()
  const queries = useQueryClient()
  const [typed, setTyped] = useState(() => typedOf(customer))
  const save = useMutation({
    mutationFn: async () => {
      const body = dataOf(typed)
      if (customer === undefined) await api.createCustomer({ company, body })
      else await api.updateCustomer({ company, params: { id: customer.id }, body })
    },
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['customers', company] })
      close()
    },
  })
  const set = (field: Field) => (value: string) => setTyped({ ...typed, [field]: value })
  return (
    <Form
      action={common.save}
      onSubmit={() => save.mutate()}
      isPending={save.isPending}
      isDisabled={typed.name.trim() === ''}
      beside={<Button onPress={close}>{common.cancel}</Button>}
    >
      <Lines typed={typed} set={set} />
      <Choices typed={typed} set={set} />
      {save.isError && <Problem error={save.error} title={t.notSaved} />}
    </Form>
  )
}

const Lines = ({ typed, set }: FieldsProps) => {
  const t = useTexts('customers')
  const line = (field: keyof typeof longest, isRequired = false) => (
    <TextField
      label={t[field]}
      value={typed[field]}
      onChange={set(field)}
      maxLength={longest[field]}
      isRequired={isRequired}
      autoFocus={isRequired}
    />
  )
  return (
    <>
      {line('name', true)}
      {line('vatId')}
      <TextField
        label={t.emails}
        hint={t.emailsHint}
        rows={2}
        value={typed.emails}
        onChange={set('emails')}
      />
      {line('street')}
      <div className="pair">
        {line('zipCode')}
        {line('city')}
      </div>
    </>
  )
}

const Choices = ({ typed, set }: FieldsProps) => {
  const t = useTexts('customers')
  const locale = localeOf(useLanguage())
  const names = new Intl.DisplayNames(locale, { type: 'language' })
  const language = given(typed.language)
  const languages = new Set([...paperLanguages, ...(language === undefined ? [] : [language])])
  const country = given(typed.country) ?? ''
  return (
    <div className="pair">
      <Select
        label={t.country}
        options={[{ id: none, label: t.noCountry }, ...countriesIn(locale, country)]}
        value={typed.country}
        onChange={set('country')}
      />
      <Select
        label={t.language}
        options={[
          { id: none, label: t.noLanguage },
          ...[...languages].map((id) => ({ id, label: names.of(id) ?? id })),
        ]}
        value={typed.language}
        onChange={set('language')}
      />
    </div>
  )
}
