import type { Company } from '@millseal/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'
import { useHere } from '../../shell/here.ts'
import { useTexts } from '../../texts/catalog.ts'
import { Form } from '../../ui/form.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card, Facts } from '../../ui/screen.tsx'
import { AddressFields, type AddressText, fieldNames, isComplete } from './address-fields.tsx'
import { useCountryName } from './countries.ts'

const textOf = ({ name, address: { street, zipCode, city } }: Company): AddressText => ({
  name,
  street,
  zipCode,
  city,
})

export const Data = ({ company }: { readonly company: Company }) => {
  const t = useTexts('company')
  const { may } = useHere()
  const countryName = useCountryName()
  const text = textOf(company)
  const fixed = (
    <>
      <Facts facts={[[t.found.country, countryName(company.address.country)]]} />
      <p className="muted">{t.data.countryFixed}</p>
    </>
  )
  return (
    <Card title={t.data.title}>
      {may('updateCompany') ? (
        <Fields company={company}>{fixed}</Fields>
      ) : (
        <>
          <Facts facts={fieldNames.map((name) => [t.found[name], text[name]] as const)} />
          {fixed}
        </>
      )}
    </Card>
  )
}

const Fields = ({ company, children }: { readonly company: Company; readonly children: ReactNode }) => {
  const t = useTexts('company').data
  const queries = useQueryClient()
  const [text, setText] = useState(() => textOf(company))
  const stored = textOf(company)
  const save = useMutation({
    mutationFn: ({ name, ...address }: AddressText) =>
      api.updateCompany({ params: { id: company.id }, body: { name, address } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
  const isChanged = fieldNames.some((name) => text[name] !== stored[name])
  return (
    <Form
      action={t.save}
      kind="plain"
      isPending={save.isPending}
      isDisabled={!isChanged || !isComplete(text)}
      onSubmit={() => save.mutate(text)}
      beside={save.isSuccess && !isChanged && <span role="status">{t.saved}</span>}
    >
      <AddressFields text={text} onChange={(name, value) => setText({ ...text, [name]: value })} />
      {children}
      {save.error !== null && <Problem error={save.error} title={t.failed} />}
    </Form>
  )
}
