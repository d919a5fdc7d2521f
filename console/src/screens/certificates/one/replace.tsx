import type { Certificate } from '@millseal/contract'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Radio, RadioGroup, Label } from 'react-aria-components'
import { api } from '../../../api/client.ts'
import { useHere } from '../../../shell/here.ts'
import { useTexts } from '../../../texts/catalog.ts'
import { useFormats } from '../../../texts/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { TextField } from '../../../ui/field.tsx'
import { numberOf } from '../data/number.ts'
import { ReasonField } from './reason-field.tsx'

const one: string = '/certificates/$id'

/** Replaces it by one that is notarized already. */
export const Replace = ({ certificate }: { readonly certificate: Certificate }) => {
  const t = useTexts('certificates')
  const { company } = useHere()
  const queries = useQueryClient()
  const [reason, setReason] = useState('')
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<string>()
  const replace = async () => {
    if (chosen === undefined) return
    await api.replaceCertificate({
      company,
      params: { id: certificate.id },
      body: { reason: reason.trim(), replacedBy: chosen },
    })
    await queries.invalidateQueries()
    await navigate({ to: one, params: { id: certificate.id } })
  }
  return (
    <Confirm
      trigger={<Button>{t.replaceExisting}</Button>}
      title={t.replaceTitle(numberOf(certificate))}
      consequence={t.replaceConsequence}
      action={t.replace}
      isReady={reason.trim() !== '' && chosen !== undefined}
      onConfirm={replace}
    >
      <Replacements certificate={certificate} chosen={chosen} onChosen={setChosen} />
      <ReasonField value={reason} onChange={setReason} />
    </Confirm>
  )
}

const offered = 6

/** Notarized certificates of the same company and mode, the newest first. */
const Replacements = ({
  certificate: { id, mode },
  chosen,
  onChosen,
}: {
  readonly certificate: Certificate
  readonly chosen: string | undefined
  readonly onChosen: (id: string) => void
}) => {
  const t = useTexts('certificates')
  const { company } = useHere()
  const { time } = useFormats()
  const [text, setText] = useState('')
  const wanted = /[\p{L}\p{N}]/u.test(text) ? text : undefined
  const { data = [] } = useQuery({
    queryKey: ['certificates', company, mode, 'replacements', wanted],
    queryFn: ({ signal }) =>
      api.listCertificates({
        company,
        query: { mode, state: 'notarized', text: wanted, limit: offered + 1 },
        signal,
      }),
    // The new one may have been notarized a moment ago.
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  const others = data.filter((other) => other.id !== id && other.withdrawn !== true).slice(0, offered)
  return (
    <>
      <TextField label={t.replaceSearch} hint={t.replaceHint} value={text} onChange={setText} autoFocus />
      {others.length === 0 ? (
        <p className="muted">{t.replaceNone}</p>
      ) : (
        <RadioGroup className="choices" value={chosen ?? null} onChange={onChosen}>
          <Label>{t.replaceBy}</Label>
          {others.map((other) => (
            <Radio key={other.id} value={other.id}>
              <b>{numberOf(other)}</b> {other.summary?.buyerName}{' '}
              <span className="muted">{time(other.timestamp ?? other.createdAt ?? 0)}</span>
            </Radio>
          ))}
        </RadioGroup>
      )}
    </>
  )
}
