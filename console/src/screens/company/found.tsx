import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, ApiError } from '../../api/client.ts'
import { type Finding, findingsIn } from '../../api/findings.ts'
import { sessionQuery } from '../../api/session.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFindingWords } from '../../texts/server-words.ts'
import { useDebounced } from '../../ui/debounced.ts'
import { TextField } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import { Form } from '../../ui/form.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Card, Screen as Frame } from '../../ui/screen.tsx'
import { AddressFields, type AddressText, type FieldName, isComplete } from './address-fields.tsx'
import './company.css'
import { useCountryName } from './countries.ts'

const pauseMs = 400
const registerMs = 600_000
const shortest = 8
const longest = 20

/** People copy it from a letterhead, with spaces, dots and dashes. */
const plain = (vatId: string): string => vatId.replaceAll(/[\s.-]/g, '').toUpperCase()

/** The register is not asked about an id of this length. */
const isUnlikely = (typed: string): boolean => {
  const { length } = plain(typed)
  return length > 0 && (length < shortest || length > longest)
}

const refusedBecause = (error: Error | null): Finding | undefined =>
  error instanceof ApiError && error.code === 'vat_id_invalid' && error.answer !== undefined
    ? findingsIn(error.answer)[0]
    : undefined

const useLookUp = (typed: string) => {
  const vatId = useDebounced(plain(typed), pauseMs)
  const answer = useQuery({
    queryKey: ['vat id', vatId],
    queryFn: ({ signal }) => api.validateVatId({ query: { vatId }, signal }),
    enabled: vatId.length >= shortest && vatId.length <= longest,
    staleTime: registerMs,
  })
  const isCurrent = vatId === plain(typed)
  const invalid = refusedBecause(answer.error)
  return {
    isLooking: plain(typed).length >= shortest && (!isCurrent || answer.isFetching),
    found: isCurrent ? answer.data : undefined,
    /** The reason if the id is wrong. */
    invalid: isCurrent ? invalid : undefined,
    error: invalid === undefined ? answer.error : null,
  }
}

const empty: AddressText = { name: '', street: '', zipCode: '', city: '' }

export const Screen = () => {
  const t = useTexts('company').found
  return (
    <Frame title={t.title}>
      <p className="muted">{t.intro}</p>
      <div className="narrow">
        <Card>
          <Founding />
        </Card>
      </div>
    </Frame>
  )
}

const Founding = () => {
  const t = useTexts('company').found
  const [vatId, setVatId] = useState('')
  const [isTyping, setTyping] = useState(true)
  const [country, setCountry] = useState<string>()
  const [text, setText] = useState(empty)
  const [edited, setEdited] = useState<ReadonlySet<FieldName>>(new Set())
  const inWords = useFindingWords()
  const lookUp = useLookUp(vatId)
  const { found, invalid } = lookUp
  const refused = invalid === undefined ? undefined : t.wrongBecause(inWords(invalid))
  useEffect(() => {
    if (found === undefined) return
    const { street, zipCode, city } = found.address
    setCountry(found.address.country)
    // Never replaces what somebody typed.
    setText((now) => {
      const proposed = { name: found.name, street, zipCode, city }
      const kept = Object.entries(now).filter(([name]) => edited.has(name as FieldName))
      return { ...proposed, ...Object.fromEntries(kept) }
    })
  }, [found, edited])
  const create = useCreation()
  const isReady = isComplete(text) && country !== undefined && found !== undefined
  return (
    <Form
      action={t.action}
      isPending={create.isPending}
      isDisabled={!isReady}
      onSubmit={() => create.mutate({ vatId: plain(vatId), country: country ?? '', text })}
    >
      <TextField
        label={t.vatId}
        value={vatId}
        onChange={setVatId}
        onFocusChange={setTyping}
        hint={t.vatHint}
        maxLength={24}
        autoComplete="off"
        isRequired
        autoFocus
        problem={refused ?? (!isTyping && isUnlikely(vatId) ? t.wrong : undefined)}
      />
      <p role="status" className="muted">
        {lookUp.isLooking && t.looking}
        {!lookUp.isLooking && found !== undefined && (found.name === '' ? t.silent : t.registered)}
      </p>
      {lookUp.error !== null && <Problem error={lookUp.error} />}
      <AddressFields
        text={text}
        onChange={(name, value) => {
          setEdited(new Set([...edited, name]))
          setText({ ...text, [name]: value })
        }}
      />
      <Country value={country} onChange={setCountry} />
      {create.error !== null && <Problem error={create.error} title={t.failed} />}
    </Form>
  )
}

const Country = ({
  value,
  onChange,
}: {
  readonly value: string | undefined
  readonly onChange: (country: string) => void
}) => {
  const t = useTexts('company').found
  const nameOf = useCountryName()
  const { data = {} } = useQuery({
    queryKey: ['countries'],
    queryFn: () => api.listCountries(),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const options = Object.keys(data)
    .map((id) => ({ id, label: nameOf(id) }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
  return (
    <Select
      label={t.country}
      placeholder={t.countryChoose}
      options={options}
      value={value}
      onChange={onChange}
      isRequired
    />
  )
}

const useCreation = () => {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: ({
      vatId,
      country,
      text: { name, ...address },
    }: {
      readonly vatId: string
      readonly country: string
      readonly text: AddressText
    }) => api.createCompany({ body: { name, vatId, address: { country, ...address } } }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
      await navigate({ to: '/start', search: (search: object) => ({ ...search, company: id }) })
    },
  })
}
