import type { Certificate } from '@millseal/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api } from '../../api/client.ts'
import { useTexts } from '../../texts/catalog.ts'
import { useFormats } from '../../texts/format.ts'
import { useServerWords } from '../../texts/server-words.ts'
import { Button } from '../../ui/button.tsx'
import { Notice, Problem } from '../../ui/problem.tsx'
import { Card } from '../../ui/screen.tsx'
import { State } from '../../ui/state.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { deleteDraft, type Draft } from './drafts.ts'
import { KeepCustomers } from './keep-customer.tsx'

const hasEnded = ({ state }: Certificate): boolean =>
  ['notarized', 'failed', 'awaitingRelease'].includes(state)
const pollMs = 700

const receiversOf = ({ mails = [] }: Certificate): string =>
  mails.flatMap(({ to, state }) => (state === 'not_sent' ? [] : to)).join(', ')

/** The notarization of a certificate step by step, and its files at the end. */
export const Submitted = ({
  id,
  draft,
  onBack,
}: {
  readonly id: string
  readonly draft: Draft
  readonly onBack: () => void
}) => {
  const { company } = draft
  const t = useTexts('form')
  const format = useFormats()
  const inWords = useServerWords()
  const { data: certificate, error } = useQuery({
    queryKey: ['form-submitted', id],
    queryFn: () => api.readCertificate({ params: { id }, company }),
    refetchInterval: ({ state: { data } }) => (data !== undefined && hasEnded(data) ? false : pollMs),
  })
  const state = certificate?.state
  useEffect(() => {
    if (state === 'notarized' || state === 'awaitingRelease') deleteDraft(draft.id)
  }, [state, draft.id])
  if (certificate === undefined)
    return error === null ? <p role="status">{t.steps.accepted}</p> : <Problem error={error} />
  const steps = ['accepted', 'running', 'notarized'] as const
  const reached = steps.findIndex((step) => step === state)
  if (state === 'failed')
    return (
      <Notice kind="warn">
        <p>
          <strong>{t.failed}</strong>
        </p>
        {certificate.error !== undefined && <p>{inWords(certificate.error, certificate.reasons)}</p>}
        <span>
          <Button onPress={onBack}>{t.backToForm}</Button>
        </span>
      </Notice>
    )
  if (state === 'awaitingRelease') return <Waiting certificate={certificate} draft={draft} />
  return (
    <Card title={certificate.summary?.identifier}>
      <ol className="form-steps" aria-live="polite">
        {steps.map((step, at) => (
          <li key={step}>
            <State kind={at <= reached ? 'good' : 'wait'}>{t.steps[step]}</State>
          </li>
        ))}
      </ol>
      {state === 'notarized' && <Done certificate={certificate} company={company} />}
      {state === 'notarized' && <KeepCustomers draft={draft} />}
      {state === 'notarized' && certificate.timestamp !== undefined && (
        <p className="muted">
          {t.recordedAt(format.time(certificate.timestamp))}. {t.mailsTo(receiversOf(certificate))}
        </p>
      )}
    </Card>
  )
}

const Waiting = ({
  certificate: { id, summary },
  draft,
}: {
  readonly certificate: Certificate
  readonly draft: Draft
}) => {
  const t = useTexts('form')
  const to: string = '/certificates/$id'
  return (
    <Card title={summary?.identifier}>
      <p role="status">{t.awaitsRelease}</p>
      <div className="row">
        <Link to={to} params={{ id } as never} className="button primary">
          {t.toCertificate}
        </Link>
      </div>
      <KeepCustomers draft={draft} />
    </Card>
  )
}

const Done = ({
  certificate: { id, summary },
  company,
}: {
  readonly certificate: Certificate
  readonly company: string
}) => {
  const t = useTexts('form')
  const name = (summary?.identifier ?? id).replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
  const call = { params: { id }, company }
  const to: string = '/certificates/$id'
  return (
    <div className="row">
      <Link to={to} params={{ id } as never} className="button primary">
        {t.toCertificate}
      </Link>
      <Button onPress={() => void api.readCertificatePdf(call).then((file) => saveFile(`${name}.pdf`, file))}>
        PDF
      </Button>
      <Button
        onPress={() => void api.readCertificateJson(call).then((file) => saveFile(`${name}.json`, file))}
      >
        JSON
      </Button>
      <Link
        to="/new/form"
        search={(former: object) => ({ ...former, draft: undefined, from: id })}
        className="button"
      >
        {t.another}
      </Link>
    </div>
  )
}
